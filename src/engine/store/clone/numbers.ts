// The last numbers of tables whose rows are numbered: what comes after a clone goes on behind them, also where the last rows
// were deleted. A file keeps them by itself, a server in the counters of its sites.
import type { Dialect, Typed } from '../sql/dialect.ts';
import { all, each, one, run, type Steps } from '../sql/steps.ts';
import { NUMBERED } from './tables.ts';

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

/** Rows that come later are numbered from there on; a table whose rows are beyond that goes on behind them. */
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
