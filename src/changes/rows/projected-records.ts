// The records of a site as they will be after the files planned so far: a folder is planned whole before anything is sent.
import type { Found, Locator, LookupMode } from '../../contract/call.ts';
import { type ErrorCode, orNone, ServiceError } from '../../contract/errors.ts';
import { everyResource, resourceNamed } from '../../contract/index.ts';
import { idKey, looksLikeGuid, sameID } from '../../contract/kinds.ts';
import { isOwnedBy, ownersOf } from '../../contract/record-address.ts';
import { isGone, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { PRIMARY } from '../../contract/resources/primary.ts';
import { oncePer } from '../../text/once-per.ts';
import type { Change } from '../plan/change.ts';
import { keyTexts } from './keyed-records.ts';
import { formsFor, keysOfRow, nameKey } from './named-records.ts';
import { olderName, type ProjectedAs, type Records, type RowDraft } from './row-draft.ts';

/** The given records, changed by the rows that are noted. `newID` makes IDs. */
export function projectedRecords(given: Records, newID: () => string): Records {
  const names = namesOf();
  const made = new Set<string>();
  const as = new WeakMap<Row, ProjectedAs>();
  const memberships = membershipsOf(given, newID, as);
  const undeleted = undeletedOf(given);
  const isMade = (value: Value): boolean => made.has(idKey(value));
  const projected = async (name: string, row: Row): Promise<Row> => {
    const now = name === MEMBERSHIP ? await memberships.of(row.IndividualID) : undefined;
    const changed = now?.find(({ ID }) => sameID(ID, row.ID));
    if (changed || !(await undeleted.isBack(resourceNamed(name), row))) return changed ?? row;
    const back = { ...row, DeletedByRef: false };
    as.set(back, 'changed');
    return back;
  };
  const rowOf = recordIn(given, isMade);
  /** Of a path whose last step rows make, what stands above it may be on the site. */
  const below = async (targets: readonly string[], text: string): Promise<string | undefined> => {
    const [, above, last = ''] = names.isStep(text) ? (LAST_STEP.exec(text) ?? []) : [];
    const parent = above && (await orNone(resolve(targets, above, true), [...UNKNOWN, 'ambiguous']));
    return parent && names.find(targets, `${idKey(parent)}/${last}`);
  };
  const resolve: Records['resolve'] = async (targets, text, isQuiet) => {
    const planned = names.find(targets, text) ?? (await below(targets, text));
    const older = planned ?? names.findOlder(targets, text);
    if (older === undefined) return given.resolve(targets, text, isQuiet);
    if (planned !== undefined && looksLikeGuid(text.replace(PREFIX, ''))) return planned;
    const ofSite = await orNone(given.resolve(targets, text, true), UNKNOWN);
    // A record of the site that has a row, too, is called as the row says.
    if (planned !== undefined && ofSite !== undefined && !sameID(ofSite, planned) && !names.isOfRow(ofSite))
      throw severalCalled('a row of the folder and a record of the site have this name');
    return planned ?? ofSite ?? older;
  };
  return {
    ...given,
    find: {
      async record(name, locator, ask) {
        const { id = null } = locator;
        if (made.has(`${name} ${idKey(id)}`)) return { state: 'live', row: { ID: id } };
        const found = await rowOf(name, locator, ask);
        return found.row ? { ...found, row: await projected(name, found.row) } : found;
      },
      async byMembers(name, members) {
        const own = name === MEMBERSHIP ? await memberships.of(members.IndividualID) : undefined;
        if (own) return own.filter((row) => Object.keys(members).every((one) => sameID(row[one], members[one])));
        if (Object.values(members).some(isMade)) return [];
        const rows = await given.find.byMembers(name, members);
        return rows && Promise.all(rows.map((row) => projected(name, row)));
      },
    },
    resolve,
    projection: {
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
      noteOlder: names.putOlder,
      keyed: names.keyed,
      isNew: (target, id) => made.has(`${target} ${idKey(id)}`),
      as: (row) => row && as.get(row),
      awaits: (resource, row) => given.gathered === undefined && undeleted.holds(resource, row),
    },
  };
}

const MEMBERSHIP = 'organizationMember';

/** Finds a record. One below an owner that is only planned is found in a list of all records only. */
function recordIn({ find }: Pick<Records, 'find'>, isMade: (value: Value) => boolean) {
  return async (name: string, { id, place = {} }: Locator, ask: LookupMode | undefined): Promise<Found> => {
    const known = Object.fromEntries(Object.entries(place).filter(([, value]) => !isMade(value)));
    const owners = ownersOf(resourceNamed(name)).filter(({ field }) => (place[field] ?? null) !== null);
    if (id === undefined || owners.length === 0 || owners.some(({ field }) => field in known)) {
      const found = await find.record(name, { ...(id === undefined ? {} : { id }), place: known }, ask);
      const isNarrowed = Object.keys(known).length < Object.keys(place).length;
      return found.state === 'unseen' && isNarrowed ? { state: 'absent' } : found;
    }
    const [row] = (await find.byMembers(name, { ID: id })) ?? [];
    return row ? { state: isGone(row) ? 'deleted' : 'live', row } : { state: 'absent' };
  };
}

/** Records that rows undelete, and those that come back with them: children that are hidden only with them. */
function undeletedOf({ find }: Pick<Records, 'find'>) {
  const ids = new Set<string>();
  const add = ({ name }: Resource, id: Value | undefined): boolean => ids.add(`${name} ${idKey(id)}`).size > 0;
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
    return add(resource, row.ID);
  };
  /** Does the row belong to one of them? Then so does what belongs to it. */
  const holds = (resource: Resource, { id, values }: RowDraft): boolean =>
    isOwnedBy(resource, values, ids) && add(resource, id);
  return { add, isBack, holds };
}

