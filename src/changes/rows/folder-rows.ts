// The records of a site as they will be when the files before this one are in: of a folder nothing is sent before all
// of it is planned.
import type { Ask, Found, Locator } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { everyResource, resourceNamed } from '../../contract/index.ts';
import { idKey, sameID } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/record-address.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { oncePer } from '../../text/once-per.ts';
import { textKey } from '../../text/text-key.ts';
import type { Change } from '../plan/change.ts';
import { calledBy } from './named-records.ts';
import type { ForeseenAs, Records, RowDraft } from './row-draft.ts';

/** The records that are given, and over them what the rows that are noted will make of them. `newID` makes IDs. */
export function foreseeing(given: Records, newID: () => string): Records {
  const names = namesOf();
  const made = new Set<string>();
  const as = new WeakMap<Row, ForeseenAs>();
  const memberships = membershipsOf(given, newID, as);
  const undeleted = undeletedOf(given);
  const isMade = (value: Value): boolean => made.has(idKey(value));
  const asItWillBe = async (name: string, row: Row): Promise<Row> => {
    const now = name === MEMBERSHIP ? await memberships.of(row.IndividualID) : undefined;
    const changed = now?.find(({ ID }) => sameID(ID, row.ID));
    if (changed || !(await undeleted.isBack(resourceNamed(name), row))) return changed ?? row;
    const back = { ...row, DeletedByRef: false };
    as.set(back, 'changed');
    return back;
  };
  /** No list shows what stands below a record that is still to be made, but one that shows all there are. */
  const rowOf = async (name: string, { id, place = {} }: Locator, ask: Ask | undefined): Promise<Found> => {
    const there = Object.fromEntries(Object.entries(place).filter(([, value]) => !isMade(value)));
    const owners = ownersOf(resourceNamed(name)).filter(({ field }) => (place[field] ?? null) !== null);
    if (id === undefined || owners.length === 0 || owners.some(({ field }) => field in there)) {
      const found = await given.find.record(name, { ...(id === undefined ? {} : { id }), place: there }, ask);
      const isNarrowed = Object.keys(there).length < Object.keys(place).length;
      return found.state === 'unseen' && isNarrowed ? { state: 'absent' } : found;
    }
    const [row] = (await given.find.beside(name, { ID: id })) ?? [];
    return row ? { state: isGone(row) ? 'deleted' : 'live', row } : { state: 'absent' };
  };
  return {
    me: given.me,
    find: {
      async record(name, locator, ask) {
        const { id = null } = locator;
        if (made.has(`${name} ${idKey(id)}`)) return { state: 'live', row: { ID: id } };
        const found = await rowOf(name, locator, ask);
        return found.row ? { ...found, row: await asItWillBe(name, found.row) } : found;
      },
      async beside(name, members) {
        const own = name === MEMBERSHIP ? await memberships.of(members.IndividualID) : undefined;
        if (own) return own.filter((row) => Object.keys(members).every((one) => sameID(row[one], members[one])));
        if (Object.values(members).some(isMade)) return [];
        const rows = await given.find.beside(name, members);
        return rows && Promise.all(rows.map((row) => asItWillBe(name, row)));
      },
    },
    resolve: async (targets, text) => names.find(targets, text) ?? given.resolve(targets, text),
    foreseen: {
      note(resource, row, changes) {
        const { id } = row;
        if (id === undefined) return;
        const there = sameID(row.found?.ID, id) ? row.found : undefined;
        const verbs = changes.map(({ operation }) => operation);
        if (resource.name === 'individual') memberships.note(id, there, changes);
        if (verbs.includes('undelete')) undeleted.add(resource, id);
        if (!isReferredTo(resource)) return;
        names.put(resource, row, id, there);
        if (verbs.includes('create')) made.add(idKey(id)).add(`${resource.name} ${idKey(id)}`);
      },
      isNew: (target, id) => made.has(`${target} ${idKey(id)}`),
      as: (row) => row && as.get(row),
    },
  };
}

const MEMBERSHIP = 'organizationMember';

const isGone = ({ Deleted, DeletedByRef }: Row): boolean => Deleted === true || DeletedByRef === true;

/** Records that rows undelete: what is hidden with them alone comes back. */
function undeletedOf({ find }: Pick<Records, 'find'>) {
  const ids = new Set<string>();
  const isThere = async (targets: readonly string[], id: string): Promise<boolean> => {
    for (const target of targets.filter((one) => one !== 'principal' && one !== 'site')) {
      const { state, row } = await find.record(target, { id }, 'many');
      if (state === 'live' || ids.has(`${target} ${idKey(id)}`)) return true;
      if (row && (await isBack(resourceNamed(target), row))) return true;
    }
    return targets.includes('site');
  };
  const isBack = async (resource: Resource, row: Row): Promise<boolean> => {
    if (ids.size === 0 || row.Deleted === true || row.DeletedByRef !== true) return false;
    for (const { field, targets } of ownersOf(resource)) {
      const id = row[field] ?? null;
      if (id !== null && !(await isThere(targets, String(id)))) return false;
    }
    return true;
  };
  return { add: ({ name }: Resource, id: string) => void ids.add(`${name} ${idKey(id)}`), isBack };
}

