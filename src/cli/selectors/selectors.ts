// Finds records by a GUID, `me` or a natural key; errors for unknown and ambiguous names.
import { notListedError } from '../../changes/plan/current-record.ts';
import type { Session } from '../../contract/call.ts';
import { type ErrorCode, orNone, ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { isGuid, looksLikeGuid, sameID, withDashes } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { type Resource, type Row, singular } from '../../contract/resource.ts';
import { quoted } from '../../text/escape.ts';
import { fitOf, folded } from '../../text/folded.ts';
import { formsOfName, guessedBy, MARKS_OF_PEOPLE, nameAndMark, trimBlanks } from '../../text/names.ts';
import { nearest } from '../../text/spelling.ts';
import { compareText, textKey } from '../../text/text-key.ts';
import { ownerFlags, targetResource } from '../names.ts';
import { listHint, plansOf } from './addresses.ts';

export interface Lookup {
  /** The resources to look in, in order; `principal` means the UserID of an individual. */
  readonly targets: readonly string[];
  readonly deleted: 0 | 1 | 2;
  /** Owner members that the record must have; undefined if no flags can say them. */
  readonly within?: Readonly<Record<string, string>>;
  /** For many lookups: names are read once. Without `left` no more are compared. */
  readonly near?: NearNames | undefined;
}

export interface NearNames {
  left: number;
  readonly names: Map<string, Promise<readonly (readonly string[])[]>>;
}

const PREFIX = /^(id|email|name|path):(.*)$/s;

/**
 * The ID that a text means, without the blanks and line ends around it; `name:` keeps them. Throws `not_found` or `ambiguous`
 * with the candidates, `invalid` for a malformed GUID.
 */
export async function resolve(session: Session, given: string, wanted: Lookup): Promise<string> {
  const text = given.startsWith('name:') ? given : trimBlanks(given);
  const [, prefix, rest = text] = PREFIX.exec(text) ?? [];
  if (prefix === 'id' || (prefix === undefined && looksLikeGuid(text))) {
    const id = readGuid(rest, wanted);
    if (await hasOwner(session, id, wanted)) return id;
    throw await notFound(session, text, wanted);
  }
  if (prefix === undefined && text === 'me') return callerID(session, wanted);
  for (const target of wanted.targets) {
    const resource = targetResource(target);
    if (prefix === undefined && resource.id === 'integer' && /^\d+$/.test(text)) return text;
    const found = await namedIn(session, resource, prefix, rest, wanted);
    if (!found) throw notListedError(resource, wanted.deleted);
    if (found.length > 1) throw await ambiguous(session, resource, text, found, wanted);
    if (found[0]) return String(target === 'principal' ? found[0].UserID : found[0].ID);
  }
  if (wanted.deleted === 0) await refuseDeleted(session, prefix, rest, wanted);
  throw await notFound(session, text, wanted);
}

/** What is found among live records, or else among deleted ones; or the other way round. The error of the first where neither has it. */
export async function liveOrDeleted<T>(
  find: (deleted: 0 | 1) => Promise<T | undefined>,
  isDeletedFirst = false,
): Promise<T> {
  try {
    return (await find(isDeletedFirst ? 1 : 0)) as T;
  } catch (error) {
    if (!(error instanceof ServiceError) || !NOT_THERE.includes(error.code)) throw error;
    const found = await orNone(find(isDeletedFirst ? 0 : 1), NOT_ONE);
    if (found === undefined) throw error;
    return found;
  }
}

export const NOT_THERE: readonly ErrorCode[] = ['not_found', 'deleted'];
const NOT_ONE: readonly ErrorCode[] = [...NOT_THERE, 'ambiguous', 'usage', 'invalid'];

/** Throws `deleted`, with how to undelete, for a name that only a deleted record has. */
async function refuseDeleted(
  session: Session,
  prefix: string | undefined,
  text: string,
  wanted: Lookup,
): Promise<void> {
  for (const target of wanted.targets) {
    const resource = targetResource(target);
    // A remote service may list no deleted records, or only those of one owner; then the name is simply unknown.
    const [row, other] = (await namedIn(session, resource, prefix, text, { ...wanted, deleted: 1 })) ?? [];
    if (!row) continue;
    const isCalled = !other && /^[\w.@-]+$/.test(text) && ownerFlags(resource).size === 0;
    const isHidden = row.Deleted !== true;
    const way = isHidden ? `get ${row.ID} --deleted 2 shows it` : `undelete ${isCalled ? text : row.ID}`;
    const hint = `${isHidden ? 'Undelete what it belongs to; it comes back with it. ' : ''}pm ${resource.command} ${way}`;
    const why = isHidden ? 'is hidden, because something it belongs to is deleted' : 'is deleted';
    throw new ServiceError('deleted', `the ${singular(resource)} ${quoted(text)} ${why}`, { hint });
  }
}

function readGuid(text: string, { targets }: Lookup): string {
  const id = withDashes(text);
  if (isGuid(id)) return id.toLowerCase();
  if (targets.some((target) => target !== 'principal' && resourceNamed(target).id === 'integer') && /^\d+$/.test(text))
    return text;
  throw new ServiceError('invalid', `${quoted(text)} looks like a GUID, but is not one`, {
    hint: 'A GUID has 8-4-4-4-12 hex digits. For a name that looks like one, write name:<name>.',
  });
}

async function callerID(session: Session, { targets }: Lookup): Promise<string> {
  if (targets.includes('individual')) return session.me.id;
  const own = targets.includes('principal') ? await knownRecord(session, 'individual', session.me.id) : undefined;
  if (own) return String(own.UserID);
  throw new ServiceError('usage', `"me" is an individual, not a ${inWords(targets)}`);
}

/** Does the record with this ID have the given owner? True for an unknown record: the service will refuse it. */
async function hasOwner(session: Session, id: string, { targets, within = {} }: Lookup): Promise<boolean> {
  if (Object.keys(within).length === 0) return true;
  const row = await knownRecord(session, targets[0] ?? '', id);
  return row === undefined || Object.entries(within).every(([name, value]) => sameID(row[name], value));
}

/** A record from a list that was read, or by a single read. */
export const knownRecord = async (session: Session, resource: string, id: string): Promise<Row | undefined> =>
  (await session.find.record(resource, { id }, 'listed')).row;

/** The records with a name; undefined if no list can show them. */
async function namedIn(
  session: Session,
  resource: Resource,
  prefix: string | undefined,
  text: string,
  { deleted, within = {} }: Lookup,
): Promise<readonly Row[] | undefined> {
  if (resource.name === 'organization' && prefix === 'path') return byPath(session, text, deleted);
  if (resource.name === 'organization' && prefix === undefined && text.includes('/'))
    return byNameOrPath(session, text, deleted);
  const isPerson = resource.name === 'individual' && prefix === undefined;
  for (const form of isPerson ? formsOfName(text) : [text])
    for (const field of fieldsFor(resource, prefix)) {
      const found = await marked(session, resource, field, form, { deleted, within });
      if (!found || found.length > 0) return found;
    }
  return [];
}

/** The records of this name, or the people of a name and a mark: `Jane Roe (x1)`. */
async function marked(
  session: Session,
  { name: resource }: Resource,
  field: string,
  text: string,
  where: Omit<Lookup, 'targets'>,
): Promise<readonly Row[] | undefined> {
  const [name, mark] = (field === 'FullName' && nameAndMark(text)) || [text];
  const found = await session.find.byName(resource, field, name, where);
  return mark === undefined
    ? found
    : found?.filter((row) => MARKS_OF_PEOPLE.some((one) => isSame(String(row[one]), mark)));
}

const isSame = (one: string, other: string): boolean => textKey(one) === textKey(other);

const fieldsFor = (resource: Resource, prefix: string | undefined): readonly string[] =>
  prefix === 'email' ? resource.names.filter((name) => name === 'Email') : resource.names;

/** The departments with this whole name, and those with this path. */
async function byNameOrPath(session: Session, text: string, deleted: Lookup['deleted']): Promise<readonly Row[]> {
  const named = (await session.find.byName('organization', 'Name', text, { deleted })) ?? [];
  const found = (await byPath(session, text, deleted)) ?? [];
  return [...named, ...found.filter(({ ID }) => !named.some((one) => sameID(one.ID, ID)))];
}

/** Finds a department by its path `Sales/EMEA`; `\/` is a slash in a name. */
async function byPath(session: Session, text: string, deleted: Lookup['deleted']): Promise<readonly Row[] | undefined> {
  const steps = text.split(/(?<!\\)\//).map((step) => step.replaceAll('\\/', '/').trim());
  const last = steps.pop() ?? '';
  const found = (await session.find.byName('organization', 'Name', last, { deleted })) ?? [];
  const fits = await Promise.all(found.map((row) => isBelow(session, row, steps)));
  return found.filter((_, index) => fits[index]);
}

async function isBelow(session: Session, row: Row, steps: readonly string[]): Promise<boolean> {
  const wanted = steps.at(-1);
  if (wanted === undefined) return true;
  const parent = await knownRecord(session, 'organization', String(row.ParentID));
  return parent !== undefined && isSame(String(parent.Name), wanted) && isBelow(session, parent, steps.slice(0, -1));
}

/** The names of resources: department or individual. */
export const inWords = (targets: readonly string[]): string =>
  targets.map((target) => singular(targetResource(target))).join(' or ');

/** The error for an ambiguous name, with its candidates. */
async function ambiguous(
  session: Session,
  resource: Resource,
  text: string,
  found: readonly Row[],
  { within }: Lookup,
): Promise<ServiceError> {
  return new ServiceError('ambiguous', `${quoted(text)} fits ${found.length} ${resource.command}`, {
    candidates: await Promise.all(found.map((row) => candidate(session, resource, row))),
    hint: `Give the ID of the one you mean${otherNaming(resource, within)}.`,
  });
}

function otherNaming(resource: Resource, within: Lookup['within']): string {
  if (resource.name === 'organization') return ', or write name:<name>, or path:Sales/EMEA';
  const owners = within ? [...ownerFlags(resource).keys()].map((flag) => `--${flag} <ref>`) : [];
  return owners.length > 0 ? `, or whose it is: ${owners.join(' or ')}` : '';
}

/** The ID, names and owners of a record, to tell it from others of the same name. */
async function candidate(session: Session, resource: Resource, row: Row): Promise<string> {
  const parts = [row.ID, ...resource.names.map((name) => row[name])];
  for (const { field, targets } of ownersOf(resource)) {
    for (const target of targets.filter((one) => one !== 'site' && one !== 'principal')) {
      const { row: owner } = await session.find.record(target, { id: String(row[field]) }, 'listed');
      if (owner) parts.push(`of ${String(owner.FullName ?? owner.Name)}`);
    }
  }
  return parts.filter((part) => part !== null && part !== undefined).join('  ');
}

/** The error for an unknown name, with similar names. */
export async function notFound(session: Session, text: string, wanted: Lookup): Promise<ServiceError> {
  const later = await notYet(session, text, wanted.targets);
  if (later) return later;
  const resource = targetResource(wanted.targets[0] ?? '');
  const state = wanted.deleted === 1 ? 'deleted ' : '';
  const close = await similar(session, resource, text, wanted);
  const what = `there is no ${state}${inWords(wanted.targets)} ${quoted(text)}`;
  return new ServiceError('not_found', what, oneOf(close) ?? { hint: listHint(resource, wanted.deleted) });
}

/** What may be meant by a name that no record has; undefined if nothing is like it. */
export function oneOf(candidates: readonly string[]) {
  const [only, ...more] = candidates;
  if (only === undefined) return undefined;
  return { candidates, hint: more.length > 0 ? 'Did you mean one of these?' : `Did you mean ${only}?` };
}

/** Of a site as it was: the error for one of these that was made later. */
export async function notYet({ local, now }: Session, text: string, targets: readonly string[]) {
  for (const target of now ? targets : []) {
    const id = now && (await orNone(resolve(now, text, { targets: [target], deleted: 2 }), NOT_ONE));
    if (id === undefined || (await local?.history.of(target, id))?.length !== 0) continue;
    const made = (await now?.local?.history.of(target, id))?.[0];
    if (made?.what !== 'create') continue;
    const what = `the ${inWords([target])} ${quoted(text)}`;
    const hint = `To see it as it was made: --at ${made.at}`;
    return new ServiceError('not_found', `${what} was not there yet: it was made at ${made.at}`, { hint });
  }
  return undefined;
}

const MAX_SIMILAR = 3;

/** Similar names of the resource. */
export async function similar(
  session: Session,
  resource: Resource,
  text: string,
  { deleted, near }: Pick<Lookup, 'deleted' | 'near'>,
): Promise<readonly string[]> {
  if (near && near.left-- <= 0) return [];
  const reading = near?.names.get(resource.name) ?? firstNames(session, resource, deleted);
  near?.names.set(resource.name, reading);
  const records = await reading;
  const names = records.flat();
  const close = nearest(text, names);
  const word = close || text.length <= LONG_ENOUGH ? undefined : nearest(text, names.flatMap(wordsOf));
  const byForm = [...guessedBy(text), ...(word ? [folded(word)] : [])].map((form) => namesHolding(records, form));
  const holding = byForm.find((names) => names.length > 0) ?? [];
  return [...new Set(close ? [close, ...holding] : holding)].slice(0, MAX_SIMILAR);
}

/** So many records are compared with a name that none has. */
const MOST_COMPARED = 10_000;

async function firstNames(
  session: Session,
  resource: Resource,
  deleted: Lookup['deleted'],
): Promise<readonly (readonly string[])[]> {
  const { list } = resource.operations;
  const plan = list && plansOf(resource, list).find((one) => one.route === 'plain');
  if (!plan || (deleted !== 0 && !plan.query.has('deleted'))) return [];
  const records: (readonly string[])[] = [];
  for await (const row of session.list(list, { by: 'plain', query: deleted === 0 ? {} : { deleted } })) {
    if (records.length >= MOST_COMPARED) break;
    records.push(resource.names.map((name) => row[name]).filter((name) => typeof name === 'string'));
  }
  return records;
}

/** A shorter text is in too many names. */
const LONG_ENOUGH = 3;

const wordsOf = (name: string): readonly string[] => name.split(/[\s._@-]+/);

/** Of each record the name that has a folded text in it best; the best first. */
function namesHolding(records: readonly (readonly string[])[], wanted: string): readonly string[] {
  const better = (a: Fitting, b: Fitting): number => a.grade - b.grade;
  return records
    .flatMap((names) =>
      names
        .flatMap((name) => fitting(name, wanted))
        .sort(better)
        .slice(0, 1),
    )
    .sort((a, b) => better(a, b) || compareText(a.name, b.name))
    .map(({ name }) => name);
}

interface Fitting {
  readonly name: string;
  readonly grade: number;
}

function fitting(name: string, wanted: string): readonly Fitting[] {
  const fit = fitOf(folded(name), wanted);
  return fit && (fit.grade < 3 || wanted.length >= LONG_ENOUGH) ? [{ name, grade: fit.grade }] : [];
}
