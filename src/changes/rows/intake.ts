// Makes changes of the rows of a file: binds columns, reads cells, finds names, matches rows with records and orders them.
// All faults are reported together, before anything is sent.
import type { Finder } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { sameID } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { type Resource, type Row, singular, type Value } from '../../contract/resource.ts';
import { ahead } from '../../text/ahead.ts';
import { collect } from '../../text/batches.ts';
import { oncePer, valueAt } from '../../text/once-per.ts';
import { faultList } from '../files/bad-file.ts';
import type { InputFile } from '../files/input.ts';
import { totalsHint } from '../files/table.ts';
import type { Change } from '../plan/change.ts';
import { isPlace, ranksOfNew } from '../plan/required-fields.ts';
import { wordOf } from '../plan/unnamed.ts';
import type { Binding } from './columns.ts';
import { byKey, keyText } from './keys.ts';
import { makingDepartments } from './made-departments.ts';
import { faultsOfNew, matchByKey, matchRow, readAhead, refuseNamesakes, refuseTakenNames } from './match-rows.ts';
import { type FileNames, fileNames, NO_NAMES, resolvedBefore, resolveReferences, rowsNamed } from './named-records.ts';
import { orderRows, swapUnique, treeFields } from './order.ts';
import { countIn, type IntakeOptions, type Matcher, newCounts, type Reader, rowReader, type Work } from './reader.ts';
import { changesFor } from './row-changes.ts';
import { CREATING, inHeadings, isUnmatched, type Records, type Reference, type RowDraft } from './row-draft.ts';
import { sharedEmails } from './shared-emails.ts';

export type Intake = ReturnType<typeof intakeOf>;

/** Rows that are handled together. */
const BATCH = 1_000;

export function intakeOf(input: InputFile, given: Records, options: IntakeOptions) {
  const counts = newCounts();
  const isMaking = options.make && options.mode !== 'delete' && options.mode !== 'undelete';
  const making = isMaking ? makingDepartments(given) : undefined;
  const records = cachedRecords(making?.records ?? given);
  const emails = sharedEmails(records.find, !records.projection);
  return {
    counts,
    /** Sentences about values that are allowed and are mostly mistakes; known after the last change. */
    warnings: emails.sentences,
    /** Batches of changes, in the order in which they run. Throws `BadFile` after the last one where a row has a fault. */
    async *changes(): AsyncGenerator<readonly Change[]> {
      const faults = faultList(options.file);
      const ranks = ranksOfNew(records.find, records.me.site);
      const work: Work = { input, options, counts, faults, emails, records, ranks, making, sha256: await input.hash() };
      const isTree = treeFields(options.resource).length > 0;
      yield* isTree ? wholeFile(work) : inBatches(work);
      faults.throwIfAny();
    },
  };
}

/** Rows that cannot refer to each other are handled in batches. */
async function* inBatches(work: Work): AsyncGenerator<readonly Change[]> {
  const reader = rowReader(work);
  for await (const rows of reader.batches(BATCH)) {
    const made = (await work.making?.changesFor(work, rows)) ?? [];
    yield [...made, ...[...(await changesOfAll(work, reader, rows, NO_NAMES)).values()].flat()];
  }
}

