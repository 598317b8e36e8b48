// Finds the record that each row of a file is about, by its key.
import { resourceNamed } from '../../contract/index.ts';
import { placeMembers } from '../../contract/record-address.ts';
import { plural, type Row, singular } from '../../contract/resource.ts';
import { textKey } from '../../text/text-key.ts';
import { ownersShowing } from '../plan/current-record.ts';
import { isReferredTo } from './folder-rows.ts';
import { keyText } from './keys.ts';
import { type FileNames, resolveNamings, rowsNamed } from './named-records.ts';
import type { Matcher, Work } from './reader.ts';
import type { RowDraft } from './row-draft.ts';

/** A row whose key names another row of the file needs that one to be found first. */
export async function matchOnce(
  work: Work,
  matcher: Matcher,
  row: RowDraft,
  names: FileNames,
  matched: Set<RowDraft>,
): Promise<void> {
  if (matched.has(row)) return;
  matched.add(row);
  for (const other of rowsNamed(row, names, matcher.key)) await matchOnce(work, matcher, other, names, matched);
  await match(work, matcher, row, names);
  const { foreseen } = work.records;
  if (names.size > 0 || (foreseen && isReferredTo(work.options.resource)))
    row.id ??= typeof row.values.ID === 'string' ? row.values.ID : work.options.newID();
}

/** Finds the record that a row is about. */
async function match(work: Work, { key, find, spare, seen }: Matcher, row: RowDraft, names: FileNames): Promise<void> {
  if (row.faults.length > 0 || key.length === 0) return;
  const { resource, mode } = work.options;
  // What is shown by the list of its owner alone is looked for there.
  const owners = key.includes('ID') ? placeMembers(resource) : [];
  await resolveNamings(row, names, work.records, [...key, ...owners]);
  // Rows that name each other in a ring have no key; their loop is told when they are put in order.
  const isOpen = row.namings.some(({ binding: { member } }) => key.includes(member) && row.values[member] == null);
  if (row.faults.length > 0 || isOpen) return;
  atSite(work, row, [...key, ...owners]);
  const missing = key.filter((name) => row.values[name] == null && !resource.fields[name]?.nullable);
  if (missing.length > 0) {
    if (mode !== 'create') row.faults.push(keyless(row, missing));
    return;
  }
  const before = seen.meet(keyText(resource.fields, key, row.values), row.line);
  if (before !== undefined) {
    row.faults.push({ line: row.line, message: `has the same ${key.join(' and ')} as line ${before}` });
    return;
  }
  const found = await find(row.values);
  if (!found) return refuseUnseen(work, row, key);
  if (found.length > 0 || !spare) return take(work, row, key, found);
  await matchSpare(work, spare, row, names);
}

/** Finds a record that has another ID here; one that another row of the file is about is not meant. */
async function matchSpare(
  work: Work,
  { key, find, taken }: NonNullable<Matcher['spare']>,
  row: RowDraft,
  names: FileNames,
): Promise<void> {
  const { resource } = work.options;
  await resolveNamings(row, names, work.records, key);
  atSite(work, row, key);
  const isSaid = key.every((name) => row.values[name] != null || resource.fields[name]?.nullable);
  if (row.faults.length > 0 || !isSaid) return;
  const isFree = ({ ID }: Row): boolean => !taken.has(ID) && !names.has(`${resource.name} ${textKey(String(ID))}`);
  const found = await find(row.values);
  if (!found) return refuseUnseen(work, row, key);
  take(work, row, key, found.filter(isFree));
  if (row.found) taken.add(row.found.ID);
}

/** What stands below no record stands below the site. */
function atSite({ options, records }: Work, { values }: RowDraft, key: readonly string[]): void {
  for (const name of key) if (options.resource.fields[name]?.to?.includes('site')) values[name] ??= records.me.site;
}

const keyless = ({ line }: RowDraft, missing: readonly string[]) => ({
  line,
  message: `has no ${missing.join(' and no ')}, by which its record would be found`,
  hint: 'Fill it in, or say --key with other members.',
});

/** What may be there already is not made a second time, where nobody says that all rows are new. */
function refuseUnseen({ options: { resource, mode } }: Work, row: RowDraft, key: readonly string[]): void {
  if (mode === 'create') return;
  const owners = ownersShowing(resource, 0).map((owner) => singular(resourceNamed(owner)));
  row.faults.push({
    line: row.line,
    message: `cannot be matched: the service does not show whether there is a ${singular(resource)} with this ${key.join(' and ')}`,
    hint:
      owners.length > 0
        ? `It lists ${plural(resource)} only of one owner: say whose it is in a column ${owners.join(' or ')}, or --mode create where all rows are new.`
        : 'Say --mode create where all rows are new.',
  });
}

/** The one record there is, a live one before those that are deleted. */
function take({ options, records }: Work, row: RowDraft, key: readonly string[], found: readonly Row[]): void {
  const live = found.filter(({ Deleted, DeletedByRef }) => Deleted !== true && DeletedByRef !== true);
  const candidates = live.length > 0 ? live : found;
  if (candidates.length > 1) {
    const ids = candidates.slice(0, 3).map(({ ID }) => String(ID));
    row.faults.push({
      line: row.line,
      message: `fits ${candidates.length} ${plural(options.resource)} by its ${key.join(' and ')}: ${ids.join(', ')}`,
      hint: 'Match them by their IDs: a column ID, and --key ID.',
    });
    return;
  }
  row.found = candidates[0];
  row.foreseenAs = records.foreseen?.as(row.found);
  // Other rows of the file that name this one mean the new record.
  const isAnew = row.found?.Deleted === true && options.onDeleted === 'new';
  if (row.found) row.id = isAnew ? options.newID() : String(row.found.ID);
}
