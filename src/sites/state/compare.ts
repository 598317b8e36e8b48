// Compares two states of sites, resource by resource, owners first: a stream of differences as plain values.
import { isUnaltered } from '../../changes/plan/drift.ts';
import { isUnanswered } from '../../contract/errors.ts';
import { idKey } from '../../contract/kinds.ts';
import { isOwnedBy, ownersOf } from '../../contract/record-address.ts';
import { isGone, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { PRIMARY_MEMBERS } from '../../contract/resources/primary.ts';
import { grouped } from '../../text/batches.ts';
import { defined, nonEmpty } from '../../text/defined.ts';
import { comparable, DIARIES } from './layout.ts';
import { matchRecords, type References, referencesBetween, UNCLEAR } from './match.ts';
import { memberAbove, scopeOf, upperFirst, withReferences } from './scope.ts';
import { comparedMembers, type State, seesAll, unknownIn, unpacked } from './state.ts';

/**
 * `added`: it is wanted and not there. `removed`: it is there and not wanted. `restored`: it is wanted, and deleted there.
 * `unclear`: it may be any of these; it is never planned.
 */
export interface Difference {
  readonly kind: 'added' | 'removed' | 'changed' | 'restored' | 'unclear';
  readonly resource: string;
  /** The ID there; of a new record the one that is planned. */
  readonly id?: string;
  readonly wanted?: Row;
  readonly there?: Row;
  /** The members that are to be otherwise, as they are to be there; of a new record all that have a value. */
  readonly members?: Row;
  /** Those of them that name a new record by its planned ID, where the service gives another one. */
  readonly awaits?: readonly string[];
  /** `ambiguous`: several records have its key. `hidden`: not everything was to be read. `owner`: its owner is not matched. */
  readonly why?: 'ambiguous' | 'hidden' | 'owner';
  /** Of an added record: one that is only there, below the same owner and mostly alike. It has probably been renamed. */
  readonly like?: Row;
}

export interface Wish {
  /** The names of the resources; by default all but those of DIARIES. */
  readonly resources?: readonly string[];
  /** Those of DIARIES that are compared, too. */
  readonly besides?: readonly string[];
  /** Only these records, by the ID that each has in a state, and what belongs to them. */
  readonly only?: readonly Chosen[];
  readonly newID: () => string;
}

export interface Chosen {
  readonly resource: string;
  readonly wanted: string | undefined;
  readonly there: string | undefined;
}

export async function* compare(wanted: State, there: State, wish: Wish): AsyncGenerator<Difference> {
  const { resources, besides = [], only, newID } = wish;
  const shown = comparable.filter(({ name }) =>
    resources ? resources.includes(name) : !DIARIES.includes(name) || besides.includes(name),
  );
  const order = withReferences(shown);
  const scopes = only && { wanted: scopeOf(idsIn(only, 'wanted')), there: scopeOf(idsIn(only, 'there')) };
  const comparing: Comparing = {
    wanted: { ...wanted, ...(scopes && { seen: scopes.wanted.see }) },
    there: { ...there, ...(scopes && { seen: scopes.there.see }) },
    references: referencesBetween(wanted, there, newID),
    sees: { wanted: await seesAll(wanted), there: await seesAll(there) },
    unclearThere: new Set(),
    leftOut: new Set(),
    shown: new Set(shown.map(({ name }) => name)),
    withMemberships: order.some(({ name }) => name === 'organizationMember'),
  };
  for (const resource of order) {
    const differences = await ofResource(resource, comparing);
    for (const one of shown.includes(resource) ? differences : [])
      if (!scopes || scopes.wanted.has(resource, one.wanted) || scopes.there.has(resource, one.there)) yield one;
  }
}

const idsIn = (only: readonly Chosen[], side: 'wanted' | 'there') =>
  only.flatMap(({ resource, [side]: id }) => (id === undefined ? [] : [{ resource, id }]));

interface Comparing {
  readonly wanted: State;
  readonly there: State;
  readonly references: References;
  readonly sees: { readonly wanted: boolean; readonly there: boolean };
  /** Records there that are matched with none and may be any: what belongs to them is no deletion. */
  readonly unclearThere: Set<string>;
  /** Records of kinds on demand that are not asked for, and in one state alone: what belongs to them is left out with them. */
  readonly leftOut: Set<string>;
  readonly shown: ReadonlySet<string>;
  /** The primary membership counts there, and not on the record of its individual (D14). */
  readonly withMemberships: boolean;
}

/** The differences of one kind. New records of a kind that is not shown are not made: what names them is unclear. */
async function ofResource(resource: Resource, comparing: Comparing): Promise<readonly Difference[]> {
  const { wanted, there, references } = comparing;
  const { name } = resource;
  try {
    const matched = await matchRecords(resource, wanted, there, references);
    const [added, removed] = [matched.added, matched.removed].map((texts) =>
      texts.map((text) => unpacked(resource, text)),
    );
    const unclear = matched.unclear.map((group): Difference => {
      for (const text of group.there) comparing.unclearThere.add(`${name} ${idKey(unpacked(resource, text).ID)}`);
      const [one, other] = [group.wanted, group.there].map(([text]) => text && unpacked(resource, text));
      return defined({
        kind: 'unclear',
        resource: name,
        wanted: one || undefined,
        there: other || undefined,
        why: 'ambiguous',
      });
    });
    // References to records of the same kind are known when all of them are matched.
    const made = inTree(resource, added ?? []).map((row) => asAdded(resource, row, comparing));
    return withLikely(resource, references, [
      ...unclear,
      ...made.flatMap((make) => make()),
      ...matched.pairs.flatMap(([from, to]) =>
        asChanged(resource, unpacked(resource, from), unpacked(resource, to), comparing),
      ),
      ...(removed ?? []).filter((row) => !isGone(row)).flatMap((row) => asRemoved(resource, row, comparing)),
    ]);
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    references.hide(resource);
    return [{ kind: 'unclear', resource: name, why: 'hidden' }];
  }
}

function inTree(resource: Resource, rows: readonly Row[]): readonly Row[] {
  const above = memberAbove(resource);
  const idOf = ({ ID }: Row) => ID;
  return above ? upperFirst(rows, idOf, (row) => row[above]) : rows;
}

/** Is the record left out, or does it belong to a record that is left out? */
function isLeftOut(resource: Resource, row: Row, { leftOut, shown }: Comparing): boolean {
  const { name } = resource;
  const isLeft = (DIARIES.includes(name) && !shown.has(name)) || isOwnedBy(resource, row, leftOut);
  if (isLeft) leftOut.add(`${name} ${idKey(row.ID)}`);
  return isLeft;
}

function asAdded(resource: Resource, row: Row, comparing: Comparing): () => readonly Difference[] {
  const { references, sees, shown } = comparing;
  const { fields, name } = resource;
  const isOwnerUnclear = ownersOf(resource).some(
    ({ field }) => references.there(fields[field], row[field] ?? null) === UNCLEAR,
  );
  const isLeft = isLeftOut(resource, row, comparing);
  if (isLeft || isOwnerUnclear || !sees.there || !shown.has(name)) {
    references.unclear(resource, row);
    const why = isOwnerUnclear ? 'owner' : 'hidden';
    return () => (isLeft ? [] : [{ kind: 'unclear', resource: name, wanted: row, why }]);
  }
  const id = references.add(resource, row);
  return () => {
    const members: Record<string, Value> = {};
    for (const member of [...comparedMembers(resource), ...unknownIn(resource, row)]) {
      const value = references.there(fields[member], row[member] ?? null);
      const isKnown = value !== undefined && (value !== UNCLEAR || !fields[member]?.to);
      if (isKnown && (value !== null || fields[member]?.nullable)) members[member] = value;
    }
    const awaits = awaited(resource, members, references);
    return [defined<Difference>({ kind: 'added', resource: name, id, wanted: row, members, awaits })];
  };
}

function asChanged(resource: Resource, wanted: Row, there: Row, comparing: Comparing): readonly Difference[] {
  const { references, withMemberships } = comparing;
  const { fields, name } = resource;
  if (isGone(there) && isLeftOut(resource, there, comparing)) return [];
  const isPrimary = wanted.Primary === true;
  const left = name === 'individual' && withMemberships ? (PRIMARY_MEMBERS.individual ?? []) : [];
  const unknown = new Set([...unknownIn(resource, wanted), ...unknownIn(resource, there)]);
  const areLocal = comparing.wanted.session.local !== undefined && comparing.there.session.local !== undefined;
  const isKnown = (member: string): boolean => areLocal || (member in wanted && member in there);
  const members: Record<string, Value> = {};
  let isUnclear = false;
  for (const member of [...comparedMembers(resource, left), ...[...unknown].filter(isKnown)]) {
    // It ends where another membership becomes the primary one.
    if (member === 'Primary' && !isPrimary) continue;
    const value = references.there(fields[member], wanted[member] ?? null);
    if (value === UNCLEAR && fields[member]?.to) isUnclear = true;
    else if (value !== undefined && !isUnaltered(resource, member, value, inOrder(fields[member]?.kind, there[member])))
      members[member] = value;
  }
  const id = there.ID == null ? undefined : String(there.ID);
  const both = defined<Partial<Difference>>({ id, wanted, there });
  const one = { resource: name, ...both, members: nonEmpty(members), awaits: awaited(resource, members, references) };
  return [
    ...(isGone(there) || one.members
      ? [defined<Difference>({ kind: isGone(there) ? 'restored' : 'changed', ...one })]
      : []),
    ...(isUnclear ? [{ kind: 'unclear', resource: name, ...both, why: 'owner' } as const] : []),
  ];
}

/** References of one member have no order of their own. */
const inOrder = (kind: string | undefined, value: Value | undefined): Value | undefined =>
  kind === 'guids' && typeof value === 'string' ? value.split(' ').sort().join(' ') : value;

function asRemoved(resource: Resource, row: Row, comparing: Comparing): readonly Difference[] {
  const { sees, unclearThere } = comparing;
  if (isLeftOut(resource, row, comparing)) return [];
  const isOwnerUnclear = isOwnedBy(resource, row, unclearThere);
  const found = { resource: resource.name, ...(row.ID == null ? {} : { id: String(row.ID) }), there: row };
  if (sees.wanted && !isOwnerUnclear) return [{ kind: 'removed', ...found }];
  unclearThere.add(`${resource.name} ${idKey(row.ID)}`);
  return [{ kind: 'unclear', ...found, why: isOwnerUnclear ? 'owner' : 'hidden' }];
}

function awaited({ fields }: Resource, members: Row, { isPlanned }: References): readonly string[] | undefined {
  const names = Object.keys(members).filter((name) => isPlanned(fields[name], members[name] ?? null));
  return names.length > 0 ? names : undefined;
}

/** Below one owner so many records of a kind are looked at for those that were renamed. */
const MOST_LIKELY = 20;

function withLikely(resource: Resource, { isOne }: References, all: readonly Difference[]): readonly Difference[] {
  if (isOne || resource.names.length === 0) return all;
  const owners = ownersOf(resource).map(({ field }) => field);
  const ownerKey = (row: Row = {}): string => owners.map((name) => idKey(row[name])).join(' ');
  const of = (kind: Difference['kind']) => all.filter((one) => one.kind === kind);
  const added = grouped(of('added'), ({ members }) => ownerKey(members));
  const removed = grouped(of('removed'), ({ there }) => ownerKey(there));
  const others = comparedMembers(resource, [...resource.key, ...owners]);
  const like = new Map<Difference, Row>();
  for (const [owner, some] of added) {
    const left = new Set(
      removed
        .get(owner)
        ?.slice(0, MOST_LIKELY)
        .map(({ there = {} }) => there),
    );
    for (const one of some.slice(0, MOST_LIKELY)) {
      const found = [...left].find((row) => isMostlyAlike(resource, others, one.members ?? {}, row));
      if (!found) continue;
      like.set(one, found);
      left.delete(found);
    }
  }
  return all.map((one) => defined({ ...one, like: like.get(one) }));
}

function isMostlyAlike(resource: Resource, names: readonly string[], one: Row, other: Row): boolean {
  const said = names.filter((name) => (one[name] ?? null) !== null || (other[name] ?? null) !== null);
  const alike = said.filter((name) => isUnaltered(resource, name, one[name], other[name]));
  return alike.length * 2 > said.length;
}
