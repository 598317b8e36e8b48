// Which addresses there are, and what is answered where there is none.
import { describe, expect, it } from 'vitest';
import { MEDIA_TYPES } from '../../src/wire/media.ts';
import { usingServer } from './served.ts';

const server = usingServer();

describe('an unknown path', () => {
  it.each(MEDIA_TYPES)('is 404 in %s', async (accept) => {
    const answer = await server.asAda('GET', '/v4/nothing/here', { accept });
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe(`${accept}; charset=utf-8`);
    expect(answer.text).toContain('urn:performance-management:problem:not_found');
  });

  it.each(['/v4', '/v4/', '/v4?x=1', '/v4//me', '/v4/me//', '/v4/../v4/me', '/v4/me%2f'])('is %s', async (path) => {
    expect((await server.asAda('GET', path)).status).toBe(404);
  });

  it.each([
    '/v4x',
    '/v',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/LICENSE',
    '/docs//',
    '/constructor',
  ])('outside of the service is %s, for everybody', async (path) => {
    expect((await server.ask('GET', path)).json()).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('a known path with another method', () => {
  it.each([
    ['PATCH', '/v4/colors', 'GET, HEAD, OPTIONS, POST'],
    ['PROPFIND', '/v4/me', 'GET, HEAD, OPTIONS'],
    ['GET', '/v4/login', 'DELETE, OPTIONS, POST'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/docs', 'GET, HEAD, OPTIONS'],
  ])('is 405 and names the others: %s %s', async (method, path, allow) => {
    const answer = await server.asAda(method, path, { accept: 'text/xml' });
    expect(answer).toMatchObject({ status: 405, headers: { allow } });
    expect(answer.text).toContain('<code>method</code>');
  });
});

describe('what the service does not do', () => {
  it.each([
    ['POST', '/v4/archives', 'OPTIONS'],
    ['PUT', '/v4/archives/0f8fad5b-d9cb-469f-a165-70867728950e', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/v4/archives/0f8fad5b-d9cb-469f-a165-70867728950e', 'GET, HEAD, OPTIONS'],
  ])('is 405, and names what the address does: %s %s', async (method, path, allow) => {
    const answer = await server.asAda(method, path);
    expect(answer.headers.allow).toBe(allow);
    expect(answer.json()).toMatchObject({ status: 405, code: 'unsupported' });
  });

  it('is told to nobody who is not known', async () => {
    expect((await server.ask('POST', '/v4/archives')).status).toBe(401);
  });
});

describe('names in a path', () => {
  it.each(['/v4/me/', '/V4/Me', '/v4/COLORS', '/v4/users/?DELETED=2', '/v4/colors/DEFAULTS', '/v4/users?DELETED=2'])(
    'fit in any case: %s',
    async (path) => {
      expect((await server.asAda('GET', path)).status).toBe(200);
    },
  );

  it.each([
    ['/v4/colors/one', 'id'],
    ['/v4/individuals/12', 'id'],
    ['/v4/users?deleted=3', 'deleted'],
    ['/v4/users?nothing=1', 'nothing'],
    ['/v4/users?deleted=1&Deleted=1', 'deleted'],
  ])('carry values that are checked: %s', async (path, field) => {
    expect((await server.asAda('GET', path)).json()).toMatchObject({ status: 400, errors: [{ field }] });
  });

  it.each(['/v4/%zz', '/v4/users?tz=%c3%28', '/v4/individuals/%00', '/v4/users?tz=Nowhere'])(
    'that are malformed are 400: %s',
    async (path) => {
      expect((await server.asAda('GET', path)).status).toBe(400);
    },
  );
});

describe('OPTIONS', () => {
  it.each([
    ['/v4/colors/1', 'DELETE, GET, HEAD, OPTIONS, PUT'],
    ['/V4/Colors/', 'GET, HEAD, OPTIONS, POST'],
    ['/v4/login', 'DELETE, OPTIONS, POST'],
    ['/v4/archives', 'OPTIONS'],
    ['/', 'GET, HEAD, OPTIONS'],
    ['/docs', 'GET, HEAD, OPTIONS'],
    ['*', 'DELETE, GET, HEAD, OPTIONS, POST, PUT'],
  ])('says what %s answers, to everybody', async (path, allow) => {
    expect(await server.ask('OPTIONS', path)).toMatchObject({ status: 204, text: '', headers: { allow } });
  });

  it.each(['/v4', '/v4/nothing', '/nothing'])('finds no address %s', async (path) => {
    expect((await server.ask('OPTIONS', path)).json()).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('the pages beside the service', () => {
  it.each(['/healthz/', '/HealthZ', '/Docs', '/docs/', '/DOCS/Start.js', '/openapi.json/', '/ReadyZ?x=1'])(
    'are found in any case, with a slash at the end or without: %s',
    async (path) => {
      expect((await server.ask('GET', path)).status).toBe(200);
    },
  );

  it.each(['GET', 'HEAD'])('begin at the root, which leads to /docs: %s', async (method) => {
    expect(await server.ask(method, '/')).toMatchObject({ status: 302, headers: { location: '/docs' } });
  });
});

describe('HEAD', () => {
  it.each(['/v4/me', '/v4/users', '/v4/nothing', '/healthz', '/openapi.json', '/docs'])(
    'answers as GET, without a body: %s',
    async (path) => {
      const [head, get] = [await server.asAda('HEAD', path), await server.asAda('GET', path)];
      expect(head).toMatchObject({ status: get.status, text: '' });
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
      expect(head.headers.etag).toBe(get.headers.etag);
    },
  );
});

describe('signs of life', () => {
  it.each(['/healthz', '/readyz'])('need no login: %s', async (path) => {
    expect((await server.ask('GET', path)).status).toBe(200);
  });
});

describe('what depends on Accept', () => {
  it.each(['/v4/me', '/v4/users', '/v4/nothing', '/nothing'])('says so: %s', async (path) => {
    expect((await server.asAda('GET', path)).headers.vary).toBe('Accept');
    expect((await server.ask('GET', path, { accept: 'image/png' })).headers.vary).toBe('Accept');
  });
});

describe('every answer', () => {
  it.each(['/v4/me', '/v4/nothing', '/healthz', '/docs', '/nothing'])('is kept by nobody: %s', async (path) => {
    const { headers } = await server.asAda('GET', path);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('has an ID of its own, whatever the request says', async () => {
    const headers = { 'x-request-id': 'mine' };
    expect((await server.asAda('GET', '/v4/me', { headers })).headers['x-request-id']).not.toBe('mine');
  });
});
