// The IDs that a service gives to new records: they replace those of the plan, and distinguish a record whose ID is not known.
import type { Session } from '../../../contract/call.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { resourceNamed } from '../../../contract/index.ts';
import type { JobHead, JobRow, JobStore, PlannedRow, RowResult } from '../../../contract/jobs.ts';
import { guidsIn, idKey, isGuid } from '../../../contract/kinds.ts';
import { ownersOf } from '../../../contract/record-address.ts';
import type { Row } from '../../../contract/resource.ts';
import { valueAt } from '../../../text/once-per.ts';
import { locateSiblings } from '../../plan/current-record.ts';
import { operationOfRow } from '../apply-row.ts';

/** From planned IDs, in lower case, to the service's. */
export type IdMap = Map<string, string>;

/** Adds the IDs that the service gave in earlier runs of the job. */
export async function loadIdMap(idMap: IdMap, jobs: JobStore, job: string): Promise<IdMap> {
  for await (const { id, result } of jobs.rows(job, { states: ['done', 'altered'], idsAlone: true }))
    if (id !== undefined && result?.id !== undefined) idMap.set(id.toLowerCase(), result.id);
  return idMap;
}

export type Made = ReadonlyMap<string, ReadonlyMap<string, Row>>;

/**
 * What jobs of a site, the newest first, have not taken back: the IDs that its service gave in place of those asked for, and
 * the records that those made which `isLate` chooses, by resource and ID, with the members that were sent.
 */
export async function journaledRecords(jobs: JobStore, heads: readonly JobHead[], isLate: (head: JobHead) => boolean) {
  const given: IdMap = new Map();
  const made = new Map<string, Map<string, Row>>();
  // A record that was made anew since has the ID of the youngest job.
  for (const head of heads.toReversed()) {
    if (head.settings.keepsIDs === false) await loadIdMap(given, jobs, head.id);
    if (!isLate(head)) continue;
    for await (const one of jobs.rows(head.id, { states: ['done', 'altered'] })) {
      const { verb } = operationOfRow(one).operation;
      const { resource, id, body } = mapIDs(one, given, false);
      const records = valueAt(made, resource, () => new Map());
      // The contract lets bodies hold the values of a record alone.
      const ID = one.result?.id ?? id;
      if (verb === 'create' && ID) records.set(idKey(ID), { ...body, ...one.result?.after, ID } as Row);
      // A record that was changed since may have another name: the list of the service counts.
      else records.delete(idKey(id));
    }
  }
  return { given, made };
}

/** Forgets what was added since the map had so many entries: a map keeps their order. */
export function forgetSince(idMap: IdMap, size: number): void {
  if (idMap.size > size) for (const id of [...idMap.keys()].slice(size)) idMap.delete(id);
}

/** The ID of the row's record; undefined if it is only the plan's, since the service will give a number instead. */
export const ownID = ({ resource, id }: PlannedRow): string | undefined =>
  id !== undefined && isGuid(id) && resourceNamed(resource).id === 'integer' ? undefined : id;

/** The row with the service's IDs in place of planned ones; `leaveOwn` leaves its own ID, that of a new record. */
export function mapIDs<T extends PlannedRow>(row: T, idMap: IdMap, leaveOwn: boolean): T {
  if (idMap.size === 0) return row;
  const { fields } = resourceNamed(row.resource);
  const serviceID = (id: string): string => idMap.get(id.toLowerCase()) ?? id;
  const mapValue = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => mapValue(name, one));
    if (typeof value !== 'string') return value;
    const { kind } = fields[name] ?? {};
    if (kind === 'guids') return guidsIn(value).map(String).map(serviceID).join(' ');
    const id = serviceID(value);
    return kind === 'integer' && id !== value ? Number(id) : id;
  };
  const mapValues = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, mapValue(name, value)]));
  const { id, params, body, patch } = row;
  return {
    ...row,
    ...(id !== undefined && !leaveOwn && { id: serviceID(id) }),
    ...(params && { params: mapValues(params) as Record<string, string> }),
    ...(body && { body: mapValues(body) }),
    ...(patch && { patch: mapValues(patch) }),
  };
}

/**
 * For a row after `mapIDs`: fills the members that await a new record which exists by now. A number is in the row
 * already, the UserID of an individual is looked up. Members whose record does not exist stay in `awaits`.
 */
