// The database file: what is refused and how that is said, who may read it, and how it comes into being.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ErrorCode, ServiceError } from '../../src/contract/errors.ts';
import { openJournal } from '../../src/engine/store/journal/journal.ts';
import { DATABASE } from '../../src/engine/store/schema/versions.ts';
import { checkSqlite } from '../../src/engine/store/sqlite/connection.ts';
import { driver, openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { explained } from '../../src/engine/store/sqlite/failure.ts';
import { createSqlite } from '../../src/engine/store/sqlite/file/create.ts';
import { openSqlite } from '../../src/engine/store/sqlite/store.ts';
import { all, folder, ids, individual, keep, newFile, opened, optionsFor } from './store-fixture.ts';

const ANN = individual('ann');
const NOBODY = 65_534;
/** The ID of no process: systems give smaller ones. */
const GONE = 2 ** 30;

/** Awaits a refusal that names the file and says what to do next. */
async function refusal(file: string, work: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ServiceError);
  const told = error as ServiceError;
  expect(told.message).toContain(file);
  expect(told.hint).toMatch(/\.$/);
  expect(told.exit).toBe(10);
  return told;
}

/** The refusal to open this file. */
const refused = (file: string): Promise<ServiceError> => refusal(file, openSqlite(optionsFor(file)));

const changed = async (sql: string): Promise<string> => {
  const file = await newFile();
  const database = openDatabase(file);
  database.exec(sql);
  database.close();
  return file;
};

const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8);

