// A connection that is used inside a transaction alone. Where SQLite gives the whole transaction up, as on a full disk, what
// came after would be kept piece by piece, with nobody to take it back.
import type { Connection } from './connection.ts';

/** The same connection, which refuses whatever comes after the end of the transaction with the error that ended it. */
export function insideOnly(connection: Connection): Connection {
  let ending: unknown;
  const checked =
    <A extends readonly unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      if (!connection.isInTransaction()) throw ending ?? new Error('There is no transaction to write in');
      try {
        return work(...args);
      } catch (error) {
        if (!connection.isInTransaction()) ending = error;
        throw error;
      }
    };
  return {
    ...connection,
    one: checked(connection.one),
    all: checked(connection.all),
    stream: checked(connection.stream),
    run: checked(connection.run),
    exec: checked(connection.exec),
  };
}
