// What the client does when the service does not answer, or answers something else.
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { breaks, cuts, garbles, type Handler, json, says, stalls } from '../support/fake-server.ts';
import { refuses } from '../support/refuses.ts';
import { aClient, aSession, CREDENTIAL, rowsOf } from './client-session.ts';

const { accountability, color } = contract;
const ID = '33333333-3333-4333-8333-333333333333';
const NEW = '00000000-0000-4000-8000-000000000001';
const BODY = { Rank: 1, Name: 'Keep', Description: 'Keep it', AncestorID: ID };
const RECORD = { ID, ...BODY };
const MADE = { ...BODY, ID: NEW };
const HTML = says(200, '<html><title>Welcome</title><body>Log in to the hotel</body></html>', {
  'content-type': 'text/html',
});
const plain = (status: number): Handler => says(status, 'not now', { 'content-type': 'text/plain' });

const get = { params: { accountabilityid: ID } };
const at = { params: { id: ID } };

describe('a read', () => {
  it.each<[string, Handler]>([
    ['a broken connection', breaks],
    ['a cut answer', cuts('{"ID":')],
    ['a server that speaks no HTTP', garbles],
    ['429', plain(429)],
    ['502', plain(502)],
    ['503', plain(503)],
    ['504', plain(504)],
    ['408', plain(408)],
    ['425', plain(425)],
    ['522', plain(522)],
  ])('is tried again after %s', async (_name, deed) => {
    const { server, session, waits } = await aSession();
    server.does(deed, deed, json(RECORD));
    expect(await session.call(accountability.operations.get, get)).toEqual(RECORD);
    expect(server.requests).toHaveLength(3);
    expect(waits).toEqual([300, 600]);
  });

  it('is tried again after a timeout', async () => {
    const { server, session } = await aSession({ timeout: 100 });
    server.does(stalls, json(RECORD));
    expect(await session.call(accountability.operations.get, get)).toEqual(RECORD);
  });

  it('waits as long as it is asked to', async () => {
    const { server, session, waits } = await aSession();
    server.does(says(429, '', { 'retry-after': '7' }), says(503, '', { 'retry-after': '0' }), json(RECORD));
    await session.call(accountability.operations.get, get);
    expect(waits).toEqual([7000, 600]);
  });

  it('waits until a moment that the service names by its own clock', async () => {
    const { server, session, waits } = await aSession();
    const dates = { date: 'Mon, 02 Mar 2026 10:00:00 GMT', 'retry-after': 'Mon, 02 Mar 2026 10:00:09 GMT' };
    server.does(says(503, '', dates), json(RECORD));
    await session.call(accountability.operations.get, get);
    expect(waits).toEqual([9000]);
  });

  it('gives up where it would have to wait for more than a minute', async () => {
    const { server, session, waits } = await aSession();
    server.does(says(429, '', { 'retry-after': '3600' }));
    await refuses(session.call(accountability.operations.get, get)).with('too_many', '429');
    expect(waits).toEqual([]);
  });

  it.each<[string, Handler, RegExp]>([
    ['breaks', breaks, /connection broke/],
    ['is 503', plain(503), /answered 503 .*not now/],
    ['is 500', plain(500), /answered 500 .*not now/],
    ['garbles', garbles, /not HTTP/],
  ])('is unreachable, and says which server, when it %s to the end', async (_name, deed, words) => {
    const { server, session } = await aSession();
    server.does(deed);
    const error = await refuses(session.call(accountability.operations.get, get)).with(
      'unreachable',
      server.url,
      words,
    );
    expect(error.exit).toBe(8);
  });

  it('is unreachable where nothing listens', async () => {
    const idle = createServer();
    await new Promise<void>((resolve) => idle.listen(0, '127.0.0.1', resolve));
    const address = idle.address();
    await new Promise((resolve) => idle.close(resolve));
    const port = typeof address === 'object' ? address?.port : 0;
    const { client, waits } = aClient(`http://127.0.0.1:${port}`);
    await refuses(client.open(CREDENTIAL)).with('unreachable', 'nothing listens there', 'pm doctor -p prod');
    expect(waits).toHaveLength(3);
  });

  it.each<[string, Handler, RegExp]>([
    ['a web page', HTML, /text\/html.*Log in to the hotel/],
    ['no JSON', says(200, '{"ID":'), /not well-formed/],
    ['no record', says(200, '"hello"'), /a string where a record should be/],
    ['a packed answer', says(200, 'x', { 'content-encoding': 'zstd' }), /compressed \(zstd\)/],
    ['a coding that is none', says(200, 'x', { 'content-encoding': 'constructor' }), /compressed \(constructor\)/],
    ['another charset', says(200, 'x', { 'content-type': 'text/plain' }), /text\/plain/],
  ])('is no record when it is %s', async (_name, deed, words) => {
    const { server, session } = await aSession();
    server.does(deed);
    await refuses(session.call(accountability.operations.get, get)).with(
      'bad_answer',
      server.url,
      words,
      'profiles show',
    );
    expect(server.requests).toHaveLength(1);
  });

  it('is read without a content type, and with none of our members', async () => {
    const { server, session } = await aSession();
    server.does((_heard, response) => void response.writeHead(200).end(`{"id":"${ID}","Odd":[1]}`));
    expect(await session.call(accountability.operations.get, get)).toEqual({ ID, Odd: [1] });
  });

  it.each(['null', '[]', '{}', ''])('is not found where the answer is %j', async (text) => {
    const { server, session } = await aSession();
    server.does(says(200, text));
    await refuses(session.call(accountability.operations.get, get)).with('not_found', 'without a record');
  });

  it('is no list of individuals where the answer is {}: the one who asks is missing', async () => {
    const { server, session } = await aSession();
    server.does(says(200, '{}'));
    const { list } = contract.individual.operations;
    await refuses(rowsOf(session.list(list))).with('bad_answer', '{} in place of individuals');
    expect(await rowsOf(session.list(list, { query: { deleted: 1 } }))).toEqual([]);
  });

  it.each([
    ['another one', { ...RECORD, ID: NEW }, NEW],
    ['one without an ID', { Name: 'Keep' }, 'without an ID'],
  ])('is no record where the answer is %s', async (_name, record, words) => {
    const { server, session } = await aSession();
    server.does(json(record));
    await refuses(session.call(accountability.operations.get, get)).with('bad_answer', words);
  });

  it.each<[number, string, string]>([
    [404, 'text/html', '<h1>404 Not Found</h1>'],
    [403, 'text/html; charset=utf-8', '<h1>Forbidden</h1>'],
    [410, 'text/html', '<h1>Gone</h1>'],
    [404, 'text/plain', '404 page not found\n'],
    [404, 'text/plain', 'default backend - 404'],
  ])(
    'says nothing of a record where something in front of the service answers %i with %s',
    async (status, type, text) => {
      const { server, session } = await aSession();
      server.does(says(status, text, { 'content-type': type }));
      await refuses(session.call(accountability.operations.get, get)).with('bad_answer', 'in front of the service');
      await refuses(session.call(accountability.operations.delete, at)).with('bad_answer', 'in front of the service');
    },
  );

  it('shows at most 300 clean characters of what another server says', async () => {
    const { server, session } = await aSession();
    server.does(says(404, `\u001b[2J${'long '.repeat(500)}`, { 'content-type': 'text/plain' }));
    const { message } = await refuses(session.call(accountability.operations.get, get)).with(
      'not_found',
      'answered 404',
    );
    expect(message).not.toContain('\u001b');
    expect(message.length).toBeLessThan(500);
  });

  it('gives up on headers without end', async () => {
    const { server, session } = await aSession({ retries: 0 });
    server.does(says(200, '{}', { 'x-long': 'x'.repeat(20_000) }));
    await refuses(session.call(accountability.operations.get, get)).with('unreachable', 'headers');
  });
});

