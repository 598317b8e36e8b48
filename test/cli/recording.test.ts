// A recorded command: what --record writes, and that pm serve --replay answers it as the service did.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { replayOf } from '../../src/cli/recording/matching.ts';
import { readRecording } from '../../src/cli/recording/recording.ts';
import { openReplay } from '../../src/server/replay.ts';
import { type FakeServer, fakeServer, json, ME } from '../support/fake-server.ts';
import { inLong } from '../support/long.ts';
import { type CommandResult, NOW, type Pm, pmIn } from '../support/pm.ts';
import type { Habits } from '../support/strange-habits.ts';
import { strangeService } from '../support/strange-service.ts';

// What a service asks to wait for is not waited for.
vi.mock(import('../../src/client/index.ts'), async (original) => {
  const { openClient, ...others } = await original();
  return { ...others, openClient: (options) => openClient({ ...options, pause: async () => undefined }) };
});

const PASSWORD = 'Correct-horse-1';
const LABS = 'd0000000-0000-4000-8000-00000000000e';
const ROWS = ['Name,Rank', 'One,1', 'Two,2', 'Three,3', 'Four,4', 'Five,5'];

let server: FakeServer;
beforeEach(async () => {
  server = await fakeServer();
  onTestFinished(() => server.close());
});

/** A home of its own, with a profile `s` of the service at this address. */
async function homeFor(url: string): Promise<Pm> {
  const home = mkdtempSync(join(tmpdir(), 'pm-recording-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const other = pmIn(() => home);
  await other(['profiles', 'add', 's', '--url', url, '--user', 'ann']).says();
  writeFileSync(join(home, 'rows.csv'), `${ROWS.join('\n')}\n`);
  return other;
}

/** Answers this recording, without the service. */
async function replayed(text: string): Promise<string> {
  const answerTo = replayOf(readRecording(text, 'all.ndjson'));
  const served = await openReplay({ answerTo, clock: () => NOW, log: () => undefined });
  onTestFinished(() => served.close());
  return served.url;
}

function serviceWith(habits: Partial<Habits>): void {
  const service = strangeService(server, habits);
  const marks = { SiteID: ME.SiteID, Deleted: false, DeletedByRef: false };
  service.put('departments', { ID: LABS, ParentID: null, Rank: 1, Name: 'Labs', ...marks });
}

const STORY = [
  'departments list --sort Name',
  'departments create --name Sales --rank 2',
  'departments update Labs --rank 7',
  'import departments rows.csv --mode create --yes',
  'departments list --sort Name -o json',
  'undo --yes',
  'departments list --sort Name',
  'departments get Nowhere',
];

const env = { PM_PASSWORD: PASSWORD, PM_PROFILE: 's' };

/** What the commands of the story print; the texts of their recordings are kept in `recordings`. */
async function told(on: Pm, more: string, recordings?: string[]): Promise<readonly CommandResult[]> {
  const results: CommandResult[] = [];
  for (const [at, line] of STORY.entries()) {
    const name = `${at}.ndjson`;
    const record = recordings ? ` --record ${name}` : '';
    results.push(await on(`${line}${more}${record}`, { cwd: on.home, env }));
    recordings?.push(readFileSync(join(on.home, name), 'utf8'));
  }
  return results;
}

const GUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const seen = ({ out, err, exit }: CommandResult): string => {
  const shown = `exit ${exit}\n${out}${err.replace(/^.* will hold personal data.*\n/m, '')}`;
  return shown
    .replace(GUID, '#')
    .replace(/127\.0\.0\.1:\d+/g, 'service')
    .replace(/((?:undo|retry|Undo of|job) )[0-9a-f]{8}/g, '$1#');
};

const HABITS: readonly (readonly [string, Partial<Habits>])[] = [
  ['keeps IDs', {}],
  ['gives IDs of its own', { givesIDs: true }],
  ['shouts, wraps and heeds the order', { shouts: true, wraps: true, heedsOrder: true }],
  ['stumbles', { stumbles: true }],
  ['loses an answer', { losesAnswers: 1 }],
];

// The suite records each habit in one of both, the long run in both.
describe.each(['json', 'xml'])('recorded in %s,', (wire) => {
  const isXml = wire === 'xml';
  const few = HABITS.filter((_, at) => (at % 2 === 1) === isXml);
  it.each(inLong(few, HABITS))(
    'a service that %s is replayed with the same output and exit codes',
    async (_name, habits) => {
      serviceWith(habits);
      const recordings: string[] = [];
      const before = await told(await homeFor(server.url), ` --wire ${wire}`, recordings);
      await server.close();
      const text = recordings.join('');
      const after = await told(await homeFor(await replayed(text)), ` --wire ${wire}`);
      expect(after.map(seen)).toEqual(before.map(seen));
    },
  );
});

describe('recordings of other days,', () => {
  it.each([
    ['keeps-ids', 'json'],
    ['gives-ids', 'xml'],
    ['stumbles', 'json'],
  ])('%s: pm prints what it printed then', async (name, wire) => {
    const text = readFileSync(new URL(`../fixtures/recordings/${name}.ndjson`, import.meta.url), 'utf8');
    const results = await told(await homeFor(await replayed(text)), ` --wire ${wire}`);
    await expect(results.map(seen).join('\n')).toMatchFileSnapshot(`../fixtures/recordings/${name}.txt`);
  });
});

describe('the file', () => {
  it('holds every request, for its owner alone, and is told of', async () => {
    serviceWith({});
    const one = await homeFor(server.url);
    const cwd = one.home;
    await one('departments list --record a.ndjson', { cwd, env }).says('a.ndjson will hold personal data');
    expect(statSync(join(cwd, 'a.ndjson')).mode & 0o777).toBe(0o600);
    const exchanges = readRecording(readFileSync(join(cwd, 'a.ndjson'), 'utf8'), 'a.ndjson');
    expect(exchanges.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
      'GET /me 200',
      'GET /departments 200',
    ]);
    expect(exchanges[1]?.headers).toEqual({ 'content-type': 'application/json' });
    expect(exchanges[1]?.answer).toContain('Labs');
    await one('departments list --record a.ndjson', { cwd, env }).fails(2, 'there is such a file already');
    await one('departments list --record a.ndjson --overwrite', { cwd, env }).says('a.ndjson');
  });

  it.each(['json', 'xml'])('holds no password and no token, of a login in %s and of a new password', async (wire) => {
    const one = await homeFor(server.url);
    const token = 'abcdefghijklmnopqrstuvwxyz0123';
    const cookie = { 'set-cookie': 'sid=secret-cookie' };
    server.does(json({ Token: token }, cookie), json(ME, cookie));
    const line = `login --password-stdin --wire ${wire} --record a.ndjson`;
    await one(line, { cwd: one.home, env: { PM_PROFILE: 's' }, stdin: PASSWORD }).says('Logged in');
    serviceWith({});
    const change = `individuals update ann --new-password-stdin --wire ${wire} --record b.ndjson`;
    await one(change, { cwd: one.home, env, stdin: 'Another-horse-2\n' }).says('1 update');
    const text = ['a', 'b'].map((name) => readFileSync(join(one.home, `${name}.ndjson`), 'utf8')).join('');
    expect(text).toContain('[hidden]');
    expect(text).not.toMatch(new RegExp([PASSWORD, 'Another-horse-2', token, 'secret-cookie', 'Basic'].join('|'), 'i'));
  });

  it('says of an answer that is no text that it is not recorded, and so does the replay', async () => {
    const one = await homeFor(server.url);
    server.does((_request, response) => void response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0x00])));
    const setting = { cwd: one.home, env };
    await one('api GET /picture --record a.ndjson', setting).says('The answer to GET /picture is not UTF-8');
    const url = await replayed(readFileSync(join(one.home, 'a.ndjson'), 'utf8'));
    expect(await (await fetch(`${url}/v4/picture`)).text()).toContain('is not recorded: not UTF-8');
  });

  it('holds what came of a list that breaks off, and the replay breaks off there', async () => {
    server.does(json(ME), (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`[{"ID":"${LABS}","Name":"Labs"},`, () => response.destroy());
    });
    const one = await homeFor(server.url);
    const before = await one('departments list --retries 0 --record a.ndjson', { cwd: one.home, env }).fails(8);
    const other = await homeFor(await replayed(readFileSync(join(one.home, 'a.ndjson'), 'utf8')));
    expect(seen(await other('departments list --retries 0', { env }).fails(8))).toBe(seen(before));
  });

  it.each([
    ['', 'is no recording of pm'],
    ['{"pm":"recording","version":2}', 'is of version 2'],
    ['{"pm":"recording","version":1}\n{"method":"GET"}', 'line 2, is no recorded request'],
  ])('is refused where it is none: %s', async (text, why) => {
    const one = await homeFor(server.url);
    writeFileSync(join(one.home, 'a.ndjson'), text);
    await one('serve --replay a.ndjson', { cwd: one.home }).fails(2, why);
  });
});

