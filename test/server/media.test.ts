// The four media types: what is answered, and what is read.
import { describe, expect, it } from 'vitest';
import { MEDIA_TYPES } from '../../src/wire/media.ts';
import { departmentBody, usingServer } from './served.ts';

const server = usingServer();

describe('Accept', () => {
  it.each(MEDIA_TYPES)('%s is answered so', async (accept) => {
    const { headers, text } = await server.asAda('GET', '/v4/me', { accept });
    expect(headers['content-type']).toBe(`${accept}; charset=utf-8`);
    expect(text).toMatch(accept.endsWith('xml') ? /^<\?xml .*\n<Individual / : /^\{"ID":"/);
  });

  it.each([undefined, '*/*', 'text/html, */*;q=0.1'])('%s is answered as JSON', async (accept) => {
    const answer = await server.asAda('GET', '/v4/me', accept === undefined ? {} : { accept });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('of what is not served is 406, before a body is read', async () => {
    const asked = { accept: 'image/png', type: 'application/json', body: '{' };
    expect((await server.asAda('POST', '/v4/colors', asked)).json()).toMatchObject({
      status: 406,
      code: 'not_acceptable',
      detail: expect.stringMatching(/"image\/png".*served are application\/json/),
    });
  });
});

describe('a body', () => {
  it.each([
    ['no Content-Type', undefined],
    ['a form', 'application/x-www-form-urlencoded'],
    ['plain text', 'text/plain'],
    ['a type that is none', 'json'],
    ['another charset', 'application/json; charset=latin1'],
    ['a type beside JSON', 'application/problem+json'],
  ])('with %s is 415', async (_what, type) => {
    const asked = { body: '{}', ...(type === undefined ? {} : { type }) };
    expect((await server.asAda('POST', '/v4/colors', asked)).json()).toMatchObject({
      status: 415,
      code: 'media_type',
      detail: expect.stringContaining('bodies are read as'),
    });
  });

  it.each([
    ['gzip', 415],
    ['identity, br', 415],
    ['Identity', 200],
  ])('with Content-Encoding: %s is %i', async (coding, status) => {
    const body = await departmentBody(server, { Name: coding });
    const asked = { type: 'application/json', body, headers: { 'content-encoding': coding } };
    expect((await server.asAda('POST', '/v4/departments', asked)).status).toBe(status);
  });

  it.each(['application/json', 'text/json; charset=UTF-8', 'Application/JSON;charset="utf-8"'])(
    'as %s is read',
    async (type) => {
      const body = await departmentBody(server, { Name: type });
      expect((await server.asAda('POST', '/v4/departments', { type, body })).json()).toMatchObject({ Name: type });
    },
  );

  it('as XML is answered in what was asked for', async () => {
    const { ParentID } = JSON.parse(await departmentBody(server)) as { ParentID: string };
    const [, ...members] = ['', `<ParentID>${ParentID}</ParentID>`, '<Rank>7</Rank>', '<Name>XML &amp; more</Name>'];
    const body = `<Organization xmlns="urn:performance-management:v4">${members.join('')}</Organization>`;
    const answer = await server.asAda('POST', '/v4/departments', { type: 'text/xml', accept: 'text/json', body });
    expect(answer.json()).toMatchObject({ Name: 'XML & more', Rank: 7 });
  });
});