export async function resolveAwaited<T extends PlannedRow>(session: Session, row: T): Promise<T> {
  if (!row.awaits) return row;
  const { fields } = resourceNamed(row.resource);
  const sent: Readonly<Record<string, unknown>> = { ...row.body, ...row.patch };
  const known: Record<string, unknown> = {};
  for (const name of row.awaits) {
    if (fields[name]?.kind !== 'integer')
      known[name] = (await session.find.record('individual', { id: String(sent[name]) })).row?.UserID;
    else if (typeof sent[name] === 'number') known[name] = sent[name];
  }
  const ready = withValues(row, (values) => Object.entries({ ...values, ...known }));
  return { ...ready, awaits: row.awaits.filter((name) => known[name] === undefined) };
}

/** Throws `conflict` where a member still awaits a new record: the row that should have made it did not. */
export function checkAwaited({ resource, awaits: [name] = [] }: PlannedRow): void {
  if (name === undefined) return;
  const { to = [] } = resourceNamed(resource).fields[name] ?? {};
  throw new ServiceError(
    'conflict',
    `${name} names a new ${to[0] === 'principal' ? 'individual' : to[0]} that was not made`,
    {
      hint: 'Correct the row that makes it, then try this one again.',
    },
  );
}

/** The row as it was sent, without the members with UserIDs of new individuals: no journal has those values. */
export function asApplied<T extends PlannedRow>(row: T, idMap: IdMap): T {
  const sent = mapIDs(row, idMap, false);
  const { fields } = resourceNamed(row.resource);
  const isKnown = (name: string): boolean => fields[name]?.kind === 'integer' || !row.awaits?.includes(name);
  return row.awaits ? withValues(sent, (values) => Object.entries(values).filter(([name]) => isKnown(name))) : sent;
}

type Values = Readonly<Record<string, unknown>>;

/** The row with other values in its patch, or in its body where it has no patch. */
function withValues<T extends PlannedRow>(row: T, to: (values: Values) => readonly (readonly [string, unknown])[]): T {
  if (row.patch) return { ...row, patch: Object.fromEntries(to(row.patch)) };
  return row.body ? { ...row, body: Object.fromEntries(to(row.body)) } : row;
}

export function knownIDs(jobs: JobStore, job: string) {
  const before = new Map<string, readonly string[]>();
  const given = new Map<string, string[]>();
  return {
    /**
     * What a new record's row keeps of its owner's records, before it is sent: the IDs that they have before the first new
     * one of this run. One row keeps them for all, and the service is asked once.
     */
    async before(session: Session, row: JobRow): Promise<RowResult | undefined> {
      const owner = ownerKey(row);
      if (before.has(owner)) return undefined;
      const beside = await locateSiblings(session, row);
      if (!beside) return undefined;
      const existing = beside.map(({ ID }) => String(ID));
      before.set(owner, existing);
      return { existing };
    },
    /** A new record has got this ID. */
    add(row: JobRow, id: string): void {
      const ids = given.get(ownerKey(row)) ?? [];
      ids.push(id);
      given.set(ownerKey(row), ids);
    },
    /** The IDs that the new record of the row does not have. After an interruption the journal knows them. */
    async of(row: JobRow): Promise<readonly string[]> {
      const owner = ownerKey(row);
      // The IDs that other rows were given since are in no list that was read before.
      const known = before.get(owner) ?? [...(row.result?.existing ?? []), ...(await journaled(jobs, job, row))];
      return [...known, ...(given.get(owner) ?? [])];
    },
  };
}

async function journaled(jobs: JobStore, job: string, row: JobRow): Promise<readonly string[]> {
  const owner = ownerKey(row);
  const ids: string[] = [];
  for await (const one of jobs.rows(job)) {
    if (operationOfRow(one).operation.verb !== 'create' || ownerKey(one) !== owner) continue;
    if (isBefore(one, row)) for (const id of one.result?.existing ?? []) ids.push(id);
    if (one.number !== row.number && one.result?.id !== undefined) ids.push(one.result.id);
  }
  return ids;
}

/**
 * Was the row sent before the other one? What a later one found beside its own record may hold the record of the other. Both
 * the number and the time must say so: a row may run again after later ones, and a clock may be set back.
 */
const isBefore = (one: JobRow, other: JobRow): boolean =>
  one.number < other.number && (one.result?.sent ?? '') <= (other.result?.sent ?? '');

export const ownerKey = ({ resource, body = {} }: PlannedRow): string =>
  [resource, ...ownersOf(resourceNamed(resource)).map(({ field }) => body[field])].join(' ').toLowerCase();
