// SQL logic as steps, which ask for one statement after another: their store may answer at once or after a round trip.
import { ServiceError } from '../../../contract/errors.ts';
import type { Promised } from '../port.ts';

/** A value that a statement binds. */
export type Bound = string | number | null;

/** A row, in the order of the statement's columns. */
export type Raw = readonly unknown[];

/**
 * One statement: for its first row, for all its rows, or for the number of rows that it changes. `each` runs a statement of the
 * dialect for each of these rows of values. `ahead` need not wait until it has run. `later` may run as late as a statement
 * asks for its rows, with `once` for equal rows once. The others bind `params`.
 */
export type Ask =
  | { readonly how: 'one' | 'all' | 'run'; readonly sql: string; readonly params: readonly Bound[] }
  | { readonly how: 'each' | 'ahead'; readonly sql: string; readonly rows: Rows }
  | {
      readonly how: 'later';
      readonly sql: string;
      readonly rows: Rows;
      readonly ids: readonly string[];
      readonly once?: true;
    };

export type Later = Extract<Ask, { readonly how: 'later' }>;

type Rows = readonly (readonly Bound[])[];

/** Asks, and ends with an answer. The runner of the steps hands in the answer of each statement, or throws its error there. */
export type Steps<T> = Generator<Ask, T, unknown>;

export type Stepped<M> = {
  readonly [Name in keyof M]: M[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Steps<Answer>
    : never;
};

/** The first row. */
export function* one(sql: string, params: readonly Bound[] = []): Steps<Raw | undefined> {
  return (yield { how: 'one', sql, params }) as Raw | undefined;
}

/** Also the answer of a statement about the rows that it changes. */
export function* all(sql: string, params: readonly Bound[] = []): Steps<readonly Raw[]> {
  return (yield { how: 'all', sql, params }) as readonly Raw[];
}

/** The number of changed rows. */
export function* run(sql: string, params: readonly Bound[] = []): Steps<number> {
  return (yield { how: 'run', sql, params }) as number;
}

/** The same where the number does not matter. */
export function* change(sql: string, params: readonly Bound[]): Steps<void> {
  yield* run(sql, params);
}

/** Runs a statement for each row of values, and none for no row. */
export function* each(sql: string, rows: Rows): Steps<void> {
  if (rows.length > 0) yield { how: 'each', sql, rows };
}

/** The same without waiting: it may go with the next statement, which then fails where this one does. */
export function* eachAhead(sql: string, rows: Rows): Steps<void> {
  if (rows.length > 0) yield { how: 'ahead', sql, rows };
}

/**
 * Inserts rows as late as something asks for them, together with others. `ids` are those of new records; where one of them is
 * there already, that is thrown then, or here when the work is run again.
 */
export function* eachLater(sql: string, rows: Rows, ids: readonly string[] = []): Steps<void> {
  if (rows.length > 0) yield { how: 'later', sql, rows, ids };
}

/** The same for texts that are added unless they are there: they wait once. */
export function* eachOnceLater(sql: string, texts: Iterable<string>): Steps<void> {
  yield { how: 'later', sql, rows: [...texts].map((text) => [text]), ids: [], once: true };
}

/** The methods of `M`, each of which has its steps run and answers a promise. `run` knows the method and its arguments. */
export function promised<M>(
  methods: Stepped<M>,
  run: <T>(steps: () => Steps<T>, name: keyof M, args: readonly unknown[]) => T | Promise<T>,
): Promised<M> {
  const names = Object.keys(methods) as (keyof M)[];
  const promise =
    (name: keyof M) =>
    async (...args: never[]) =>
      run(() => methods[name](...args), name, args);
  // The mapped type cannot be built name by name.
  return Object.fromEntries(names.map((name) => [name, promise(name)])) as unknown as Promised<M>;
}

/** Another row has the key of this one, or its values in a unique index. */
export interface Taken {
  /** The table, where it is the table's own key. */
  readonly keyOf?: string | undefined;
  /** The index, where the store says its name. */
  readonly index?: string | undefined;
  /** The columns of the index, where the store says those instead. */
  readonly columns?: readonly string[];
}

/** Another row has the same. The runner of the steps throws it. */
export class Clash extends Error {
  override readonly name = 'Clash';
  readonly taken: Taken;

  constructor(taken: Taken, cause: unknown) {
    super('another row has these values', { cause });
    this.taken = taken;
  }
}

/** The database is not to be used as it is. `reason` is the end of a sentence that begins with its address. */
export const unusable = (address: string, reason: string, hint: string): ServiceError =>
  new ServiceError('storage', `The database ${address} ${reason}`, { hint });
