// One short reading: what it sees is one state of the data, and it has ended before anything else goes on.
import type { Connection } from './connection.ts';
import type { Pool } from './pool.ts';

export function reading<T>(pool: Pool, work: (connection: Connection) => T): T {
  const connection = pool.borrow();
  try {
    connection.run('BEGIN');
    try {
      return work(connection);
    } finally {
      connection.run('COMMIT');
    }
  } finally {
    pool.giveBack(connection);
  }
}
