// Was it committed? A disk that fails at COMMIT does not say. Each transaction leaves a mark of its own, which is looked
// for afterwards on a connection that is opened anew.
import { ServiceError } from '../../../contract/errors.ts';
import type { Connection } from './connection.ts';
import { codeOf } from './failure.ts';

export const COMMIT_MARKER_TABLE = [
  `CREATE TABLE commit_witness (
  ID INTEGER PRIMARY KEY CHECK (ID = 1),
  Number INTEGER NOT NULL,
  Token TEXT NOT NULL
) STRICT`,
];

/** What one transaction left: the how-manieth it would be, and a name of its own. */
interface CommitMarker {
  readonly number: number;
  readonly token: string;
}

const WRITE = `INSERT INTO commit_witness (ID, Number, Token) VALUES (1, 1, ?)
  ON CONFLICT (ID) DO UPDATE SET Number = Number + 1, Token = excluded.Token RETURNING Number`;
const FIND = 'SELECT Number, Token FROM commit_witness WHERE ID = 1';

/** Leaves a mark in the transaction that is under way. */
export function writeCommitMarker(connection: Connection): CommitMarker {
  const token = crypto.randomUUID();
  return { number: Number(connection.one(WRITE, [token])?.[0]), token };
}

/** Whether a COMMIT that failed like this may have been written all the same. */
export function mayBeCommitted(error: unknown): boolean {
  const code = codeOf(error instanceof ServiceError ? error.cause : error);
  return code?.startsWith('SQLITE_IOERR') ?? false;
}

/**
 * Returns where the transaction that left this mark is in the database. Otherwise throws: `error` where it is certainly
 * not there, `unknown_outcome` where that cannot be told.
 */
export function resolveFailedCommit(open: () => Connection, left: CommitMarker, error: unknown): void {
  const outcome = findOutcome(open, left);
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

/** A commit of its own makes the answer final: what the failed one may have left behind is written over. */
function findOutcome(open: () => Connection, left: CommitMarker): 'done' | 'not done' | 'unknown' {
  let connection: Connection | undefined;
  try {
    connection = open();
    connection.run('BEGIN IMMEDIATE');
    const [number, token] = connection.one(FIND) ?? [0, ''];
    writeCommitMarker(connection);
    connection.run('COMMIT');
    if (token === left.token) return 'done';
    return Number(number) <= left.number ? 'not done' : 'unknown';
  } catch {
    return 'unknown';
  } finally {
    connection?.close();
  }
}