describe('a list', () => {
  const input = { by: 'individual', params: { individualid: ID } };

  it('is handed on record by record, while the rest is still to come', async () => {
    const { server, session } = await aSession();
    let finish = (): void => undefined;
    server.does((_heard, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`[${JSON.stringify(RECORD)}`);
      finish = () => void response.end(']');
    });
    const rows = session.list(accountability.operations.list, input)[Symbol.asyncIterator]();
    expect((await rows.next()).value).toEqual(RECORD);
    finish();
    expect((await rows.next()).done).toBe(true);
  });

  it('lets go of the rest where no more is wanted', async () => {
    const { server, session } = await aSession();
    let closed: Promise<unknown> = Promise.resolve();
    server.does((_heard, response) => {
      closed = new Promise((resolve) => response.on('close', resolve));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`[${JSON.stringify(RECORD)},${JSON.stringify(RECORD)},`);
    });
    expect(await rowsOf(session.list(accountability.operations.list, input, { limit: 1 }))).toEqual([RECORD]);
    await closed;
  });

  it('is asked for again where it breaks before the first record, and not after', async () => {
    const { server, session } = await aSession();
    server.does(cuts('['), json([RECORD]));
    expect(await rowsOf(session.list(accountability.operations.list, input))).toEqual([RECORD]);
    server.does(cuts(`[${JSON.stringify(RECORD)},`), json([RECORD]));
    await refuses(rowsOf(session.list(accountability.operations.list, input))).with('unreachable', 'ends after 1');
  });

  it('is an error where its end is missing', async () => {
    const { server, session } = await aSession();
    server.does(says(200, `[${JSON.stringify(RECORD)}`));
    await refuses(rowsOf(session.list(accountability.operations.list, input))).with('bad_answer', 'cut off');
  });

  it('is refused as a record is', async () => {
    const { server, session } = await aSession();
    server.does(says(403, '{"message":"no way"}'));
    await refuses(rowsOf(session.list(accountability.operations.list, input))).with('forbidden', 'no way', server.url);
  });

  it('may be empty, in every way', async () => {
    const { server, session } = await aSession();
    for (const deed of [json([]), json({ Items: [] }), says(204, '')]) {
      server.does(deed);
      expect(await rowsOf(session.list(accountability.operations.list, input))).toEqual([]);
    }
  });
});

