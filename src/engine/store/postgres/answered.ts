// Runs the steps of SQL logic on a connection, one statement after another.
import { type Ask, type Bound, Clash, type Steps } from '../sql/steps.ts';
import type { Connection, Params } from './connection.ts';
import { codeOf } from './failure.ts';

/** What answers a statement: a connection, or a transaction on one. Without `ahead` all statements are waited for. */
export interface Answers extends Pick<Connection, 'ask'> {
  readonly ahead?: (sql: string, params: Params) => void | Promise<void>;
}

/** The answer of the steps. */
export async function answered<T>(connection: Answers, steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) step = await answerOf(connection, step.value, steps);
  return step.value;
}

async function answerOf<T>(connection: Answers, ask: Ask, steps: Steps<T>): Promise<IteratorResult<Ask, T>> {
  let answer: unknown;
  try {
    if (ask.how === 'ahead' && connection.ahead) await connection.ahead(ask.sql, arrays(ask.rows));
    else {
      const { rows, count } = await connection.ask(ask.sql, 'rows' in ask ? arrays(ask.rows) : ask.params);
      answer = ask.how === 'one' ? rows[0] : ask.how === 'run' ? count : rows;
    }
  } catch (error) {
    return steps.throw(clashOr(error));
  }
  return steps.next(answer);
}

/** All rows go with one statement: the values of each column as an array. */
const arrays = (rows: readonly (readonly Bound[])[]): Bound[][] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? null));

const KEY = /^(.+)_pkey$/;

/** The server names the index, or the key of the table as it calls all of them. */
function clashOr(error: unknown): unknown {
  if (codeOf(error) !== '23505') return error;
  const index = error instanceof Error && 'constraint' in error ? String(error.constraint) : '';
  const keyOf = KEY.exec(index)?.[1];
  return new Clash(keyOf === undefined ? { index } : { keyOf }, error);
}
