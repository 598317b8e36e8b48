// Marks what became of a row on a remote service, and resolves an outcome that is unknown.
import { ServiceError } from '../../../contract/errors.ts';
import { resourceNamed } from '../../../contract/index.ts';
import type { JobRow, RowResult, RowState } from '../../../contract/jobs.ts';
import { plural, singular } from '../../../contract/resource.ts';
import { defined, nonEmpty } from '../../../text/defined.ts';
import { takesID } from '../../plan/planner.ts';
import { type AppliedRow, appliedOf, comparisonOf, resultOf } from '../apply-row.ts';
import { alteredError } from '../compare-answer.ts';
import { errorResult } from '../counts.ts';
import { markOf } from '../marks.ts';
import { isLasting, stoppedAt } from '../options.ts';
import { effectsSince } from '../side-effects.ts';
import { type Resolution, resolveUnknown } from './resolve-unknown.ts';
import { isNew, kindOf, lookingOf, type ReadyRow, type Remote } from './state.ts';

export function noteDrift(remote: Remote, row: JobRow, error: ServiceError): void {
  noteError(remote, row, 'drifted', error);
  if (remote.run.options.onDrift === 'stop') remote.stopped ??= error;
}

export async function noteDone(remote: Remote, row: JobRow, applied: AppliedRow): Promise<void> {
  if (isNew(row)) await learnID(remote, row, applied);
  remote.run.options.onDone?.(row, applied);
  const result = nonEmpty(defined<RowResult>({ ...resultOf(applied), ...foundBeside(row) }));
  noteOutcome(remote, row, result, alteredBy(remote, row, applied));
}

/** What a row found beside its record, and when it was sent: later rows are resolved by it. */
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
  if (!takesID(resourceNamed(row.resource))) return;
  const keepsIDs = applied.id === undefined;
  if (remote.keepsIDs === keepsIDs) return;
  remote.keepsIDs = keepsIDs;
  const { jobs, head } = remote.run;
  await jobs.set(head.id, { settings: { ...head.settings, keepsIDs } });
}

/**
 * Tries once to resolve an unknown outcome; otherwise a later run does. Where the service does not answer, the run stops:
 * further outcomes would be unknown, too.
 */
export async function resolveAfterNoAnswer(remote: Remote, { row }: ReadyRow, error: ServiceError): Promise<void> {
  const resolution = await resolveUnknown(remote.run.session, row, lookingOf(remote)).catch(
    (why: unknown): Resolution => {
      if (!(why instanceof ServiceError)) throw why;
      if (isLasting(why)) remote.stopped ??= why;
      return { state: 'unknown', why: why.message };
    },
  );
  if (resolution.state === 'done') return noteResolution(remote, row, resolution);
  noteError(remote, row, 'unknown', error);
}

/** Marks a resolved outcome. */
export async function noteResolution(
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
 * A row that was done, as its record shows later, and with what was expected where the record before is not known. What it
 * changed besides is left out where that cannot be read.
 */
async function appliedLater(
  { run }: Remote,
  row: JobRow,
  { record, result: expected }: Extract<Resolution, { state: 'done' }>,
): Promise<AppliedRow> {
  const { now, effects: beside = [] } = row.result ?? {};
  const effects = await effectsSince(run.session, beside).catch(() => []);
  const applied = appliedOf(row, now, record ?? {}, record && comparisonOf(row, now, record));
  return {
    ...applied,
    ...(record && (now || isNew(row)) ? {} : { before: expected?.before, left: expected?.after }),
    ...(effects.length > 0 ? { effects } : {}),
  };
}

/** Marks the row as failed. A lasting error leaves it pending for a later run, and stops this one. */
export async function noteRefusal(remote: Remote, row: JobRow, error: ServiceError): Promise<void> {
  if (isLasting(error)) {
    noteState(remote, row, 'pending');
    remote.stopped ??= error;
    return;
  }
  noteError(remote, { ...row, result: foundBeside(row) }, 'failed', error);
  if ((remote.run.options.onError ?? 'continue') !== 'continue') remote.stopped ??= stoppedAt(row, error);
}

/** The expected result is kept beside the error; the whole record only until it is known what became of it. */
function noteError(remote: Remote, row: JobRow, state: RowState, error: ServiceError): void {
  const { now, ...expected } = row.result ?? {};
  const result = state === 'unknown' ? row.result : expected;
  noteState(remote, row, state, { ...result, error: errorResult(error) });
  remote.run.options.onFailed?.(row, error);
}

/** Does not wait for the mark: the intent of the next row is written after it, or with it. */
export function noteState(remote: Remote, row: JobRow, state: RowState, result?: RowResult): void {
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