describe('an update', () => {
  it.each<[string, Handler]>([
    ['a broken connection', breaks],
    ['503', plain(503)],
    ['502', plain(502)],
  ])('is sent again after %s', async (_name, deed) => {
    const { server, session } = await aSession();
    server.does(deed, json(RECORD));
    expect(await session.call(accountability.operations.update, { ...at, body: RECORD })).toEqual(RECORD);
    expect(server.requests.map(({ method }) => method)).toEqual(['PUT', 'PUT']);
  });

  it.each<[string, Handler]>([
    ['a broken connection', breaks],
    ['500', plain(500)],
    ['a web page', HTML],
  ])('may have been made after %s, and the error says how to look', async (_name, deed) => {
    const { server, session } = await aSession();
    server.does(deed);
    const call = session.call(accountability.operations.update, { ...at, body: RECORD });
    const error = await refuses(call).with('unknown_outcome', server.url, `pm accountabilities get ${ID} -p prod`);
    expect(error.exit).toBe(9);
  });

  it.each([301, 302, 303, 408, 429, 503])('may have been made after %i', async (status) => {
    const { server, session } = await aSession();
    server.does(says(status, '', { location: '/elsewhere' }));
    const call = session.call(accountability.operations.update, { ...at, body: RECORD });
    await refuses(call).with('unknown_outcome', `answered ${status}`, `pm accountabilities get ${ID} -p prod`);
  });

  it.each([307, 308])('was certainly not made after %i', async (status) => {
    const { server, session } = await aSession();
    server.does(says(status, '', { location: '/elsewhere' }));
    await refuses(session.call(accountability.operations.update, { ...at, body: RECORD })).with('bad_answer');
  });

  it('is guarded by the ETag that was read', async () => {
    const { server, session } = await aSession();
    server.does(json(RECORD, { etag: '"one"' }), json(RECORD, { etag: '"two"' }), json(RECORD), json(RECORD));
    await session.call(accountability.operations.get, get);
    for (let i = 0; i < 3; i++) await session.call(accountability.operations.update, { ...at, body: RECORD });
    expect(server.requests.map(({ headers }) => headers['if-match'])).toEqual([undefined, '"one"', '"two"', undefined]);
  });

  it('sends no weak ETag back', async () => {
    const { server, session } = await aSession();
    server.does(json(RECORD, { etag: 'W/"one"' }));
    await session.call(accountability.operations.get, get);
    await session.call(accountability.operations.update, { ...at, body: RECORD });
    expect(server.requests[1]?.headers['if-match']).toBeUndefined();
  });

  it('sends all the ETags that it is given', async () => {
    const { server, session } = await aSession();
    server.does(json(RECORD));
    await session.call(accountability.operations.update, { ...at, body: RECORD, match: ['"x"', '"y"'] });
    expect(server.requests[0]?.headers['if-match']).toBe('"x", "y"');
  });

  it('has drifted on 412', async () => {
    const { server, session } = await aSession();
    server.does(says(412, ''));
    await refuses(session.call(accountability.operations.update, { ...at, body: RECORD, match: ['"x"'] })).with(
      'drifted',
    );
  });

  it.each([401, 403, 404, 409, 412])(
    'may have been made where only the second try is refused, with %i',
    async (status) => {
      const { server, session } = await aSession();
      server.does(breaks, plain(status));
      const call = session.call(contract.coreValue.operations.update, { ...at, body: { Rank: 1, Name: 'Keep' } });
      await refuses(call).with('unknown_outcome', 'a first try had no answer', `answered ${status}`);
    },
  );
});

