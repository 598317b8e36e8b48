// A database that is deleted or replaced under pm serve: nothing is acknowledged that is not in the file that is there.
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { servedHome } from '../support/served-home.ts';
import { type ServerProcess, serveProcess } from '../support/server-process.ts';
import { PM } from '../support/terminal.ts';
import { askAt } from './served.ts';

const USER = 'admin';
const AT_ONCE = 16;
const MANY = 200;

let home = '';
let server: ServerProcess;
let me = '';
const file = (): string => join(home, 'local.db');

beforeEach(async () => {
  home = await servedHome();
  copyFileSync(file(), join(home, 'backup.db'));
  server = await serveProcess(PM, home, USER);
  me = String((await askAt(server.url, 'GET', '/v4/me', { user: USER })).json().ID);
});
afterEach(async () => {
  await server.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

const create = (name: string) =>
  askAt(server.url, 'POST', '/v4/accountabilities', {
    user: USER,
    type: 'application/json',
    body: JSON.stringify({ AncestorID: me, Rank: 1, Name: name, Description: 'Kept' }),
  });
const ready = async (): Promise<number> => (await askAt(server.url, 'GET', '/readyz')).status;

function namesIn(database: string): readonly unknown[] {
  const opened = openDatabase(join(home, database), { fileMustExist: true });
  try {
    return opened.prepare('SELECT Name FROM accountability').pluck().all();
  } finally {
    opened.close();
  }
}

interface Load {
  /** The names that were acknowledged, of those sent before and after `halfway`. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Creates records side by side, and calls `halfway` in the middle. */
async function underLoad(halfway: () => void): Promise<Load> {
  const acknowledged = { before: [] as string[], after: [] as string[] };
  let sent = 0;
  let when: keyof Load = 'before';
  const sender = async (): Promise<void> => {
    while (sent < MANY) {
      const name = `sent ${++sent}`;
      if (sent === MANY / 2) {
        halfway();
        when = 'after';
      }
      const list = acknowledged[when];
      if ((await create(name)).status === 200) list.push(name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  return acknowledged;
}

const missing = (wanted: readonly string[], ...held: readonly unknown[]): readonly string[] =>
  wanted.filter((name) => !held.includes(name));

it('acknowledges nothing that a replaced file has not, nor loses what the file before has', async () => {
  const { before, after } = await underLoad(() => {
    renameSync(file(), join(home, 'away.db'));
    renameSync(join(home, 'backup.db'), file());
  });
  expect(after.length).toBeGreaterThan(MANY / 4);
  expect(missing(after, ...namesIn('local.db'))).toEqual([]);
  expect(missing(before, ...namesIn('local.db'), ...namesIn('away.db'))).toEqual([]);
});

it('acknowledges nothing while the file is deleted, and goes on when a backup is there', async () => {
  const { after } = await underLoad(() => rmSync(file()));
  expect(after).toEqual([]);
  expect(await ready()).toBe(503);
  const refused = await create('refused');
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(refused.json()).toMatchObject({ code: 'replaced', detail: expect.not.stringContaining(home) });
  renameSync(join(home, 'backup.db'), file());
  expect(await ready()).toBe(503);
  expect(await ready()).toBe(200);
  expect(await create('kept')).toMatchObject({ status: 200 });
  expect(namesIn('local.db')).toEqual(['kept']);
});
