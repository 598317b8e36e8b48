// Matches each row of a file with a record by its key.
import { resourceNamed } from '../../contract/index.ts';
import { listAddresses, ownersOf, placeMembers } from '../../contract/record-address.ts';
import { isGone, nameOf, plural, type Resource, type Row, singular, valuesOf } from '../../contract/resource.ts';
import { ahead } from '../../text/ahead.ts';
import { after } from '../../text/all-of.ts';
import { collect } from '../../text/batches.ts';
import { quoted } from '../../text/escape.ts';
import { oneLine } from '../../text/names.ts';
import { textKey } from '../../text/text-key.ts';
import { type FileFault, lineOf } from '../files/input.ts';
import { listingOwners } from '../plan/current-record.ts';
import { isSame } from '../plan/drift.ts';
import { wordOf } from '../plan/unnamed.ts';
import { SITE_HINT } from './cells.ts';
import { SET } from './columns.ts';
import { keyText, LEAVE_OUT } from './keys.ts';
import { type FileNames, NO_NAMES, resolveReferences, rowsNamed } from './named-records.ts';
import { treeFields } from './order.ts';
import { isReferredTo } from './projected-records.ts';
import type { Matcher, Work } from './reader.ts';
import {
  contentOf,
  inHeadings,
  isUnmatched,
  memberFault,
  missingOwners,
  olderName,
  type RowDraft,
  WAS,
} from './row-draft.ts';

/** Rows that the key of this row names are matched first. */
export async function matchRow(
  work: Work,
  matcher: Matcher,
  row: RowDraft,
  names: FileNames,
  matched: Set<RowDraft>,
): Promise<void> {
  if (matched.has(row)) return;
  matched.add(row);
  for (const other of rowsNamed(row, names, matcher.key)) await matchRow(work, matcher, other, names, matched);
  if (matcher.key.length > 0) await matchByKey(work, matcher, row, names);
  const { projection } = work.records;
  if (names.size > 0 || (projection && isReferredTo(work.options.resource)))
    row.id ??= typeof row.values.ID === 'string' ? row.values.ID : work.options.newID();
  projection?.noteOlder(work.options.resource, row);
}

/** Finds the record with the key of the row. */
export const matchByKey = (work: Work, matcher: Matcher, row: RowDraft, names: FileNames): void | Promise<void> =>
  after(fillKey(work, matcher.key, row, names), (missing) => {
    if (!missing || !isFirstWithKey(work, matcher, row, missing)) return undefined;
    return after<boolean, void>(matcher.isNone(), (isNone) =>
      isNone ? undefined : findRecord(work, matcher, row, names),
    );
  });

/** Is the key complete, but for `missing`, and has no row before this one the same? */
function isFirstWithKey(work: Work, { key, keyLines }: Matcher, row: RowDraft, missing: readonly string[]): boolean {
  const { resource, mode } = work.options;
  if (missing.length > 0) {
    if (mode !== 'create') row.faults.push(blankKey(row, resource, missing));
    return false;
  }
  // A row that deletes, or takes that back, says no more than its key.
  const content = mode === 'delete' || mode === 'undelete' ? '' : contentOf(row, key);
  const before = keyLines.add(keyText(resource.fields, key, row.values), row.line, content);
  // What belongs to a second file of one person names that file.
  if (before?.isSame && row.keys.length === 0) {
    row.isRepeated = true;
    return false;
  }
  if (before) {
    const same = `has the same ${inHeadings(row, key)} as ${lineOf(work.input, before.line)}`;
    const message = before.isSame ? same : `${same}, and other values`;
    const hint = resource.name === 'individual' ? LEAVE_OUT : 'Leave one of the two rows out.';
    row.faults.push({ line: row.line, message, hint, cause: `same ${resource.name}` });
  }
  return !before;
}