/** Do records of any kind name records of this one? */
export const isReferredTo = oncePer((resource: Resource): boolean =>
  everyResource.some(({ fields }) => Object.values(fields).some(({ to }) => to?.includes(resource.name))),
);

const PREFIX = /^(?:id|email|name|path):/;
const SEVERAL = '';

/** What rows are called by, and the IDs of their records. */
function namesOf() {
  const ids = new Map<string, string>();
  const put = (target: string, name: string, id: string): void => {
    const key = `${target} ${textKey(name)}`;
    ids.set(key, (ids.get(key) ?? id) === id ? id : SEVERAL);
  };
  return {
    put(resource: Resource, row: RowDraft, id: string, there: Row | undefined): void {
      // The UserID of a new individual is not known before it is made: until then its ID stands for it.
      const user = there ? there.UserID : id;
      for (const name of calledBy(resource, row)) {
        put(resource.name, name, id);
        if (resource.name === 'individual' && name !== row.values.ID && user) put('principal', name, String(user));
      }
    },
    /** Undefined where no row is called so. Throws `ambiguous`. */
    find(targets: readonly string[], text: string): string | undefined {
      const isPlain = !PREFIX.test(text);
      if (isPlain && text === 'me') return undefined;
      for (const target of targets) {
        if (isPlain && /^\d+$/.test(text) && target !== 'principal' && resourceNamed(target).id === 'integer') continue;
        const id = ids.get(`${target} ${textKey(text.replace(PREFIX, ''))}`);
        if (id === SEVERAL)
          throw new ServiceError('ambiguous', 'several rows of the folder are called so', { hint: 'Give the ID.' });
        if (id !== undefined) return id;
      }
      return undefined;
    },
  };
}

interface Memberships {
  /** A row about an individual: the record as it stands, where it is there, and what is to become of it. */
  note(id: string, found: Row | undefined, changes: readonly Change[]): void;
  /** The memberships of an individual as they will be; undefined where none will be another one than it is. */
  of(individual: Value | undefined): Promise<readonly Row[]> | undefined;
}

interface Individual {
  readonly isNew: boolean;
  /** What its primary membership will say. */
  readonly primary: Row;
  memberships?: Promise<readonly Row[]>;
}

const MEMBERS = {
  OrganizationID: 'PrimaryOrganizationID',
  ReportsToID: 'PrimaryReportsTo',
  Title: 'PrimaryTitle',
} as const;

/** `newID` makes the IDs by which memberships that come with a new individual are told apart here. */
function membershipsOf(
  { find }: Pick<Records, 'find'>,
  newID: () => string,
  as: WeakMap<Row, ForeseenAs>,
): Memberships {
  const individuals = new Map<string, Individual>();
  const read = async (id: string, { isNew, primary }: Individual): Promise<readonly Row[]> => {
    const there = isNew ? [] : await find.beside('organizationMember', { IndividualID: id });
    return withPrimary(there ?? [], { IndividualID: id, ...primary }, newID, as);
  };
  return {
    note(id, found, changes) {
      const values = Object.assign({}, ...changes.map(({ body, patch }) => body ?? patch)) as Row;
      if (!Object.values(MEMBERS).some((name) => values[name] !== undefined)) return;
      const now: Row = { ...found, ...values };
      const primary = Object.fromEntries(Object.entries(MEMBERS).map(([to, from]) => [to, now[from] ?? null]));
      individuals.set(idKey(id), { isNew: !found, primary: { ...primary, Primary: true } });
    },
    of(individual) {
      const one = individuals.get(idKey(individual));
      if (one) one.memberships ??= read(idKey(individual), one);
      return one?.memberships;
    },
  };
}

/** The membership in the primary department is the primary one; else the one that was primary moves there. */
function withPrimary(
  all: readonly Row[],
  wanted: Row,
  newID: () => string,
  as: WeakMap<Row, ForeseenAs>,
): readonly Row[] {
  const foreseen = (row: Row, how: ForeseenAs): Row => {
    as.set(row, how);
    return row;
  };
  const before = all.find(({ Primary }) => Primary === true);
  const primary = all.find(({ OrganizationID }) => sameID(OrganizationID, wanted.OrganizationID)) ?? before;
  if (!primary) return [...all, foreseen({ ID: newID(), Leader: false, ...wanted }, 'made')];
  return all.map((one) => {
    if (one === primary) return foreseen({ ...one, ...wanted }, 'changed');
    return one === before ? foreseen({ ...one, Primary: false }, 'changed') : one;
  });
}
