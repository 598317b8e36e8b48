// Runs a job on a remote service: a few rows at a time, but rows that access the same records one after another.
import { CONCURRENCY } from '../../../contract/call.ts';
import { EXIT, ServiceError } from '../../../contract/errors.ts';
import { resourceNamed } from '../../../contract/index.ts';
import type { JobRow, PlannedRow, RowResult, RowState } from '../../../contract/jobs.ts';
import { guidsIn, idKey, isGuid } from '../../../contract/kinds.ts';
import { plural, singular } from '../../../contract/resource.ts';
import { primaryOwner } from '../../../contract/resources/primary.ts';
import { batchesOf } from '../../../text/batches.ts';
import { defined, nonEmpty } from '../../../text/defined.ts';
import { isFinalDeletion } from '../../plan/change.ts';
import { takesID } from '../../plan/planner.ts';
import { type AppliedRow, appliedOf, applyRow, comparisonOf, expectedResult, resultOf } from '../apply-row.ts';
import { alteredError, keptError } from '../compare-answer.ts';
import { AS_WANTED, errorResult } from '../counts.ts';
import { joinMarks, markOf } from '../marks.ts';
import {
  currentRecord,
  interrupted,
  isLasting,
  isStorageError,
  type Run,
  type StopReason,
  secretsFor,
  stoppedAt,
} from '../options.ts';
import { driftOf, seemsGone } from '../row-drift.ts';
import { effectsSince, expectedEffects } from '../side-effects.ts';
import { applyBelowCaller, movedToTop, reportsToItself } from './at-top.ts';
import { checkAwaited, ownerKey } from './id-map.ts';
import { type Resolution, resolveUnknown } from './resolve-unknown.ts';
import {
  asBefore,
  beginRemote,
  currentOf,
  isFirstOfItsKind,
  isFoundByID,
  isNameless,
  isNew,
  keepsID,
  keptOf,
  kindOf,
  lookingOf,
  type ReadyRow,
  type Remote,
  showsKeptIDs,
  withMappedIDs,
} from './state.ts';

/** Runs the rows. Answers why it stopped before the last one, if it did. Throws errors of the journal, and defects. */
export async function runRemote(run: Run, rows: AsyncIterable<JobRow>): Promise<StopReason> {
  const remote = await beginRemote(run);
  const atOnce = run.options.concurrency ?? CONCURRENCY.writes;
  const scheduler = newScheduler(atOnce);
  let source: number | undefined;
  await unlessBroken(remote, async () => {
    for await (const row of withIntents(remote, rows, atOnce)) {
      // A file may rely on rows of earlier files, such as the membership that comes with a new individual.
      if (row.source !== source) await scheduler.idle();
      source = row.source;
      if (run.options.signal?.aborted) remote.stopped ??= interrupted();
      if (remote.stopped || remote.broken) break;
      // The first row of a kind runs alone. Of new records it shows whether the service keeps IDs, on which the others depend.
      const runsAlone = showsKeptIDs(remote, row) || isFirstOfItsKind(remote, row);
      if (runsAlone) await scheduler.idle();
      const access = accessOf(row, isNew(row) && !keepsID(remote, row));
      await scheduler.begin(access, () => unlessBroken(remote, () => runRow(remote, row)));
      if (runsAlone) await scheduler.idle();
    }
  });
  await scheduler.idle();
  return finish(remote);
}

/**
 * The rows. As many intents of new records as are sent at once are one commit: such records are found by their IDs, and
 * nothing is read before they are sent.
 */
async function* withIntents(remote: Remote, rows: AsyncIterable<JobRow>, atOnce: number): AsyncGenerator<JobRow> {
  const { marks, markedAhead } = remote;
  for await (const batch of batchesOf(rows))
    for (const [i, row] of batch.entries()) {
      if (isFoundByID(remote, row) && !markedAhead.has(row.number)) {
        const intended = batch.slice(i, i + atOnce).filter((one) => isFoundByID(remote, one));
        await marks.add(...joinMarks(intended.map((one) => ({ row: one, state: 'intent' }))));
        for (const { number } of intended) markedAhead.add(number);
      }
      yield row;
    }
}

/**
 * Finds out about rows that an earlier run sent without an answer, and marks each as done, as altered, as pending again, or
 * as still unknown. Answers what stops the job: the service has lost something. Throws where it cannot be asked.
 */
export async function resolveUnknownRows(run: Run, rows: AsyncIterable<JobRow>): Promise<StopReason> {
  const remote = await beginRemote(run);
  await unlessBroken(remote, async () => {
    for await (const given of rows) {
      const row = await withMappedIDs(remote, given);
      const resolution = await resolveUnknown(run.session, row, lookingOf(remote));
      if (resolution.state === 'again') await run.jobs.mark(run.head.id, [markOf(row.number, 'pending', keptOf(row))]);
      else await noteResolution(remote, row, resolution);
    }
  });
  return finish(remote);
}

