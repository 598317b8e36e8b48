// Matches the records of two states of sites: by their IDs, then by their keys, in which references are those of the site there.
import type { Field } from '../../contract/field.ts';
import { guidsIn, idKey, sameID } from '../../contract/kinds.ts';
import { isGone, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { foundKey } from '../../contract/same-values.ts';
import { grouped } from '../../text/batches.ts';
import { valueAt } from '../../text/once-per.ts';
import { comparedMembers, packed, recordsIn, type State, saysDeletion, siteOf, unpacked } from './state.ts';

/** A reference to a record that could not be matched, since several have its key, or it was not to be read. */
export const UNCLEAR = '';

/** What the IDs of one site are in the other one. */
export type References = ReturnType<typeof referencesBetween>;

export function referencesBetween(wanted: State, there: State, newID: () => string) {
  const isOne = sameID(siteOf(wanted), siteOf(there));
  const ids = new Map<string, Map<string, string>>();
  const hidden = new Set<string>();
  const planned = new Set<string>();
  const put = (target: string, from: unknown, to: string): void => {
    if (from === undefined || from === null || (isOne && sameID(from, to))) return;
    valueAt(ids, target, () => new Map()).set(idKey(from), to);
  };
  const putBoth = (name: string, from: Row, id: string, userID: string): void => {
    put(name, from.ID, id);
    if (name === 'individual') put('principal', from.UserID, userID);
  };
  const idThere = ({ to = [], kind }: Field, id: Value): Value | undefined => {
    if (to.includes('site') && sameID(id, siteOf(wanted))) return siteOf(there);
    for (const target of to) {
      const known = ids.get(target)?.get(idKey(id));
      if (known !== undefined) return kind === 'integer' && /^\d+$/.test(known) ? Number(known) : known;
    }
    if (isOne) return id;
    return to.some((target) => hidden.has(target)) ? UNCLEAR : undefined;
  };
  return {
    /** Are both states of one site? Then a record has one ID in both. */
    isOne,
    /** The value that a member is to have there; undefined if the record that it names is deleted, and so in no state. */
    there(field: Field | undefined, value: Value): Value | undefined {
      if (!field?.to || value === null) return value;
      if (field.kind !== 'guids') return idThere(field, value);
      const all = guidsIn(value).flatMap((id) => idThere(field, String(id)) ?? []);
      return all.includes(UNCLEAR) ? UNCLEAR : all.sort().join(' ') || null;
    },
    /** Notes that both are the same record. */
    pair: ({ name }: Resource, from: Row, to: Row): void => putBoth(name, from, String(to.ID), String(to.UserID)),
    /** Notes the record as a new one there; answers the ID that is planned for it. */
    add({ name, id, fields }: Resource, row: Row): string | undefined {
      if (!fields.ID) return undefined;
      const keepsID = id === 'guid' && (isOne || wanted.place !== there.place);
      const ID = keepsID ? String(row.ID) : newID();
      putBoth(name, row, ID, ID);
      if (name === 'individual' || id === 'integer') planned.add(ID);
      return ID;
    },
    unclear: ({ name }: Resource, row: Row): void => putBoth(name, row, UNCLEAR, UNCLEAR),
    /** Notes that the records of this kind are not known in both states. */
    hide({ name }: Resource): void {
      hidden.add(name);
      if (name === 'individual') hidden.add('principal');
    },
    /** Is the value only planned: the service will give a number or a UserID in its place? */
    isPlanned: (field: Field | undefined, value: Value): boolean =>
      (field?.kind === 'integer' || field?.to?.includes('principal') === true) && planned.has(String(value)),
  };
}

/** Records as texts (`packed`). */
export interface Matched {
  /** Those of one ID that are alike in all are left out. */
  readonly pairs: readonly (readonly [wanted: string, there: string])[];
  readonly added: readonly string[];
  /** Deleted ones are among them. */
  readonly removed: readonly string[];
  /** Records of one key, where either state has several. */
  readonly unclear: readonly { readonly wanted: readonly string[]; readonly there: readonly string[] }[];
}

/** Matches the live records of a kind with those there, deleted ones too. What their owners are there is known already. */
export async function matchRecords(
  resource: Resource,
  wanted: State,
  there: State,
  references: References,
): Promise<Matched> {
  const { isOne } = references;
  const isNumbered = resource.id === 'integer';
  const hasID = resource.fields.ID !== undefined && (!isNumbered || isOne);
  const left = new Map<string, string>();
  for await (const row of recordsIn(wanted, resource, 0))
    left.set(hasID ? idKey(row.ID) : String(left.size), packed(resource, row));
  const pairs: (readonly [string, string])[] = [];
  const others: string[] = [];
  const meet = (row: Row): void => {
    const text = packed(resource, row);
    const same = hasID ? left.get(idKey(row.ID)) : undefined;
    if (same === undefined || (isNumbered && !isCalledAlike(resource, unpacked(resource, same), row))) {
      others.push(text);
      return;
    }
    left.delete(idKey(row.ID));
    if (!isOne) references.pair(resource, row, row);
    if (!isOne || same !== text) pairs.push([same, text]);
  };
  const live = new Set<string>();
  const hasMarks = saysDeletion(resource);
  for await (const row of recordsIn(there, resource, hasMarks ? 2 : 0)) {
    meet(row);
    if (!hasMarks) live.add(identityOf(resource, row));
  }
  // What is hidden with its owner comes back with it. Records that do not say so are those in no list of live ones.
  if (!hasMarks && left.size > 0)
    for await (const row of recordsIn(there, resource, 2))
      if (!live.has(identityOf(resource, row))) meet({ ...row, DeletedByRef: true });
  for (const [from, to] of isOne ? pairs : [])
    references.pair(resource, unpacked(resource, from), unpacked(resource, to));
  const added = [...left.values()];
  left.clear();
  return withKeys(resource, references, { pairs, added, removed: others, unclear: [] });
}

/** Two copies of a site give one number to two records, if each makes a new one: by itself it counts last. */
const isCalledAlike = ({ fields, key }: Resource, one: Row, other: Row): boolean =>
  key.every((name) => foundKey(fields[name], one[name] ?? null) === foundKey(fields[name], other[name] ?? null));

const identityOf = ({ identity }: Resource, row: Row): string =>
  row.ID == null ? identity.map((name) => idKey(row[name])).join(' ') : idKey(row.ID);

/** Matches what is left by one key after the other. */
function withKeys(resource: Resource, references: References, first: Matched): Matched {
  let matched = first;
  const byNumber = references.isOne && resource.id === 'integer' ? [{ key: ['ID'] }] : [];
  for (const round of [...roundsOf(resource), ...byNumber]) {
    if (matched.added.length === 0 || matched.removed.length === 0) break;
    matched = byKey(resource, references, matched, round);
  }
  return matched;
}

interface Round {
  readonly key: readonly string[];
  /** Only these records are matched in it. */
  readonly only?: (row: Row) => boolean;
  /** Records that are alike in all are no doubt: any of them is matched with any. */
  readonly asSet?: true;
}

/** By the key with the place in a tree before the key alone; a primary membership is one of each individual (D14). */
function roundsOf(resource: Resource): readonly Round[] {
  const { name, key, fields } = resource;
  if (resource.name === 'siteSetting') return [{ key: [] }];
  if (name === 'comment') return [{ key: comparedMembers(resource), asSet: true }];
  if (name === 'organizationMember')
    return [{ key }, { key: ['IndividualID'], only: ({ Primary }) => Primary === true }];
  return fields.ParentID?.owner && !key.includes('ParentID') ? [{ key: [...key, 'ParentID'] }, { key }] : [{ key }];
}

/** Records stay texts, and are read one at a time: there may be hundreds of thousands. */
function byKey(resource: Resource, references: References, before: Matched, { key, only, asSet }: Round): Matched {
  const { fields } = resource;
  const { added, removed } = before;
  const [pairs, unclear] = [[...before.pairs], [...before.unclear]];
  const [done, doneThere] = [new Set<number>(), new Set<number>()];
  const row = (text: string | undefined): Row => unpacked(resource, text ?? '[]');
  const textOf = (values: Row): string =>
    key.map((name) => foundKey(fields[name], values[name] ?? null)).join('\u0000');
  /** In the references of the site there; undefined if one of them is unknown. */
  const wantedKey = (wanted: Row): string | undefined => {
    const values = key.map((name) => [name, references.there(fields[name], wanted[name] ?? null)] as const);
    const isKnown = values.every(([name, value]) => value !== undefined && (value !== UNCLEAR || !fields[name]?.to));
    return isKnown ? textOf(Object.fromEntries(values) as Row) : undefined;
  };
  const indexed = (texts: readonly string[], at: readonly number[], keyOf: (one: Row) => string | undefined) =>
    grouped(at, (one) => (!only || only(row(texts[one])) ? keyOf(row(texts[one])) : undefined));
  const there = indexed(removed, [...removed.keys()], textOf);
  const match = (some: readonly number[], wanted: string): void => {
    const all = there.get(wanted) ?? [];
    const live = all.filter((at) => !isGone(row(removed[at])));
    const candidates = live.length > 0 ? live : all;
    const isClear = asSet || some.length + candidates.length === 2;
    if (candidates.length === 0) return;
    const group = { wanted: some.map((at) => added[at] ?? ''), there: candidates.map((at) => removed[at] ?? '') };
    for (const [at, one] of isClear ? group.wanted.entries() : []) {
      const other = group.there[at];
      if (other === undefined) continue;
      references.pair(resource, row(one), row(other));
      pairs.push([one, other]);
    }
    if (!isClear) unclear.push(group);
    for (const one of isClear ? [] : group.wanted) references.unclear(resource, row(one));
    const most = isClear ? Math.min(some.length, candidates.length) : Number.POSITIVE_INFINITY;
    for (const at of some.slice(0, most)) done.add(at);
    for (const at of candidates.slice(0, most)) doneThere.add(at);
  };
  for (const level of levelsOf(resource, key, added))
    for (const [wanted, some] of indexed(added, level, wantedKey)) if (wanted !== undefined) match(some, wanted);
  return {
    pairs,
    unclear,
    added: added.filter((_, at) => !done.has(at)),
    removed: removed.filter((_, at) => !doneThere.has(at)),
  };
}

/** In a tree a record is matched after the one above it, whose ID there is in its key. */
function* levelsOf(resource: Resource, key: readonly string[], texts: readonly string[]): Generator<readonly number[]> {
  const all = [...texts.keys()];
  const above = key.find((name) => resource.fields[name]?.to?.includes(resource.name));
  if (!above) return yield all;
  const rows = texts.map((text) => unpacked(resource, text));
  const ids = new Set(rows.map(({ ID }) => idKey(ID)));
  const below = grouped(all, (at) => idKey(rows[at]?.[above]));
  for (let level = all.filter((at) => !ids.has(idKey(rows[at]?.[above]))); level.length > 0; ) {
    yield level;
    level = level.flatMap((at) => below.get(idKey(rows[at]?.ID)) ?? []);
  }
}
