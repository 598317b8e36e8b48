// The mark of a clone that is not whole yet: a kind of database of its own, which nothing else opens, and two tables that say
// its source and how far each table is. The last step of the clone takes the mark away.
import { ServiceError } from '../../../contract/errors.ts';
import { CLONE, DATABASE, type FileKind } from '../schema/versions.ts';
import { all, type Bound, one, type Raw, run, type Steps, unusable } from '../sql/steps.ts';

/** They are there only as long as the mark is. */
const TABLES = ['clone', 'clone_table'] as const;

export const CLONE_TABLES = [
  `CREATE TABLE clone (
  ID INTEGER PRIMARY KEY,
  Source TEXT NOT NULL,
  Target TEXT NOT NULL,
  State TEXT NOT NULL,
  Stage TEXT NOT NULL
) STRICT`,
  `CREATE TABLE clone_table (
  Name TEXT PRIMARY KEY,
  Copied INTEGER NOT NULL,
  Last TEXT NOT NULL
) STRICT`,
];

/** Both places as a command names them; `state` is another text after every change of the source. */
interface Places {
  readonly source: string;
  readonly target: string;
  readonly state: string;
}

export interface Origin extends Places {
  /** The command that copies; an unfinished copy does not keep it. */
  readonly by: 'backup' | 'restore';
}

/** `copying`: rows. `checking`: the rows are there, with all indexes, and are compared. */
type Stage = 'copying' | 'checking';

export const FIND_CLONE = 'SELECT Source, Target, State, Stage FROM clone WHERE ID = 1';
const BEGIN = `INSERT INTO clone (ID, Source, Target, State, Stage) VALUES (1, ?, ?, ?, 'copying') ON CONFLICT DO NOTHING`;
const CHECK = `UPDATE clone SET Stage = 'checking' WHERE ID = 1`;
const POSITIONS = 'SELECT Name, Copied, Last FROM clone_table';
const BEGIN_TABLE = `INSERT INTO clone_table (Name, Copied, Last) VALUES (?, 0, '')`;
const MOVE = 'UPDATE clone_table SET Copied = ?, Last = ? WHERE Name = ? AND Copied = ?';

export interface Unfinished extends Places {
  readonly stage: Stage;
}

/** The clone that is under way there; undefined if none has begun. */
export function* findClone(): Steps<Unfinished | undefined> {
  const raw = yield* one(FIND_CLONE);
  return raw && unfinishedOf(raw);
}

const unfinishedOf = ([source, target, state, stage]: Raw): Unfinished => ({
  source: String(source),
  target: String(target),
  state: String(state),
  stage: stage as Stage,
});

/** Begins a clone, unless one is under way; of several that begin at once the first one counts. */
export function* beginClone({ source, target, state }: Places, tables: readonly string[]): Steps<void> {
  if ((yield* run(BEGIN, [source, target, state])) === 0) return;
  for (const table of tables) yield* run(BEGIN_TABLE, [table]);
}

/** How far a table is. */
export interface Position {
  readonly copied: number;
  /** The key of the last row that is there; undefined at the beginning. */
  readonly last: readonly Bound[] | undefined;
}

export function* positions(): Steps<ReadonlyMap<string, Position>> {
  const rows = yield* all(POSITIONS);
  return new Map(
    rows.map(([name, copied, last]) => [
      String(name),
      { copied: Number(copied), last: last === '' ? undefined : (JSON.parse(String(last)) as readonly Bound[]) },
    ]),
  );
}

/** Part of the transaction that writes the rows. Throws `busy` where another process has gone on meanwhile. */
export function* moveOn(place: string, table: string, from: Position, to: Position): Steps<void> {
  const moved = yield* run(MOVE, [to.copied, JSON.stringify(to.last), table, from.copied]);
  if (moved === 1) return;
  throw new ServiceError('busy', `another process is writing to ${place}`, {
    hint: 'Wait until it ends, or end it; then run this one again.',
  });
}

/** All rows are there, and all indexes that are added after them. */
export const beginChecking = (): Steps<unknown> => run(CHECK);

/** Takes the tables away. */
export function* dropMark(): Steps<void> {
  for (const table of TABLES) yield* run(`DROP TABLE ${table}`);
}

/** A database, its kind, and the advice how to get another one instead. */
interface Kept {
  readonly place: string;
  readonly kind: number;
  readonly another: string;
  /** The answer of `FIND_CLONE`, where it is a clone. */
  readonly clone: Raw | undefined;
}

/** The error if the database has another kind than `wanted`; undefined if it is not a database of pm. */
export function otherKind({ place, kind, another, clone }: Kept, wanted: FileKind): ServiceError | undefined {
  if (kind === CLONE.applicationID) return notWhole(place, clone && unfinishedOf(clone));
  const isTaken = kind === DATABASE.applicationID && wanted.applicationID === CLONE.applicationID;
  return isTaken ? unusable(place, 'holds records already: a copy goes where there are none', another) : undefined;
}

const notWhole = (place: string, clone: Unfinished | undefined): ServiceError =>
  new ServiceError(
    'storage',
    `The database ${place} is a copy that is not whole yet${clone ? `, of ${clone.source}` : ''}`,
    {
      hint: 'It can be used once it is complete.',
      next: { do: 'restore', from: clone?.source, to: clone?.target },
    },
  );
