// The state of one run on a remote service, and what it says of a row.
import { resourceNamed } from '../../../contract/index.ts';
import type { JobRow, PlannedRow } from '../../../contract/jobs.ts';
import { rowsDone } from '../../jobs/state.ts';
import { takesID } from '../../plan/planner.ts';
import { type AppliedRow, operationOfRow } from '../apply-row.ts';
import { type MarkQueue, markQueue } from '../marks.ts';
import type { Run, StopReason } from '../options.ts';
import { type KnownIDs, knownIDs, loadIdMap, mapIDs, resolveAwaited } from './id-map.ts';
import type { Looking } from './resolve-unknown.ts';

/** The state of one run. */
export interface Remote {
  readonly run: Run;
  readonly marks: MarkQueue;
  /** Marks that are not durable yet; the end of the run waits for them. */
  readonly pendingMarks: Set<Promise<void>>;
  /** The kinds of rows of which one was answered in this run. */
  readonly tried: Set<string>;
  readonly ids: KnownIDs;
  /** Does the service keep the IDs of new records? Undefined until the first one shows it. */
  keepsIDs: boolean | undefined;
  /** Until this time (performance.now()) a read may show a record as it was before the job that is taken back. */
  readonly oldUntil: number;
  stopped: StopReason;
  /** A failure that ends the run: of the journal, or a defect. */
  broken: { readonly error: unknown } | undefined;
}

/** How long a service may show a record as it was before a change, in milliseconds. */
const READS_OLD_MS = 5_000;
const LOOK_AGAIN_MS = 100;

/** Waits before a record is read again that seems to be as before; false once that is certain. */
export async function readsMayChange({ oldUntil }: Remote): Promise<boolean> {
  if (!(performance.now() < oldUntil)) return false;
  await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  return true;
}

export async function beginRemote(run: Run): Promise<Remote> {
  const { keepsIDs } = run.head.settings;
  const { ended = '' } = (await run.jobs.head(run.head.undoes ?? '')) ?? {};
  if (rowsDone(run.head) > 0) await loadIdMap(run.idMap, run.jobs, run.head.id);
  return {
    run,
    marks: markQueue(run.jobs, run.head.id),
    pendingMarks: new Set(),
    tried: new Set(),
    ids: knownIDs(run.jobs, run.head.id),
    keepsIDs: typeof keepsIDs === 'boolean' ? keepsIDs : undefined,
    oldUntil: performance.now() + READS_OLD_MS - (run.options.clock().getTime() - Date.parse(ended)),
    stopped: undefined,
    broken: undefined,
  };
}

export const isNew = (row: JobRow): boolean => operationOfRow(row).operation.verb === 'create';

/** Will this row show whether the service keeps the IDs of new records? */
export const showsKeptIDs = ({ keepsIDs }: Remote, row: JobRow): boolean =>
  keepsIDs === undefined && isNew(row) && takesID(resourceNamed(row.resource));

/** Can a new record be found by the ID that it was sent with? */
export const keepsID = ({ keepsIDs }: Remote, row: JobRow): boolean =>
  keepsIDs !== false && takesID(resourceNamed(row.resource));

export const lookingOf = (remote: Remote): Looking => ({
  keepsIDs: remote.keepsIDs,
  knownIDs: remote.ids.of,
  now: remote.run.options.clock(),
  unknownFor: remote.run.options.unknownFor ?? Number.POSITIVE_INFINITY,
});

export const withMappedIDs = ({ run: { session, idMap } }: Remote, row: JobRow): Promise<JobRow> =>
  resolveAwaited(session, mapIDs(row, idMap, isNew(row)));

/** What the answer shows for one row, it shows for all of its kind. */
export const kindOf = ({ resource, operation }: PlannedRow): string => `${resource} ${operation}`;

/** Is this the first row of its kind in this run? It runs alone: where the service loses something, nothing more is sent. */
export const isFirstOfItsKind = ({ tried }: Remote, row: JobRow): boolean => !tried.has(kindOf(row));

/** A row that can be sent. */
export interface ReadyRow {
  /** With the result that is expected. */
  readonly row: JobRow;
  readonly isGone: boolean;
  send(): Promise<AppliedRow>;
}
