// The unsent part of a transaction: new rows that nothing has asked for, and savepoints in which nothing was sent. Rows for
// one statement go together, and a savepoint that ends before it was sent is never made.
import type { Bound, Later } from '../../sql/steps.ts';
import type { Connection } from '../connection.ts';

interface Insertion {
  readonly sql: string;
  readonly rows: (readonly Bound[])[];
  readonly ids: Set<string>;
  readonly once?: true;
}

/** The writes since a savepoint; the first level of a transaction has none. */
interface Level {
  readonly savepoint: string | undefined;
  isMade: boolean;
  insertions: Insertion[];
}

const MANY = 500;

export type Unsent = ReturnType<typeof unsentRows>;

export function unsentRows() {
  const first: Level = { savepoint: undefined, isMade: true, insertions: [] };
  const inner: Level[] = [];
  const last = (): Level => inner.at(-1) ?? first;
  const all = (): readonly Insertion[] => [first, ...inner].flatMap(({ insertions }) => insertions);
  const add = ({ sql, rows, ids, once }: Omit<Later, 'how'>): void => {
    const { insertions } = last();
    const one = sameIn(insertions, sql, ids.length > 0) ?? {
      sql,
      rows: [],
      ids: new Set<string>(),
      ...(once && { once }),
    };
    if (one.rows.length === 0) insertions.push(one);
    for (const row of rows) if (!once || !one.rows.some(([text]) => text === row[0])) one.rows.push(row);
    for (const id of ids) one.ids.add(id);
  };
  return {
    /** Keeps rows for a statement that inserts them. `ids` are those of new records; other rows may go in any order. */
    add,
    /** Is a record of this ID among them? */
    has: (id: string): boolean => all().some(({ ids }) => ids.has(id)),
    hasRecords: (): boolean => all().some(({ ids }) => ids.size > 0),
    /** Are there so many that they should not wait for more? */
    isFull: (): boolean => all().some(({ rows }) => rows.length >= MANY),
    /** Is a savepoint open that the server does not know? */
    hasUnmade: (): boolean => !last().isMade,
    /** Sends all together with the next statement. Answers whether there were rows, for which that may fail. */
    send(connection: Connection): boolean {
      const hasRows = all().length > 0;
      for (const level of [first, ...inner]) {
        if (!level.isMade) connection.ahead(`SAVEPOINT ${level.savepoint}`);
        for (const { sql, rows } of level.insertions) connection.ahead(sql, columnsOf(rows));
        Object.assign(level, { isMade: true, insertions: [] });
      }
      return hasRows;
    },
    /** Opens a savepoint within the last one. */
    open: (savepoint: string): void => void inner.push({ savepoint, isMade: false, insertions: [] }),
    /** Ends the last savepoint and keeps its rows. Answers its name where the server knows it. */
    release(): string | undefined {
      const ended = inner.pop();
      for (const { ids, ...insertion } of ended?.insertions ?? []) add({ ...insertion, ids: [...ids] });
      return ended?.isMade ? ended.savepoint : undefined;
    },
    /** Ends the last savepoint and drops its rows. Answers its name where the server knows it. */
    rollBack(): string | undefined {
      const ended = inner.pop();
      return ended?.isMade ? ended.savepoint : undefined;
    },
  };
}

/** The insertion that further rows go with. A record may name those of other tables before it, so that records keep their order. */
const sameIn = (insertions: readonly Insertion[], sql: string, areRecords: boolean): Insertion | undefined => {
  const alike = insertions.filter(({ ids }) => ids.size > 0 === areRecords);
  return areRecords ? [alike.at(-1)].find((one) => one?.sql === sql) : alike.find((one) => one.sql === sql);
};

/** All rows go with one statement: the values of each column as an array. */
export const columnsOf = (rows: readonly (readonly Bound[])[]): Bound[][] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? null));