async function findRecord(work: Work, { key, find, spare }: Matcher, row: RowDraft, names: FileNames): Promise<void> {
  const found = await findAsItWas(work, row, await findTrimmed(work, find, key, row), find);
  if (!found) return refuseUnseen(work, row, key);
  if (spare && !found.some((one) => isOfOwner(work.options.resource, row, one)))
    return matchSpare(work, spare, row, names);
  takeFound(work, row, key, found);
  const other = spare && row.found && spare.taken.add(String(row.found.ID), row.line);
  if (other) row.faults.push(twice(row, lineOf(work.input, other.line), spare.key));
}

/** Each site numbers its own: under the number of a row another one may have a record of another owner. */
const isOfOwner = (resource: Resource, { values }: RowDraft, found: Row): boolean =>
  resource.id !== 'integer' ||
  ownersOf(resource).every(({ field }) => values[field] == null || values[field] === found[field]);

/** Fills the members of the key. Answers those that stay empty; undefined if the row cannot be matched. */
function fillKey(work: Work, key: readonly string[], row: RowDraft, names: FileNames) {
  const { resource } = work.options;
  // A record that only the list of its owner shows is looked up there.
  const places = key.includes('ID') ? [...key, ...placeMembers(resource)] : key;
  if (isUnmatched(row, places)) return undefined;
  return after(resolveReferences(row, names, work.records, places), () => {
    // Most rows say all of it: there is nothing to look for then.
    if (places.every((name) => row.values[name] != null)) return [];
    // Rows in a loop have no key: ordering reports the loop.
    const isOpen = row.references.some(({ binding: { member } }) => key.includes(member) && row.values[member] == null);
    if (isOpen || isUnmatched(row, places)) return undefined;
    // An empty cell names the site; a file without the column says nothing of the owner.
    const isSaid = (name: string): boolean => key.includes(name) || row.bindings.some((one) => one?.member === name);
    atSite(work, row, places.filter(isSaid));
    return key.filter((name) => row.values[name] == null && !resource.fields[name]?.nullable);
  });
}

/** Reads side by side the records that a service shows for the keys of these rows; each is then matched in its turn. */
export async function readAhead(work: Work, { key, find }: Matcher, rows: readonly RowDraft[]): Promise<void> {
  const read = async (row: RowDraft): Promise<unknown> =>
    (await fillKey(work, key, row, NO_NAMES))?.length === 0 && find(row.values);
  await collect(ahead(rows, work.records.readsAtOnce ?? 1, read));
}

/** Where no record has the key: the one that has the older name which the row says, beside it or anywhere. */
async function findAsItWas(
  { options: { resource }, records }: Work,
  row: RowDraft,
  found: Awaited<ReturnType<Matcher['find']>>,
  find: Matcher['find'],
): ReturnType<Matcher['find']> {
  const was = olderName(row);
  const [name] = resource.names;
  if (!was || name === undefined || found?.length !== 0) return found;
  const beside = await find({ ...row.values, [name]: was });
  if (beside?.length !== 0) return beside;
  const id = await records.resolve([resource.name], was, true).catch(() => undefined);
  const { row: elsewhere } = id === undefined ? {} : await records.find.record(resource.name, { id }, 'many');
  return elsewhere ? [elsewhere] : found;
}

/** A record may have the very blanks that are trimmed in the row; one blank in place of two makes no second record. */
async function findTrimmed(
  { options: { resource } }: Work,
  find: Matcher['find'],
  key: readonly string[],
  row: RowDraft,
): ReturnType<Matcher['find']> {
  const found = await find(row.values);
  const written = [...row.written].filter(([name]) => key.includes(name) && resource.fields[name]?.kind === 'text');
  if (found?.length !== 0) return found;
  if (written.length > 0) return find({ ...row.values, ...Object.fromEntries(written) });
  for (const name of key.filter((one) => resource.fields[one]?.name)) {
    const value = row.values[name];
    const single = typeof value === 'string' ? oneLine(value) : value;
    if (typeof single !== 'string' || single === value || !(await find({ ...row.values, [name]: single }))?.length)
      continue;
    row.faults.push(memberFault(row, name, `has other blanks than ${quoted(single)}, which is there`, 'Write it so.'));
  }
  return found;
}

