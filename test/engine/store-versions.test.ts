// What a new version may change: fields and resources that come, and what its line in the list of versions says.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import { openSqlite } from '../../src/engine/store/sqlite/store.ts';
import { contractWith, next, trial, withoutName, withPhone } from '../support/next-version.ts';
import { madeIn, migrated, newFile, older, optionsOf, query, rowsIn } from '../support/older-files.ts';

describe('a database', () => {
  it('gets fields wherever they stand, their references, and tables', async () => {
    const more = { resources: [...withPhone, trial], kind: next() };
    const file = await migrated(older(), more);
    expect(madeIn(file)).toEqual(madeIn(await newFile(more)));
    const [SiteID, ID] = Object.values(query(file, 'SELECT "SiteID", "ID" FROM "individual"')[0] ?? {}).map(String);
    const store = await openSqlite(optionsOf(file, more));
    await store.transaction(async (writer) => {
      await writer.update('individual', `${SiteID}`, `${ID}`, { Phone: '1', AssistantID: `${ID}` });
      await writer.insert('trial', { SiteID: `${SiteID}`, ID: 'g', IndividualID: `${ID}`, Name: 'Ärger' });
    });
    expect(await store.get('individual', `${SiteID}`, `${ID}`)).toMatchObject({ Phone: '1', AssistantID: ID });
    await store.close();
    expect(rowsIn(file, 'trial')).toMatchObject([{ Name: 'Ärger', Name$: 'ärger' }]);
  });
});

const names = (file: string, column: string): readonly unknown[] =>
  query(file, `SELECT ${column} AS it FROM "coreValue" ORDER BY "ID"`).map(({ it: one }) => one);

describe('a line of the list', () => {
  it('drops a table', async () => {
    const resources = storedResources.filter(({ name }) => name !== 'supervisoryScope');
    const more = { resources, kind: next({ droppedTables: ['supervisoryScope'] }) };
    expect(madeIn(await migrated(older(), more))).toEqual(madeIn(await newFile(more)));
  });

  it('that has no place for a column is refused, and the database is as it was', async () => {
    const file = older();
    const before = readFileSync(file);
    await expect(migrated(file, { resources: withoutName, kind: next() })).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringMatching(/local\.db cannot be migrated: .* Name, Name\$ of its table coreValue$/),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(dirname(file))).toEqual(['local.db']);
  });
});

it('a key that a field is given later is computed from the values that are there', async () => {
  const more = {
    resources: contractWith('coreValue', () => ({ names: ['Name', 'Description'] })),
    kind: next(),
  };
  const file = await migrated(older(), more);
  expect(names(file, '"Description$"')).toContain('später');
});

it('a list that is given a side table later is found by its members', async () => {
  const file = older();
  const before = rowsIn(file, 'task_Responsible');
  expect(before).not.toEqual([]);
  query(file, 'DROP TABLE "task_Responsible"');
  await migrated(file, { kind: next() });
  expect(rowsIn(file, 'task_Responsible')).toEqual(before);
});

it('what a job numbered once is not given again', async () => {
  const file = await migrated(older());
  query(file, 'DELETE FROM job');
  query(file, 'ALTER TABLE job DROP COLUMN LockHost');
  const sequence = "SELECT seq FROM sqlite_sequence WHERE name = 'job'";
  const before = query(file, sequence);
  await migrated(file, { kind: next() });
  expect(query(file, sequence)).toEqual(before);
});

it('a program that has the file open writes nothing more once a newer one has migrated it', async () => {
  const file = await migrated(older());
  const store = await openSqlite(optionsOf(file));
  const record = { at: 1, caller: 'a', resource: 'site', id: 'i', what: 'update', before: undefined } as const;
  const write = () => store.transaction(async (writer) => writer.addLines('s', [record]));
  await write();
  const before = rowsIn(file, 'line');
  await migrated(file, { kind: next() });
  await expect(write()).rejects.toMatchObject({ code: 'storage', message: expect.stringContaining('newer pm') });
  expect(rowsIn(file, 'line')).toEqual(before);
  await store.close();
});
