// The rows of a table, page by page in the order of its key, on any store.
import type { Asked, Dialect } from '../sql/dialect.ts';
import { joined, quoted } from '../sql/statements.ts';
import { all, type Bound, each, one, type Raw, run, type Steps } from '../sql/steps.ts';
import { moveOn, type Position } from './mark.ts';
import type { CopiedTable } from './tables.ts';

type Key = readonly Bound[] | undefined;

/** A page has about so many characters, and at most so many rows. */
const PAGE_SIZE = 1_000_000;
const MOST_ROWS = 2_000;
/** Of rows that are not known yet. */
const FIRST_ROWS = 100;

export interface Page {
  readonly rows: readonly (readonly Bound[])[];
  /** The key of the last row; undefined if there is none. */
  readonly last: Key;
  /** How many rows the next page may have. */
  readonly next: number;
}

/** The rows behind a key, of the whole table without one; `where` says which of them. */
export function* pageAfter(table: CopiedTable, key: Key, most = FIRST_ROWS, where?: Asked): Steps<Page> {
  const keys = table.key.join(', ');
  const behind = key && { sql: `(${keys}) > (${table.key.map(() => '?').join(', ')})`, params: key };
  const { sql: conditions, params } = joined([behind ?? [], where ?? []].flat(), ' AND ');
  const sql = `SELECT ${namesOf(table)} FROM ${quoted(table.name)}${conditions && ` WHERE ${conditions}`} ORDER BY ${keys} LIMIT CAST(? AS BIGINT)`;
  const rows = (yield* all(sql, [...params, most])) as readonly (readonly Bound[])[];
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

export function* countRows({ name }: CopiedTable): Steps<number> {
  return Number((yield* one(`SELECT count(*) FROM ${quoted(name)}`))?.[0]);
}

/** Rows of this table go to this place. */
interface Insertion {
  readonly dialect: Dialect;
  readonly table: CopiedTable;
  /** The target as people are shown it. */
  readonly place: string;
}

/** Writes rows behind those that are there; as one transaction, so that none is ever written twice. */
export function* insertPage({ dialect, table, place }: Insertion, { rows, last }: Page, from: Position): Steps<void> {
  yield* moveOn(place, table.name, from, { copied: from.copied + rows.length, last });
  yield* each(dialect.insertEach(quoted(table.name), table.columns), rows);
}

/** By the name of a table that numbers its rows; 0 where it never had one. */
export type LastNumbers = ReadonlyMap<string, number>;

export function* lastNumbers({ lastNumber }: Dialect, tables: readonly CopiedTable[]): Steps<LastNumbers> {
  const last = new Map<string, number>();
  for (const { name, numbered } of tables)
    if (numbered !== undefined) last.set(name, Number((yield* one(lastNumber(name, numbered)))?.[0] ?? 0));
  return last;
}

/** Rows that come later are numbered from there on, also where the last rows were deleted. */
export function* goOnBehind(
  { setLastNumber }: Dialect,
  tables: readonly CopiedTable[],
  numbers: LastNumbers,
): Steps<void> {
  for (const { name, numbered } of tables) {
    const last = numbers.get(name) ?? 0;
    if (numbered !== undefined && last > 0) for (const sql of setLastNumber(name, numbered, last)) yield* run(sql);
  }
}
