// A PostgreSQL server in a temporary folder, where its programs are installed: on 127.0.0.1 and a free port. It can be killed
// and started again.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

export interface PostgresServer {
  readonly port: number;
  readonly folder: string;
  /** Makes an empty database, or a copy of the one at this address; answers its address. */
  newDatabase(like?: string): Promise<string>;
  /** Ends every process of the server at once, as a crash does. */
  kill(): void;
  /** Starts it again, and answers once it takes connections. */
  start(): void;
  /** Wants this password of its user from now on, except through the socket in its folder. */
  wantPassword(password: string): Promise<void>;
  /** Puts a file for the server alone into its folder; answers its name. */
  put(name: string, text: string): string;
  /** Settings of the server, which it reads again. */
  configure(lines: readonly string[]): void;
  end(): void;
}

/** The user of the server's databases; the address needs no password. */
export const POSTGRES_USER = 'pm';

/**
 * Makes a server and starts it. What was written survives the death of the server alone also where it is not on the disk yet;
 * `settings` are lines of its configuration.
 */
export async function startPostgres(settings: readonly string[] = ['fsync = off']): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'pm-postgres-'));
  const data = join(folder, 'data');
  const port = await freePort();
  own(folder);
  asServer('cp', ['-R', newData(), data]);
  const write = (lines: readonly string[]): void =>
    writeFileSync(join(data, 'postgresql.auto.conf'), `${[...settings, ...lines].join('\n')}\n`);
  write([]);
  const start = (): void => {
    const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
    asServer('pg_ctl', ['start', '-w', '-D', data, '-l', join(folder, 'log'), '-o', options]);
  };
  const stopping = ['stop', '-D', data, '-m', 'immediate'];
  const stop = (): void => asServer('pg_ctl', stopping);
  start();
  endWithThisProcess(wordsAsServer('pg_ctl', stopping), folder);
  let made = 0;
  return {
    port,
    folder,
    async newDatabase(like) {
      const name = `test_${++made}`;
      // Its files are copied: by default each of their blocks is logged, which takes four times as long.
      const template = like === undefined ? '' : ` TEMPLATE ${new URL(like).pathname.slice(1)} STRATEGY FILE_COPY`;
      await onServer({ host: folder, port }, `CREATE DATABASE ${name}${template}`);
      return `postgres://${POSTGRES_USER}@127.0.0.1:${port}/${name}`;
    },
    kill: stop,
    start,
    async wantPassword(password) {
      await onServer({ host: folder, port }, `ALTER ROLE ${POSTGRES_USER} PASSWORD '${password}'`);
      const rules = ['local all all trust', 'host all all 127.0.0.1/32 scram-sha-256'];
      writeFileSync(join(data, 'pg_hba.conf'), `${rules.join('\n')}\n`);
      asServer('pg_ctl', ['reload', '-D', data]);
    },
    put(name, text) {
      const file = join(data, name);
      writeFileSync(file, text, { mode: 0o600 });
      own(file);
      return file;
    },
    configure(lines) {
      write(lines);
      asServer('pg_ctl', ['reload', '-D', data]);
    },
    end() {
      try {
        stop();
      } catch {
        // A test has killed it.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let neverBegun: string | undefined;

/** The folder of a server that never began. It is made once in each process: to copy it takes less time. */
function newData(): string {
  if (neverBegun !== undefined) return neverBegun;
  const folder = mkdtempSync(join(tmpdir(), 'pm-postgres-new-'));
  const data = join(folder, 'data');
  own(folder);
  asServer('initdb', ['-D', data, '-U', POSTGRES_USER, '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N']);
  endWithThisProcess(['true'], folder);
  neverBegun = data;
  return data;
}

/** Runs statements on a database of the server, past the store. Answers the rows of the last one. */
export async function onDatabase(address: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  return onServer({ connectionString: address }, sql);
}

async function onServer(config: pg.ClientConfig, sql: string): Promise<readonly (readonly unknown[])[]> {
  const client = new pg.Client({ user: POSTGRES_USER, database: 'postgres', ...config });
  await client.connect();
  try {
    const found = await client.query({ text: sql, rowMode: 'array' });
    return [found].flat().at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

/** The server's programs refuse root. */
function asServer(program: string, args: readonly string[]): void {
  const [command, ...all] = wordsAsServer(program, args);
  execFileSync(command, all, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
}

const wordsAsServer = (program: string, args: readonly string[]): [string, ...string[]] =>
  isRoot() ? ['su', ...suArguments(program, args)] : [program, ...args];

/** A process that is killed cleans nothing up: a shell that reads from it stops the server once nothing can come any more. */
function endWithThisProcess(stop: readonly string[], folder: string): void {
  const script = 'cat; folder=$1; shift; "$@"; rm -rf "$folder"';
  const words = ['-c', script, 'sh', folder, ...stop];
  const watcher = spawn('sh', words, { stdio: ['pipe', 'ignore', 'ignore'], cwd: '/', detached: true });
  watcher.unref();
  // Its pipe keeps this process alive no longer either.
  (watcher.stdin as Socket).unref();
}

const suArguments = (program: string, args: readonly string[]): string[] => [
  ...['-s', '/bin/sh', 'nobody', '-c'],
  `PATH='${process.env.PATH}' ${[program, ...args].map((word) => `'${word}'`).join(' ')}`,
];

const isRoot = (): boolean => process.getuid?.() === 0;

function own(...paths: readonly string[]): void {
  if (!isRoot()) return;
  const number = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  const [user, group] = [number('-u'), number('-g')];
  for (const path of paths) chownSync(path, user, group);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