describe('a deletion', () => {
  it('is guarded by the ETag that was read', async () => {
    const { server, session } = await aSession();
    server.does(json(RECORD, { etag: '"one"' }), says(204, ''));
    await session.call(accountability.operations.get, get);
    await session.call(accountability.operations.delete, at);
    expect(server.requests[1]?.headers['if-match']).toBe('"one"');
  });

  it.each([
    ['{"Success":false,"Message":"It is in use."}', 'It is in use.'],
    ['{"isSuccess":false}', 'says that it failed'],
    ['{"error":"It is in use."}', 'It is in use.'],
    ['{"errors":[{"field":"ID","message":"is in use"}]}', 'says that it failed'],
  ])('is refused by 200 with %s', async (text, words) => {
    const { server, session } = await aSession();
    server.does(says(200, text));
    await refuses(session.call(accountability.operations.delete, at)).with('conflict', words);
    await refuses(session.call(accountability.operations.create, { body: BODY })).with('conflict', words);
  });

  it('is done where the second try finds nothing', async () => {
    const { server, session } = await aSession();
    server.does(breaks, says(404, ''));
    expect(await session.call(color.operations.delete, { params: { id: '7' } })).toEqual({});
    server.does(says(404, ''));
    await refuses(session.call(color.operations.delete, { params: { id: '7' } })).with('not_found');
  });
});

