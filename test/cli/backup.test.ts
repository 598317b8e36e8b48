// pm backup and pm restore from file to file: what is copied, how it goes on, and what is refused. With a server: test/postgres/backup.test.ts.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { TABLES } from '../../src/cli/backup/sides.ts';
import { main } from '../../src/cli/main.ts';
import { CLONE_TABLES } from '../../src/engine/store/clone/mark.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { openSqlite } from '../../src/engine/store/sqlite/store.ts';
import { ALL_TABLES, cutClone } from '../support/cut-clone.ts';
import { textOf } from '../support/database-text.ts';
import { inLong } from '../support/long.ts';
import { pmIn, usingPm } from '../support/pm.ts';
import { PM } from '../support/terminal.ts';
import { streams } from './output-printed.ts';

const pm = usingPm(async (fill) => {
  await fill('seed --sample large --individuals 12').says('12');
  await fill('passwd admin --new-password-stdin', { stdin: 'correct horse battery' });
  await fill('colors create --name Coral --rank 7 --code ff7f50');
});
/** A folder whose local.db is the copy. */
let there = '';
const copied = pmIn(() => there);
const copy = (): string => join(there, 'local.db');
const cut = (writes: number | 'all', to = copy()) => cutClone({ from: 'local', to, home: pm.home, writes });

beforeEach(() => {
  there = join(pm.home, 'there');
  mkdirSync(there, { mode: 0o700 });
});

/** The rows of every table, whatever their order. */
const rowsOf = (one: typeof pm): readonly unknown[] =>
  Object.entries(one.dump()).map(([table, rows]) => [table, rows.map((row) => JSON.stringify(row)).toSorted()]);

/** Runs statements on the copy, past the store. */
function inCopy(sql: string): void {
  const database = openDatabase(copy());
  database.exec(sql);
  database.close();
}

