// A pooler between pm and the server may give a connection to others after each transaction. Settings and prepared statements of
// pm would then reach other programs, and those of others pm.

import { unusable } from '../sql/steps.ts';
import { type Connection, closedAfter } from './connection.ts';
import { POOLED } from './failure.ts';

/** Throws `storage` where a connection is kept for no longer than a transaction. `first` is in no transaction. */
export async function refuseShared(first: Connection, open: () => Promise<Connection>): Promise<void> {
  // A pooler tells a process of its own.
  if ((await processOf(first)) === first.process) return;
  if (await closedAfter(open, (second) => areShared(first, second)))
    throw unusable(first.address, POOLED.says, POOLED.hint);
}

const processOf = async (connection: Connection): Promise<number> =>
  Number((await connection.exec('SELECT pg_backend_pid()')).rows[0]?.[0]);

/**
 * Two transactions at once have two connections of the server. A pooler that gives out the one that was used last, or the one
 * that has rested longest, exchanges them in one of these orders.
 */
async function areShared(first: Connection, second: Connection): Promise<boolean> {
  const seen = new Map<Connection, number>();
  let isShared = false;
  for (const order of [
    [first, second],
    [first, second],
    [second, first],
  ]) {
    for (const connection of order) {
      await connection.exec('BEGIN');
      const now = await processOf(connection);
      isShared ||= seen.has(connection) && seen.get(connection) !== now;
      seen.set(connection, now);
    }
    for (const connection of [first, second]) await connection.exec('COMMIT');
  }
  return isShared;
}
