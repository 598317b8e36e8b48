// Runs the steps of SQL logic at once: SQLite answers each statement without a wait.
import type { Ask, Steps } from '../sql/steps.ts';
import type { Connection } from './connection.ts';
import { clashOr } from './failure.ts';

/** The answer of the steps. No other statement runs between two of them. */
export function answered<T>(connection: Pick<Connection, Ask['how']>, steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = answerOf(connection, step.value, steps);
  return step.value;
}

function answerOf<T>(
  connection: Pick<Connection, Ask['how']>,
  { how, sql, params }: Ask,
  steps: Steps<T>,
): IteratorResult<Ask, T> {
  let answer: unknown;
  try {
    answer = connection[how](sql, params);
  } catch (error) {
    return steps.throw(clashOr(error));
  }
  return steps.next(answer);
}
