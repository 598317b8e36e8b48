// A database of an older pm goes on being used.
import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { copyOf } from '../../src/engine/store/migrate.ts';
import { openSqlite } from '../../src/engine/store/sqlite.ts';
import { ready } from './job-fixture.ts';
import { all, ids, individual, keep, newFile, optionsFor, SITE } from './store-fixture.ts';

/** What the first version had not. */
const LATER = ['token', 'job', 'job_plan', 'job_state', 'job_mark', 'commit_witness'];

/** A database as the first version made it. */
async function firstVersion(): Promise<string> {
  const file = await newFile();
  const store = await openSqlite(optionsFor(file));
  await keep(store, { individual: [individual('ann')] });
  await store.close();
  const database = new Database(file);
  for (const table of LATER) database.exec(`DROP TABLE ${table}`);
  database.exec('DROP INDEX history_in_order; PRAGMA user_version = 1');
  database.close();
  return file;
}

const tables = (file: string): readonly unknown[] => {
  const database = new Database(file, { readonly: true });
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  database.close();
  return names;
};

it('gets the tables it lacks, keeps its records, and leaves a copy of what was there', async () => {
  const file = await firstVersion();
  const store = await openSqlite(optionsFor(file));
  expect(await ids(store, all('individual'))).toHaveLength(1);
  await ready(store.jobs, 1);
  await store.close();
  expect(tables(file)).toEqual(expect.arrayContaining(LATER));
  expect(tables(copyOf(file, 1))).not.toContain('token');
  expect(statSync(copyOf(file, 1)).mode & 0o777).toBe(0o600);
});

it('gets the columns and side tables that its tables lack, empty in the records that are there', async () => {
  const file = await newFile();
  const before = await openSqlite(optionsFor(file));
  await keep(before, { individual: [individual('ann')] });
  await before.close();
  const database = new Database(file);
  const lacks = 'ALTER TABLE individual DROP COLUMN Prefix; DROP TABLE task_Responsible';
  database.exec(`${lacks}; PRAGMA user_version = 2`);
  database.close();
  const store = await openSqlite(optionsFor(file));
  expect(await store.find(all('individual'))).toMatchObject([{ Prefix: null }]);
  await store.transaction((writer) => writer.update('individual', SITE, 'ann', { Prefix: 'Dr.' }));
  expect(await store.find(all('individual'))).toMatchObject([{ Prefix: 'Dr.' }]);
  await store.close();
  expect(tables(file)).toContain('task_Responsible');
});

it('is brought up once, whoever comes first', async () => {
  const file = await firstVersion();
  const stores = await Promise.all([1, 2, 3].map(() => openSqlite(optionsFor(file))));
  for (const store of stores) expect(await ids(store, all('individual'))).toHaveLength(1);
  await Promise.all(stores.map((store) => store.close()));
  expect(existsSync(copyOf(file, 1))).toBe(true);
});