/** Do records of any kind name records of this one? */
export const isReferredTo = oncePer((resource: Resource): boolean =>
  everyResource.some(({ fields }) => Object.values(fields).some(({ to }) => to?.includes(resource.name))),
);

const PREFIX = /^(?:id|email|name|path):/;
/** Between the steps of a path; `\/` is a slash in a name. */
export const SLASH = /(?<!\\)\//;
const LAST_STEP = /^(.+)(?<!\\)\/(.+)$/s;
const SEVERAL = '';
const UNKNOWN: readonly ErrorCode[] = ['not_found', 'deleted'];

const severalCalled = (message: string): ServiceError =>
  new ServiceError('ambiguous', message, { hint: 'Give what tells them apart: the user name, the path, or the ID.' });

function namesOf() {
  const ids = new Map<string, string>();
  const ofRows = new Set<string>();
  /** The paths of departments that rows are below, by the ID. */
  const paths = new Map<string, readonly string[]>();
  /** By the texts of `was:`, and by their last steps. */
  const olderIDs = new Map<string, string>();
  /** These texts by the ID. */
  const olderNames = new Map<string, string>();
  const put = (target: string, name: string, id: string, into = ids): void => {
    const key = `${target} ${name}`;
    into.set(key, (into.get(key) ?? id) === id ? id : SEVERAL);
  };
  /** Undefined if no row has one of these names. Throws `ambiguous`. */
  const idOf = (names: readonly string[]): string | undefined => {
    const id = names.flatMap((name) => ids.get(name) ?? [])[0];
    if (id === SEVERAL) throw severalCalled('several rows of the folder have this name');
    return id;
  };
  return {
    put(resource: Resource, row: RowDraft, id: string, there: Row | undefined): void {
      // The UserID of a new individual is not known yet: its ID stands in for it.
      const user = there ? there.UserID : id;
      ofRows.add(idKey(id)).add(idKey(user));
      const parent = idKey(row.values.ParentID ?? there?.ParentID);
      const last = String(row.values.Name).replaceAll('/', '\\/');
      const isPlace = resource.name === 'organization';
      const below = isPlace ? [parent, ...(paths.get(parent) ?? [])].map((path) => `${path}/${last}`) : [];
      if (isPlace) paths.set(idKey(id), [last, ...below.slice(1)]);
      for (const name of [...keysOfRow(resource, row), ...below.map(nameKey)]) {
        put(resource.name, name, id);
        const isUser = resource.name === 'individual' && name !== nameKey(String(row.values.ID));
        if (isUser && user) put('principal', name, String(user));
      }
    },
    putOlder({ name }: Resource, row: RowDraft): void {
      const was = olderName(row)?.replace(PREFIX, '');
      if (was === undefined || row.id === undefined) return;
      const last = (name === 'organization' && was.split(SLASH).at(-1)) || was;
      for (const text of new Set([was, last])) put(name, nameKey(text), row.id, olderIDs);
      if (name === 'individual') put('principal', nameKey(was), String(row.found?.UserID ?? row.id), olderIDs);
      olderNames.set(row.id, `/${nameKey(was)}`);
    },
    findOlder(targets: readonly string[], text: string): string | undefined {
      const way = text.replace(PREFIX, '');
      const names = [way, way.split(SLASH).at(-1) ?? ''].map(nameKey);
      const id = names.flatMap((name) => targets.map((target) => olderIDs.get(`${target} ${name}`))).find(Boolean);
      const was = olderNames.get(id ?? '') ?? '';
      return `/${nameKey(way)}`.endsWith(was) || was.endsWith(`/${nameKey(way)}`) ? id : undefined;
    },
    isOfRow: (id: string): boolean => ofRows.has(idKey(id)),
    /** Do rows make or change a department that is called as the last step of this path? */
    isStep: (text: string): boolean => ids.has(`organization ${nameKey(text.split(SLASH).at(-1) ?? '')}`),
    keyed: (targets: readonly string[], column: string, text: string) =>
      idOf(keyTexts(column, text).flatMap((key) => targets.map((target) => `${target} ${key}`))),
    find(targets: readonly string[], text: string): string | undefined {
      const isPlain = !PREFIX.test(text);
      if (isPlain && text === 'me') return undefined;
      const isNumber = (target: string): boolean =>
        isPlain && /^\d+$/.test(text) && target !== 'principal' && resourceNamed(target).id === 'integer';
      const named = targets.filter((target) => !isNumber(target));
      const name = text.replace(PREFIX, '');
      return idOf(named.flatMap((target) => formsFor(target, name).map((form) => `${target} ${nameKey(form)}`)));
    },
  };
}