/** Rows that may refer to each other are read together, and ordered. */
async function* wholeFile(work: Work): AsyncGenerator<readonly Change[]> {
  const { options, records, faults } = work;
  const { resource, mode } = options;
  const reader = rowReader(work);
  const rows: RowDraft[] = [];
  for await (const some of reader.batches(BATCH)) rows.push(...some);
  const made = (await work.making?.changesFor(work, rows)) ?? [];
  const changes = await changesOfAll(work, reader, rows, fileNames(resource, rows));
  const ordered = await orderRows(
    resource,
    rows.filter(({ isRepeated }) => !isRepeated),
    records,
  );
  for (const fault of ordered.faults) faults.add(fault);
  const steps = swapUnique(resource, ordered.drafts, ordered.ancestorsOf).flatMap(({ draft, aside }) =>
    aside ? asideChange(resource, draft, aside) : (changes.get(draft) ?? []),
  );
  const changed = new Set<string>();
  // Children are deleted before their parents, with which they would go.
  yield [...made, ...(mode === 'delete' ? steps.toReversed() : steps).map((step) => withoutStaleState(step, changed))];
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
  for (const row of rows) if (!row.isRepeated && !isUnmatched(row, key)) reader.refuseAlike(row);
  const byID = options.key.length > 0 && key.includes('ID') && !records.projection;
  const rules = {
    ...options,
    key,
    byID,
    isKeyless: matcher?.isKeyless === true,
    isAlone: !records.projection,
    awaits: records.projection?.awaits,
    site: records.me.site,
    sha256: work.sha256,
    counts,
  };
  for (const row of rows) if (row.doubts.size > 0) row.faults.push(...faultsOfNew(row));
  if (options.mode === 'delete') refuseHidden(work, rows);
  const resolve = async (row: RowDraft): Promise<void> => resolveReferences(row, names, records);
  if (isAhead) await collect(ahead(rows, records.readsAtOnce ?? 1, resolve));
  const all = new Map<RowDraft, readonly Change[]>();
  const { resource, mode } = options;
  const takesRanks = isPlace(resource, 'Rank') && CREATING.includes(mode);
  for (const some of piecesOf(rows)) {
    await lookUpOthers(work, some, names);
    for (const row of some) {
      const resolving = row.isRepeated ? undefined : resolveReferences(row, names, records);
      if (resolving) await resolving;
      const ranking = takesRanks && !row.found ? work.ranks(resource, row.values) : undefined;
      const rank = ranking instanceof Promise ? await ranking : ranking;
      if (rank !== undefined) row.values.Rank = rank;
      const changes = changesOf(work, row, (one) => (matcher ? changesFor(one, rules) : []));
      if (row.id !== undefined) records.named?.add(wordOf(resource.name, row.id));
      if (!changes) {
        // Rows of later files name it all the same: that it has a fault is said once.
        if (row.faults.length > 0) records.projection?.note(options.resource, row, []);
        continue;
      }
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
  const isApart = names.size === 0 && !work.records.projection;
  if (isAhead && matcher.key.length > 0) await readAhead(work, matcher, rows);
  for (const some of piecesOf(rows)) {
    await lookUpKeys(work, matcher, some, names);
    for (const row of some) {
      const matching = isApart ? matchByKey(work, matcher, row, names) : matchRow(work, matcher, row, names, matched);
      if (matching) await matching;
    }
  }
  if (!CREATING.includes(work.options.mode)) return;
  await refuseNamesakes(work, matcher, rows);
  await refuseTakenNames(work, matcher, rows);
}

/** Who filters a sheet means the rows that are left. */
function refuseHidden({ input: { hidden } }: Work, rows: readonly RowDraft[]): void {
  const lines = new Set(hidden);
  const hint = 'Show the row in Excel, or delete it from the sheet.';
  for (const { line, faults } of rows)
    if (lines.has(line))
      faults.push({ line, message: 'is hidden in the sheet, but its record would be deleted', hint });
}

/** Rows whose records are looked up together. */
const piecesOf = (rows: readonly RowDraft[]): readonly (readonly RowDraft[])[] =>
  Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, at) => rows.slice(at * BATCH, (at + 1) * BATCH));

/** The changes of a matched row; undefined if it is repeated or has a fault. */
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
  for (const name of row.written.keys()) counts.trimmedIn.add(inHeadings(row, [name]));
  for (const name of row.days) {
    const [day, year] = /^(\d{4})-..-../.exec(String(row.values[name])) ?? [];
    if (day && (day === '1970-01-01' || Number(year) <= 1900 || Number(year) >= 2200))
      countIn(counts.endless, `${inHeadings(row, [name])} ${day}`);
  }
  const changes = changesFor(row);
  const totals = row.faults.length > 0 ? totalsHint(row.line, [row.first]) : undefined;
  for (const fault of row.faults)
    faults.add(totals ? { ...fault, hint: `${fault.hint ?? ''} ${totals}`.trim() } : fault);
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
  const { now: _now, ...rest } = change;
  const isLater = change.id !== undefined && before.has(change.id);
  if (change.id !== undefined) before.add(change.id);
  return isLater ? rest : change;
}

const MOST_CACHED = 100_000;

/**
 * Caches resolved names: the same few occur in thousands of rows. For members without an index, all records are read once.
 * `resolve` throws `not_found` for an ID without a record, too.
 */
function cachedRecords(records: Records): Records {
  const cacheOf = oncePer((_targets: readonly string[]) => new Map<string, Promise<string>>());
  const idsOf = oncePer((_targets: readonly string[]) => new Map<string, string>());
  const resolve: Records['resolve'] = async (targets, text, isQuiet) => {
    const id = await resolveExisting(records, targets, text, isQuiet);
    const ids = idsOf(targets);
    if (ids.size >= MOST_CACHED) ids.clear();
    ids.set(text, id);
    return id;
  };
  const { record, byMembers, all } = records.find;
  return {
    ...records,
    find: { record, byMembers: indexed(byMembers), ...(records.gathered && all ? { all } : {}) },
    resolve(targets, text, isQuiet) {
      const cache = cacheOf(targets);
      const found = cache.get(text) ?? resolve(targets, text, isQuiet);
      if (cache.size >= MOST_CACHED) cache.clear();
      cache.set(text, found);
      return found;
    },
    resolved: (targets, text) => idsOf(targets).get(text),
  };
}

