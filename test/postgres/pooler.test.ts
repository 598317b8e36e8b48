// A pooler before the server: one that keeps a connection for each session is as good as the server, any other is refused when
// the database is opened, before it has settings or statements of pm.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AS_NOBODY } from '../support/needs.ts';
import { usingPm } from '../support/pm.ts';
import { onDatabase, usingPostgres } from '../support/postgres.ts';

const { newSite } = usingPostgres();
const pm = usingPm();

/** A port that nothing listens on. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const place = server.address();
      server.close(() => resolve(typeof place === 'object' && place ? place.port : 0));
    });
  });

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let tried = 0; tried < 200 && child.exitCode === null; tried++) {
    const isOpen = await new Promise((resolve) => {
      const socket = dial(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the pooler does not listen');
}

/** The address of the database through a pooler, which ends with the test. */
async function pooled(address: string, settings: readonly string[]): Promise<string> {
  const { port, pathname, username } = new URL(address);
  const own = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pm-pooler-'));
  const file = join(folder, 'pooler.ini');
  const lines = ['[databases]', `* = host=127.0.0.1 port=${port} user=${username}`, '[pgbouncer]', 'auth_type = any'];
  const listen = ['listen_addr = 127.0.0.1', `listen_port = ${own}`, 'unix_socket_dir =', ...settings, ''];
  writeFileSync(file, [...lines, ...listen].join('\n'), { mode: 0o644 });
  const words = [...(process.geteuid?.() === 0 ? AS_NOBODY : []), 'pgbouncer', '-q', '/dev/stdin'];
  const [program = '', ...rest] = words;
  const child = spawn('sh', ['-c', '"$@" < "$0"', file, program, ...rest], { stdio: 'ignore', detached: true });
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await listening(own, child);
  return `postgres://${username}@127.0.0.1:${own}${pathname}`;
}

describe('a pooler', { tags: ['postgres', 'pooler'] }, () => {
  test.each([['pool_mode = session'], ['pool_mode = session', 'server_round_robin = 1']])(
    'that keeps a connection for each session is used: %s',
    async (...settings) => {
      const address = await pooled(await newSite(), settings);
      await pm('departments create --name Labs --rank 1 --parent Local', { env: { PM_DATABASE: address } }).prints();
      await pm('departments list', { env: { PM_DATABASE: address } }).prints('Labs');
      const [found] = (await pm('doctor -o json', { env: { PM_DATABASE: address } }).rows()).filter(
        ({ Check }) => Check === 'database',
      );
      expect(found).toMatchObject({ State: 'ok' });
    },
  );

  test.each([
    [['pool_mode = transaction']],
    [['pool_mode = transaction', 'server_round_robin = 1']],
    [['pool_mode = transaction', 'default_pool_size = 2', 'server_reset_query = DISCARD ALL']],
  ])('that gives it to others after a transaction is refused: %s', async (settings) => {
    const address = await pooled(await newSite(), settings);
    const env = { PM_DATABASE: address };
    for (const line of ['individuals list', 'departments create --name Labs --rank 1 --parent Local', 'serve --port 0'])
      await pm(line, { env }).fails(10, 'pooler', 'pool_mode = session');
    await pm('doctor -o json', { env }).fails(11);
  });
});

test('nothing of a refused pooler stays on the server', { tags: ['postgres', 'pooler'] }, async () => {
  const direct = await newSite();
  await pm('individuals list', { env: { PM_DATABASE: await pooled(direct, ['pool_mode = transaction']) } }).fails(10);
  await onDatabase(direct, 'SELECT 1');
  await pm('individuals list', { env: { PM_DATABASE: direct } }).prints('admin');
});