interface Individual {
  readonly isNew: boolean;
  /** The members of its primary membership. */
  readonly primary: Row;
  memberships?: Promise<readonly Row[]>;
}

/** `newID` makes the IDs of memberships that are created with a new individual; they are used here only. */
function membershipsOf({ find }: Pick<Records, 'find'>, newID: () => string, as: WeakMap<Row, ProjectedAs>) {
  const individuals = new Map<string, Individual>();
  const read = async (id: string, { isNew, primary }: Individual): Promise<readonly Row[]> => {
    const there = isNew ? [] : await find.byMembers('organizationMember', { IndividualID: id });
    return withPrimary(there ?? [], { IndividualID: id, ...primary }, newID, as);
  };
  return {
    /** Takes the row of an individual: its current record, where there is one, and its changes. */
    note(id: string, found: Row | undefined, changes: readonly Change[]): void {
      const values = Object.assign({}, ...changes.map(({ body, patch }) => body ?? patch)) as Row;
      if (!Object.keys(PRIMARY).some((name) => values[name] !== undefined)) return;
      const now: Row = { ...found, ...values };
      const primary = Object.fromEntries(Object.entries(PRIMARY).map(([from, to]) => [to, now[from] ?? null]));
      individuals.set(idKey(id), { isNew: !found, primary: { ...primary, Primary: true } });
    },
    /** The memberships of an individual as they will be; undefined if none changes. */
    of(individual: Value | undefined): Promise<readonly Row[]> | undefined {
      const one = individuals.get(idKey(individual));
      if (one) one.memberships ??= read(idKey(individual), one);
      return one?.memberships;
    },
  };
}

/** The membership in the primary department becomes the primary one; without one, the primary one moves there. */
function withPrimary(
  all: readonly Row[],
  wanted: Row,
  newID: () => string,
  as: WeakMap<Row, ProjectedAs>,
): readonly Row[] {
  const marked = (row: Row, how: ProjectedAs): Row => {
    as.set(row, how);
    return row;
  };
  const before = all.find(({ Primary }) => Primary === true);
  const primary = all.find(({ OrganizationID }) => sameID(OrganizationID, wanted.OrganizationID)) ?? before;
  if (!primary) return [...all, marked({ ID: newID(), Leader: false, ...wanted }, 'made')];
  return all.map((one) => {
    if (one === primary) return marked({ ...one, ...wanted }, 'changed');
    return one === before ? marked({ ...one, Primary: false }, 'changed') : one;
  });
}
