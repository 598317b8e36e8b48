// Matches the records of two states of sites: by their IDs, then by their keys, in which references are those of the site there.
import type { Field } from '../../contract/field.ts';
import { guidsIn, idKey, sameID } from '../../contract/kinds.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { isGone } from '../../contract/resource.ts';
import { foundKey } from '../../contract/same-values.ts';
import { isOfSite } from '../../files/image.ts';
import { grouped } from '../../text/batches.ts';
import { comparedMembers, packed, recordsIn, type State, saysDeletion, siteOf, unpacked } from './state.ts';

/** A reference to a record that could not be matched, since several have its key, or it was not to be read. */
export const UNCLEAR = '';

/** What the IDs of one site are in the other one. */
export interface References {
  /** Are both states of one site? Then a record has one ID in both. */
  readonly isOne: boolean;
  /** The value that a member is to have there; undefined where the record that it names is deleted, and so in no state. */
  there(field: Field | undefined, value: Value): Value | undefined;
  /** Notes that a record is this one there. */
  pair(resource: Resource, wanted: Row, there: Row): void;
  /** Notes the record as a new one there; answers the ID that is planned for it. */
  add(resource: Resource, wanted: Row): string | undefined;
  unclear(resource: Resource, wanted: Row): void;
  /** Notes that the records of this kind are not known in both states. */
  hide(resource: Resource): void;
  /** Is the value only planned: the service will give a number or a UserID in its place? */
  isPlanned(field: Field | undefined, value: Value): boolean;
}

export function referencesBetween(wanted: State, there: State, newID: () => string): References {
  const isOne = sameID(siteOf(wanted), siteOf(there));
  const ids = new Map<string, Map<string, string>>();
  const hidden = new Set<string>();
  const planned = new Set<string>();
  const put = (target: string, from: unknown, to: string): void => {
    if (from === undefined || from === null || (isOne && sameID(from, to))) return;
    const known = ids.get(target) ?? new Map<string, string>();
    ids.set(target, known.set(idKey(from), to));
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
    isOne,
    there(field, value) {
      if (!field?.to || value === null) return value;
      if (field.kind !== 'guids') return idThere(field, value);
      const all = guidsIn(value).flatMap((id) => idThere(field, String(id)) ?? []);
      return all.includes(UNCLEAR) ? UNCLEAR : all.sort().join(' ') || null;
    },
    pair({ name }, from, to) {
      put(name, from.ID, String(to.ID));
      if (name === 'individual') put('principal', from.UserID, String(to.UserID));
    },
    add({ name, id, fields }, row) {
      if (!fields.ID) return undefined;
      const keepsID = id === 'guid' && (isOne || wanted.place !== there.place);
      const ID = keepsID ? String(row.ID) : newID();
      put(name, row.ID, ID);
      if (name === 'individual') put('principal', row.UserID, ID);
      if (name === 'individual' || id === 'integer') planned.add(ID);
      return ID;
    },
    unclear({ name }, row) {
      put(name, row.ID, UNCLEAR);
      if (name === 'individual') put('principal', row.UserID, UNCLEAR);
    },
    hide({ name }) {
      hidden.add(name);
      if (name === 'individual') hidden.add('principal');
    },
    isPlanned: (field, value) =>
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
  return withKeys(resource, references, { pairs, added: [...left.values()], removed: others, unclear: [] });
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
  if (isOfSite(resource)) return [{ key: [] }];
  if (name === 'comment') return [{ key: comparedMembers(resource), asSet: true }];
  if (name === 'organizationMember')
    return [{ key }, { key: ['IndividualID'], only: ({ Primary }) => Primary === true }];
  return fields.ParentID?.owner && !key.includes('ParentID') ? [{ key: [...key, 'ParentID'] }, { key }] : [{ key }];
}

function byKey(resource: Resource, references: References, before: Matched, { key, only, asSet }: Round): Matched {
  const { fields } = resource;
  const [pairs, unclear] = [[...before.pairs], [...before.unclear]];
  const rows = new Map(before.added.map((text) => [unpacked(resource, text), text] as const));
  const rowsThere = new Map(before.removed.map((text) => [unpacked(resource, text), text] as const));
  const textOf = (row: Row, by = fields): string =>
    key.map((name) => foundKey(by[name], row[name] ?? null)).join('\u0000');
  const chosen = (all: Iterable<Row>): readonly Row[] => (only ? [...all].filter(only) : [...all]);
  const there = grouped(chosen(rowsThere.keys()), (row) => textOf(row));
  const take = (of: Row, to: Row): void => {
    references.pair(resource, of, to);
    pairs.push([rows.get(of) ?? '', rowsThere.get(to) ?? '']);
    rows.delete(of);
    rowsThere.delete(to);
  };
  const match = (some: readonly Row[], wantedKey: string): void => {
    const all = there.get(wantedKey) ?? [];
    const live = all.filter((row) => !isGone(row));
    const candidates = live.length > 0 ? live : all;
    if (asSet) for (const [at, row] of candidates.entries()) if (some[at]) take(some[at], row);
    if (asSet || candidates.length === 0) return;
    const [one, other] = [some[0], candidates[0]];
    if (one && other && some.length + candidates.length === 2) {
      take(one, other);
      return;
    }
    unclear.push({
      wanted: some.map((row) => rows.get(row) ?? ''),
      there: candidates.map((row) => rowsThere.get(row) ?? ''),
    });
    for (const row of some) references.unclear(resource, row);
    for (const row of some) rows.delete(row);
    for (const row of candidates) rowsThere.delete(row);
  };
  // In a tree a record is matched after the one above it, whose ID there is in its key.
  const above = key.find((name) => fields[name]?.to?.includes(resource.name));
  const isLeft = new Set([...rows.keys()].map(({ ID }) => idKey(ID)));
  const below = grouped(above ? [...rows.keys()] : [], (row) => idKey(row[above ?? '']));
  let level = chosen(rows.keys()).filter((row) => !above || !isLeft.has(idKey(row[above])));
  for (; level.length > 0; level = above ? level.flatMap(({ ID }) => below.get(idKey(ID)) ?? []) : []) {
    const known = level.flatMap((row) => {
      const values = Object.fromEntries(key.map((name) => [name, references.there(fields[name], row[name] ?? null)]));
      const isKnown = key.every(
        (name) => values[name] !== undefined && (values[name] !== UNCLEAR || !fields[name]?.to),
      );
      return isKnown ? [[row, textOf(values as Row)] as const] : [];
    });
    const groups = grouped(known, ([, text]) => text);
    for (const [text, some] of groups)
      match(
        some.map(([row]) => row),
        text,
      );
  }
  return { pairs, unclear, added: [...rows.values()], removed: [...rowsThere.values()] };
}
