// The command line in process: `await pm('individuals list -o json')` on a folder of its own, its streams gathered.
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { Streams } from '../../src/cli/streams.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { cheapDerivations } from './derivations.ts';

export const NOW = new Date('2026-03-31T12:00:00Z');

/** How one command is run; without anything it is piped, as in a script. */
export interface Setting {
  /** The content of stdin. */
  readonly stdin?: string;
  /** stdout is a terminal of so many columns. */
  readonly columns?: number | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly now?: () => Date;
}

/** The result of a command. */
export interface CommandResult {
  readonly out: string;
  readonly err: string;
  readonly exit: number;
}

export type Member = Readonly<{ [name: string]: unknown }>;

/** A running command, and the checks of its result. */
export interface RunningCommand extends Promise<CommandResult> {
  /** Ends with 0 and has this on stdout; answers stdout. */
  prints(...wanted: readonly (string | RegExp)[]): Promise<string>;
  /** Ends with 0 and has this on stderr. */
  says(...wanted: readonly (string | RegExp)[]): Promise<CommandResult>;
  /** Ends with this exit code and has all this on stderr. */
  fails(exit: number, ...wanted: readonly (string | RegExp)[]): Promise<CommandResult>;
  /** The records on stdout, as JSON. */
  rows(): Promise<readonly Member[]>;
  /** The one record on stdout, as JSON. */
  row(): Promise<Member>;
  /** The one ID on stdout. */
  id(): Promise<string>;
}

export interface Pm {
  (line: string | readonly string[], setting?: Setting): RunningCommand;
  /** Ends with this exit code, has all this on stderr and nothing on stdout, and leaves the database as it was. */
  refuses(
    line: string | readonly string[],
    exit: number,
    ...wanted: readonly (string | RegExp)[]
  ): Promise<CommandResult>;
  /** Every row of every table, without the number of commits. */
  dump(): Readonly<{ [table: string]: readonly unknown[] }>;
  /** The folder of the database. */
  readonly home: string;
}

/**
 * A new site for each test, with one administrator, admin; `fill` puts in what all tests of the file find there. Its
 * passwords are derived cheaply, and are unknown to a server of its own process.
 */
export function usingPm(fill?: (pm: Pm) => Promise<void>): Pm {
  let root = '';
  let home = '';
  const pm = pmIn(() => home);
  const template = (): string => join(root, 'template');
  cheapDerivations();
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'pm-test-'));
    home = template();
    await pm('individuals list').prints('admin');
    await fill?.(pm);
  });
  beforeEach(() => {
    home = mkdtempSync(join(root, 'home-'));
    cpSync(template(), home, { recursive: true });
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return pm;
}

/** The command line on whatever folder `home` answers. */
export function pmIn(home: () => string): Pm {
  const pm = (line: string | readonly string[], setting: Setting = {}): RunningCommand =>
    runningCommand(run(typeof line === 'string' ? words(line) : line, home(), setting), line);
  const dump = (): ReturnType<Pm['dump']> => dumpOf(join(home(), 'local.db'));
  const refuses: Pm['refuses'] = async (line, exit, ...wanted) => {
    const before = dump();
    const result = await pm(line).fails(exit, ...wanted);
    expect(result.out, 'stdout').toBe('');
    expect(dump()).toEqual(before);
    return result;
  };
  return Object.defineProperty(Object.assign(pm, { refuses, dump, home: '' }), 'home', { get: home });
}

async function run(argv: readonly string[], home: string, { env, cwd = home, ...setting }: Setting) {
  const variables = { PM_HOME: home, USER: 'admin', TZ: 'UTC', ...env };
  const { parts, exit } = await written(argv, { ...setting, cwd, env: variables });
  return { out: textOf(parts, true), err: textOf(parts, false), exit };
}

/** What one stream got before the other one. */
export interface Part {
  /** Was it stdout, not stderr? */
  readonly isAnswer: boolean;
  readonly chunks: Buffer[];
}

/** All of it, or that of one stream. */
export const textOf = (parts: readonly Part[], isAnswer?: boolean): string =>
  Buffer.concat(
    parts.filter((part) => part.isAnswer === (isAnswer ?? part.isAnswer)).flatMap(({ chunks }) => chunks),
  ).toString('utf8');

interface Place extends Pick<Setting, 'stdin' | 'columns' | 'now'>, Pick<Streams, 'env' | 'cwd'> {}

/** Runs pm in this process; answers all that it writes, in its order, and its exit code. */
export async function written(argv: readonly string[], { stdin, columns, now = () => NOW, ...place }: Place) {
  const parts: Part[] = [];
  const stream = (isAnswer: boolean): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        if (parts.at(-1)?.isAnswer !== isAnswer) parts.push({ isAnswer, chunks: [] });
        parts.at(-1)?.chunks.push(chunk);
        done();
      },
    });
  const exit = await main(argv, {
    ...place,
    now,
    stdin: Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)]),
    stdout: stream(true),
    stderr: stream(false),
    stdinIsTerminal: false,
    stdoutIsTerminal: columns !== undefined,
    stderrIsTerminal: false,
    columns: columns ?? 80,
  });
  return { parts, exit };
}

function runningCommand(running: Promise<CommandResult>, line: string | readonly string[]): RunningCommand {
  const ended = async (exit: number): Promise<CommandResult> => {
    const result = await running;
    expect({ line, exit: result.exit, err: result.err }).toEqual({ line, exit, err: result.err });
    return result;
  };
  const has = (text: string, wanted: readonly (string | RegExp)[]): void => {
    for (const one of wanted) typeof one === 'string' ? expect(text).toContain(one) : expect(text).toMatch(one);
  };
  const parsed = async (): Promise<unknown> => JSON.parse((await ended(0)).out);
  return Object.assign(running, {
    prints: async (...wanted: readonly (string | RegExp)[]) => {
      const { out } = await ended(0);
      has(out, wanted);
      return out;
    },
    says: async (...wanted: readonly (string | RegExp)[]) => {
      const result = await ended(0);
      has(result.err, wanted);
      return result;
    },
    fails: async (exit: number, ...wanted: readonly (string | RegExp)[]) => {
      const result = await ended(exit);
      has(result.err, wanted);
      return result;
    },
    rows: async () => (await parsed()) as readonly Member[],
    row: async () => (await parsed()) as Member,
    id: async () => (await ended(0)).out.trim(),
  });
}

/** A line as a shell takes it apart: blanks separate, quotes of either kind hold together. */
export const words = (line: string): readonly string[] =>
  [...line.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g)].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));

function dumpOf(file: string): ReturnType<Pm['dump']> {
  if (!existsSync(file)) return {};
  const database = openDatabase(file, { readonly: true });
  try {
    const names = database
      .prepare<[], { name: string }>(
        "select name from sqlite_master where type = 'table' and name not in ('commit_witness', 'sqlite_sequence')",
      )
      .all();
    return Object.fromEntries(names.map(({ name }) => [name, database.prepare(`select * from "${name}"`).all()]));
  } finally {
    database.close();
  }
}
