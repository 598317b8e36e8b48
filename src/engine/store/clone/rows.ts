// The rows of a table, page by page in the order of its key, on any store.
import type { Dialect, Typed } from '../sql/dialect.ts';
import { quoted } from '../sql/statements.ts';
import { all, type Bound, each, one, type Raw, run, type Steps } from '../sql/steps.ts';
import { moveOn, type Position } from './mark.ts';
import { type CopiedTable, NUMBERED } from './tables.ts';

type Key = readonly Bound[] | undefined;

/** A page has about so many characters, and at most so many rows. */
const PAGE_SIZE = 1_000_000;
const MOST_ROWS = 2_000;
/** Of rows that are not known yet. */
const FIRST_ROWS = 100;

export interface Page {
  readonly rows: readonly (readonly Bound[])[];
  /** The key of the last row; undefined where there is none. */
  readonly last: Key;
  /** How many rows the next page may have. */
  readonly next: number;
}

/** The rows behind a key, of the whole table without one. */
export function* pageAfter(table: CopiedTable, key: Key, most = FIRST_ROWS): Steps<Page> {
  const keys = table.key.join(', ');
  const behind = key && `(${keys}) > (${table.key.map(() => '?').join(', ')})`;
  const conditions = [behind, table.where].filter((one) => one !== undefined);
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const sql = `SELECT ${namesOf(table)} FROM ${quoted(table.name)}${where} ORDER BY ${keys} LIMIT CAST(? AS BIGINT)`;
  const rows = (yield* all(sql, [...(key ?? []), most])) as readonly (readonly Bound[])[];
  const last = rows.at(-1);
  return { rows, last: last && keyOf(table, last), next: rowsFor(rows) };
}

const namesOf = ({ columns }: CopiedTable): string => columns.map(({ name }) => name).join(', ');

const keyOf = ({ columns, key }: CopiedTable, row: Raw): readonly Bound[] =>
  key.map((wanted) => row[columns.findIndex(({ name }) => name === wanted)] as Bound);

/** Wide rows go a few at a time. */
function rowsFor(rows: readonly Raw[]): number {
  if (rows.length === 0) return FIRST_ROWS;
  let size = 0;
  for (const row of rows) for (const value of row) size += typeof value === 'string' ? value.length : 8;
  return Math.max(1, Math.min(MOST_ROWS, Math.floor((PAGE_SIZE * rows.length) / size)));
}

export function* countRows(table: CopiedTable): Steps<number> {
  const where = table.where === undefined ? '' : ` WHERE ${table.where}`;
  return Number((yield* one(`SELECT count(*) FROM ${quoted(table.name)}${where}`))?.[0]);
}

/** Are there rows of different sites with the same number? A table that numbers its rows itself cannot hold them. */
export function* repeatsNumbers({ name }: CopiedTable): Steps<boolean> {
  const sql = `SELECT 1 FROM ${quoted(name)} GROUP BY Sequence HAVING count(*) > 1 LIMIT 1`;
  return (yield* one(sql)) !== undefined;
}

/** What is written, and where. */
export interface Insertion {
  readonly dialect: Dialect;
  readonly table: CopiedTable;
  /** The rows get new numbers, in the same order. */
  readonly renumbered: boolean;
  /** The target as people are shown it. */
  readonly place: string;
}

/** Writes rows behind those that are there; as one transaction, so that none is ever written twice. */
export function* insertPage(
  { dialect, table, renumbered, place }: Insertion,
  { rows, last }: Page,
  from: Position,
): Steps<void> {
  yield* moveOn(place, table.name, from, { copied: from.copied + rows.length, last });
  const written = renumbered ? rows.map((row) => row.map((value, i) => (isNumber(table, i) ? null : value))) : rows;
  yield* each(dialect.insertEach(quoted(table.name), table.columns), written);
}

/** Is it the column that numbers the rows? */
export const isNumber = ({ columns }: CopiedTable, column: number): boolean => columns[column]?.name === 'Sequence';

const COUNTER: readonly Typed[] = [
  { name: 'SiteID', type: 'TEXT' },
  { name: 'Resource', type: 'TEXT' },
  { name: 'Last', type: 'INTEGER' },
];
const SITES = 'SELECT "ID" FROM "site"';

/** By the name of the table; 0 where it never had a row. */
export type LastNumbers = ReadonlyMap<string, number>;

/** Tables with more than one counter have the greatest of them. */
export function* lastNumbers({ numbersRows }: Dialect): Steps<LastNumbers> {
  const counted = numbersRows
    ? 'SELECT seq FROM sqlite_sequence WHERE name = ?'
    : 'SELECT max(Last) FROM counter WHERE Resource = ?';
  const last = new Map<string, number>();
  for (const name of Object.keys(NUMBERED)) last.set(name, Number((yield* one(counted, [name]))?.[0] ?? 0));
  return last;
}

/**
 * Rows that come later are numbered from there on, also where the last rows were deleted; a table whose rows are beyond that
 * goes on behind them. A file keeps the numbers by itself, a server in the counters of its sites.
 */
export function* goOnBehind(dialect: Dialect, numbers: LastNumbers): Steps<void> {
  for (const [name, number] of numbers) {
    const greatest = Number((yield* one(`SELECT max(Sequence) FROM ${name}`))?.[0] ?? 0);
    yield* dialect.numbersRows
      ? setOwn(name, Math.max(number, greatest))
      : setCounters(dialect, name, Math.max(number, greatest));
  }
}

function* setOwn(name: string, last: number): Steps<void> {
  yield* run('DELETE FROM sqlite_sequence WHERE name = ?', [name]);
  yield* run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, CAST(? AS INTEGER))', [name, last]);
}

function* setCounters(dialect: Dialect, name: string, last: number): Steps<void> {
  const sites = (yield* all(SITES)).map(([id]) => String(id));
  yield* run('DELETE FROM counter WHERE Resource = ?', [name]);
  yield* each(
    dialect.insertEach('counter', COUNTER),
    sites.map((site) => [site, name, last]),
  );
}