describe('a replay', () => {
  const line = (method: string, path: string, body: unknown, answer: unknown): string =>
    JSON.stringify({
      ...{ method, path, query: '', body: body === null ? null : JSON.stringify(body), status: 200 },
      ...{ headers: { 'content-type': 'application/json' }, answer: JSON.stringify(answer) },
    });
  const recording = (...lines: readonly string[]): string => ['{"pm":"recording","version":1}', ...lines].join('\n');
  const ask = async (url: string, method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${url}/v4${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  const [RECORDED, ASKED] = [LABS.replaceAll('d', 'a'), LABS.replaceAll('d', 'b')];

  it('answers equal requests in their order, and the last one from then on', async () => {
    const url = await replayed(recording(line('GET', '/me', null, 1), line('GET', '/me', null, 2)));
    expect([await ask(url, 'GET', '/me'), await ask(url, 'GET', '/me'), await ask(url, 'GET', '/me')]).toEqual([
      1, 2, 2,
    ]);
  });

  it('compares JSON by its values, and puts the ID that was chosen now for the one that was chosen then', async () => {
    const made = line('POST', '/colors', { ID: RECORDED, Name: 'Red' }, { ID: RECORDED });
    const url = await replayed(
      recording(made, line('GET', `/colors/${RECORDED}`, null, { ID: RECORDED, Name: 'Red' })),
    );
    expect(await ask(url, 'POST', '/colors', { Name: 'Red', ID: ASKED })).toEqual({ ID: ASKED });
    expect(await ask(url, 'GET', `/colors/${ASKED}`)).toEqual({ ID: ASKED, Name: 'Red' });
  });

  it('puts no other ID for one that the service gave', async () => {
    const listed = line('GET', '/colors', null, [{ ID: RECORDED }]);
    const url = await replayed(recording(listed, line('PUT', `/colors/${RECORDED}`, { Name: 'Red' }, {})));
    expect(await ask(url, 'PUT', `/colors/${ASKED}`, { Name: 'Red' })).toMatchObject({ status: 404 });
  });

  it.each([
    ['PUT', '/colors/7', { Name: 'Red', Rank: 2 }, 'another body: Rank is 1 there and 2 here'],
    ['PUT', '/colors/8', { Name: 'Red', Rank: 1 }, 'the nearest path with PUT is /colors/7'],
    ['PUT', '/colors/7?x=1', { Name: 'Red', Rank: 1 }, 'the nearest request has no query'],
    ['DELETE', '/colors/7', undefined, 'no request by DELETE is near it'],
  ])('says how %s %s with %j differs from what is recorded', async (method, path, body, why) => {
    const url = await replayed(recording(line('PUT', '/colors/7', { Name: 'Red', Rank: 1 }, {})));
    const detail = expect.stringContaining(`${method} ${path} is not recorded: `);
    const problem = await ask(url, method, path, body);
    expect(problem).toMatchObject({ status: 404, code: 'not_found', detail });
    expect(problem).toMatchObject({ detail: expect.stringContaining(why) });
  });

  it('is for this machine alone', async () => {
    const one = await homeFor(server.url);
    writeFileSync(join(one.home, 'a.ndjson'), recording());
    await one('serve --replay a.ndjson --host 0.0.0.0', { cwd: one.home }).fails(2, 'to this machine alone');
    await one('serve --replay a.ndjson --sample small', { cwd: one.home }).fails(2, 'cannot be used with');
  });
});
