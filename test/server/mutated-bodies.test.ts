// Bodies of real records, with random damage: each is answered, none by a failure of the server, whose memory has a top.
import { readFileSync, rmSync } from 'node:fs';
import { Agent, errors, request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Random, randomOf } from '../../src/sites/samples/random.ts';
import { inLong, isLong } from '../support/long.ts';
import { pmIn } from '../support/pm.ts';
import { PASSWORD, servedHome } from '../support/served-home.ts';
import { type ServerProcess, serveProcess } from '../support/server-process.ts';
import { PM } from '../support/terminal.ts';
import { basic } from './served.ts';

const COUNT = inLong(500, 100_000);
const USER = 'admin';
const WIDTH = 16;
const MIB = 1 << 20;

/** Lists, each with the place of its records. Somebody of the sample has records of their own. */
const SOMEBODY = 'klara.svoboda';
const listsOf = (id: string): readonly string[] => [
  ...['users individuals', 'departments departments', 'colors colors'],
  ...['accountabilities', 'basicroles', 'metrics', 'projects'].map((kind) => `individuals/${id}/${kind} ${kind}`),
];
const TYPES = ['application/json', 'application/xml'];
/** Pieces on which readers of JSON and XML have stumbled. */
const PIECES = [
  ...['"', '\\', '\\u0000', '\\ud800', '{', '}', '[', ']', ',', ':', '\u0000', '\u001b', '\u2028', '\ufeff', '\ufffd'],
  ...['1e999', '-0', '0.1', '1'.repeat(400), 'null', 'true', '""', '{}', '[]', '"__proto__":1,', '[['.repeat(2000)],
  ...[
    '<',
    '>',
    '&',
    '&lt;',
    '&#0;',
    '&x;',
    '<!DOCTYPE a [<!ENTITY x "y">]>',
    '<![CDATA[',
    '<?xml?>',
    '<a>',
    ' '.repeat(5000),
  ],
];

interface User {
  readonly ID: string;
  readonly UserName: string;
}

interface Sample {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

let home = '';
let server: ServerProcess;
const agent = new Agent({ connections: WIDTH });

beforeAll(async () => {
  home = await servedHome();
  await pmIn(() => home)('seed --sample small').says();
  server = await serveProcess(PM, home, USER);
});
afterAll(async () => {
  await server?.kill('SIGKILL');
  await agent.close();
  rmSync(home, { recursive: true, force: true });
});

it('are all answered, and never by a failure', async () => {
  const users = JSON.parse((await ask('GET', '/v4/users', 'application/json')).text) as readonly User[];
  const lists = listsOf(users.find(({ UserName }) => UserName === SOMEBODY)?.ID ?? '');
  const samples = (await Promise.all(lists.flatMap((list) => TYPES.map((type) => sampleOf(list, type))))).flat();
  expect(new Set(samples.map(({ path }) => path.split('/')[2])).size).toBeGreaterThan(4);
  const random = randomOf('mutated bodies');
  const statuses = new Map<number, number>();
  const failed: string[] = [];
  const memory: number[] = [];
  let sent = 0;
  const tell = (): void => {
    memory.push(memoryOf(server));
    if (isLong) console.log(JSON.stringify({ sent, cut, statuses: [...statuses].sort(), memory }));
  };
  const worker = async (): Promise<void> => {
    while (sent < COUNT) {
      if (sent++ % (COUNT / 10) === 0) tell();
      const { path, type, body } = random.pick(samples);
      const damaged = damage(random, body);
      const isNew = random.chance(0.5);
      const { status } = await ask(isNew ? 'POST' : 'PUT', isNew ? path.replace(/\/[^/]*$/, '') : path, type, damaged);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500) failed.push(`${status} ${type} ${path}: ${damaged.toString('base64').slice(0, 2000)}`);
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
  tell();
  expect(failed).toEqual([]);
  expect((await ask('GET', '/v4/me', 'application/json')).status).toBe(200);
  expect(cut).toBeLessThan(COUNT / 1_000 + 1);
  // What V8 keeps for a while is not what it needs: only a growth that goes on is one.
  expect(memory.at(-1)).toBeLessThan(Math.max(...memory.slice(0, 5)) * 1.3 + 32);
});

/** MiB of the process; 0 where the system does not tell. */
function memoryOf({ pid }: ServerProcess): number {
  try {
    const kib = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return Math.round((kib * 1024) / MIB);
  } catch {
    return 0;
  }
}

/** The first records of a list, as they are read. */
async function sampleOf(place: string, type: string): Promise<readonly Sample[]> {
  const [list = '', records = ''] = place.split(' ');
  const rows = JSON.parse((await ask('GET', `/v4/${list}`, TYPES[0] ?? '')).text) as readonly {
    readonly ID: unknown;
  }[];
  const paths = rows.slice(0, 3).map(({ ID }) => `/v4/${records}/${String(ID)}`);
  const found = await Promise.all(paths.map(async (path) => ({ path, ...(await ask('GET', path, type)) })));
  return found
    .filter(({ status }) => status === 200)
    .map(({ path, text }) => ({ path, type, body: Buffer.from(text) }));
}

/** One to four pieces are cut out, doubled, flipped or put in. */
function damage(random: Random, body: Buffer): Buffer {
  let bytes = body;
  for (let times = random.between(1, 4); times > 0; times--) {
    const at = random.between(0, bytes.length);
    const end = Math.min(bytes.length, at + random.between(0, 30));
    const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
    const flipped = Buffer.from(part.map((byte) => byte ^ (1 << random.between(0, 7))));
    const put = random.pick([Buffer.alloc(0), Buffer.concat([part, part]), flipped, Buffer.from(random.pick(PIECES))]);
    bytes = Buffer.concat([before, put, after]);
  }
  return bytes;
}

/** Connections that the server closed before an answer, as it does with idle ones. A request on such a one is sent again. */
let cut = 0;

async function ask(...asked: Asked) {
  try {
    return await askOnce(...asked);
  } catch (error) {
    if (!(error instanceof errors.SocketError)) throw error;
    cut++;
    return askOnce(...asked);
  }
}

type Asked = Parameters<typeof askOnce>;

async function askOnce(method: 'GET' | 'POST' | 'PUT', path: string, type: string, body?: Buffer) {
  const answer = await request(`${server.url}${path}`, {
    dispatcher: agent,
    method,
    headers: { authorization: basic(USER, PASSWORD), accept: type, ...(body ? { 'content-type': type } : {}) },
    ...(body ? { body } : {}),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}