/** What the work throws ends the run: rows that have not begun are not run, and those in flight are waited for. */
async function unlessBroken(remote: Remote, work: () => Promise<void>): Promise<void> {
  if (remote.stopped || remote.broken) return;
  try {
    await work();
  } catch (error) {
    remote.broken ??= { error };
  }
}

/** Waits until every mark is durable; then throws what broke the run, or answers why it stopped. */
async function finish(remote: Remote): Promise<StopReason> {
  await Promise.all(remote.pendingMarks);
  if (remote.broken) throw remote.broken.error;
  const unsent = [...remote.markedAhead].map((number) => markOf(number, 'pending'));
  if (unsent.length > 0) await remote.run.jobs.mark(remote.run.head.id, unsent);
  remote.run.options.onProgress?.(remote.run.counter.counts);
  return remote.stopped;
}

/** The things that a row changes or only refers to, as keys: of records, unique members, all records of an owner. */
interface RowAccess {
  readonly writes: ReadonlySet<string>;
  readonly reads: ReadonlySet<string>;
}

export function newScheduler(limit: number) {
  const inFlight = new Map<Promise<void>, RowAccess>();
  const isFree = (access: RowAccess): boolean =>
    inFlight.size < limit && ![...inFlight.values()].some((other) => conflict(access, other));
  return {
    /** Waits until the limit allows the work and nothing in flight conflicts with it; resolves when it has begun. */
    async begin(access: RowAccess, work: () => Promise<void>): Promise<void> {
      while (!isFree(access)) await Promise.race(inFlight.keys());
      const running: Promise<void> = work().finally(() => inFlight.delete(running));
      inFlight.set(running, access);
    },
    /** Resolves when nothing is in flight. */
    async idle(): Promise<void> {
      while (inFlight.size > 0) await Promise.race(inFlight.keys());
    },
  };
}

/**
 * `getsID`: the service gives the ID of the new record. If no answer comes, the record is found as the one that its
 * owner did not have before, so no other record of that owner is created meanwhile.
 */
export function accessOf(row: PlannedRow, getsID: boolean): RowAccess {
  const resource = resourceNamed(row.resource);
  const members = { ...row.body, ...row.patch };
  const params = Object.values(row.params ?? {});
  const ids = row.id === undefined ? params : [row.id];
  const reads = new Set(params.map(idKey));
  const writes = new Set(ids.map(idKey));
  for (const name in members) {
    const { kind, unique } = resource.fields[name] ?? {};
    for (const value of kind === 'guids' ? guidsIn(members[name]) : [members[name]])
      if (typeof value === 'string' && isGuid(value)) reads.add(idKey(value));
    // An update may release the text that another row takes. New records only take texts: they wait for updates alone.
    if (unique) (row.patch ? writes : reads).add(`${row.resource} ${name}`);
  }
  const shown = primaryOwner(row.resource, { ...members, ...row.place }, { ID: row.id, ...members, ...row.place });
  if (shown !== undefined) writes.add(idKey(shown));
  if (getsID) writes.add(ownerKey(row));
  return { writes, reads };
}

/** Does one of them write a key that the other one writes or reads? */
function conflict(one: RowAccess, other: RowAccess): boolean {
  for (const key of one.writes) if (other.writes.has(key) || other.reads.has(key)) return true;
  for (const key of one.reads) if (other.writes.has(key)) return true;
  return false;
}

/** Runs a row, and marks its outcome. Throws errors of the journal, and defects. */
async function runRow(remote: Remote, row: JobRow): Promise<void> {
  let ready: ReadyRow | undefined;
  const isMarked = remote.markedAhead.delete(row.number);
  try {
    ready = await prepare(remote, await withMappedIDs(remote, row), isMarked);
    const applied = await ready?.send();
    if (!ready || !applied) return;
    if (isNameless(remote, ready.row, applied)) await noteNameless(remote, ready.row);
    else if (await isKept(remote, ready.row, applied)) await noteRefusal(remote, ready.row, keptError(ready.row));
    else await noteDone(remote, ready.row, applied);
  } catch (error) {
    if (!(error instanceof ServiceError) || isStorageError(error)) throw error;
    if (error.code === 'unknown_outcome' && ready) return resolveAfterNoAnswer(remote, ready, error);
    if (ready?.isGone && error.exit === EXIT.notFound) return noteState(remote, row, 'done', AS_WANTED);
    await noteRefusal(remote, ready?.row ?? row, error);
  }
}

