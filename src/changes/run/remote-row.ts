// One row on a remote service: its intent is on disk before the request leaves, and what was not answered is looked after.
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobRow, RowResult, RowState } from '../../contract/jobs.ts';
import { plural } from '../../contract/resource.ts';
import { locateBeside } from '../plan/current-record.ts';
import { hasDrifted } from '../plan/drift.ts';
import { takesID } from '../plan/planner.ts';
import { foreseen, type Made, operationOfRow, resultOf, send } from './apply-row.ts';
import { driftError, errorResult } from './counts.ts';
import { checkAwaited, learnRenamed, rename, withAwaited } from './id-map.ts';
import { type MarkQueue, markOf, markQueue } from './marks.ts';
import { isLasting, isOfStorage, type Run, recordFor, type Stopped, secretsFor } from './options.ts';
import { type Settled, settle } from './resolve-unknown.ts';

/** What one run has learned, and where it stands. */
export interface Remote {
  readonly run: Run;
  readonly marks: MarkQueue;
  /** Marks that nothing waits for but the end of the run. */
  readonly noting: Set<Promise<void>>;
  /** Does the service keep the IDs of new records? The first one shows it. */
  keepsIDs: boolean | undefined;
  stopped: Stopped;
  /** A failure that is no row's: of the journal, or a defect. */
  broken: { readonly error: unknown } | undefined;
}

export async function beginRemote(run: Run): Promise<Remote> {
  const { keepsIDs } = run.head.settings;
  if (run.head.counts.done) await learnRenamed(run.renamed, run.jobs, run.head.id);
  return {
    run,
    marks: markQueue(run.jobs, run.head.id),
    noting: new Set(),
    keepsIDs: typeof keepsIDs === 'boolean' ? keepsIDs : undefined,
    stopped: undefined,
    broken: undefined,
  };
}

export const isNew = (row: JobRow): boolean => operationOfRow(row).operation.verb === 'create';

/** Will this row show whether the service keeps the IDs of new records? */
export const isUnlearned = ({ keepsIDs }: Remote, row: JobRow): boolean =>
  keepsIDs === undefined && isNew(row) && takesID(resourceNamed(row.resource));

/** Can a new record be looked for by the ID that it was sent with? */
export const keeps = ({ keepsIDs }: Remote, row: JobRow): boolean =>
  keepsIDs !== false && takesID(resourceNamed(row.resource));

export const renamedRow = ({ run: { session, renamed } }: Remote, row: JobRow): Promise<JobRow> =>
  withAwaited(session, rename(row, renamed, isNew(row)));

/** Runs a row to its mark. Throws what is no row's own: of the journal, or a defect. */
export async function runRow(remote: Remote, row: JobRow): Promise<void> {
  let intent: JobRow | undefined;
  try {
    const ready = await prepare(remote, await renamedRow(remote, row));
    if (!ready) return;
    intent = ready.row;
    await done(remote, intent, await ready.send());
  } catch (error) {
    if (!(error instanceof ServiceError) || isOfStorage(error)) throw error;
    if (error.code === 'unknown_outcome' && intent) return lookAfter(remote, intent, error);
    await refused(remote, intent ?? row, error);
  }
}

interface Ready {
  /** With what is known of the outcome beforehand. */
  readonly row: JobRow;
  send(): Promise<Made>;
}

/** Reads what the row needs and keeps its intent. Answers nothing where the record is not as the plan saw it. */
async function prepare(remote: Remote, row: JobRow): Promise<Ready | undefined> {
  const { session, options } = remote.run;
  checkAwaited(row);
  const read = () => recordFor(session, row);
  const found = await read();
  if (options.onDrift !== 'overwrite' && hasDrifted(resourceNamed(row.resource), row, found?.row)) {
    drifted(remote, row, driftError(row, found));
    return undefined;
  }
  const secrets = secretsFor(row, options);
  const result = isNew(row) ? await existing(remote, row) : foreseen(row, found?.row);
  await remote.marks.add(markOf(row.number, 'intent', result));
  return { row: { ...row, ...(result ? { result } : {}) }, send: () => send(session, row, { found, secrets, read }) };
}

