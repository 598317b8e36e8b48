// Commit marker: tells whether a failed COMMIT became durable. Each transaction writes one; after a failure it is read
// on a new connection. A token begins with the end of the one before it, by which a wal is known to go on from its file.
import { ServiceError } from '../../../contract/errors.ts';
import type { Connection } from './connection.ts';
import { codeOf } from './failure.ts';
import { type CommitMarker, TOKEN_END } from './file/wal-beside.ts';

export const COMMIT_MARKER_TABLE = [
  `CREATE TABLE commit_witness (
  ID INTEGER PRIMARY KEY CHECK (ID = 1),
  Number INTEGER NOT NULL,
  Token TEXT NOT NULL
) STRICT`,
];

const WRITE = `INSERT INTO commit_witness (ID, Number, Token) VALUES (1, 1, ?)
  ON CONFLICT (ID) DO UPDATE SET Number = Number + 1, Token = substr(Token, -${TOKEN_END}) || substr(excluded.Token, -${TOKEN_END})
  RETURNING Number, Token`;
const FIND = 'SELECT Number, Token FROM commit_witness WHERE ID = 1';

/** Writes a marker in the current transaction. */
export function writeCommitMarker(connection: Connection): CommitMarker {
  const digits = () =>
    crypto
      .randomUUID()
      .replaceAll('-', '')
      .slice(1 - TOKEN_END);
  const [number, token] = connection.one(WRITE, [`${digits()}0>${digits()}`]) ?? [];
  return { number: Number(number), token: String(token) };
}

/** Whether a COMMIT that failed with this error may have become durable. */
export function mayBeCommitted(error: unknown): boolean {
  const code = codeOf(error instanceof ServiceError ? error.cause : error);
  return code?.startsWith('SQLITE_IOERR') ?? false;
}

/**
 * Returns where the transaction of this marker is in the database. Throws `error` where it certainly is not, and
 * `unknown_outcome` where that cannot be found out.
 */
export function resolveFailedCommit(open: () => Connection, marker: CommitMarker, error: unknown): void {
  const outcome = findOutcome(open, marker);
  if (outcome === 'done') return;
  if (outcome === 'not done') throw error;
  throw new ServiceError(
    'unknown_outcome',
    `It is not known whether the change was kept: ${(error as Error).message}`,
    {
      hint: 'Look at the disk (dmesg, df), then read the records before you repeat the change.',
      cause: error,
    },
  );
}

/** Its own commit makes the answer final: it overwrites pages that the failed one may have left in the wal. */
function findOutcome(open: () => Connection, marker: CommitMarker): 'done' | 'not done' | 'unknown' {
  let connection: Connection | undefined;
  try {
    connection = open();
    connection.run('BEGIN IMMEDIATE');
    const [number, token] = connection.one(FIND) ?? [0, ''];
    writeCommitMarker(connection);
    connection.run('COMMIT');
    if (token === marker.token) return 'done';
    return Number(number) <= marker.number ? 'not done' : 'unknown';
  } catch {
    return 'unknown';
  } finally {
    connection?.close();
  }
}