/** Is the record still there that a service was to delete for good, and said nothing? The first of its kind shows it of all. */
async function isKept(remote: Remote, row: JobRow, { after }: AppliedRow): Promise<boolean> {
  if (!isFinalDeletion(row) || after.ID != null || !isFirstOfItsKind(remote, row)) return false;
  const looked = await resolveUnknown(remote.run.session, row, lookingOf(remote)).catch(() => undefined);
  return looked?.state === 'again';
}

/** Looks for the new record among its owner's; without it nothing could refer to it or take it back. */
async function noteNameless(remote: Remote, row: JobRow): Promise<void> {
  const looking = { ...lookingOf(remote), isMade: true };
  const resolution = await resolveUnknown(remote.run.session, row, looking);
  if (resolution.state === 'done') return noteDone(remote, row, await appliedLater(remote, row, resolution));
  await learnKept(remote, row, false);
  const why = resolution.state === 'unknown' ? resolution.why : 'the service does not show it';
  await noteResolution(remote, row, { ...resolution, state: 'unknown', why });
}

/** Reads the current record and marks the intent. Answers undefined if the record has drifted. */
async function prepare(remote: Remote, row: JobRow, isMarked: boolean): Promise<ReadyRow | undefined> {
  const { session, options } = remote.run;
  checkAwaited(row);
  const read = () => currentRecord(session, row);
  const found = asBefore(row, await currentOf(remote, row, read));
  const drift = await driftOf(remote.run, session, row, found);
  if (drift === 'as wanted') noteState(remote, row, 'done', AS_WANTED);
  else if (drift) noteDrift(remote, row, drift);
  if (drift) return undefined;
  const secrets = secretsFor(row, options);
  const own = isNew(row)
    ? await beforeNew(remote, row)
    : defined<RowResult>({ ...expectedResult(row, found?.row), now: row.patch && found?.row });
  const effects = await expectedEffects(session, row, found?.row);
  const result = nonEmpty<RowResult>(effects.length > 0 ? { ...own, effects } : own);
  if (!isMarked || result) await remote.marks.add(markOf(row.number, 'intent', result));
  const apply = isNew(row) && remote.keepsIDs !== true && reportsToItself(row) ? applyBelowCaller : applyRow;
  return {
    row: result ? { ...row, result } : row,
    isGone: seemsGone(remote.run.head.kind, row, found),
    send: () => apply(session, row, { found, secrets, read }),
  };
}

/** By which a new record is found that does not keep its ID, or of which that is not known yet. */
async function beforeNew(remote: Remote, row: JobRow): Promise<RowResult> {
  if (isFoundByID(remote, row)) return {};
  const beside = keepsID(remote, row) ? {} : await remote.ids.before(remote.run.session, row);
  return { ...beside, sent: remote.run.options.clock().toISOString() };
}

function noteDrift(remote: Remote, row: JobRow, error: ServiceError): void {
  noteError(remote, row, 'drifted', error);
  if (remote.run.options.onDrift === 'stop') remote.stopped ??= error;
}

async function noteDone(remote: Remote, row: JobRow, applied: AppliedRow): Promise<void> {
  if (isNew(row)) await learnID(remote, row, applied);
  remote.run.options.onDone?.(row, applied);
  const result = nonEmpty(defined<RowResult>({ ...resultOf(applied), ...foundBeside(row) }));
  noteOutcome(remote, row, result, alteredBy(remote, row, applied));
}

/** The IDs beside a new record, and when its row was sent: later rows are resolved by them. */
const foundBeside = ({ result: { existing, sent } = {} }: JobRow): RowResult =>
  existing === undefined ? {} : defined<RowResult>({ existing, sent });

/** Marks a row as done, or as altered: the first of its kind then stops the job. */
function noteOutcome(
  remote: Remote,
  row: JobRow,
  result: RowResult | undefined,
  altered: ServiceError | undefined,
): void {
  const isFirst = !remote.tried.has(kindOf(row));
  remote.tried.add(kindOf(row));
  if (!altered) {
    noteState(remote, row, 'done', result);
    return;
  }
  noteError(remote, { ...row, ...defined<Pick<JobRow, 'result'>>({ result }) }, 'altered', altered);
  if (isFirst) remote.stopped ??= stoppedAt(row, altered);
}

function alteredBy(
  { run: { head } }: Remote,
  row: JobRow,
  { after, comparison }: AppliedRow,
): ServiceError | undefined {
  if (!comparison) return undefined;
  const what = `the ${singular(resourceNamed(row.resource))} ${String(after.ID ?? row.id ?? '')}`.trim();
  return alteredError(what, comparison, { do: 'take-back-job', job: head.id });
}