/** Finds the record by the spare key, unless another row of the file names it by its ID. */
async function matchSpare(
  work: Work,
  { key, find, taken }: NonNullable<Matcher['spare']>,
  row: RowDraft,
  names: FileNames,
): Promise<void> {
  const { resource } = work.options;
  await resolveReferences(row, names, work.records, key);
  atSite(work, row, key);
  const isSaid = key.every((name) => row.values[name] != null || resource.fields[name]?.nullable);
  if (!isSaid || isUnmatched(row, key)) return;
  const isFree = ({ ID }: Row): boolean =>
    !taken.has(String(ID)) && !names.has(`${resource.name} ${textKey(String(ID))}`);
  const found = await find(row.values);
  if (!found) return refuseUnseen(work, row, key);
  takeFound(work, row, key, found.filter(isFree));
  if (row.found) taken.add(String(row.found.ID), row.line);
}

/**
 * Refuses new records whose name one in another place has, which no row means: it may be meant to move. In a folder also
 * projects, which cannot, and what differs in its name alone from one beside it. Who says the key wants a second one.
 */
export async function refuseNamesakes(work: Work, { key }: Matcher, rows: readonly RowDraft[]): Promise<void> {
  const { options, records, input } = work;
  const { resource } = options;
  const [word, place] = input.columns ? ['row', 'a column'] : ['file', 'its own file:'];
  const asItWas = (name: string): string => `in ${place} ${WAS}: ${name}.`;
  const [above = ''] = records.projection && resource.name === 'project' ? ['AncestorID'] : treeFields(resource);
  if (options.key.length > 0 || !key.includes(above)) return;
  const { to: [target = ''] = [], moves } = resource.fields[above] ?? {};
  const meant = new Set(rows.map(({ found }) => found?.ID));
  const made = new Set(rows.map(({ found, id }) => (found ? undefined : id)));
  const isMade = (id: string): boolean => made.has(id) || records.projection?.isNew(target, id) === true;
  const isLeft = (one: Row, of = resource.name): boolean =>
    !isGone(one) && !meant.has(one.ID) && !records.named?.has(wordOf(of, one.ID));
  const beside = async ({ values }: RowDraft, below: string): Promise<Row | undefined> => {
    const isText = (name: string): boolean => resource.fields[name]?.kind === 'text' && !resource.names.includes(name);
    const texts = Object.keys(values).filter((name) => isText(name) && values[name] != null);
    if (!records.projection || values[above] == null || isMade(below) || texts.length === 0) return undefined;
    const all = await records.find.byMembers(resource.name, { [above]: below });
    const isLike = (one: Row): boolean => texts.every((name) => isSame(resource, name, values[name], one[name]));
    return all?.find((one) => isLeft(one) && isLike(one));
  };
  const look = async (row: RowDraft): Promise<void> => {
    const { found, faults, line, values } = row;
    const names = resource.names.filter((name) => typeof values[name] === 'string');
    if (found || faults.length > 0 || names.length === 0) return;
    const below = String(values[above]);
    const others = await records.find.byMembers(resource.name, valuesOf(values, names));
    const other = others?.find((one) => isLeft(one) && one.ID !== values[above]);
    const old = other ? undefined : await beside(row, below);
    if (old) {
      const name = nameOf(resource, old) ?? '';
      const message = `is new, and differs from ${quoted(name)} in its name alone, which is in no ${word}`;
      const second = `For a second one beside it, add the ${word} of ${quoted(name)}.`;
      const hint = `If that is its old name, say so ${asItWas(name)} ${second}`;
      faults.push({ line, message, cause: 'renamed', hint });
    }
    const { row: there } = other ? await records.find.record(target, { id: below }, 'many') : {};
    // A department with a fault is no place for a project: its own fault says why.
    if (!other || (target !== resource.name && !there)) return;
    const { row: parent } = await records.find.record(target, { id: String(other[above]) }, 'many');
    const place = parent ? `below ${quoted(nameOf(resource, parent) ?? '')}` : 'at the top';
    const step = { do: 'move', resource: resource.name, id: String(other.ID), below } as const;
    // The department above it may have got another name, with all that is below it.
    const oldParent = isMade(below) && parent && isLeft(parent, target) ? nameOf(resource, parent) : undefined;
    const again = `For a second one of that name, add the ${word} of the other one.`;
    const move = moves
      ? `To move it, say where it was ${asItWas('<its path>')}`
      : `Its ${above} cannot change: write the old one, or delete the other ${singular(resource)} first.`;
    const byName =
      moves && options.mode === 'upsert' ? `To move it with this file: --key ${resource.names.join(',')}. ` : '';
    const hint = oldParent
      ? `If ${quoted(oldParent)} has another name now, say so ${asItWas(oldParent)} ${again}`
      : `${move} ${again}`;
    faults.push({
      line,
      message: `is new, but there is a ${quoted(nameOf(resource, other) ?? '')} already, ${place}`,
      cause: 'namesake',
      hint: records.projection ? hint : `${byName}For a second one of that name: --key ${resource.key.join(',')}.`,
      ...(moves && there && !isGone(there) && !isMade(below) ? { next: step } : {}),
    });
  };
  await (records.gathered?.together ?? ((all) => all()))(() => collect(rows.map(look)));
}

