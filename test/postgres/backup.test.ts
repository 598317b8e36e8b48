// pm backup and pm restore between a file and a database of a PostgreSQL server. From file to file: test/cli/backup.test.ts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ALL_TABLES, cutClone } from '../support/cut-clone.ts';
import { pmIn, type Setting, usingPm } from '../support/pm.ts';
import { onDatabase, usingPostgres } from '../support/postgres.ts';
import { PM } from '../support/terminal.ts';

const pm = usingPm(async (fill) => {
  await fill('seed --sample small').says('60');
  await fill('passwd admin --new-password-stdin', { stdin: 'correct horse battery' });
  await fill('sites create Second --admin second');
  await fill('colors create --name Coral --rank 7 --code ff7f50');
});
/** A folder whose local.db comes back from the server. */
let there = '';
const back = pmIn(() => there);
const file = (): string => join(there, 'local.db');

beforeEach(() => {
  there = join(pm.home, 'there');
  mkdirSync(there, { mode: 0o700 });
});

const on =
  (address: string) =>
  (line: string | readonly string[], setting: Setting = {}) =>
    pm(line, { ...setting, env: { PM_DATABASE: address, ...setting.env } });

/** The rows of every table, whatever their order. */
const rowsOf = (one: typeof pm): readonly unknown[] =>
  Object.entries(one.dump()).map(([table, rows]) => [table, rows.map((row) => JSON.stringify(row)).toSorted()]);

