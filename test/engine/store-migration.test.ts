// A file of an older version gets the tables of a new one, keeps its records, and leaves a copy of itself. One that was never
// released is refused.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { JOURNAL_TABLES, openJournal } from '../../src/engine/store/journal/journal.ts';
import { plainLayout } from '../../src/engine/store/schema/ddl.ts';
import { type FileKind, JOURNAL, newestOf } from '../../src/engine/store/schema/versions.ts';
import { connect } from '../../src/engine/store/sqlite/connection.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { migrate } from '../../src/engine/store/sqlite/file/migrate.ts';
import { restore, textOf } from '../support/database-text.ts';
import { next, withPhone } from '../support/next-version.ts';
import { folder, madeIn, migrated, newFile, older, query, type Row, rowsIn, tablesIn } from '../support/older-files.ts';
import { refuses } from '../support/refuses.ts';

const NEXT = { resources: withPhone, kind: next() };
const nextFile = (): Promise<string> => migrated(older(), NEXT);
/** The version of the file before. */
const [{ number }] = NEXT.kind.versions;

/** Of each row, the columns that the other rows have too. */
function shared(rows: readonly Row[], others: readonly Row[]): readonly Row[] {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name in (others[0] ?? {}));
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
}

const withoutMode = (text: string): string => text.replace(/^PRAGMA journal_mode.*\n/, '');

it('a database gets the tables and indexes of a new file', async () => {
  expect(madeIn(await nextFile())).toEqual(madeIn(await newFile(NEXT)));
});

it('it keeps its records, its history and its jobs', async () => {
  const [before, after] = [older(), await nextFile()];
  for (const table of tablesIn(before).filter(
    (one) => !['schema_version', 'sqlite_sequence', 'history'].includes(one),
  )) {
    const [was, is] = [rowsIn(before, table), rowsIn(after, table)];
    expect(shared(is, was), table).toEqual(shared(was, is));
  }
  const named = (column: string): string => `(SELECT Name FROM line_name WHERE Number = ${column})`;
  const lines = query(
    after,
    `SELECT Sequence, ${named('Site')} AS SiteID, At, ${named('Caller')} AS Caller, ${named('Resource')} AS Resource, ID, What, Before
    FROM line ORDER BY Sequence`,
  );
  const whats = ['create', 'update', 'delete', 'undelete'];
  const entries = rowsIn(before, 'history').map((entry) => ({
    ...entry,
    At: Date.parse(String(entry.At)),
    What: whats.indexOf(String(entry.What)) + 1,
  }));
  const isOfMembers = ({ Before }: Row): boolean => String(Before).startsWith('{"Members":');
  const ordinary = entries.filter((entry) => !isOfMembers(entry));
  expect(ordinary.length).toBeGreaterThan(10);
  expect(lines.filter(({ Resource }) => Resource !== 'groupMember')).toEqual(ordinary);
  expect(lines).toHaveLength(entries.length);
});

it('the entries of a group with its members become lines of its memberships', async () => {
  const file = older();
  const group = 'a0000000-0000-4000-8000-000000000001';
  const [ann, bob] = ['b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-000000000002'];
  const database = openDatabase(file);
  const [site] = database.prepare('SELECT SiteID FROM history LIMIT 1').pluck().all();
  const entry = database.prepare(
    "INSERT INTO history (SiteID, At, Caller, Resource, ID, What, Before) VALUES (?, '2026-05-14T09:30:00.250+00:00', ?, 'securityGroup', ?, 'update', ?)",
  );
  for (const members of ['', ann, `${ann} ${bob}`, bob])
    entry.run(site, ann, group, JSON.stringify({ Members: members }));
  database.prepare('INSERT INTO group_member (SiteID, GroupID, IndividualID) VALUES (?, ?, ?)').run(site, group, ann);
  database.prepare('INSERT INTO group_member (SiteID, GroupID, IndividualID) VALUES (?, ?, ?)').run(site, group, bob);
  database.close();
  const lines = query(
    await migrated(file, NEXT),
    `SELECT ID, What, Before, At FROM line WHERE ID LIKE '${group}/%' ORDER BY Sequence`,
  );
  const at = Date.parse('2026-05-14T09:30:00.250Z');
  expect(lines).toEqual(
    [
      [ann, 1],
      [bob, 1],
      [ann, 5],
      [ann, 1],
    ].map(([who, What]) => ({ ID: `${group}/${who}`, What, Before: null, At: at })),
  );
});

