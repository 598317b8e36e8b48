// The tolerant reader, the namespace that is learned, and what is put back as it was read.
import { describe, expect, it } from 'vitest';
import { writableBody } from '../../src/changes/plan/change.ts';
import { contract } from '../../src/contract/index.ts';
import { json, ME, says } from '../support/fake-server.ts';
import { aClient, aServer, aSession, CREDENTIAL, rowsOf } from './client-session.ts';

const { color, project, individual } = contract;
const xml = (text: string) => says(200, text, { 'content-type': 'text/xml; charset=utf-8' });
const OTHER = 'http://schemas.example.org/v4';

describe('an answer', () => {
  it.each<[string, string, string]>([
    ['an array', 'application/json', '[{"ID":1},{"ID":2}]'],
    ['a wrapper', 'text/json', '{"Items":[{"ID":1},{"ID":2}],"Total":2}'],
    ['names in other cases', 'application/json', '[{"id":1},{"iD":2}]'],
    ['an ArrayOf root', 'text/xml', '<ArrayOfColor><Color><ID>1</ID></Color><Color><ID>2</ID></Color></ArrayOfColor>'],
    [
      'prefixes',
      'application/xml',
      '<a:L xmlns:a="u"><a:Color><a:ID>1</a:ID></a:Color><a:Color><a:ID>2</a:ID></a:Color></a:L>',
    ],
    [
      'another media type of that syntax',
      'application/vnd.x+xml',
      '<L><Color><ID>1</ID></Color><Color><ID>2</ID></Color></L>',
    ],
  ])('is read as a list, whatever was asked for: %s', async (_name, type, text) => {
    const { server, session } = await aSession();
    server.does(says(200, text, { 'content-type': type }));
    expect((await rowsOf(session.list(color.operations.list))).map(({ ID }) => ID)).toEqual([1, 2]);
  });
});

it('numbers and truths that stand as texts are numbers and truths', async () => {
  const { server, session } = await aSession();
  server.does(
    json([
      { ID: '7', Rank: '3', Deleted: 'false' },
      { ID: 'x', Rank: '' },
    ]),
  );
  expect(await rowsOf(session.list(color.operations.list))).toMatchObject([
    { ID: 7, Rank: 3 },
    { ID: 'x', Rank: '' },
  ]);
});

it('an answer with other names of the same members is read by them: first_name', async () => {
  const { server, session } = await aSession();
  const record = { id: ME.ID, first_name: 'Ann', lastName: 'Lee', user_defined_1: 'x' };
  server.does(json([record]));
  const [row] = await rowsOf(session.list(individual.operations.list, {}));
  expect(row).toMatchObject({ ID: ME.ID, FirstName: 'Ann', LastName: 'Lee', UserDefined1: 'x' });
});

describe('XML', () => {
  it('is asked for and written in the namespace that the service answers in', async () => {
    const server = await aServer();
    server.does(xml(`<Individual xmlns="${OTHER}"><ID>${ME.ID}</ID></Individual>`), xml(`<Color xmlns="${OTHER}"/>`));
    const session = await aClient(server.url, { wire: 'xml' }).client.open(CREDENTIAL);
    await session.call(color.operations.update, { params: { id: '7' }, body: { ID: 7 } });
    const [first, second] = server.requests;
    expect(first?.headers.accept).toBe('application/xml');
    expect(second?.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(second?.body).toContain(`<Color xmlns="${OTHER}"`);
  });

  it('is written in the namespace of the profile, where it names one', async () => {
    const server = await aServer();
    server.does(xml(`<Individual xmlns="${OTHER}"><ID>${ME.ID}</ID></Individual>`));
    const session = await aClient(server.url, { wire: 'xml', namespace: 'urn:mine' }).client.open(CREDENTIAL);
    await session.call(color.operations.update, { params: { id: '7' }, body: { ID: 7 } });
    expect(server.requests[1]?.body).toContain('<Color xmlns="urn:mine"');
  });
});

describe('members that nobody knows', () => {
  it('are put back as they were read, in their place', async () => {
    const { server, session } = await aSession();
    expect(project.open).toBe(true);
    const record = { ID: ME.ID, Unheard: { of: [1, 'two', null] }, Name: 'Build' };
    server.does(json(record), json(record));
    const read = await session.call(project.operations.get, { params: { id: ME.ID } });
    await session.call(project.operations.update, { params: { id: ME.ID }, body: writableBody(project, read) });
    expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual(record);
  });
});

it('a number that is longer than a double goes back with all of its digits, and a text of digits as a text', async () => {
  const { server, session } = await aSession();
  const ID = '33333333-3333-4333-8333-333333333333';
  const text = `{"ID":"${ID}","Name":"Keep","Serial":12345678901234567891,"More":{"Deep":-9007199254740993},"Code":"1234567890123456789"}`;
  server.does(says(200, text));
  const { get, update } = contract.accountability.operations;
  const record = await session.call(get, { params: { accountabilityid: ID } });
  expect(record.Serial).toBe('12345678901234567891');
  await session.call(update, { params: { id: ID }, body: record });
  for (const member of ['"Serial":12345678901234567891', '"Deep":-9007199254740993', '"Code":"1234567890123456789"'])
    expect(server.requests[1]?.body).toContain(member);
});

describe('a route of the profile', () => {
  it('stands for the one of the contract', async () => {
    const routes = { 'individual.list.plain': 'GET /people?deleted&tz' };
    const { server, session } = await aSession({ routes });
    server.does(json([]));
    await rowsOf(session.list(individual.operations.list, { by: 'plain', query: { deleted: 1 } }));
    expect(server.requests[0]?.url).toBe('/v4/people?deleted=1');
  });

  it.each<[string, string, RegExp]>([
    ['color.get.plain', 'GET /x/{id}', /interface document/],
    ['individual.list.nowhere', 'GET /x', /no route/],
    ['individual.list.plain', 'FETCH /x', /method and a path/],
    ['individual.get.plain', 'GET /x/{other}', /\{other\}/],
  ])('%s is not "%s"', (name, route, words) => {
    expect(() => aClient('https://x', { routes: { [name]: route } })).toThrow(words);
  });
});

describe('an operation of the embedded engine alone', () => {
  it('is refused without a request', async () => {
    const { server, session } = await aSession();
    await expect(session.call(contract.site.operations.create, { body: {} })).rejects.toThrow(/embedded engine alone/);
    expect(server.requests).toEqual([]);
  });
});