describe('pm backup', () => {
  it('copies a whole file, and says that both are equal', async () => {
    const { out, err } = await pm(`backup local ${copy()}`).says('Both are equal.');
    expect(err).toContain(`▲ ${join(pm.home, 'local.db')} → ${copy()}`);
    expect(out).toMatch(/^individual\t13\t13\ttrue$/m);
    expect(out).toMatch(/^secret\t1\t1\ttrue$/m);
    expect(rowsOf(copied)).toEqual(rowsOf(pm));
  });

  it('makes the file as pm makes one: the same tables, indexes and numbers that go on', async () => {
    await pm(`backup local ${copy()}`);
    const made = (file: string): readonly string[] =>
      textOf(file)
        .split(/;\n/)
        .filter((statement) => !statement.includes('commit_witness'))
        .toSorted();
    expect(made(copy())).toEqual(made(join(pm.home, 'local.db')));
  });

  it('leaves work that goes on there: undo of a job from before, the next number, the next history', async () => {
    await pm('colors create --name Teal --rank 8 --code 008080');
    await cut('all');
    inCopy(`UPDATE sqlite_sequence SET seq = 5 WHERE name = 'line'`);
    await pm(`backup local ${copy()}`).says('Both are equal.');
    await copied('undo -y').says('delete');
    await copied('colors create --name Gold --rank 9 --code ffd700').prints('Gold');
    const [gold] = await copied(`colors list -o json --where "Name = 'Gold'"`).rows();
    await pm('undo -y');
    await pm('colors create --name Gold --rank 9 --code ffd700');
    const [same] = await pm(`colors list -o json --where "Name = 'Gold'"`).rows();
    expect(gold?.ID).toBe(same?.ID);
    const numbers = (dump: ReturnType<typeof pm.dump>): readonly unknown[] =>
      (dump.line as readonly { Sequence: number }[]).map(({ Sequence }) => Sequence);
    expect(numbers(copied.dump())).toEqual(numbers(pm.dump()));
  });

  it('with -n says what it would copy, and makes nothing', async () => {
    const { out, err } = await pm(`backup local ${copy()} -n`);
    expect(err).toContain('dry run: nothing is copied');
    expect(out).toMatch(/^individual\t13$/m);
    expect(existsSync(copy())).toBe(false);
  });

  it('has the hash of each table in JSON', async () => {
    const rows = await pm(`backup local ${copy()} -o json`).rows();
    expect(rows.find(({ Table }) => Table === 'site')).toMatchObject({ Rows: 1, Copied: 1, Equal: true });
    expect(new Set(rows.map(({ Sha256 }) => Sha256)).size).toBe(rows.length);
  });

  it('is whole as it stood when it began, whatever is written meanwhile, which its source tells', async () => {
    const before = rowsOf(pm);
    const changed: boolean[] = [];
    await cutClone({
      ...{ from: 'local', to: copy(), home: pm.home },
      onPart: async (title, source) => {
        if (title !== 'Copied') return;
        await pm('colors create --name Teal --rank 8 --code 008080');
        changed.push(await source.isChanged());
      },
    });
    expect(changed).toEqual([true]);
    expect(rowsOf(copied)).toEqual(before);
    await pm('colors list').prints('Teal');
  });

  it('says at its end that another process wrote meanwhile', async () => {
    const env = { PM_HOME: pm.home, USER: 'admin', PATH: process.env.PATH };
    let said = '';
    const stderr = new Writable({
      write(chunk: Buffer, _encoding, done) {
        if (said === '') spawnSync(process.execPath, [PM, 'colors', 'update', 'Coral', '--name', 'Teal'], { env });
        said += chunk;
        done();
      },
    });
    expect(await main(['backup', 'local', copy()], { ...streams(), env, cwd: pm.home, stderr })).toBe(0);
    expect(said).toContain('was written meanwhile; that is not in the copy');
    await copied('colors list').prints('Coral');
    await pm('colors list').prints('Teal');
  });

  it('comes back by pm restore, to a place that holds no records', async () => {
    const before = rowsOf(pm);
    await pm('backup local monday.db').says('Both are equal.');
    await pm('colors create --name Teal --rank 8 --code 008080');
    await pm('restore monday.db local').fails(10, 'holds records already: a copy goes where there are none', 'mv ');
    renameSync(join(pm.home, 'local.db'), join(pm.home, 'tuesday.db'));
    for (const end of ['-wal', '-shm']) rmSync(join(pm.home, `local.db${end}`), { force: true });
    await pm('restore monday.db local').says('Both are equal.', 'pm whoami -p local');
    expect(rowsOf(pm)).toEqual(before);
  });

  it('takes a profile, a file or an address, and refuses what is none of them', async () => {
    await pm('backup local local').fails(2, 'the same place');
    await pm('backup locl other.db').fails(2, 'no profile "locl"');
    await pm('profiles add far --url https://pm.example.com');
    await pm('backup far other.db').fails(2, 'far is a service', 'pm export');
    await pm('backup local other.db -p local').fails(2, 'takes no --profile');
    await pm('backup local other.db --site Harbour').fails(2, 'takes no --site');
    const { err } = await pm('backup local postgres://pm:secret@db.example.org/pm').fails(2, 'holds a password');
    expect(err).not.toContain('secret');
    await pm('backup nowhere/none.db other.db').fails(10, 'none.db');
    await pm('backup local nowhere/other.db').fails(10, 'other.db');
  });

  it('refuses a place that holds records, and leaves it as it was', async () => {
    await copied('colors create --name Own --rank 1 --code 000000');
    const before = copied.dump();
    await pm(`backup local ${copy()}`).fails(10, 'holds records already', 'Move it away');
    await pm(`backup local ${copy()} --anew`).fails(10, 'holds records already');
    await pm(`backup local ${copy()} -n`).fails(10, 'holds records already');
    expect(copied.dump()).toEqual(before);
  });

  it('refuses a source in which a job is running, and says how to go on where none is', async () => {
    const store = await openSqlite({ file: join(pm.home, 'local.db'), ...TABLES });
    const job = { id: '5ad1f6e2-7c5a-4a53-9f4c-0f3c3c1b2a11', kind: 'import', profile: 'local', site: 's' } as const;
    const owner = { pid: process.pid, host: hostname() };
    await store.jobs.begin({ ...job, caller: 'admin', title: 'a', created: '2026-01-01', settings: {} }, owner);
    await store.jobs.plan(job.id, [{ number: 1, resource: 'color', operation: 'create' }]);
    await store.jobs.seal(job.id);
    await store.jobs.start(job.id, {});
    await store.close();
    await pm(`backup local ${copy()}`).fails(
      10,
      `job ${job.id} is running`,
      `jobs resume ${job.id} --takeover -p local`,
    );
    expect(existsSync(copy())).toBe(false);
  });
});

