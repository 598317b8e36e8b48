// Files of older programs go on being used: they get the tables of a new file, keep their records, and leave a copy of
// themselves.
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJournal } from '../../src/engine/store/journal/journal.ts';
import { textOf } from '../support/database-text.ts';
import {
  DATABASES,
  folder,
  madeIn,
  migrated,
  newFile,
  older,
  query,
  type Row,
  rowsIn,
  tablesIn,
} from '../support/older-files.ts';

/** Of each row, the columns that the other rows have too. */
function shared(rows: readonly Row[], others: readonly Row[]): readonly Row[] {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name in (others[0] ?? {}));
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
}

const withoutMode = (text: string): string => text.replace(/^PRAGMA journal_mode.*\n/, '');

describe.each(DATABASES)('the database %s', (name, version) => {
  it('gets the tables and indexes of a new file', async () => {
    expect(madeIn(await migrated(older(name)))).toEqual(madeIn(await newFile()));
  });

  it('keeps its records, its history and its jobs', async () => {
    const [before, after] = [older(name), await migrated(older(name))];
    for (const table of tablesIn(before).filter((one) => one !== 'schema_version')) {
      const [was, is] = [keptOf(before, table), keptOf(after, table)];
      expect(shared(is, was), table).toEqual(shared(was, is));
    }
  });

  it('leaves a private copy of itself, and nothing else', async () => {
    const file = await migrated(older(name));
    const copy = `${file}.version-${version}`;
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(withoutMode(textOf(copy))).toBe(withoutMode(textOf(older(name))));
    expect(readdirSync(dirname(file)).sort()).toEqual(['local.db', `local.db.version-${version}`]);
  });
});

/** The states of jobs and rows follow from more than they did; older-jobs.test.ts says what becomes of them. */
const STATES: readonly string[] = ['State', 'States', 'Counts', 'UndoneBy', 'Crc'];

const withoutStates = (table: string, rows: readonly Row[]): readonly Row[] =>
  table.startsWith('job')
    ? rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !STATES.includes(name))))
    : rows;

const keptOf = (file: string, table: string): readonly Row[] => withoutStates(table, rowsIn(file, table));

it('an earlier copy is kept beside the new one', async () => {
  const file = older('version-2.sql');
  writeFileSync(`${file}.version-2`, 'of last year');
  await migrated(file);
  expect(query(`${file}.version-2.2`, 'PRAGMA user_version')).toEqual([{ user_version: 2 }]);
});

it('many that open a database at once migrate it once', async () => {
  const file = older('version-3/local.sql');
  await Promise.all([1, 2, 3].map(() => migrated(file)));
  expect(existsSync(`${file}.version-3.2`)).toBe(false);
});

it('the journal of version 1 gets the tables and indexes of a new one, and keeps its jobs', async () => {
  const journal = () => older('version-3/journal.sql', join(folder(), 'journal.db'));
  const [before, after, fresh] = [journal(), journal(), join(folder(), 'journal.db')];
  for (const file of [after, fresh]) await (await openJournal(file)).close();
  expect(madeIn(after)).toEqual(madeIn(fresh));
  for (const table of ['job', 'job_plan', 'job_state', 'job_mark'])
    expect(keptOf(after, table)).toEqual(keptOf(before, table));
  expect(withoutMode(textOf(`${after}.version-1`))).toBe(withoutMode(textOf(before)));
});
