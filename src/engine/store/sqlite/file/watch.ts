// Notices that the file of open connections was deleted or replaced: SQLite would go on writing into the file that is gone.
import { rmSync, statSync } from 'node:fs';
import { ServiceError } from '../../../../contract/errors.ts';
import type { Connection } from '../connection.ts';
import { BEFORE_BACKUP, explained } from '../failure.ts';

export type FileWatch = ReturnType<typeof watchFile>;

export function watchFile(file: string, reopens = false) {
  const connections = new Map<Connection, string | undefined>();
  let known = identityOf(file);
  let wal: string | undefined;
  const isCurrent = (connection: Connection): boolean => connections.get(connection) === known;
  return {
    /** Opens a connection to the path; all of them are opened so. */
    open(connect: () => Connection): Connection {
      const identity = identityOf(file);
      const connection = connect();
      const watched: Connection = {
        ...connection,
        close() {
          connections.delete(watched);
          connection.close();
        },
      };
      connections.set(watched, identity);
      wal = identityOf(walOf(file));
      return watched;
    },
    /**
     * Throws `replaced` while there is no file at the path or another one, and where `connection` is on a file that is gone.
     * With `reopens` it throws once for another file; afterwards new connections open it.
     */
    check(connection?: Connection): void {
      const found = identityOf(file);
      if (found === undefined)
        throw new ServiceError('replaced', `The database ${file} was deleted or moved while it was open`, {
          hint: `Put the file or a backup in its place, and read the records before you repeat the change. ${BEFORE_BACKUP}`,
        });
      if (found === known && (!connection || isCurrent(connection))) return;
      if (found !== known) partWal(file, wal, connections.keys());
      if (reopens) known = found;
      throw new ServiceError('replaced', `The database ${file} was replaced by another file while it was open`, {
        hint: 'Nothing of this change is in the present file. Read the records again before you repeat it.',
      });
    },
    /** Is this connection on the file that was at the path at the latest check? */
    isCurrent,
  };
}

/** Device and inode of a file; undefined if there is none. */
export function identityOf(file: string): string | undefined {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino}`;
  } catch (error) {
    throw explained(file, error);
  }
}

const walOf = (file: string): string => `${file}-wal`;

/**
 * Parts the wal of the file that is gone from the path: SQLite would apply it to the file that is there now. Its pages are
 * first written into the file that is gone, which may have been moved. A wal that came with the new file stays.
 */
function partWal(file: string, wal: string | undefined, connections: Iterable<Connection>): void {
  if (wal === undefined || identityOf(walOf(file)) !== wal) return;
  for (const connection of connections) if (hasCheckpointed(connection)) break;
  for (const part of [walOf(file), `${file}-shm`]) rmSync(part, { force: true });
}

/** A connection inside a transaction cannot. */
function hasCheckpointed(connection: Connection): boolean {
  try {
    connection.one('PRAGMA wal_checkpoint(PASSIVE)');
    return true;
  } catch {
    return false;
  }
}
