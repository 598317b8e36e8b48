// pm serve as a process, a bad line in front of it, and people who import through that.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { JobRow } from '../../src/contract/jobs.ts';
import { openJournal } from '../../src/engine/store/journal/journal.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { type FaultyProxy, faultyProxy } from '../support/faults.ts';
import { gathered } from '../support/job.ts';
import { type Pm, pmIn, type RunningCommand } from '../support/pm.ts';
import { type ServerProcess, serveProcess } from '../support/server-process.ts';
import { PM } from '../support/terminal.ts';
import { usingGround } from './ground.ts';

const PASSWORD = 'Correct-horse-1';
export const CONCURRENCY = 4;

/** Somebody with a home and a journal of their own. */
export interface Visitor {
  readonly home: string;
  /** A file that makes accountabilities of these names. */
  file(names: readonly string[]): string;
  /** pm on the service: nothing is tried twice by the client, and no answer is waited for longer than so many seconds. */
  pm(line: readonly string[], seconds?: number): RunningCommand;
  /** The same as a process of its own. */
  begins(line: readonly string[]): ChildProcess;
  /** The rows of the newest job. */
  rows(): Promise<readonly JobRow[]>;
  /** How many of them are neither done nor certainly not done. */
  open(): Promise<number>;
  /** The newest job. */
  job(): Promise<string>;
}

export interface Service {
  readonly line: FaultyProxy;
  visitor(): Promise<Visitor>;
  /** The IDs of the records that have these names; one that was made twice has two. */
  ids(names: readonly string[]): readonly string[];
  /** Kills the server. */
  dies(): Promise<void>;
  /** Starts it again, behind the same line. */
  lives(): Promise<void>;
  readonly owner: string;
  /** What the administrator logs in with. */
  readonly authorization: string;
  /** Names that nobody had before. */
  names(count: number): readonly string[];
  /** Resumes the newest job once, and looks on both sides: each record is there, and once. */
  settled(visitor: Visitor, wanted: readonly string[]): Promise<void>;
}

/** A login takes its time on a busy machine. */
const PATIENCE = 30;

const envOf = (seconds = PATIENCE) => ({
  ...{ PM_PASSWORD: PASSWORD, PM_TIMEOUT: String(seconds) },
  ...{ PM_RETRIES: '0', PM_CONCURRENCY: String(CONCURRENCY) },
});

/** The words that import a file through the line. */
export const sending = (file: string): readonly string[] => [
  ...['import', 'accountabilities', file, '--mode', 'create', '--yes', '-p', 'prod'],
];

export function usingService(): Service {
  const ground = usingGround((pm: Pm) => pm('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set'));
  let home = '';
  let owner = '';
  let server: ServerProcess | undefined;
  let line: FaultyProxy | undefined;
  let series = 0;
  const lives = async (): Promise<void> => {
    server = await serveProcess(PM, home, 'admin');
    if (line) line.leads(server.url);
    else line = await faultyProxy(server.url);
  };
  const there = (): FaultyProxy => {
    if (!line) throw new Error('the service has not begun');
    return line;
  };
  beforeAll(async () => {
    home = ground.home();
    owner = await pmIn(() => home)('individuals list -o id').id();
    await lives();
  });
  afterAll(async () => {
    await line?.down();
    await server?.kill('SIGKILL');
  });
  return {
    get line() {
      return there();
    },
    get owner() {
      return owner;
    },
    lives,
    dies: async () => server?.kill('SIGKILL'),
    authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
    names(count) {
      series++;
      return Array.from({ length: count }, (_, at) => `series ${series} of ${at + 1}`);
    },
    async settled(visitor, wanted) {
      await visitor.pm(['jobs', 'resume', await visitor.job(), '-p', 'prod']);
      const rows = await visitor.rows();
      expect(rows.map(({ state }) => state)).toEqual(wanted.map(() => 'done'));
      expect([...idsOf(home, wanted)].sort()).toEqual(rows.map(({ id }) => id).sort());
    },
    visitor: () => aVisitor(mkdtempSync(join(ground.root, 'visitor-')), there().url, owner),
    ids: (names) => idsOf(home, names),
  };
}

async function aVisitor(home: string, url: string, owner: string): Promise<Visitor> {
  const pm = pmIn(() => home);
  await pm(['profiles', 'add', 'prod', '--url', url, '--user', 'admin']).says('Added');
  return {
    home,
    pm: (line, seconds) => pm(line, { env: envOf(seconds) }),
    file(names) {
      const path = join(home, 'input.csv');
      const rows = names.map((name, at) => `${owner},${at + 1},${name},x`);
      writeFileSync(path, ['AncestorID,Rank,Name,Description', ...rows, ''].join('\n'));
      return path;
    },
    begins: (line) =>
      spawn(process.execPath, [PM, ...line], {
        env: { ...envOf(), PATH: process.env.PATH, PM_HOME: home, USER: 'admin' },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    rows: () => rowsIn(home),
    open: async () => (await rowsIn(home)).filter(({ state }) => state === 'intent' || state === 'unknown').length,
    async job() {
      const journal = await openJournal(join(home, 'journal.db'));
      const [newest] = await journal.heads('prod');
      await journal.close();
      return newest?.id ?? '';
    },
  };
}

async function rowsIn(home: string): Promise<readonly JobRow[]> {
  const journal = await openJournal(join(home, 'journal.db'));
  const [newest] = await journal.heads('prod');
  const rows = newest ? await gathered(journal.rows(newest.id)) : [];
  await journal.close();
  return rows;
}

function idsOf(home: string, names: readonly string[]): readonly string[] {
  const database = openDatabase(join(home, 'local.db'), { readonly: true });
  try {
    const all = database.prepare<[], { ID: string; Name: string }>('SELECT ID, Name FROM accountability').all();
    return all.filter(({ Name }) => names.includes(Name)).map(({ ID }) => ID);
  } finally {
    database.close();
  }
}
