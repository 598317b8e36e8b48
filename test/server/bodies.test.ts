// Bodies that are too large, broken or hostile: each is a 4xx, and none changes anything.
import { describe, expect, it } from 'vitest';
import { departmentBody, type Member, usingServer } from './served.ts';

const server = usingServer();
const NAMESPACE = 'urn:performance-management:v4';
const ofDepth = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const JSON_BODIES: readonly (readonly [string, string | Buffer])[] = [
  ['nothing', ''],
  ['no JSON', '{'],
  ['a list', '[]'],
  ['a number', '7'],
  ['a member twice', '{"Name":"a","Name":"b"}'],
  ['a member twice in another case', '{"Name":"a","name":"b"}'],
  ['a prototype', '{"__proto__":{"IsAdmin":true}}'],
  ['an unknown member', '{"constructor":1}'],
  ['half a character', '{"Name":"\\ud800"}'],
  ['a character that XML cannot carry', '{"Name":"\\u0000"}'],
  ['a number that is too large', '{"Rank":9007199254740993}'],
  ['an infinite number', '{"Rank":1e400}'],
  ['a deep value', `{"Name":${ofDepth(40)}}`],
  ['very many values', `{"Name":[${'1,'.repeat(11_000)}1]}`],
  ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ['UTF-16', Buffer.from('{"Name":"a"}', 'utf16le')],
];
const XML_BODIES: readonly (readonly [string, string])[] = [
  ['no XML', 'x'],
  ['another root', `<Color xmlns="${NAMESPACE}"/>`],
  ['a DOCTYPE', `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><Organization xmlns="${NAMESPACE}"/>`],
  ['an unknown entity', `<Organization xmlns="${NAMESPACE}"><Name>&b;</Name></Organization>`],
  ['an open element', `<Organization xmlns="${NAMESPACE}"><Name>`],
  ['a member twice', `<Organization xmlns="${NAMESPACE}"><Name>a</Name><Name>b</Name></Organization>`],
  ['members out of order', `<Organization xmlns="${NAMESPACE}"><Name>a</Name><Rank>1</Rank></Organization>`],
  ['another encoding', `<?xml version="1.0" encoding="latin1"?><Organization xmlns="${NAMESPACE}"/>`],
];

const departments = async (): Promise<string> => (await server.asAda('GET', '/v4/departments?deleted=2')).text;

describe('a hostile body', () => {
  it.each(JSON_BODIES)('of JSON is 400: %s', async (_what, body) => {
    const before = await departments();
    const answer = await server.asAda('POST', '/v4/departments', { type: 'application/json', body });
    expect(answer.json()).toMatchObject({ status: 400 });
    expect(await departments()).toBe(before);
  });

  it.each(XML_BODIES)('of XML is 400: %s', async (_what, body) => {
    const before = await departments();
    const answer = await server.asAda('POST', '/v4/departments', { type: 'text/xml', body });
    expect(answer.json()).toMatchObject({ status: 400 });
    expect(await departments()).toBe(before);
  });

  it('names all faults at once, each with its member', async () => {
    const body = await departmentBody(server, { Rank: 'x', Name: '' });
    const answer = await server.asAda('POST', '/v4/departments', { type: 'text/json', body });
    expect((answer.json().errors as readonly Member[]).map(({ field }) => field).sort()).toEqual(['Name', 'Rank']);
  });
});

describe('a large body', () => {
  const type = 'application/json';

  it('of the limit is read', async () => {
    const body = '{}'.padEnd(1 << 20);
    expect((await server.asAda('POST', '/v4/departments', { type, body })).status).toBe(400);
  });

  it('beyond it is 413, and the connection ends', async () => {
    const body = '{}'.padEnd((1 << 20) + 1);
    const answer = await server.asAda('POST', '/v4/departments', { type, body });
    expect(answer.json()).toMatchObject({ status: 413, code: 'too_large' });
    expect(answer.headers.connection).toBe('close');
  });

  it('beyond it is 413 too where nobody said how large it is', async () => {
    const asked = { type, body: '{}'.padEnd((1 << 20) + 1), headers: { 'transfer-encoding': 'chunked' } };
    expect((await server.asAda('POST', '/v4/departments', asked)).status).toBe(413);
  });
});

describe('a body that nobody asked for', () => {
  it.each([
    ['GET', '/v4/me'],
    ['DELETE', '/v4/colors/1'],
  ])('is passed over: %s', async (method, path) => {
    expect((await server.asAda(method, path, { type: 'application/json', body: '{' })).status).toBe(200);
  });
});
