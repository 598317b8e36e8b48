// Makes changes of the rows of a file: binds columns, reads cells, finds names, matches rows with records and orders them.
// All faults are reported together, before anything is sent.
import type { Resource } from '../../contract/resource.ts';
import { ahead } from '../../text/ahead.ts';
import { collect } from '../../text/batches.ts';
import { faultList } from '../files/bad-file.ts';
import type { InputFile } from '../files/input.ts';
import type { Change } from '../plan/change.ts';
import { cachedRecords } from './cached-records.ts';
import { lookUpKeys, lookUpOthers } from './look-up.ts';
import { faultsOfNew, matchRow, readAhead } from './match-rows.ts';
import { type FileNames, fileNames, NO_NAMES, resolveReferences } from './named-records.ts';
import { orderRows, swapUnique, treeFields } from './order.ts';
import {
  type IntakeCounts,
  type IntakeOptions,
  type Matcher,
  newCounts,
  type Reader,
  rowReader,
  type Work,
} from './reader.ts';
import { changesFor } from './row-changes.ts';
import type { Records, RowDraft } from './row-draft.ts';
import { sharedEmails } from './shared-emails.ts';

export interface Intake {
  readonly counts: IntakeCounts;
  /** Batches of changes, in the order in which they run. Throws `BadFile` after the last one where a row has a fault. */
  changes(): AsyncGenerator<readonly Change[]>;
  /** Sentences about values that are allowed and are mostly mistakes; known after the last change. */
  warnings(): readonly string[];
}

/** Rows that are handled together. */
const BATCH = 1_000;

export function intakeOf(input: InputFile, given: Records, options: IntakeOptions): Intake {
  const counts = newCounts();
  const records = cachedRecords(given);
  const emails = sharedEmails(records.find);
  return {
    counts,
    warnings: emails.sentences,
    async *changes() {
      const faults = faultList(options.file);
      const work: Work = { input, options, counts, faults, emails, records, sha256: await input.hash() };
      const isTree = treeFields(options.resource).length > 0;
      yield* isTree ? wholeFile(work) : inBatches(work);
      faults.throwIfAny();
    },
  };
}

/** Rows that cannot refer to each other are handled in batches. */
async function* inBatches(work: Work): AsyncGenerator<readonly Change[]> {
  const reader = rowReader(work);
  for await (const rows of reader.batches(BATCH))
    yield [...(await changesOfAll(work, reader, rows, NO_NAMES)).values()].flat();
}

/** Rows that may refer to each other are read together, and ordered. */
async function* wholeFile(work: Work): AsyncGenerator<readonly Change[]> {
  const { options, records, faults } = work;
  const { resource, mode } = options;
  const reader = rowReader(work);
  const rows: RowDraft[] = [];
  for await (const some of reader.batches(BATCH)) rows.push(...some);
  const changes = await changesOfAll(work, reader, rows, fileNames(resource, rows));
  const ordered = await orderRows(resource, [...changes.keys()], records);
  for (const fault of ordered.faults) faults.add(fault);
  const steps = swapUnique(resource, ordered).flatMap(({ draft, aside }) =>
    aside ? asideChange(resource, draft, aside) : (changes.get(draft) ?? []),
  );
  const changed = new Set<string>();
  // Children are deleted before their parents, with which they would go.
  yield (mode === 'delete' ? steps.toReversed() : steps).map((step) => withoutStaleState(step, changed));
}

/** The changes of each row that has no fault. */
async function changesOfAll(
  work: Work,
  reader: Reader,
  rows: readonly RowDraft[],
  names: FileNames,
): Promise<ReadonlyMap<RowDraft, readonly Change[]>> {
  const matcher = rows.length === 0 ? undefined : reader.matcher();
  const { options, records, counts, emails } = work;
  const isAhead = names.size === 0 && records.readsAtOnce !== undefined;
  if (matcher) await matchRows(work, matcher, rows, { names, isAhead });
  const key = matcher?.key ?? [];
  const byID = options.key.length > 0 && key.includes('ID') && !records.projection;
  const rules = { ...options, key, byID, site: records.me.site, sha256: work.sha256, counts };
  for (const row of rows) row.faults.push(...faultsOfNew(row));
  const resolve = async (row: RowDraft): Promise<void> => resolveReferences(row, names, records);
  if (isAhead) await collect(ahead(rows, records.readsAtOnce ?? 1, resolve));
  const all = new Map<RowDraft, readonly Change[]>();
  for (const some of piecesOf(rows)) {
    await lookUpOthers(work, some, names);
    for (const row of some) {
      const resolving = row.isRepeated ? undefined : resolveReferences(row, names, records);
      if (resolving) await resolving;
      const changes = changesOf(work, row, (one) => (matcher ? changesFor(one, rules) : []));
      if (!changes) continue;
      // Most rows have nothing to wait for: a wait costs as much as what is done for a row.
      if (options.resource.name === 'individual') for (const change of changes) await emails.look(change);
      records.projection?.note(options.resource, row, changes);
      all.set(row, changes);
    }
  }
  return all;
}

async function matchRows(
  work: Work,
  matcher: Matcher,
  rows: readonly RowDraft[],
  { names, isAhead }: { readonly names: FileNames; readonly isAhead: boolean },
): Promise<void> {
  // Without a key, and without names of rows, no row has a record or an ID to be found.
  if (matcher.key.length === 0 && names.size === 0 && !work.records.projection) return;
  const matched = new Set<RowDraft>();
  if (isAhead && matcher.key.length > 0) await readAhead(work, matcher, rows);
  for (const some of piecesOf(rows)) {
    await lookUpKeys(work, matcher, some, names);
    for (const row of some) await matchRow(work, matcher, row, names, matched);
  }
}

/** Rows whose records are looked up together. */
const piecesOf = (rows: readonly RowDraft[]): readonly (readonly RowDraft[])[] =>
  Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, at) => rows.slice(at * BATCH, (at + 1) * BATCH));

/** The changes of a matched row; undefined where it is repeated or has a fault. */
function changesOf(
  { faults, counts }: Work,
  row: RowDraft,
  changesFor: (row: RowDraft) => readonly Change[],
): readonly Change[] | undefined {
  if (row.isRepeated) {
    counts.repeated++;
    return undefined;
  }
  counts.trimmed += row.written.size;
  const changes = changesFor(row);
  for (const fault of row.faults) faults.add(fault);
  return row.faults.length > 0 ? undefined : changes;
}

function asideChange(
  resource: Resource,
  { id, found, line }: RowDraft,
  { member, text }: { readonly member: string; readonly text: string },
): readonly Change[] {
  if (id === undefined || !found) return [];
  return [{ resource: resource.name, operation: 'update', id, line, patch: { [member]: text }, now: found }];
}

/** Only the first change of a record can be checked for drift: it changes the record for the others. */
function withoutStaleState(change: Change, before: Set<string>): Change {
  if (change.id === undefined) return change;
  if (!before.has(change.id)) {
    before.add(change.id);
    return change;
  }
  const { now: _now, ...rest } = change;
  return rest;
}