describe('a new record', () => {
  const create = { body: BODY };

  it('brings its own ID', async () => {
    const { server, session } = await aSession();
    server.does(json(MADE));
    expect(await session.call(accountability.operations.create, create)).toEqual(MADE);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual(MADE);
  });

  it.each<[string, Handler]>([
    ['a broken connection', breaks],
    ['a cut answer', cuts('{"ID":')],
    ['502', plain(502)],
    ['500', plain(500)],
    ['a web page', HTML],
  ])('is looked for after %s, and not sent again where it is there', async (_name, deed) => {
    const { server, session } = await aSession();
    server.does(deed, json(MADE));
    expect(await session.call(accountability.operations.create, create)).toEqual(MADE);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /v4/accountabilities',
      `GET /v4/accountabilities/${NEW}`,
    ]);
  });

  it.each([
    ['nothing', {}, {}],
    ['Location', { location: `/v4/accountabilities/${ID}` }, { ID }],
    ['Location of another origin', { location: `https://elsewhere.example/v4/accountabilities/${ID}/?x=1` }, { ID }],
    ['Location without an ID', { location: '/v4/accountabilities' }, {}],
  ])('has the ID that is said, and no other: %s', async (_name, headers, made) => {
    const { server, session } = await aSession();
    server.does(says(201, '', headers));
    expect(await session.call(accountability.operations.create, create)).toEqual(made);
  });

  it('is not sent again where it is not there, while nobody knows whether the service keeps IDs', async () => {
    const { server, session } = await aSession();
    server.does(breaks, says(404, ''));
    const call = session.call(accountability.operations.create, create);
    const error = await refuses(call).with('unknown_outcome', `pm accountabilities get ${NEW} -p prod`);
    expect(error.exit).toBe(9);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it('is sent again with the same ID where it is not there, and the service has kept one before', async () => {
    const { server, session } = await aSession();
    server.does(json(MADE), breaks, says(404, ''), json(MADE));
    await session.call(accountability.operations.create, { body: MADE });
    expect(await session.call(accountability.operations.create, { body: MADE })).toEqual(MADE);
    const [, first, , second] = server.requests;
    expect(second?.method).toBe('POST');
    expect(second?.body).toBe(first?.body);
  });

  it('is to be looked for in a list, where the service gives IDs of its own', async () => {
    const { server, session } = await aSession({ retries: 0 });
    server.does(json({ ...MADE, ID }), breaks);
    await session.call(accountability.operations.create, { body: BODY });
    const lost = session.call(accountability.operations.create, { body: BODY });
    await expect(lost).rejects.toMatchObject({
      code: 'unknown_outcome',
      next: { do: 'list', resource: 'accountability', profile: 'prod' },
    });
  });

  it('is unknown where it cannot be looked for', async () => {
    const { server, session } = await aSession();
    server.does(breaks, says(403, ''));
    const call = session.call(accountability.operations.create, create);
    await refuses(call).with('unknown_outcome', `pm accountabilities get ${NEW} -p prod`);
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('is unknown where the service numbers by itself', async () => {
    const { server, session } = await aSession();
    server.does(breaks);
    const body = { Name: 'Red', Rank: 1 };
    await refuses(session.call(color.operations.create, { body })).with('unknown_outcome', 'pm colors list -p prod');
    expect(server.requests).toHaveLength(1);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual(body);
  });

  it('is sent once to a service that gives IDs of its own, once that is known', async () => {
    const { server, session } = await aSession();
    server.does(json({ ...MADE, ID }), breaks);
    expect(await session.call(accountability.operations.create, create)).toMatchObject({ ID });
    await refuses(session.call(accountability.operations.create, create)).with('unknown_outcome');
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });

  it('may be there twice where that shows too late, and the error says so', async () => {
    const { server, session } = await aSession();
    server.does(json(MADE), breaks, says(404, ''), json({ ...MADE, ID }));
    await session.call(accountability.operations.create, { body: MADE });
    const again = session.call(accountability.operations.create, { body: MADE });
    await refuses(again).with('unknown_outcome', 'may be two');
  });

  it.each([429, 503])(
    'is looked for after %i, and sent again after the time that the service asks for',
    async (status) => {
      const { server, session, waits } = await aSession();
      const busy = says(status, '', { 'retry-after': '7' });
      server.does(json(MADE), busy, json(MADE), busy, says(404, ''), json(MADE));
      for (let n = 0; n < 3; n++) await session.call(accountability.operations.create, { body: MADE });
      expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'POST', 'GET', 'POST']);
      expect(waits).toEqual([7000]);
    },
  );

  it('is refused once, with all the faults of the service', async () => {
    const { server, session } = await aSession();
    const fault = { field: 'Rank', code: 'required', message: 'is required' };
    const problem = {
      type: 'urn:performance-management:problem:invalid',
      status: 400,
      code: 'invalid',
      detail: 'the accountability: Rank is required',
      errors: [fault],
    };
    server.does(says(400, JSON.stringify(problem)));
    const error = await refuses(session.call(accountability.operations.create, create)).with('invalid');
    expect({ message: error.message, faults: error.faults }).toEqual({ message: problem.detail, faults: [fault] });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a service that never answers', () => {
  it('is unreachable for a read after the time that is allowed', async () => {
    const { server, session } = await aSession({ timeout: 1000, retries: 0 });
    server.does(stalls);
    const error = await refuses(session.call(accountability.operations.get, get)).with('unreachable', 'in time');
    expect(error.exit).toBe(8);
  });

  it('leaves open whether a new record was made', async () => {
    const { server, session } = await aSession({ timeout: 1000, retries: 0 });
    server.does(stalls);
    const call = session.call(accountability.operations.create, { body: BODY });
    const error = await refuses(call).with('unknown_outcome', 'in time', `get ${NEW}`);
    expect(error.exit).toBe(9);
  });
});

describe('an operation that does something else each time', () => {
  it('is never sent twice where it may have been carried out', async () => {
    const { server, session } = await aSession();
    const { dialog } = contract;
    server.does(breaks);
    await refuses(session.call({ ...dialog.operations.undelete, repeatable: false }, at)).with('unknown_outcome');
    expect(server.requests).toHaveLength(1);
  });
});

describe('a change that answers a list', () => {
  const { createSeparate } = contract.task.operations;
  const body = { AncestorID: ID, Name: 'Read it', Responsible: [ID] };

  it.each<[string, Handler]>([
    ['a broken connection', breaks],
    ['a cut answer', cuts('[{"ID":')],
    ['504', plain(504)],
    ['503', plain(503)],
  ])('is not sent again after %s', async (_name, deed) => {
    const { server, session } = await aSession();
    server.does(deed, json([MADE]));
    await refuses(rowsOf(session.list(createSeparate, { body }))).with('unknown_outcome', 'pm tasks');
    expect(server.requests).toHaveLength(1);
  });
});