/** Checks that an ID has a record, which `resolve` does not. The UserID of a principal is no ID of a record. */
async function resolveExisting(
  records: Records,
  ...[targets, text, isQuiet]: Parameters<Records['resolve']>
): Promise<string> {
  const id = await records.resolve(targets, text, isQuiet);
  const isName = !sameID(text.replace(/^id:/, ''), id);
  if (isName || targets.includes('principal')) return id;
  for (const target of targets) if ((await records.find.record(target, { id }, 'many')).row) return id;
  const words = targets.map((target) => singular(resourceNamed(target)));
  throw new ServiceError('not_found', `no ${words.join(' or ')} of this site has this ID`);
}

type Beside = Finder['byMembers'];
type Groups = ReadonlyMap<string, readonly Row[]>;

function indexed(beside: Beside): Beside {
  const known = new Map<string, Promise<Groups | undefined>>();
  return async (name, members) => {
    const resource = resourceNamed(name);
    if (hasIndex(resource, members)) return beside(name, members);
    const names = Object.keys(members);
    const key = `${name} ${names.join()}`;
    const found = await valueAt(known, key, () =>
      beside(name, {}).then((rows) => rows && byKey(resource, names, rows)),
    );
    return found && (found.get(keyText(resource.fields, names, members)) ?? []);
  };
}

function hasIndex(resource: Resource, members: Row): boolean {
  const owners = ownersOf(resource).map(({ field }) => field);
  const names = Object.keys(members);
  return names.length === 0 || names.some((name) => owners.includes(name) || resource.names.includes(name));
}

/** The keys of the rows: the records that they name, and then those that have them. */
async function lookUpKeys(
  work: Work,
  { key, find, isNone, spare }: Matcher,
  rows: readonly RowDraft[],
  names: FileNames,
): Promise<void> {
  if (!work.records.gathered || key.length === 0) return;
  const members = [...key, ...(spare?.key ?? [])];
  if (await isNone())
    return sideBySide(work, firstToName(work, rows, names), (row) => namedIn(work, row, names, members));
  const values = new Map<RowDraft, Readonly<Record<string, Value>>>();
  await sideBySide(work, rows, async (row) => {
    values.set(row, { ...row.values, ...(await namedIn(work, row, names, members)) });
  });
  const look = async (row: RowDraft, by: Pick<Matcher, 'key' | 'find'>): Promise<unknown> => {
    const own = values.get(row);
    return own && by.key.every((name) => own[name] != null) ? by.find(own) : undefined;
  };
  // In the order of the rows, as they will be matched.
  await sideBySide(work, rows, (row) => look(row, { key, find }), 'kept');
  if (spare) await sideBySide(work, rows, (row) => look(row, spare), 'kept');
}

/** The other records that they name, and those who have an e-mail that they give. */
function lookUpOthers(work: Work, rows: readonly RowDraft[], names: FileNames): Promise<void> {
  const { resource } = work.options;
  const asking = resource.name === 'individual' ? rows : firstToName(work, rows, names);
  return sideBySide(work, asking, async (row) => {
    await namedIn(work, row, names);
    const { Email } = row.values;
    if (resource.name === 'individual' && typeof Email === 'string')
      await work.records.find.byMembers('individual', { Email });
  });
}

/** The rows with a name that is not resolved yet, and that no row before them has in this column. */
function firstToName({ records }: Work, rows: readonly RowDraft[], names: FileNames): readonly RowDraft[] {
  const named = new Map<string, Set<string>>();
  const isFirst = ({ column }: Binding, text: string): boolean => {
    const texts = valueAt(named, column, () => new Set<string>());
    return !texts.has(text) && texts.add(text).size > 0;
  };
  const asks = ({ binding, texts }: Reference): boolean =>
    texts.some((text) => resolvedBefore(binding, text, names, records) === undefined && isFirst(binding, text));
  return rows.filter(({ values, references }) =>
    references.some((one) => values[one.binding.member] == null && asks(one)),
  );
}

/** Errors come again in the turn of the row. */
async function sideBySide(
  { records: { gathered } }: Work,
  rows: readonly RowDraft[],
  look: (row: RowDraft) => Promise<unknown>,
  before?: 'kept',
): Promise<void> {
  if (!before) gathered?.forget();
  await gathered?.together(() => collect(rows.map((row) => look(row).catch(() => undefined))));
}

/** The IDs of single records that the row names, of all members or of `only` these; without other rows of the file. */
async function namedIn(
  { records }: Work,
  row: RowDraft,
  names: FileNames,
  only?: readonly string[],
): Promise<Readonly<Record<string, Value>>> {
  const found: Record<string, Value> = {};
  const looking = row.references.map(async ({ binding, texts: [text, ...more] }) => {
    const { member, targets, by } = binding;
    const isOpen = !by && row.values[member] == null && (!only || only.includes(member));
    if (text === undefined || more.length > 0 || !isOpen || rowsNamed(row, names, [member]).length > 0) return;
    found[member] = await records.resolve(targets, text);
  });
  await Promise.all(looking);
  return found;
}
