// Runs the steps of SQL logic on a connection, one statement after another.
import { type Ask, Clash, type Later, type Steps } from '../sql/steps.ts';
import type { Connection, Params } from './connection.ts';
import { codeOf } from './failure.ts';
import { columnsOf } from './transactions/unsent.ts';

/** A connection, or a transaction on one. Without `ahead` and `later` all statements are waited for. */
export interface Answers extends Pick<Connection, 'ask'> {
  /** Sends a statement together with the next one. */
  readonly ahead?: (sql: string, params: Params) => void | Promise<void>;
  /** Sends it before anything that may see its rows. */
  readonly later?: (ask: Later) => Promise<void>;
}

export async function answered<T>(connection: Answers, steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) step = await answerOf(connection, step.value, steps);
  return step.value;
}

async function answerOf<T>(connection: Answers, ask: Ask, steps: Steps<T>): Promise<IteratorResult<Ask, T>> {
  let answer: unknown;
  try {
    if (ask.how === 'ahead' && connection.ahead) await connection.ahead(ask.sql, columnsOf(ask.rows));
    else if (ask.how === 'later' && connection.later) await connection.later(ask);
    else {
      const { rows, count } = await connection.ask(ask.sql, 'rows' in ask ? columnsOf(ask.rows) : ask.params);
      answer = ask.how === 'one' ? rows[0] : ask.how === 'run' ? count : rows;
    }
  } catch (error) {
    return steps.throw(clashOr(error));
  }
  return steps.next(answer);
}

const KEY = /^(.+)_pkey$/;

/** The server names the index, or the key of the table as it calls all of them. */
function clashOr(error: unknown): unknown {
  if (codeOf(error) !== '23505') return error;
  const index = error instanceof Error && 'constraint' in error ? String(error.constraint) : '';
  const keyOf = KEY.exec(index)?.[1];
  return new Clash(keyOf === undefined ? { index } : { keyOf }, error);
}
