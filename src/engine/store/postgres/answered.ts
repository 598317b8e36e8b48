// Runs the steps of SQL logic on a connection, one statement after another.
import { type Ask, Clash, type Steps } from '../sql/steps.ts';
import type { Connection } from './connection.ts';
import { codeOf } from './failure.ts';

/** What answers a statement: a connection, or a transaction on one. */
export type Answers = Pick<Connection, 'ask'>;

/** The answer of the steps. */
export async function answered<T>(connection: Answers, steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) step = await answerOf(connection, step.value, steps);
  return step.value;
}

async function answerOf<T>(
  connection: Answers,
  { how, sql, params }: Ask,
  steps: Steps<T>,
): Promise<IteratorResult<Ask, T>> {
  let answer: unknown;
  try {
    const { rows, count } = await connection.ask(sql, params);
    answer = how === 'one' ? rows[0] : how === 'all' ? rows : count;
  } catch (error) {
    return steps.throw(clashOr(error));
  }
  return steps.next(answer);
}

const KEY = /_pkey$/;

/** The server names the index, or the key of the table as it calls all of them. */
function clashOr(error: unknown): unknown {
  if (codeOf(error) !== '23505') return error;
  const index = error instanceof Error && 'constraint' in error ? String(error.constraint) : '';
  return new Clash(KEY.test(index) ? undefined : index, [], error);
}