describe('pm backup and pm restore with a server', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  it('brings everything to the server and back: the file that comes back is equal', async () => {
    const address = await server().newDatabase();
    const { out } = await pm(`backup local ${address}`).says('Both are equal.', `pm whoami --database ${address}`);
    expect(out).toMatch(/^secret\t1\t1\ttrue$/m);
    expect(out).not.toContain('false');
    await pm(`restore ${address} ${file()}`).says('Both are equal.');
    expect(rowsOf(back)).toEqual(rowsOf(pm));
    expect(await onDatabase(address, "SELECT tablename FROM pg_tables WHERE tablename LIKE 'clone%'")).toEqual([]);
  });

  it('leaves a database like one that pm makes: the same tables, keys and indexes', async () => {
    const [made, cloned] = [await server().newDatabase(), await server().newDatabase()];
    await on(made)('individuals list');
    await pm(`backup local ${cloned}`);
    for (const sql of [
      'SELECT table_name, column_name, data_type, collation_name, is_nullable FROM information_schema.columns',
      'SELECT indexdef, indexname FROM pg_indexes',
      'SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint',
      'SELECT Application, Version, Sha256 FROM pm_database',
    ]) {
      const ours = sql.includes('pg_constraint') || sql.includes('pm_database') ? '' : " WHERE schemaname = 'public'";
      const all = `${sql}${ours.replace('schemaname', sql.includes('columns') ? 'table_schema' : 'schemaname')} ORDER BY 1, 2`;
      const found = await onDatabase(made, all);
      expect(found.length).toBeGreaterThan(0);
      expect(await onDatabase(cloned, all)).toEqual(found);
    }
  });

  it('leaves work that goes on: undo of a job from before, the next number, history behind that of before', async () => {
    const address = await server().newDatabase();
    const there = on(address);
    const before = await pm('colors list --ids -o json').rows();
    await pm(`backup local ${address}`);
    await there('colors create --name Teal --rank 8 --code 008080').prints('Teal');
    const [teal] = await there(`colors list --ids -o json --where "Name = 'Teal'"`).rows();
    expect(Number(teal?.ID)).toBe(Math.max(...before.map(({ ID }) => Number(ID))) + 1);
    await there('undo -y').says('delete');
    const [job] = await there(`jobs list -o json --where "Title ~ 'create Coral'"`).rows();
    await there(`undo ${job?.Job} -y`).says('delete');
    expect(await there('colors list').prints()).not.toContain('Coral');
    await there('log --limit 1').prints('Coral', 'delete');
    await there('whoami').prints('admin');
  });

  it('brings back what was done on the server, and work goes on in the file', async () => {
    const address = await server().newDatabase();
    await pm(`backup local ${address}`);
    await on(address)('colors create --name Teal --rank 8 --code 008080');
    await on(address)('colors create --name Gold --rank 9 --code ffd700 --site Second --as second');
    const jobs = await on(address)('jobs list -o json').rows();
    const log = await on(address)('log --limit 50 -o json').rows();
    await pm(`restore ${address} ${file()}`).says('Both are equal.');
    expect(await back('log --limit 50 -o json').rows()).toEqual(log);
    expect(await back('jobs list -o json').rows()).toEqual(jobs);
    await back('log --site Second --as second').prints('Gold');
    const [job] = await back(`jobs list -o json --where "Title ~ 'create Teal'"`).rows();
    await back(`undo ${job?.Job} -y`).says('delete');
    expect(await back('colors list').prints()).not.toContain('Teal');
    await back('log --limit 1').prints('Teal', 'delete');
  });

  it('refuses a database with records, of pm or of others, and leaves it as it was', async () => {
    const address = await server().newDatabase();
    await on(address)('colors create --name Own --rank 1 --code 000000');
    await pm(`backup local ${address}`).fails(10, 'holds records already', 'createdb');
    await pm(`backup local ${address} --anew`).fails(10, 'holds records already');
    await on(address)('colors list').prints('Own');
    const others = await server().newDatabase();
    await onDatabase(others, 'CREATE TABLE orders (ID integer)');
    await pm(`backup local ${others}`).fails(10, 'is not a database of pm', 'table orders');
    const empty = await server().newDatabase();
    await pm(`restore ${empty} ${file()}`).fails(10, 'is empty', 'nothing to copy');
    await pm(`backup local ${empty} -n`).says('dry run: nothing is copied');
    expect(await onDatabase(empty, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
  });

  it('that is not whole is refused by every other command, which says what to do next', async () => {
    const address = await server().newDatabase();
    await cutClone({ from: 'local', to: address, home: pm.home, writes: 20 });
    const next = `pm restore ${join(pm.home, 'local.db')} ${address}`;
    for (const line of ['individuals list', 'colors create --name A --rank 1 --code 000000', 'jobs list', 'log'])
      await on(address)(line).fails(10, 'is a copy that is not whole yet', next);
    await on(address)('doctor').fails(11, '');
    await on(address)(['serve', '--port', '0']).fails(10, 'is a copy that is not whole yet');
    await pm(`restore ${address} ${file()}`).fails(10, 'is a copy that is not whole yet', next);
    await pm(`backup local ${address}`).says('Both are equal.');
  });

  it('goes on wherever it was ended, and nothing is lost or doubled', async () => {
    const address = await server().newDatabase();
    for (const writes of [0, 1, 2, 7, 12, 19, 12])
      await cutClone({ from: 'local', to: address, home: pm.home, writes });
    await cutClone({ from: 'local', to: address, home: pm.home, writes: 'all' });
    await pm(`backup local ${address}`).says('Both are equal.');
    for (const writes of [0, 1, 2, 7, 12, 19, 12]) await cutClone({ from: address, to: file(), home: pm.home, writes });
    await pm(`restore ${address} ${file()}`).says('Both are equal.');
    expect(rowsOf(back)).toEqual(rowsOf(pm));
  });

  it('goes on after its process was killed at any moment', async () => {
    const address = await server().newDatabase();
    const copied = async (): Promise<number> => {
      const rows = await onDatabase(address, 'SELECT sum(Copied) FROM clone_table').catch(() => [[0]]);
      return Number(rows[0]?.[0]);
    };
    for (const wanted of [1, 500, 1_500, 3_000])
      await killed(['backup', 'local', address], async () => (await copied()) >= wanted);
    await pm(`backup local ${address}`).says('Both are equal.');
    await pm(`restore ${address} ${file()}`).says('Both are equal.');
    expect(rowsOf(back)).toEqual(rowsOf(pm));
  });

  it('goes on after the server was killed', async () => {
    const address = await server().newDatabase();
    await cutClone({ from: 'local', to: address, home: pm.home, writes: 20 });
    server().kill();
    await pm(`backup local ${address}`).fails(8, 'cannot be reached');
    server().start();
    await pm(`backup local ${address}`).says('Both are equal.');
  });

  it('is refused by a source on a server that has changed since, and begins again with --anew', async () => {
    const [address, second] = [await server().newDatabase(), await server().newDatabase()];
    await pm(`backup local ${address}`);
    await cutClone({ from: address, to: second, home: pm.home, writes: 20 });
    await on(address)('colors create --name Teal --rank 8 --code 008080');
    await pm(`restore ${address} ${second}`).fails(7, 'as it was before its last change', '--anew');
    await pm(`restore ${address} ${second} --anew`).says('Both are equal.');
    await on(second)('colors list').prints('Teal');
    await on(second)('undo -y').says('delete');
  });

  it('has the source as it was when it began, whatever is written there meanwhile', async () => {
    const address = await server().newDatabase();
    await pm(`backup local ${address}`);
    const onPart = async (title: string): Promise<void> => {
      if (title === 'Copied') await on(address)('colors create --name Teal --rank 8 --code 008080');
      if (title === 'Compared') await on(address)('colors create --name Plum --rank 9 --code 800080');
    };
    const compared = await cutClone({ from: address, to: file(), home: pm.home, onPart });
    expect(compared?.filter(({ isEqual }) => !isEqual)).toEqual([]);
    await on(address)('colors list').prints('Teal');
    expect(await back('colors list').prints()).not.toContain('Teal');
  });

  it('copies every table of the server but those that it has for itself', async () => {
    const LEFT = {
      pm_database: 'what the database says about itself',
      commit_marker: 'the last commits of each connection',
      site_writer: 'who writes in a site takes its row',
    };
    const address = await server().newDatabase();
    await on(address)('individuals list');
    const columns = `SELECT table_name, lower(string_agg(column_name, ' ' ORDER BY lower(column_name) COLLATE "C"))
      FROM information_schema.columns WHERE table_schema = 'public' GROUP BY 1 ORDER BY 1`;
    const found = (await onDatabase(address, columns)).filter(([name]) => !Object.hasOwn(LEFT, String(name)));
    const names = ALL_TABLES.map((one) => [
      one.name,
      one.columns
        .map(({ name }) => name.replaceAll('"', '').toLowerCase())
        .toSorted()
        .join(' '),
    ]);
    expect(names.toSorted()).toEqual(found.toSorted());
  });
});

/** Runs pm as a process, and kills it once that is so; it may have ended before. */
async function killed(args: readonly string[], when: () => Promise<boolean>): Promise<void> {
  const env = { PATH: process.env.PATH, PM_HOME: pm.home, USER: 'admin' };
  const child: ChildProcess = spawn(process.execPath, [PM, ...args], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (child.exitCode === null && !(await when()));
  child.kill('SIGKILL');
  await ended;
}
