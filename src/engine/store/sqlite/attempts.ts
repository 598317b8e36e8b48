// Pieces of a transaction that are taken back alone where they throw, one inside another if need be.
import type { Connection } from './connection.ts';

/** Runs a piece; where SQLite has given the whole transaction up, nothing is left to be taken back. */
export type Attempt = <T>(work: () => Promise<T>) => Promise<T>;

/** Pieces side by side cannot be told apart, so that each has to end before the next one begins. */
export function attemptsOn(connection: Connection): Attempt {
  let depth = 0;
  return async (work) => {
    const name = `attempt_${++depth}`;
    connection.run(`SAVEPOINT ${name}`);
    try {
      const answer = await work();
      connection.run(`RELEASE ${name}`);
      return answer;
    } catch (error) {
      if (connection.isInTransaction()) {
        connection.run(`ROLLBACK TO ${name}`);
        connection.run(`RELEASE ${name}`);
      }
      throw error;
    } finally {
      depth--;
    }
  };
}
