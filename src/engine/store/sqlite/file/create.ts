// Creates a database in a draft beside it, and links the complete draft to its name: of concurrent processes one wins.
import { existsSync, statSync } from 'node:fs';
import { ServiceError } from '../../../../contract/errors.ts';
import { draftName, flush, linkInto } from '../../../../files/disk.ts';
import type { Store } from '../../port.ts';
import { DATABASE, type FileKind } from '../../schema/versions.ts';
import { unusable } from '../../sql/steps.ts';
import { connect, connectNew } from '../connection.ts';
import { ddlOf, sqliteSchema } from '../dialect.ts';
import { closedAfter } from '../driver.ts';
import { explained } from '../failure.ts';
import { openSqlite, type SqliteOptions } from '../store.ts';
import { createDraft, deleteDraft } from './beside.ts';

/**
 * Creates the database, lets `fill` write the first records, and then gives it its name. Answers `existed` where it
 * exists already, or another process was first. Throws `storage` or `disk_full`.
 */
export async function createSqlite(
  options: SqliteOptions,
  fill: (store: Store) => Promise<void>,
): Promise<'created' | 'existed'> {
  const { kind = DATABASE } = options;
  return createFile(
    options.file,
    kind,
    async (draft) => {
      connectNew(draft, ddlOf(sqliteSchema(options.resources, options.computed)), kind).close();
      const store = await openSqlite({ ...options, file: draft });
      await fill(store).finally(() => store.close());
    },
    options.busyMs,
  );
}

/** Creates a file in a draft, and gives it its name when it is complete. Answers and throws as `createSqlite` does. */
export async function createFile(
  file: string,
  kind: FileKind,
  fill: (draft: string) => Promise<void>,
  busyMs?: number,
): Promise<'created' | 'existed'> {
  if (exists(file)) return 'existed';
  const draft = draftName(file);
  try {
    createDraft(draft);
    await fill(draft);
    checkpoint(draft, kind, busyMs);
    flush(draft);
    return linkInto(draft, file);
  } catch (error) {
    throw withFileName(file, draft, explained(file, error));
  } finally {
    deleteDraft(draft);
  }
}

function withFileName(file: string, draft: string, error: unknown): unknown {
  if (!(error instanceof ServiceError) || !error.message.includes(draft)) return error;
  const { code, message, hint, next, cause } = error;
  const named = { hint: hint?.replaceAll(draft, file), next, cause };
  return new ServiceError(code, message.replaceAll(draft, file), named);
}

/** SQLite would replay a wal that is left without its database into the new one; an empty one holds nothing. */
function exists(file: string): boolean {
  const wal = `${file}-wal`;
  const isLeftOver = (statSync(wal, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (existsSync(file)) return true;
  if (!isLeftOver) return false;
  const hint = `Put the database back beside it, or move ${wal} and ${file}-shm away to begin again.`;
  throw unusable(file, `is missing, but its write-ahead log ${wal} is still there`, hint);
}

/**
 * Moves everything from the wal into the file that is linked. SQLite does so when the last connection closes, but
 * reports no failure, such as a full disk: the linked file would be damaged.
 */
const checkpoint = (draft: string, kind: FileKind, busyMs: number | undefined): void =>
  closedAfter(connect(draft, 'write', busyMs, kind), (connection) => {
    const [busy] = connection.one('PRAGMA wal_checkpoint(TRUNCATE)') ?? [];
    if (busy !== 0) throw unusable(draft, 'is held open by another program', 'Wait for it to end, then run it again.');
  });
