// Runs the steps of SQL logic at once: SQLite answers each statement without a wait.
import type { Ask, Steps } from '../sql/steps.ts';
import type { Answering } from './connection.ts';
import { clashOr } from './failure.ts';

type Statements = Omit<Answering, 'stream'>;

/** The answer of the steps. No other statement runs between two of them. */
export function answered<T>(connection: Statements, steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = answerOf(connection, step.value, steps);
  return step.value;
}

function answerOf<T>(connection: Statements, ask: Ask, steps: Steps<T>): IteratorResult<Ask, T> {
  let answer: unknown;
  try {
    if ('rows' in ask) connection.runEach(ask.sql, ask.rows);
    else answer = connection[ask.how](ask.sql, ask.params);
  } catch (error) {
    return steps.throw(clashOr(error));
  }
  return steps.next(answer);
}