/** Where an ID will not tell a new record, the ones that are there before it do. */
async function existing(remote: Remote, row: JobRow): Promise<RowResult | undefined> {
  if (keeps(remote, row)) return undefined;
  const beside = await locateBeside(remote.run.session, row);
  return beside && { existing: beside.map((one) => String(one.ID)) };
}

function drifted(remote: Remote, row: JobRow, error: ServiceError): void {
  noteError(remote, row, 'drifted', error);
  if (remote.run.options.onDrift === 'stop') remote.stopped ??= error;
}

async function done(remote: Remote, row: JobRow, made: Made): Promise<void> {
  if (isNew(row)) await learn(remote, row, made);
  note(remote, row, 'done', resultOf(made));
  remote.run.options.onDone?.(row, made);
}

/** The first new record shows whose IDs count; the next run is to know it too. */
async function learn(remote: Remote, row: JobRow, made: Made): Promise<void> {
  if (made.id !== undefined && row.id !== undefined) remote.run.renamed.set(row.id.toLowerCase(), made.id);
  if (!takesID(resourceNamed(row.resource))) return;
  const keepsIDs = made.id === undefined;
  if (remote.keepsIDs === keepsIDs) return;
  remote.keepsIDs = keepsIDs;
  const { jobs, head } = remote.run;
  await jobs.set(head.id, { settings: { ...head.settings, keepsIDs } });
}

/**
 * Nobody said whether it was done. The service is asked once; what it cannot say is left to a later run. Where the look
 * itself is not answered, no other row is sent: it would be as unknown as this one.
 */
async function lookAfter(remote: Remote, row: JobRow, error: ServiceError): Promise<void> {
  const settled = await settle(remote.run.session, row, remote.keepsIDs).catch((why: unknown): Settled => {
    if (!(why instanceof ServiceError)) throw why;
    if (isLasting(why)) remote.stopped ??= why;
    return { state: 'unknown', why: why.message };
  });
  if (settled.state === 'done') return takeSettled(remote, row, settled);
  noteError(remote, row, 'unknown', error);
}

/** Keeps what a look at the service has shown. */
export async function takeSettled(
  remote: Remote,
  row: JobRow,
  settled: Exclude<Settled, { state: 'again' }>,
): Promise<void> {
  if (settled.state === 'done') {
    const id = settled.result?.id;
    if (id !== undefined && row.id !== undefined) remote.run.renamed.set(row.id.toLowerCase(), id);
    return note(remote, row, 'done', settled.result);
  }
  const error = new ServiceError('unknown_outcome', `it is not known whether the change was made: ${settled.why}`, {
    hint: `Look at the ${plural(resourceNamed(row.resource))} yourself; nothing is sent again.`,
  });
  noteError(remote, row, 'unknown', error);
}

/** A refusal is the row's; where no other row would fare better, this one waits for a later run, and the run stops. */
async function refused(remote: Remote, row: JobRow, error: ServiceError): Promise<void> {
  if (isLasting(error)) {
    note(remote, row, 'pending');
    remote.stopped ??= error;
    return;
  }
  noteError(remote, { ...row, result: {} }, 'failed', error);
  if ((remote.run.options.onError ?? 'continue') !== 'continue') remote.stopped ??= stoppedAt(row, error);
}

const stoppedAt = (row: JobRow, error: ServiceError): ServiceError =>
  new ServiceError(error.code, `stopped at row ${row.number}: ${error.message}`, {
    hint: error.hint,
    next: error.next,
  });

/** What is known of the outcome beforehand stays beside the error. */
function noteError(remote: Remote, row: JobRow, state: RowState, error: ServiceError): void {
  note(remote, row, state, { ...row.result, error: errorResult(error) });
  remote.run.options.onFailed?.(row, error);
}

/** The row's lane is free for the next one at once: whose intent is kept after this mark, or with it. */
function note(remote: Remote, row: JobRow, state: RowState, result?: RowResult): void {
  const { tally, options } = remote.run;
  const noted: Promise<void> = remote.marks
    .add(markOf(row.number, state, result))
    .then(() => {
      tally.note(row, state, result);
      options.onProgress?.(tally.counts);
    })
    .catch((error: unknown) => {
      remote.broken ??= { error };
    })
    .finally(() => remote.noting.delete(noted));
  remote.noting.add(noted);
}
