// Runs pm serve --workers as a process, and asks its workers one by one or all together.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { PASSWORD, servedHome } from '../support/served-home.ts';
import { PM } from '../support/terminal.ts';
import { basic } from './served.ts';

type AtEnd = (work: () => Promise<void>) => void;

export interface Fleet {
  readonly child: ChildProcess;
  readonly url: string;
  /** What it has printed so far. */
  out(): string;
  err(): string;
  /** The process IDs of the workers that are there now. */
  workers(): readonly number[];
}

/** Serves a new database, in which admin has the password, to the end of the test unless told. */
export async function servedByWorkers(count = 2, atEnd: AtEnd = onTestFinished): Promise<Fleet> {
  const home = await servedHome();
  const env = { PATH: process.env.PATH, PM_HOME: home, USER: 'admin' };
  const child = spawn(process.execPath, [PM, 'serve', '--port', '0', '--workers', String(count)], { env });
  const gone = once(child, 'exit');
  atEnd(async () => {
    child.kill('SIGKILL');
    await gone;
    rmSync(home, { recursive: true, force: true });
  });
  let [out, err] = ['', ''];
  child.stderr?.on('data', (part: Buffer) => (err += part.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (part: Buffer) => {
      out += part.toString();
      const found = /^Serving (\S+)\s/m.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.stdout?.on('end', () => reject(new Error(`it ended: ${out}${err}`)));
  });
  const workers = () => childrenOf(child.pid ?? 0);
  return { child, url, out: () => out, err: () => err, workers };
}

/** Two workers for all tests of a file. */
export function usingWorkers(): () => Fleet {
  let fleet: Fleet | undefined;
  let end = async (): Promise<void> => undefined;
  beforeAll(async () => {
    fleet = await servedByWorkers(2, (work) => {
      end = work;
    });
  });
  afterAll(() => end());
  return () => {
    if (!fleet) throw new Error('the workers have not begun');
    return fleet;
  };
}

function childrenOf(pid: number): readonly number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface Line {
  ask(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    asked?: { password?: string; body?: object },
  ): Promise<Answer>;
}

/** A connection to each of two workers: while one of them stands still, the other one takes what comes. */
export async function linesToEach({ url, workers }: Fleet): Promise<readonly [Line, Line]> {
  const pids = workers();
  const [first, second] = pids;
  if (first === undefined || second === undefined || pids.length > 2) throw new Error(`the workers are ${pids.join()}`);
  const lineTo = async (other: number): Promise<Line> => {
    process.kill(other, 'SIGSTOP');
    try {
      const line = lineOn(url);
      expect((await line.ask('GET', '/healthz')).status).toBe(200);
      return line;
    } finally {
      process.kill(other, 'SIGCONT');
    }
  };
  return [await lineTo(second), await lineTo(first)];
}

function lineOn(url: string): Line {
  const dispatcher = new Agent({ connections: 1, keepAliveTimeout: 60_000, keepAliveMaxTimeout: 60_000 });
  onTestFinished(() => dispatcher.destroy());
  return {
    async ask(method, path, { password = PASSWORD, body } = {}) {
      const answer = await request(`${url}${path}`, {
        dispatcher,
        method,
        headers: { authorization: basic('admin', password), 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, body: text.startsWith('{') ? JSON.parse(text) : {} };
    },
  };
}

/** Waits until it is so: a test fails by its limit where it never is. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

export interface Load {
  /** Resolves when so many more requests were answered. */
  more(count: number): Promise<void>;
  /** Each connection has its last answer, or was closed. */
  readonly ended: Promise<void>;
  stop(): void;
  /** Requests that were sent and not answered, and the statuses of the others. */
  readonly counts: { failed: number; readonly statuses: Map<number, number> };
}

/** Asks again and again on each connection, until its answer says that it is the last one. `again`: connects anew then. */
export function loadOn(url: string, path: string, connections: number, again = false): Load {
  const { hostname, port, host } = new URL(url);
  const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: ${basic('admin', PASSWORD)}`, '', ''];
  const counts: Load['counts'] = { failed: 0, statuses: new Map() };
  let isStopped = false;
  const talk = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ port: Number(port), host: hostname, noDelay: true });
      let [text, isAsking] = ['', false];
      const ask = (): void => {
        text = '';
        isAsking = true;
        socket.write(head.join('\r\n'));
      };
      socket.on('connect', ask);
      socket.on('data', (part) => {
        text += part.toString('latin1');
        const end = text.indexOf('\r\n\r\n') + 4;
        const headers = text.slice(0, end);
        const length = /\r\ncontent-length: (\d+)/i.exec(headers)?.[1];
        if (length === undefined || text.length < end + Number(length)) return;
        isAsking = false;
        const status = Number(text.slice(9, 12));
        counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
        if (isStopped || /\r\nconnection: close/i.test(headers)) socket.end();
        else ask();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (isAsking) counts.failed++;
        resolve(isAsking);
      });
    });
  const repeat = async (): Promise<void> => {
    do await talk();
    while (again && !isStopped);
  };
  const answered = (): number => [...counts.statuses.values()].reduce((sum, count) => sum + count, 0);
  return {
    counts,
    ended: Promise.all(Array.from({ length: connections }, repeat)).then(() => undefined),
    stop() {
      isStopped = true;
    },
    async more(count) {
      const enough = answered() + count;
      await until(() => answered() >= enough);
    },
  };
}