describe('a clone that is not whole', () => {
  it('is not gone on with by a newer pm, and stays as it is', async () => {
    await cut(9);
    inCopy('PRAGMA user_version = 5');
    const why = ['is a copy that an older pm has begun', `mv '${copy()}'`];
    for (const line of ['', ' --anew', ' -n']) await pm(`backup local ${copy()}${line}`).fails(10, ...why);
    expect(existsSync(copy())).toBe(true);
  });

  it('is refused by every other command, which says what to do next', async () => {
    await cut(20);
    const next = `pm restore ${join(pm.home, 'local.db')} ${copy()}`;
    for (const line of [
      'individuals list',
      'colors create --name A --rank 1 --code 000000',
      'jobs list',
      'undo',
      'log',
    ])
      await copied(line).fails(10, 'is a copy that is not whole yet', next);
    await copied('doctor').fails(11, '');
    await copied('doctor -o json').fails(11, '');
    await pm(`restore ${copy()} other.db`).fails(10, 'is a copy that is not whole yet', next);
  });

  it('goes on wherever it was ended, and nothing is lost or doubled', async () => {
    let writes = 0;
    for (let isWhole = false; !isWhole; writes += inLong(21, 11)) {
      const file = join(there, `${writes}.db`);
      await cut(writes, file);
      await cut(writes + 7, file);
      isWhole = (await cutClone({ from: 'local', to: file, home: pm.home, writes }).catch(() => [])) !== undefined;
      if (!isWhole) await pm(`backup local ${file}`).says('Both are equal.');
      const folder = join(there, `home-${writes}`);
      mkdirSync(folder);
      await pm(['backup', file, join(folder, 'local.db')]).says('Both are equal.');
      expect(rowsOf(pmIn(() => folder)), `ended behind ${writes} writes`).toEqual(rowsOf(pm));
    }
    expect(writes).toBeGreaterThan(30);
  });

  it('is refused by a source that has changed since, and begins again with --anew', async () => {
    await cut(20);
    await pm('colors create --name Teal --rank 8 --code 008080');
    const { err } = await pm(`backup local ${copy()}`).fails(7, 'as it was before its last change', '--anew');
    expect(err).toContain(`pm backup ${join(pm.home, 'local.db')} ${copy()} --anew`);
    await pm(`restore local ${copy()} -n`).fails(7, `pm restore ${join(pm.home, 'local.db')} ${copy()} --anew`);
    await pm(`backup local ${copy()} -n`).fails(7, '--anew');
    await pm(`backup local ${copy()} -n --anew`).says('would be deleted');
    await pm(`backup local ${copy()} --anew`).says('Both are equal.');
    expect(rowsOf(copied)).toEqual(rowsOf(pm));
  });

  it('is refused by another source', async () => {
    await cut(20);
    const other = join(pm.home, 'other');
    mkdirSync(other);
    await pmIn(() => other)('individuals list');
    await pm(`restore ${join(other, 'local.db')} ${copy()}`).fails(7, `of ${join(pm.home, 'local.db')}, not of`);
  });

  it('is written by one process alone: another one notices', async () => {
    const both = await Promise.allSettled([1, 2].map(() => cutClone({ from: 'local', to: copy(), home: pm.home })));
    const failed = both.filter((one) => one.status === 'rejected');
    expect(failed.map(({ reason }) => reason.code)).toEqual(['busy']);
  });

  it('has no table of its own left when it is whole', async () => {
    await pm(`backup local ${copy()}`);
    expect(CLONE_TABLES.length).toBeGreaterThan(0);
    expect(Object.keys(copied.dump()).filter((name) => name.startsWith('clone'))).toEqual([]);
    expect(readFileSync(copy()).includes('pmcl')).toBe(false);
  });
});

/** Each is done to a copy that has all rows, in front of the comparison. */
const DAMAGES: readonly (readonly [table: string, sql: string])[] = [
  ['color', `UPDATE color SET "Name" = 'coral' WHERE "Name" = 'Coral'`],
  ['color', `DELETE FROM color WHERE "Name" = 'Coral'`],
  ['individual', `UPDATE individual SET "Deleted" = 1 WHERE "UserName" = 'admin'`],
  ['individual', `UPDATE individual SET "Prefix" = '' WHERE "Prefix" IS NULL`],
  ['secret', `UPDATE secret SET Hash = Hash || ' '`],
  ['line', `UPDATE line SET Sequence = Sequence + 100000 WHERE Sequence = (SELECT max(Sequence) FROM line)`],
  ['job_plan', 'UPDATE job_plan SET Crc = Crc + 1'],
  ['counter', `INSERT INTO counter (SiteID, Resource, Last) VALUES ('x', 'color', 5)`],
];

describe('what is not equal', () => {
  it('is found in whatever table it is, until the copy is made anew', async () => {
    await cut('all');
    const undamaged = readFileSync(copy());
    for (const [table, sql] of DAMAGES) {
      writeFileSync(copy(), undamaged);
      inCopy(sql);
      const { out } = await pm(`backup local ${copy()}`).fails(7, `differs from its source in ${table}`, '--anew');
      expect(out, sql).toMatch(new RegExp(`^${table}\t\\d+\t\\d+\tfalse$`, 'm'));
      await copied('individuals list').fails(10, 'not whole yet');
    }
    await pm(`backup local ${copy()} --anew`).says('Both are equal.');
  });
});

describe('the tables of a file', () => {
  /** What a file has for itself, and why no clone has it. */
  const LEFT: Readonly<Record<string, string>> = {
    commit_witness: 'the last commit of the file',
    schema_version: 'the versions that the file has had',
    sqlite_sequence: 'set from the last numbers of the source',
  };

  it('are copied with all their columns, but for what a file has for itself', () => {
    const database = openDatabase(join(pm.home, 'local.db'), { readonly: true });
    const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
    const columns = (name: string): unknown =>
      database.prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid').pluck().all(name);
    const found = names.filter((name) => !Object.hasOwn(LEFT, name)).map((name) => [name, columns(name)]);
    const bare = (name: string): string => name.replaceAll('"', '');
    const copies = ALL_TABLES.map((one) => [one.name, one.columns.map(({ name }) => bare(name))]);
    expect(copies.toSorted()).toEqual(found.toSorted());
    database.close();
  });

  it('have keys that tell all rows apart', () => {
    expect(ALL_TABLES.filter(({ key }) => key.length === 0)).toEqual([]);
  });
});
