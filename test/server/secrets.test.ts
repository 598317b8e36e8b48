// Passwords and tokens that pass through a server stay in no log, in no answer and nowhere in the database.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { OWNER } from '../support/engine.ts';
import { type Answered, type Asked, askAt, newServer, overBackend, type TestServer } from './served.ts';

const CANARY = 'Canary-7&<é-Horse';
const WRONG = 'Canary-wrong-3&<é';
const NEXT = 'Canary-next-5&<é';
const JSON_TYPE = 'application/json';
const XML_TYPE = 'text/xml; charset=utf-8';

const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** All the ways in which a secret may be written. */
const spellings = (secret: string): readonly string[] => [
  secret,
  base64(secret),
  base64(`${OWNER}:${secret}`),
  encodeURIComponent(secret),
  escaped(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('hex'),
  secret.replaceAll('-', ''),
];

/** The secrets in a text, by their place in the list. */
const leakedIn = (text: string, secrets: readonly string[]): readonly number[] =>
  secrets.flatMap((secret, at) => (spellings(secret).some((one) => text.includes(one)) ? [at] : []));

/** The bytes of the database and of all that stands beside it, each as one character. */
function databaseText(file: string): string {
  const folder = dirname(file);
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');
}

const inLatin1 = (text: string): string => Buffer.from(text).toString('latin1');

describe('a secret', () => {
  let server: TestServer;
  /** What was answered, but for the one answer that hands out a token. */
  const answers: Answered[] = [];
  const secrets = [CANARY, WRONG, NEXT];

  const asked = async (status: number, method: string, path: string, more: Asked): Promise<void> => {
    const answer = await server.ask(method, path, more);
    expect({ method, path, status: answer.status, text: answer.text }).toMatchObject({ method, path, status });
    answers.push(answer);
  };
  const login = (password: string): Asked => ({
    type: JSON_TYPE,
    body: JSON.stringify({ UserName: OWNER, Password: password }),
  });
  const loginXml = (password: string): Asked => ({
    type: XML_TYPE,
    accept: 'text/xml',
    body: `<LoginParameter xmlns="urn:performance-management:v4"><UserName>${OWNER}</UserName><Password>${escaped(password)}</Password></LoginParameter>`,
  });

  beforeAll(async () => {
    server = await newServer();
    const { session } = server;
    const { setPassword } = contract.individual.operations;
    await session.call(setPassword, { body: { Individual: session.me.id, Password: CANARY } });

    const me = { user: OWNER, password: CANARY };
    const handed = await server.ask('POST', '/v4/login', login(CANARY));
    const token = String(handed.json().Token);
    secrets.push(token);
    expect(leakedIn(handed.text, [CANARY])).toEqual([]);

    await asked(200, 'GET', '/v4/me', me);
    await asked(200, 'GET', '/v4/me', { user: OWNER, password: `{SessionToken}${token}` });
    await asked(401, 'GET', '/v4/me', { user: OWNER, password: `{UserToken}${token}` });
    await asked(401, 'POST', '/v4/login', login(WRONG));
    await asked(401, 'POST', '/v4/login', loginXml(WRONG));
    await asked(404, 'GET', '/v4/nothing', me);
    await asked(404, 'DELETE', '/v4/accountabilities/0f8fad5b-d9cb-469f-a165-70867728950e', me);
    await asked(405, 'PUT', '/v4/me/accountabilities', me);
    await asked(406, 'GET', '/v4/me', { ...me, accept: 'image/png' });
    await asked(400, 'GET', '/v4/users?tz=Nowhere', me);

    const own = (await server.ask('GET', '/v4/me', me)).json();
    const put = (Password: unknown): Asked => ({ ...me, type: JSON_TYPE, body: JSON.stringify({ ...own, Password }) });
    const path = `/v4/individuals/${session.me.id}`;
    await asked(400, 'PUT', path, put(`${NEXT}\u0001`));
    await asked(400, 'PUT', path, { ...me, type: JSON_TYPE, body: `{"Password":"${NEXT}", oops` });
    await asked(400, 'PUT', path, { ...me, type: XML_TYPE, body: `<Individual><Password>${escaped(NEXT)}</Pass` });
    await asked(415, 'PUT', path, { ...me, type: 'text/plain', body: NEXT });
    await asked(400, 'POST', '/v4/individuals', {
      ...me,
      type: JSON_TYPE,
      body: JSON.stringify({ FirstName: 'Ann', Password: NEXT }),
    });
    await asked(200, 'PUT', path, put(NEXT));
    await asked(200, 'GET', '/v4/me', { user: OWNER, password: NEXT });
    await server.close();
  });
  afterAll(() => server.engine.end());

  it('is in no answer, be it good or bad', () => {
    const leaking = answers.filter(({ text, headers }) => leakedIn(text + JSON.stringify(headers), secrets).length > 0);
    expect(leaking.map(({ status, text }) => ({ status, text }))).toEqual([]);
  });

  it('is in no line of the log', () => {
    expect(server.lines.length).toBeGreaterThan(answers.length);
    expect(server.lines.filter((line) => leakedIn(line, secrets).length > 0)).toEqual([]);
  });

  it('is nowhere in the database, its wal and its history', () => {
    const text = databaseText(server.engine.file);
    expect(text).toContain('$scrypt$');
    expect(text).toContain(server.session.me.id);
    const leaked = secrets.filter((secret) => spellings(secret).some((one) => text.includes(inLatin1(one))));
    expect(leaked).toEqual([]);
  });
});

it('a password that is no text is refused without being repeated', async () => {
  const server = await newServer();
  const path = `/v4/individuals/${server.session.me.id}`;
  const own = (await server.asAda('GET', '/v4/me')).json();
  const put = { type: JSON_TYPE, body: JSON.stringify({ ...own, Password: [NEXT] }) };
  const login = { type: JSON_TYPE, body: JSON.stringify({ UserName: OWNER, Password: [NEXT] }) };
  const answers = [await server.asAda('PUT', path, put), await server.ask('POST', '/v4/login', login)];
  await server.close();
  await server.engine.end();
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  expect(answers.filter(({ text }) => leakedIn(text, [NEXT]).length > 0).map(({ text }) => text)).toEqual([]);
});

it('an internal error names no secret, and neither does its log', async () => {
  const server = await overBackend({
    call: async (operation) => {
      if (operation.name === 'create') throw new TypeError('broken');
      return { IsAdmin: true };
    },
  });
  const body = JSON.stringify({ FirstName: 'Ann', Password: CANARY });
  const answer = await askAt(server.url, 'POST', '/v4/individuals', {
    user: OWNER,
    password: CANARY,
    type: JSON_TYPE,
    body,
  });
  await server.close();
  expect(answer.status).toBe(500);
  expect(server.lines.join()).toContain('broken');
  expect(leakedIn(answer.text + server.lines.join('\n'), [CANARY])).toEqual([]);
});
