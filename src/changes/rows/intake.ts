// From the rows of a file to what is to be planned: columns are bound, cells read, names found, rows matched with the
// records that are there, and put in an order in which they can run. Every fault is told at once, before anything is sent.
import type { Resource } from '../../contract/resource.ts';
import { faultList } from '../files/bad-file.ts';
import type { InputFile } from '../files/input.ts';
import type { Change } from '../plan/change.ts';
import { remembering } from './existing-records.ts';
import { decide } from './match-rows.ts';
import { matchOnce } from './matching.ts';
import { type FileNames, fileNames, resolveNamings } from './named-records.ts';
import { handingOn, inOrder, treeFields } from './order.ts';
import { type IntakeOptions, type Reader, readerOf, type Tally, type Work } from './reader.ts';
import type { Records, RowDraft } from './row-draft.ts';

export interface Intake {
  readonly tally: Tally;
  /** Handfuls of changes, in the order in which they can run. Throws `BadFile` behind the last one where a row has a fault. */
  changes(): AsyncGenerator<readonly Change[]>;
}

const HANDFUL = 500;

export function intakeOf(input: InputFile, given: Records, options: IntakeOptions): Intake {
  const tally: Tally = {
    rows: 0,
    creates: 0,
    updates: 0,
    deletes: 0,
    undeletes: 0,
    clears: 0,
    unchanged: 0,
    skipped: 0,
    readOnly: new Set(),
  };
  return {
    tally,
    async *changes() {
      const faults = faultList(options.file);
      const work: Work = { input, options, tally, faults, records: remembering(given), sha256: await input.hash() };
      const isTree = treeFields(options.resource).length > 0;
      yield* isTree ? wholeFile(work) : handfuls(work);
      faults.settle();
    },
  };
}

/** Rows that cannot refer to each other run as they come. */
async function* handfuls(work: Work): AsyncGenerator<readonly Change[]> {
  const reader = readerOf(work);
  let some: RowDraft[] = [];
  for await (const row of reader.rows()) {
    some.push(row);
    if (some.length < HANDFUL) continue;
    yield await plannable(work, reader, some);
    some = [];
  }
  if (some.length > 0) yield await plannable(work, reader, some);
}

const NO_NAMES: FileNames = new Map();

const plannable = async (work: Work, reader: Reader, rows: readonly RowDraft[]): Promise<readonly Change[]> =>
  [...(await decideAll(work, reader, rows, NO_NAMES)).values()].flat();

/** Rows that may refer to each other are held together, named by what they will be, and ordered. */
async function* wholeFile(work: Work): AsyncGenerator<readonly Change[]> {
  const { options, records, faults } = work;
  const { resource, mode } = options;
  const reader = readerOf(work);
  const rows: RowDraft[] = [];
  for await (const row of reader.rows()) rows.push(row);
  const decided = await decideAll(work, reader, rows, fileNames(resource, rows));
  const ordered = await inOrder(resource, [...decided.keys()], records);
  for (const fault of ordered.faults) faults.add(fault);
  const steps = handingOn(resource, ordered).flatMap(({ draft, aside }) =>
    aside ? asideDrafts(resource, draft, aside) : (decided.get(draft) ?? []),
  );
  const turned = new Set<string>();
  // What stands below is deleted first: it is gone with what it belongs to.
  yield (mode === 'delete' ? steps.toReversed() : steps).map((step) => seenOnce(step, turned));
}

/** What is to become of each row that has no fault. */
async function decideAll(
  work: Work,
  reader: Reader,
  rows: readonly RowDraft[],
  names: FileNames,
): Promise<ReadonlyMap<RowDraft, readonly Change[]>> {
  const { options, records, faults, tally } = work;
  const matcher = rows.length === 0 ? undefined : reader.matcher();
  const matched = new Set<RowDraft>();
  if (matcher) for (const row of rows) await matchOnce(work, matcher, row, names, matched);
  const decided = new Map<RowDraft, readonly Change[]>();
  const rules = { ...options, site: records.me.site, sha256: work.sha256 };
  for (const row of rows) {
    if (row.namings.length > 0) await resolveNamings(row, names, records);
    const changes = matcher ? decide(row, rules, tally) : [];
    for (const fault of row.faults) faults.add(fault);
    if (row.faults.length > 0) continue;
    decided.set(row, changes);
    records.foreseen?.note(options.resource, row, changes);
  }
  return decided;
}

function asideDrafts(
  resource: Resource,
  { id, found, line }: RowDraft,
  { member, text }: { readonly member: string; readonly text: string },
): readonly Change[] {
  if (id === undefined || !found) return [];
  return [{ resource: resource.name, operation: 'update', id, line, patch: { [member]: text }, now: found }];
}

/** What a row relies on is seen once: its second step finds what its first one left. */
function seenOnce(change: Change, before: Set<string>): Change {
  if (change.id === undefined) return change;
  const again = before.has(change.id);
  before.add(change.id);
  if (!again) return change;
  const { now: _now, ...rest } = change;
  return rest;
}