/** Where e-mails match rows: refuses new people with the user name of one whom no row means. It may be the same person, or another. */
export async function refuseTakenNames(
  { options: { resource }, records }: Work,
  { key }: Matcher,
  rows: readonly RowDraft[],
) {
  if (resource.name !== 'individual' || key.join() !== 'Email' || !records.gathered) return;
  const meant = new Set(rows.map(({ found }) => found?.ID));
  const look = async ({ found, faults, line, values: { UserName: login } }: RowDraft): Promise<void> => {
    if (found || faults.length > 0 || typeof login !== 'string') return;
    const [other] = (await records.find.byMembers('individual', { UserName: login })) ?? [];
    if (!other || meant.has(other.ID)) return;
    const who = other.Deleted === true ? 'a deleted individual' : 'somebody';
    const message = `is new, but ${quoted(login)} is ${who} with another e-mail: ${quoted(String(other.Email ?? ''))}`;
    faults.push({ line, message, ...anotherEmail('Another person needs another user name.', other) });
  };
  await records.gathered.together(() => collect(rows.map(look)));
}

/** What to do where the individual of a row has another e-mail, and may be another one. */
function anotherEmail(way: string, { ID, Deleted }: Row): Pick<FileFault, 'cause' | 'hint' | 'next'> {
  const [cause, hint] = ['another e-mail', `${way} If it is the same person,`];
  if (Deleted !== true) return { cause, hint: `${hint} change the e-mail on the site first.` };
  const next = { do: 'undelete', resource: 'individual', id: String(ID) } as const;
  return { cause, hint: `${hint} its e-mail can be changed when it is back:`, next };
}

/** The site owns what it is said to own, and what no column gives an owner. */
function atSite({ options: { resource }, records }: Work, row: RowDraft, key: readonly string[]): void {
  const open = key.filter((name) => row.values[name] == null && resource.fields[name]?.to?.includes('site'));
  const missing = open.length > 0 ? missingOwners(row, resource) : [];
  for (const name of open) if (!missing.includes(name)) row.values[name] = records.me.site;
}

/** A new record has no ID yet. */
function fillIn(row: RowDraft, { names }: Resource, missing: readonly string[]): string {
  const name = missing.join() === 'ID' ? names.find((one) => row.values[one] != null) : undefined;
  return name === undefined ? 'Fill it in.' : `A new record has none: --key ${name} finds those that are there.`;
}

const blankKey = (row: RowDraft, resource: Resource, missing: readonly string[]) => ({
  line: row.line,
  message: `has no ${inHeadings(row, missing, ' and no ')}, which finds its record`,
  hint: missing.some((name) => missingOwners(row, resource).includes(name))
    ? SITE_HINT
    : fillIn(row, resource, missing),
});

