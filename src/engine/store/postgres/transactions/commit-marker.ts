// Commit marker: tells whether a COMMIT without an answer became durable. Each connection has a row, and each of its
// transactions writes another token there.
import { ServiceError } from '../../../../contract/errors.ts';
import type { Connection } from '../connection.ts';

export const MARKER_TABLE = `CREATE TABLE commit_marker (
  ID TEXT COLLATE "C" PRIMARY KEY,
  Token TEXT NOT NULL,
  At TIMESTAMPTZ NOT NULL
)`;

const WRITE = `INSERT INTO commit_marker (ID, Token, At) VALUES (?, ?, now())
  ON CONFLICT (ID) DO UPDATE SET Token = excluded.Token, At = excluded.At`;
/** It writes, so that it waits until the last transaction of the connection has ended. */
const READ = `INSERT INTO commit_marker (ID, Token, At) VALUES (?, '', now())
  ON CONFLICT (ID) DO UPDATE SET At = excluded.At RETURNING Token`;
/** No connection lives for a day without a transaction. */
const SWEEP = `DELETE FROM commit_marker WHERE At < now() - interval '1 day'`;

const known = new WeakSet<Connection>();

/**
 * Writes a marker in the current transaction; answers its token. It comes first in it: a COMMIT without an answer may wait at
 * the server behind other statements, and the search for the marker then waits for its row.
 */
export async function writeMarker(connection: Connection): Promise<string> {
  const token = crypto.randomUUID();
  await connection.ask(WRITE, [connection.id, token]);
  return token;
}

/** Drops those of connections that have ended, together with the next statement; once for each connection. */
export function sweepMarkers(connection: Connection): void {
  if (!known.has(connection)) connection.ahead(SWEEP);
  known.add(connection);
}

/** Whether the transaction that wrote this token on the connection `id`, which is lost, is in the database. */
export async function isCommitted(connection: Connection, id: string, token: string): Promise<boolean> {
  const { rows } = await connection.ask(READ, [id]);
  return rows[0]?.[0] === token;
}

/** `error` is how the COMMIT failed, `why` how the marker could not be read. */
export const unknownOutcome = (error: unknown, why: unknown): ServiceError =>
  new ServiceError(
    'unknown_outcome',
    `It is not known whether the change was kept: ${(error as Error).message}; and then: ${(why as Error).message}`,
    {
      hint: 'Look whether the server runs (pg_isready), then read the records before you repeat the change.',
      cause: error,
    },
  );
