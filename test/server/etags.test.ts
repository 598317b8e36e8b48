// ETags: a record that has changed is not overwritten (D10), and one that has not is not sent again.
import { beforeEach, describe, expect, it } from 'vitest';
import { departmentBody, type Member, usingServer } from './served.ts';

const server = usingServer();
const type = 'application/json';
let path = '';
let record: Member = {};
let etag = '';

const put = (members: Member, match?: string, at = path) =>
  server.asAda('PUT', at, {
    type,
    body: JSON.stringify({ ...record, ...members }),
    ...(match === undefined ? {} : { headers: { 'if-match': match } }),
  });

beforeEach(async () => {
  record = (await server.asAda('POST', '/v4/departments', { type, body: await departmentBody(server) })).json();
  path = `/v4/departments/${String(record.ID)}`;
  etag = String((await server.asAda('GET', path)).headers.etag);
});

describe('an ETag', () => {
  it('is strong, and alike in all media types', async () => {
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    expect((await server.asAda('GET', path, { accept: 'text/xml' })).headers.etag).toBe(etag);
  });

  it('comes with a change, and is the next one read', async () => {
    const changed = await put({ Name: 'Other' });
    expect(changed.headers.etag).not.toBe(etag);
    expect((await server.asAda('GET', path)).headers.etag).toBe(changed.headers.etag);
  });

  it('is of single records only', async () => {
    for (const list of ['/v4/departments', '/v4/colors/defaults'])
      expect((await server.asAda('GET', list)).headers.etag).toBeUndefined();
  });
});

describe('If-Match', () => {
  it('lets a change pass while the record is as it was read', async () => {
    expect((await put({ Name: 'Seen' }, etag)).json()).toMatchObject({ Name: 'Seen' });
  });

  it('refuses it afterwards with 412, and nothing changes', async () => {
    await put({ Name: 'Mine' });
    const refused = (await put({ Focus: 'Yours' }, etag)).json();
    expect(refused).toMatchObject({ status: 412, code: 'drifted', next: { method: 'GET', href: path } });
    expect((await server.asAda('GET', path)).json()).toMatchObject({ Name: 'Mine', Focus: null });
  });

  it('guards delete and undelete too', async () => {
    const headers = { 'if-match': '"other"' };
    expect((await server.asAda('DELETE', path, { headers })).status).toBe(412);
    expect((await server.asAda('DELETE', path, { headers: { 'if-match': etag } })).status).toBe(200);
    expect((await server.asAda('PUT', `${path}/undelete`, { headers: { 'if-match': etag } })).status).toBe(412);
  });

  it('of two clients that change two fields at once refuses one', async () => {
    const answers = await Promise.all([put({ Name: 'One' }, etag), put({ Focus: 'Two' }, etag)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('with a star asks for any record, and a weak ETag fits none', async () => {
    expect((await put({ Name: 'Any' }, '*')).status).toBe(200);
    const now = String((await server.asAda('GET', path)).headers.etag);
    const weak = await put({ Name: 'Weak' }, `W/${now}`);
    expect({ status: weak.status, said: JSON.stringify(weak.json()) }).toEqual({
      status: 412,
      said: expect.stringMatching(/only weak ETags.*gzip/),
    });
    expect((await put({ Name: 'Both' }, `W/"x", ${now}`)).status).toBe(200);
  });

  it('may name several, of which one fits', async () => {
    expect((await put({ Name: 'Listed' }, `"other",, ${etag}`)).status).toBe(200);
    expect((await put({ Name: 'Late' }, `"other", ${etag}`)).status).toBe(412);
  });

  it.each(['nonsense', '"a" b', '"', ''])('that is no ETag is 400: %s', async (match) => {
    expect((await put({ Name: 'No' }, match)).status).toBe(400);
  });
});

describe('If-None-Match', () => {
  const get = (given: string, at = path, method = 'GET') =>
    server.asAda(method, at, { accept: 'text/xml', headers: { 'if-none-match': given } });

  it.each([
    ['its ETag', () => etag],
    ['its ETag, marked as weak', () => `W/${etag}`],
    ['several, with its own', () => `"a,b", W/"c" ,${etag}`],
    ['a star', () => '*'],
  ])('with %s is answered with 304, and nothing else', async (_what, given) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, text, headers } = await get(given(), path, method);
      expect({ status, text }).toEqual({ status: 304, text: '' });
      expect(headers).toMatchObject({ etag, vary: 'Accept', 'cache-control': 'no-store' });
      expect(headers['content-type']).toBeUndefined();
    }
  });

  it.each(['"other"', 'W/"other", "one"', 'nonsense', '"', ''])('with %s is answered as ever', async (given) => {
    expect(await get(given)).toMatchObject({ status: 200, headers: { etag } });
  });

  it('is answered anew after a change', async () => {
    await put({ Name: 'Other' });
    expect((await get(etag)).text).toContain('<Name>Other</Name>');
  });

  it('tells nothing to who may not read, nor of what is not there', async () => {
    const headers = { 'if-none-match': '*' };
    expect((await server.ask('GET', path, { headers })).status).toBe(401);
    expect((await get('*', '/v4/departments/0f8fad5b-d9cb-469f-a165-70867728950e')).status).toBe(404);
  });

  it('does not guard a change, which says so and is not made', async () => {
    const headers = { 'if-none-match': '*' };
    const refused = await server.asAda('DELETE', path, { headers });
    expect(refused.json()).toMatchObject({ status: 400, detail: expect.stringContaining('If-Match') });
    expect((await server.asAda('GET', path)).status).toBe(200);
  });
});