/** Two rows mean one record: the second would undo the change of the first. */
const twice = (row: RowDraft, before: string, key: readonly string[]): FileFault => ({
  line: row.line,
  message: `names by its ID the record that ${before} names by its ${inHeadings(row, key)}`,
  cause: 'named twice',
  hint: 'Leave one of the two rows out. If the IDs are of another site, leave the column ID out.',
});

/** A record that may exist is not created again, unless all rows are new. */
function refuseUnseen({ options: { resource, mode } }: Work, row: RowDraft, key: readonly string[]): void {
  if (mode === 'create') return;
  row.faults.push({
    line: row.line,
    message: `cannot be matched: the service does not show whether there is a ${singular(resource)} with this ${inHeadings(row, key)}`,
    hint: hintOnUnseen(resource, row),
  });
}

function hintOnUnseen(resource: Resource, { values }: RowDraft): string {
  const owners = listingOwners(resource, 0).map((owner) => singular(resourceNamed(owner)));
  if (owners.length === 0) return 'Say which records are meant in a column ID.';
  const mend = listAddresses(resource, 0).some(({ filled: [owner] }) => owner && values[owner.member] != null)
    ? ', and not of this one, which may be deleted: bring it back first'
    : `: say whose it is in a column ${owners.join(' or ')}`;
  return `It lists ${plural(resource)} only of one owner${mend}.`;
}

/** Takes the only record that was found; live records go before deleted ones. */
function takeFound({ options, records }: Work, row: RowDraft, key: readonly string[], found: readonly Row[]): void {
  // Values that an archive keeps are no current ones (D29).
  const own = found.filter(({ ArchiveID = null }) => ArchiveID === null);
  const live = own.filter((one) => !isGone(one));
  const candidates = live.length > 0 ? live : own;
  if (candidates.length > 1) {
    const ids = candidates.slice(0, 3).map(({ ID }) => String(ID));
    row.faults.push({
      line: row.line,
      message: `fits ${candidates.length} ${plural(options.resource)} by its ${inHeadings(row, key)}: ${ids.join(', ')}`,
      cause: 'fits several',
      hint: 'Match them by their IDs: a column ID, and --key ID.',
    });
    return;
  }
  row.found = candidates[0];
  row.projectedAs = records.projection?.as(row.found);
  // Other rows that name this one refer to the new record.
  const isAnew = row.found?.Deleted === true && options.onDeleted === 'new';
  if (row.found) keepAsStored(row, row.found);
  if (row.found && (!isGone(row.found) || options.onDeleted === 'undelete')) keepLogin(row, row.found, key);
  if (row.found) row.id = isAnew ? options.newID() : String(row.found.ID);
}

/** A value that the record has with those very blanks is no change of it (D10). */
function keepAsStored(row: RowDraft, found: Row): void {
  if (row.written.size === 0) return;
  const stored = [...row.written].filter(([name, text]) => found[name] === text);
  Object.assign(row.values, Object.fromEntries(stored));
  row.written = new Map([...row.written].filter(([name, text]) => found[name] !== text));
}

/** A user name that --set makes is for new people. One of the same name with another e-mail may be another person. */
function keepLogin({ bindings, values, faults, line }: RowDraft, found: Row, key: readonly string[]): void {
  const column = bindings.find((one) => one?.member === 'UserName')?.column;
  if (!column?.startsWith(SET)) return;
  const { Email } = values;
  delete values.UserName;
  if (!key.includes('UserName') || typeof Email !== 'string' || textKey(Email) === textKey(String(found.Email))) return;
  const who = quoted(String(found.UserName));
  const message = `makes ${who}, a user name that somebody has with another e-mail: ${quoted(String(found.Email))}`;
  faults.push({ line, column, message, ...anotherEmail(`Add a column to ${column}.`, found) });
}

/** The faults of values that the record does not have already. */
export const faultsOfNew = ({ doubts, values, found }: RowDraft): readonly FileFault[] =>
  [...doubts].flatMap(([name, fault]) => (found && found[name] === values[name] ? [] : [fault]));
