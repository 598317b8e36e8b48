// Runs one row on a remote service: its intent is on disk before the request is sent, and an unknown outcome is resolved.
import { ServiceError } from '../../../contract/errors.ts';
import type { JobRow, RowResult } from '../../../contract/jobs.ts';
import { defined, nonEmpty } from '../../../text/defined.ts';
import { applyRow, expectedResult } from '../apply-row.ts';
import { markOf } from '../marks.ts';
import { currentRecord, isStorageError, secretsFor } from '../options.ts';
import { driftOf, UNCHANGED } from '../row-drift.ts';
import { expectedEffects } from '../side-effects.ts';
import { checkAwaited } from './id-map.ts';
import { noteDone, noteDrift, noteRefusal, noteState, resolveAfterNoAnswer } from './outcome.ts';
import { applyBelowCaller, reportsToItself } from './own-superior.ts';
import { isNew, keepsID, type ReadyRow, type Remote, withMappedIDs } from './state.ts';

/** Runs a row, and marks its outcome. Throws errors of the journal, and defects. */
export async function runRow(remote: Remote, row: JobRow): Promise<void> {
  let ready: ReadyRow | undefined;
  try {
    ready = await prepare(remote, await withMappedIDs(remote, row));
    if (ready) await noteDone(remote, ready.row, await ready.send());
  } catch (error) {
    if (!(error instanceof ServiceError) || isStorageError(error)) throw error;
    if (error.code === 'unknown_outcome' && ready) return resolveAfterNoAnswer(remote, ready, error);
    await noteRefusal(remote, ready?.row ?? row, error);
  }
}

/** Reads the current record and marks the intent. Answers undefined where the record has drifted. */
async function prepare(remote: Remote, row: JobRow): Promise<ReadyRow | undefined> {
  const { session, options } = remote.run;
  checkAwaited(row);
  const read = () => currentRecord(session, row);
  const found = await read();
  const drift = await driftOf(remote.run, session, row, found);
  if (drift === 'as wanted') noteState(remote, row, 'done', UNCHANGED);
  else if (drift) noteDrift(remote, row, drift);
  if (drift) return undefined;
  const secrets = secretsFor(row, options);
  const own = isNew(row)
    ? { ...(keepsID(remote, row) ? {} : await remote.ids.before(session, row)), sent: options.clock().toISOString() }
    : defined<RowResult>({ ...expectedResult(row, found?.row), now: row.patch && found?.row });
  const effects = await expectedEffects(session, row, found?.row);
  const result = nonEmpty<RowResult>(effects.length > 0 ? { ...own, effects } : own);
  await remote.marks.add(markOf(row.number, 'intent', result));
  const apply = isNew(row) && remote.keepsIDs !== true && reportsToItself(row) ? applyBelowCaller : applyRow;
  return {
    row: result ? { ...row, result } : row,
    send: () => apply(session, row, { found, secrets, read }),
  };
}