describe('refuses to open', () => {
  it('a file that is not there', async () => {
    const error = await refused(join(folder(), 'local.db'));
    expect(error).toMatchObject({ code: 'storage', message: expect.stringContaining('does not exist') });
  });

  it.skipIf(process.platform === 'win32')('a pipe', async () => {
    const file = join(folder(), 'local.db');
    execFileSync('mkfifo', [file]);
    expect(await refused(file)).toMatchObject({
      code: 'storage',
      message: expect.stringContaining('is not an ordinary file'),
    });
  });

  it('a file without a byte', async () => {
    const file = join(folder(), 'local.db');
    writeFileSync(file, '');
    expect(await refused(file)).toMatchObject({ code: 'storage', message: expect.stringContaining('is empty') });
    expect(readFileSync(file)).toHaveLength(0);
  });

  it('a folder', async () => {
    const file = join(folder(), 'local.db');
    mkdirSync(file);
    expect(await refused(file)).toMatchObject({ code: 'storage', message: expect.stringContaining('is a folder') });
  });

  it('a file that is no database, and leaves it as it was', async () => {
    const file = join(folder(), 'local.db');
    writeFileSync(file, 'a shopping list, and nothing that anybody would query\n'.repeat(100));
    const before = readFileSync(file);
    expect(await refused(file)).toMatchObject({
      code: 'storage',
      message: expect.stringContaining('not an SQLite database'),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(join(file, '..'))).toEqual(['local.db']);
  });

  it('a database of another program', async () => {
    const file = join(folder(), 'local.db');
    const database = openDatabase(file);
    database.exec('CREATE TABLE t (x)');
    database.close();
    const before = readFileSync(file);
    expect(await refused(file)).toMatchObject({ code: 'storage', message: expect.stringContaining('not one of ours') });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('a database that a newer pm has made', async () => {
    const file = await changed('PRAGMA user_version = 9999');
    expect(await refused(file)).toMatchObject({ code: 'storage', message: expect.stringContaining('newer pm') });
  });

  it.each([
    "UPDATE schema_version SET Sha256 = 'of other tables'",
    'DELETE FROM schema_version',
    'DROP TABLE schema_version',
  ])('a database whose tables have our number and are not ours: %s', async (sql) => {
    expect(await refused(await changed(sql))).toMatchObject({
      code: 'storage',
      message: expect.stringContaining('another build of pm'),
    });
  });

  it('a SQLite that is known to lose data', () => {
    expect(() => checkSqlite('3.51.2')).toThrow('3.51.3');
    expect(() => checkSqlite('3.9.0')).toThrow(ServiceError);
    expect(() => checkSqlite('3.51.3')).not.toThrow();
    expect(() => checkSqlite('3.100.0')).not.toThrow();
  });
});

it('says that a database is damaged when a part of it is overwritten', async () => {
  const file = await newFile();
  const store = await openSqlite(optionsFor(file));
  await keep(store, { individual: Array.from({ length: 500 }, (_, i) => individual(`person ${i}`)) });
  await store.close();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xaa, Math.floor(bytes.length * 0.8)));
  const damaged = await opened(file);
  const read = async (): Promise<void> => {
    for await (const row of damaged.iterate(all('individual'))) expect(row.ID).toContain('person');
  };
  expect(await refusal(file, read())).toMatchObject({
    code: 'storage',
    message: expect.stringContaining('is damaged'),
  });
});

/** Takes away the rights of the system's administrator, whom no file refuses, until the test ends. */
function asAnybody(): void {
  if (process.geteuid?.() !== 0) return;
  process.seteuid?.(NOBODY);
  onTestFinished(() => void process.seteuid?.(0));
}

it('reads a database that may not be written, and refuses the write', async () => {
  const file = join(folder(), 'local.db');
  await createSqlite(optionsFor(file), (store) => keep(store, { individual: [ANN] }));
  chmodSync(join(file, '..'), 0o777);
  chmodSync(file, 0o444);
  asAnybody();
  const store = await opened(file);
  expect(await ids(store, all('individual'))).toEqual(['ann']);
  const error = await refusal(file, keep(store, { individual: [individual('bob')] }));
  expect(error).toMatchObject({ code: 'storage', message: expect.stringContaining('read-only') });
});

it('says so when the rights do not allow to open a database, or to make one', async () => {
  const file = await newFile();
  chmodSync(join(file, '..'), 0o555);
  asAnybody();
  expect(await refused(file)).toMatchObject({ code: 'storage', message: expect.stringContaining('rights') });
  const making = createSqlite(optionsFor(`${file}.other`), async () => undefined);
  expect(await refusal(`${file}.other`, making)).toMatchObject({ code: 'storage' });
});

it('waits for another writer no longer than it is told, and then says that the database is in use', async () => {
  const file = await newFile();
  const other = openDatabase(file);
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  const store = await opened(file, { busyMs: 1 });
  expect(await refusal(file, keep(store, { individual: [ANN] }))).toMatchObject({ code: 'busy' });
  other.exec('COMMIT');
  await keep(store, { individual: [ANN] });
  expect(await ids(store, all('individual'))).toEqual(['ann']);
});

it.each<[string, ErrorCode]>([
  ['SQLITE_FULL', 'disk_full'],
  ['SQLITE_IOERR_WRITE', 'storage'],
  ['SQLITE_BUSY_RECOVERY', 'busy'],
  ['SQLITE_CORRUPT_INDEX', 'storage'],
  ['SQLITE_READONLY_DIRECTORY', 'storage'],
  ['SQLITE_CANTOPEN', 'storage'],
  ['SQLITE_IOERR_FSYNC', 'storage'],
])('tells %s as %s', (code, expected) => {
  expect(explained('local.db', new (driver().SqliteError)('reason', code))).toMatchObject({
    code: expected,
    message: expect.stringMatching(/local\.db.*reason/),
    hint: expect.stringMatching(/\.$/),
  });
});

it('names every cause that a code can have, since SQLite does not tell them apart', () => {
  const told = (code: string) => String(explained('local.db', new (driver().SqliteError)('reason', code)));
  expect(told('SQLITE_FULL')).toContain('temporary folder');
  expect(told('SQLITE_CANTOPEN')).toContain('too many files are open');
});

it('passes on an error that is not of the store', () => {
  const error = new TypeError('a defect');
  expect(explained('local.db', error)).toBe(error);
});

it('has safe settings on every connection, also after it has written', async () => {
  const file = await newFile();
  const pragma = vi.spyOn(driver().prototype, 'pragma');
  onTestFinished(() => void vi.restoreAllMocks());
  const store = await opened(file);
  await keep(store, { individual: [ANN] });
  await store.find(all('individual'));
  const connections = [...new Set(pragma.mock.contexts)] as Database.Database[];
  const settings = ['synchronous', 'foreign_keys', 'trusted_schema', 'journal_mode'];
  const found = connections.map((database) => settings.map((name) => database.pragma(name, { simple: true })));
  expect(found).toEqual([
    [2, 1, 0, 'wal'],
    [2, 1, 0, 'wal'],
  ]);
});

describe('a new database', () => {
  it('can be read and written by its owner alone, whatever the umask', async () => {
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const file = await newFile();
    const store = await opened(file);
    await keep(store, { individual: [ANN] });
    expect(readdirSync(join(file, '..')).sort()).toEqual(['local.db', 'local.db-shm', 'local.db-wal']);
    expect([mode(file), mode(`${file}-wal`), mode(`${file}-shm`)]).toEqual(['600', '600', '600']);
  });

  it('says what it is in its header', async () => {
    const database = openDatabase(await newFile());
    onTestFinished(() => void database.close());
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.pragma('application_id', { simple: true })).toBe(0x706d7634);
    expect(database.pragma('user_version', { simple: true })).toBe(DATABASE.versions.at(-1)?.number);
  });

  it('is made by one of many that try at once, and holds the first records from its first moment', async () => {
    const path = folder();
    const file = join(path, 'local.db');
    const one = (i: number) =>
      createSqlite(optionsFor(file), (store) => keep(store, { individual: [individual(`maker ${i}`)] }));
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => one(i)));
    expect(answers.filter((answer) => answer === 'created')).toHaveLength(1);
    expect(await ids(await opened(file), all('individual'))).toHaveLength(1);
    expect(readdirSync(path).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('leaves nothing behind when its first records fail', async () => {
    const path = folder();
    const file = join(path, 'local.db');
    const making = createSqlite(optionsFor(file), async (store) => {
      await keep(store, { individual: [ANN] });
      throw new Error('no administrator');
    });
    await expect(making).rejects.toThrow('no administrator');
    expect(readdirSync(path)).toEqual([]);
  });

  it('is not given its name while a part of it is still in the wal', async () => {
    const path = folder();
    const file = join(path, 'local.db');
    const making = createSqlite(optionsFor(file, { busyMs: 1 }), async (store) => {
      const draft = readdirSync(path).find((name) => name.endsWith('.new')) ?? '';
      const holding = openDatabase(join(path, draft));
      onTestFinished(() => void holding.close());
      holding.exec('BEGIN; SELECT * FROM individual');
      holding.prepare('SELECT * FROM individual').all();
      await keep(store, { individual: [ANN] });
    });
    expect(await refusal(file, making)).toMatchObject({ code: expect.stringMatching(/^(storage|busy)$/) });
    expect(existsSync(file)).toBe(false);
  });

  it('is not made over one that is there', async () => {
    const file = await newFile();
    await keep(await opened(file), { individual: [ANN] });
    expect(await createSqlite(optionsFor(file), async () => undefined)).toBe('existed');
    expect(await ids(await opened(file), all('individual'))).toEqual(['ann']);
  });

  it('is not made beside the wal of one that is lost', async () => {
    const file = join(folder(), 'local.db');
    writeFileSync(`${file}-wal`, 'what is left');
    const error = await refusal(
      file,
      createSqlite(optionsFor(file), async () => undefined),
    );
    expect(error).toMatchObject({ code: 'storage', message: expect.stringContaining('write-ahead log') });
    expect(existsSync(file)).toBe(false);
  });

  it('is made beside an empty wal, which holds nothing', async () => {
    const file = join(folder(), 'local.db');
    writeFileSync(`${file}-wal`, '');
    expect(await createSqlite(optionsFor(file), (store) => keep(store, { individual: [ANN] }))).toBe('created');
    expect(await ids(await opened(file), all('individual'))).toEqual(['ann']);
  });

  it('cannot be made in a folder that is not there', async () => {
    const file = join(folder(), 'missing', 'local.db');
    expect(
      await refusal(
        file,
        createSqlite(optionsFor(file), async () => undefined),
      ),
    ).toMatchObject({ code: 'storage' });
  });
});

describe('drafts beside a database', () => {
  /** A draft of this process, quiet since an hour. */
  function draft(file: string, pid: number, quiet = true): string {
    const name = `${file}.${pid}.0123abcd.new`;
    for (const part of [name, `${name}-wal`]) {
      writeFileSync(part, 'half');
      const at = new Date(Date.now() - (quiet ? 3_600_000 : 0));
      utimesSync(part, at, at);
    }
    return name;
  }

  it('are deleted when it is opened, where their processes have ended', async () => {
    const file = await newFile();
    const [left, alive, fresh] = [draft(file, GONE), draft(file, process.pid), draft(file, GONE + 1, false)];
    await opened(file);
    expect([left, `${left}-wal`, alive, fresh].filter((name) => existsSync(name))).toEqual([alive, fresh]);
  });

  it('of the journal of remote jobs, too', async () => {
    const file = join(folder(), 'journal.db');
    const left = draft(file, GONE);
    await (await openJournal(file)).close();
    expect(existsSync(left)).toBe(false);
  });
});