it('it leaves a private copy of itself, and nothing else', async () => {
  const file = await nextFile();
  const copy = `${file}.version-${number}`;
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(withoutMode(textOf(copy))).toBe(withoutMode(textOf(older())));
  expect(readdirSync(dirname(file)).sort()).toEqual(['local.db', `local.db.version-${number}`]);
});

it('an earlier copy is kept beside the new one', async () => {
  const file = older();
  writeFileSync(`${file}.version-${number}`, 'of last year');
  await migrated(file, NEXT);
  expect(query(`${file}.version-${number}.2`, 'PRAGMA user_version')).toEqual([{ user_version: number }]);
});

it('many that open a database at once migrate it once', async () => {
  const file = older();
  await Promise.all([1, 2, 3].map(() => migrated(file, NEXT)));
  expect(existsSync(`${file}.version-${number}.2`)).toBe(false);
});

/** A journal of the oldest version. */
function journal(): string {
  const file = join(folder(), 'journal.db');
  restore('journal', file);
  return file;
}

it('a journal gets the tables and indexes of a new one, and keeps its jobs', async () => {
  const [before, after] = [journal(), journal()];
  const line = { number: newestOf(JOURNAL).number + 1, sha256: 'of the next one', onServer: [] };
  const kind: FileKind = { ...JOURNAL, versions: [...JOURNAL.versions, line] };
  const statements = JOURNAL_TABLES.map((sql) =>
    sql.replace('  Kind TEXT NOT NULL,', '  Kind TEXT NOT NULL,\n  Why TEXT,'),
  );
  migrate(after, kind, plainLayout(statements), 1_000);
  connect(after, 'read', 1_000, kind).close();
  for (const table of ['job', 'job_plan', 'job_state', 'job_mark']) {
    const [was, is] = [rowsIn(before, table), rowsIn(after, table)];
    expect(was).not.toEqual([]);
    expect(shared(is, was)).toEqual(was);
  }
  expect(Object.values(madeIn(after))).toEqual(expect.arrayContaining(statements));
  expect(withoutMode(textOf(`${after}.version-3`))).toBe(withoutMode(textOf(before)));
});

it.each([1, 3, 5])('a database of version %d is refused with the way out, and is as it was', async (version) => {
  const file = older();
  query(file, `PRAGMA user_version = ${version}`);
  query(file, version < 4 ? 'DROP TABLE schema_version' : `UPDATE schema_version SET Number = ${version}`);
  const before = readFileSync(file);
  await refuses(migrated(file)).with(
    ...(['storage', file, 'a pm that was never released'] as const),
    ...[`its tables have version ${version}, this pm reads ${number} and newer`, `mv '${file}' '${file}.old'`],
  );
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(dirname(file))).toEqual(['local.db']);
});

it.each([1, 2])('a journal of version %d, too', async (version) => {
  const file = journal();
  query(file, `PRAGMA user_version = ${version}`);
  const before = readFileSync(file);
  await refuses(openJournal(file)).with('storage', `its tables have version ${version}`, `mv '${file}' '${file}.old'`);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(dirname(file))).toEqual(['journal.db']);
});

it('a database of another build that calls its tables the same is refused, and not migrated', async () => {
  const file = older();
  query(file, `UPDATE schema_version SET Sha256 = 'of others'`);
  await refuses(migrated(file, NEXT)).with('storage', 'made by another build of pm', `called version ${number}`);
  expect(readdirSync(dirname(file))).toEqual(['local.db']);
});
