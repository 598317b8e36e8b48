// The state of one run on a remote service, and questions about a row of it.
import type { Found } from '../../../contract/call.ts';
import { resourceNamed } from '../../../contract/index.ts';
import type { JobRow, PlannedRow, RowResult } from '../../../contract/jobs.ts';
import { idKey } from '../../../contract/kinds.ts';
import type { Row } from '../../../contract/resource.ts';
import { rowsDone } from '../../jobs/state.ts';
import { isSame } from '../../plan/drift.ts';
import { takesID } from '../../plan/planner.ts';
import { type AppliedRow, operationOfRow } from '../apply-row.ts';
import { markQueue } from '../marks.ts';
import type { Run, StopReason } from '../options.ts';
import { knownIDs, loadIdMap, mapIDs, resolveAwaited } from './id-map.ts';
import type { Looking } from './resolve-unknown.ts';

export type Remote = Awaited<ReturnType<typeof beginRemote>>;

/** How long a service may show a record as it was before a change, in milliseconds, and how many are changed in that time. */
const READS_OLD_MS = 5_000;
const MOST_CHANGES = 5_000;
const LATEST_JOBS = 20;
const LOOK_AGAIN_MS = 100;

interface ChangedLately {
  /** Until this time (performance.now()) a read may show a record as it was before a change. */
  readonly oldUntil: number;
  /** By record, the members that the latest change has changed, as they were before it. */
  readonly before: ReadonlyMap<string, Row>;
  /** Whether the service kept the IDs of new records in the latest job that showed it. */
  readonly keptIDs: boolean | undefined;
}

/** What jobs of this site have shown, and changed a moment ago. */
async function changedLately({ jobs, head, options }: Run): Promise<ChangedLately> {
  const before = new Map<string, Row>();
  let left = 0;
  let keptIDs: boolean | undefined;
  const want = { site: head.site, limit: LATEST_JOBS, onDamaged: () => undefined };
  for (const { id, ended = '', settings } of await jobs.heads(head.profile, want)) {
    if (settings.url !== head.settings.url) continue;
    keptIDs ??= typeof settings.keepsIDs === 'boolean' ? settings.keepsIDs : undefined;
    // A clock may have been set back since.
    const since = Math.max(0, options.clock().getTime() - Date.parse(ended));
    if (!(since < READS_OLD_MS)) continue;
    left = Math.max(left, READS_OLD_MS - since);
    let rows = 0;
    for await (const row of jobs.rows(id, { states: ['done', 'altered'], backwards: true })) {
      if (++rows > MOST_CHANGES) break;
      if (row.result?.before && !before.has(recordOf(row))) before.set(recordOf(row), row.result.before);
    }
  }
  return { oldUntil: performance.now() + left, before, keptIDs };
}

const recordOf = ({ resource, id }: PlannedRow): string => `${resource} ${idKey(id ?? '')}`;

/** The record. It is read again where it is exactly as before a change of a moment ago, until that is certain. */
export async function currentOf(remote: Remote, row: PlannedRow, read: () => Promise<Found> | undefined) {
  let found = await read();
  while (await looksOld(remote, row, found?.row)) found = await read();
  return found;
}

async function looksOld({ lately }: Remote, row: PlannedRow, record: Row | undefined): Promise<boolean> {
  const resource = resourceNamed(row.resource);
  const before = Object.entries(lately.before.get(recordOf(row)) ?? {});
  if (before.length === 0 || performance.now() >= lately.oldUntil) return false;
  // A deleted record is shown as such, or not at all.
  const shown = record ?? { Deleted: true };
  if (!before.every(([name, value]) => isSame(resource, name, value, shown[name]))) return false;
  await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  return true;
}

/** The state of one run. */
export async function beginRemote(run: Run) {
  const { keepsIDs } = run.head.settings;
  const storedKept = typeof keepsIDs === 'boolean' ? keepsIDs : undefined;
  const lately = await changedLately(run);
  if (rowsDone(run.head) > 0) await loadIdMap(run.idMap, run.jobs, run.head.id);
  return {
    run,
    marks: markQueue(run.jobs, run.head.id),
    /** Marks that are not durable yet; the end of the run waits for them. */
    pendingMarks: new Set<Promise<void>>(),
    /** The numbers of rows with an intent that have not begun. */
    markedAhead: new Set<number>(),
    /** The kinds of rows of which one was answered in this run. */
    tried: new Set<string>(),
    ids: knownIDs(run.jobs, run.head.id),
    /** Does the service keep the IDs of new records? Undefined until a job has shown it. */
    keepsIDs: storedKept ?? lately.keptIDs,
    /** The same, as the job has stored it. */
    storedKept,
    lately,
    stopped: undefined as StopReason,
    /** A failure that ends the run: of the journal, or a defect. */
    broken: undefined as { readonly error: unknown } | undefined,
  };
}

export const isNew = (row: JobRow): boolean => operationOfRow(row).operation.verb === 'create';

/** Will this row show whether the service keeps the IDs of new records? */
export const showsKeptIDs = ({ keepsIDs }: Remote, row: JobRow): boolean =>
  keepsIDs === undefined && isNew(row) && takesID(resourceNamed(row.resource));

/** Can a new record be found by the ID that it was sent with? */
export const keepsID = ({ keepsIDs }: Remote, row: JobRow): boolean =>
  keepsIDs !== false && takesID(resourceNamed(row.resource));

/** Will the new record of the row be found by its ID, whatever becomes of the answer? */
export const isFoundByID = (remote: Remote, row: JobRow): boolean =>
  remote.keepsIDs === true && isNew(row) && keepsID(remote, row);

/** Is it not known which record was made? The answer said no ID, and it is not there by the one that it was sent with. */
export const isNameless = (remote: Remote, row: JobRow, { after }: AppliedRow): boolean =>
  isNew(row) && (after.ID ?? null) === null && (remote.keepsIDs !== true || !keepsID(remote, row));

export const lookingOf = (remote: Remote): Looking => ({
  keepsIDs: remote.keepsIDs,
  knownIDs: remote.ids.of,
  now: remote.run.options.clock(),
  unknownFor: remote.run.options.unknownFor ?? Number.POSITIVE_INFINITY,
});

export const withMappedIDs = ({ run: { session, idMap } }: Remote, row: JobRow): Promise<JobRow> =>
  resolveAwaited(session, mapIDs(row, idMap, isNew(row)));

/** The answer to one row shows the same for all rows of its kind. */
export const kindOf = ({ resource, operation }: PlannedRow): string => `${resource} ${operation}`;

/** Is this the first row of its kind in this run? It runs alone: where the service loses something, nothing more is sent. */
export const isFirstOfItsKind = ({ tried }: Remote, row: JobRow): boolean => !tried.has(kindOf(row));

/** Where a row is sent again, its undo restores the values from before the first time. */
export const keptOf = ({ result }: JobRow): RowResult | undefined => result?.before && { before: result.before };

/** The record as it was before the row was sent the first time, as far as that was carried out. */
export function asBefore({ resource, patch, result }: JobRow, found: Found | undefined): Found | undefined {
  if (!found?.row || !patch || !result?.before) return found;
  const { row } = found;
  const made = Object.entries(result.before).filter(
    ([name]) => name in patch && isSame(resourceNamed(resource), name, row[name], patch[name]),
  );
  return { ...found, row: { ...row, ...Object.fromEntries(made) } };
}

/** A row that can be sent. */
export interface ReadyRow {
  /** With the result that is expected. */
  readonly row: JobRow;
  readonly isGone: boolean;
  send(): Promise<AppliedRow>;
}