/** The first new record shows whether the service keeps IDs; the job stores it for later runs. */
async function learnID(remote: Remote, row: JobRow, applied: AppliedRow): Promise<void> {
  if (applied.id !== undefined && row.id !== undefined) remote.run.idMap.set(row.id.toLowerCase(), applied.id);
  if (applied.id !== undefined) remote.ids.add(row, applied.id);
  // An answer without an ID shows nothing.
  if ((applied.after.ID ?? null) !== null) await learnKept(remote, row, applied.id === undefined);
}

async function learnKept(remote: Remote, row: JobRow, keepsIDs: boolean): Promise<void> {
  if (!takesID(resourceNamed(row.resource)) || remote.storedKept === keepsIDs) return;
  remote.keepsIDs = keepsIDs;
  remote.storedKept = keepsIDs;
  const { jobs, head } = remote.run;
  await jobs.set(head.id, { settings: { ...head.settings, keepsIDs } });
}

/**
 * Tries once to resolve an unknown outcome; otherwise a later run does. Where the service does not answer, the run stops:
 * further outcomes would be unknown, too.
 */
async function resolveAfterNoAnswer(remote: Remote, { row }: ReadyRow, error: ServiceError): Promise<void> {
  const resolution = await resolveUnknown(remote.run.session, row, lookingOf(remote)).catch(
    (why: unknown): Resolution => {
      if (!(why instanceof ServiceError)) throw why;
      if (isLasting(why)) remote.stopped ??= why;
      return { state: 'unknown', why: why.message };
    },
  );
  if (resolution.state === 'done') return noteResolution(remote, row, resolution);
  const busy = error.cause instanceof ServiceError && isLasting(error.cause) ? error.cause : undefined;
  if (busy && resolution.state === 'again') return noteRefusal(remote, row, busy);
  remote.stopped ??= busy;
  noteError(remote, row, 'unknown', error);
}

/** Marks a resolved outcome. */
async function noteResolution(
  remote: Remote,
  row: JobRow,
  resolution: Exclude<Resolution, { state: 'again' }>,
): Promise<void> {
  if (resolution.state === 'done') return noteDone(remote, row, await appliedLater(remote, row, resolution));
  const error = new ServiceError('unknown_outcome', `it is not known whether the change was made: ${resolution.why}`, {
    hint: `Look at the ${plural(resourceNamed(row.resource))} yourself; nothing is sent again.`,
    next: { do: 'settle-row', job: remote.run.head.id, row: row.number, id: resolution.id },
  });
  noteError(remote, row, 'unknown', error);
}

/**
 * The outcome of a row whose answer was lost and whose record shows later that it was done. Without the record as it was before,
 * the expected values stand in for it. Side effects that cannot be read are left out.
 */
async function appliedLater(
  { run }: Remote,
  row: JobRow,
  { record, result: expected }: Extract<Resolution, { state: 'done' }>,
): Promise<AppliedRow> {
  const { now, effects: beside = [] } = row.result ?? {};
  const effects = await effectsSince(run.session, beside).catch(() => []);
  const applied = appliedOf(row, now, record ?? {}, record && comparisonOf(row, now, record));
  const later = {
    ...applied,
    ...(record && (now || isNew(row)) ? {} : { before: expected?.before, left: expected?.after }),
    ...(effects.length > 0 ? { effects } : {}),
  };
  return record && isNew(row) && reportsToItself(row) ? movedToTop(run.session, row, later) : later;
}

/** Marks the row as failed. A lasting error leaves it pending for a later run, and stops this one. */
async function noteRefusal(remote: Remote, row: JobRow, error: ServiceError): Promise<void> {
  if (isLasting(error)) {
    noteState(remote, row, 'pending', keptOf(row));
    remote.stopped ??= error;
    return;
  }
  noteError(remote, { ...row, result: foundBeside(row) }, 'failed', error);
  if ((remote.run.options.onError ?? 'continue') !== 'continue') remote.stopped ??= stoppedAt(row, error);
}

/** The expected result is kept beside the error; the whole record only until the outcome is known. */
function noteError(remote: Remote, row: JobRow, state: RowState, error: ServiceError): void {
  const { now, ...expected } = row.result ?? {};
  const result = state === 'unknown' ? row.result : expected;
  noteState(remote, row, state, { ...result, error: errorResult(error) });
  remote.run.options.onFailed?.(row, error);
}

/** Does not wait for the mark: the intent of the next row is written after it, or with it. */
function noteState(remote: Remote, row: JobRow, state: RowState, result?: RowResult): void {
  const { counter, options } = remote.run;
  const noted: Promise<void> = remote.marks
    .add(markOf(row.number, state, result))
    .then(() => {
      counter.addRow(row, state, result);
      options.onProgress?.(counter.counts);
    })
    .catch((error: unknown) => {
      remote.broken ??= { error };
    })
    .finally(() => remote.pendingMarks.delete(noted));
  remote.pendingMarks.add(noted);
}
