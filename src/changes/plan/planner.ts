// Makes the rows of a plan out of changes: numbered, with the IDs of new records and what each row relies on.
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { addressOf, type Operation, routeName } from '../../contract/operation.ts';
import { placeIn } from '../../contract/record-address.ts';
import { type Resource, type Row, valuesOf } from '../../contract/resource.ts';
import { batchedRows, batchesOf } from '../../text/batches.ts';
import { defined, nonEmpty } from '../../text/defined.ts';
import type { Change } from './change.ts';
import { fingerprintOf, isUnaltered } from './drift.ts';

export type Secrets = Readonly<Record<string, unknown>>;

/** A planner that numbers rows from 1 on. `newID` makes the IDs of new records. */
export function planner(newID: () => string) {
  /** Secret values by row number: they are kept in memory for the run, and written to no plan. */
  const secrets = new Map<number, Secrets>();
  let count = 0;
  let unchanged = 0;
  /** The row of a change; undefined if nothing would change. */
  const plan = (change: Change): PlannedRow | undefined => {
    const resource = resourceNamed(change.resource);
    const patch = change.patch && changedMembers(resource, change.patch, change.now);
    if ((change.patch && !patch) || hasWantedMark(resource, change)) {
      unchanged++;
      return undefined;
    }
    const number = ++count;
    const { open, secret } = withoutSecrets(resource, change, patch ?? change.body);
    if (secret) secrets.set(number, secret);
    const { source, line, operation, by, params, awaits, place, key, now, sha256 = '' } = change;
    const basis = now && relyingOn(resource, now, patch);
    return defined({
      number,
      source,
      line,
      resource: resource.name,
      operation,
      by,
      params,
      id: idOf(resource, change, newID),
      body: patch ? undefined : open,
      patch: patch && open,
      awaits,
      place: now ? nonEmpty({ ...placeIn(resource, now), ...place }) : place && nonEmpty(place),
      key,
      was: basis?.was,
      seen: basis?.seen,
      secret: secret && { members: Object.keys(secret), line: line ?? 0, sha256 },
    });
  };
  return {
    plan,
    planAll: (changes: AsyncIterable<Change> | Iterable<Change>): AsyncIterable<PlannedRow> =>
      batchedRows(async function* () {
        for await (const some of batchesOf(changes)) yield some.map(plan).filter((row) => row !== undefined);
      }),
    /** The number of changes that would change nothing. */
    unchanged: (): number => unchanged,
    secrets,
  };
}

/** The path parameter that holds the ID of the record itself, filled in. */
export function ownParams(
  operation: Operation,
  by: string | undefined,
  id: string | undefined,
): Record<string, string> {
  const route = operation.routes[routeName(operation, by)];
  const [name, ...more] = route ? addressOf(route).params : [];
  return name !== undefined && more.length === 0 && id !== undefined ? { [name]: id } : {};
}

/** The members of a patch that differ from the record; undefined if none does. A secret always differs: it cannot be read. */
function changedMembers(
  resource: Resource,
  patch: Readonly<Record<string, unknown>>,
  now: Row | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (!now) return patch;
  const differing = Object.entries(patch).filter(
    ([name, value]) => resource.fields[name]?.writeOnly || !isUnaltered(resource, name, value, now[name]),
  );
  return differing.length > 0 ? Object.fromEntries(differing) : undefined;
}

/** Is the record deleted, or live, already (D7)? */
function hasWantedMark(resource: Resource, { operation, now }: Change): boolean {
  if (!now || !('Deleted' in resource.fields)) return false;
  const verb = resource.operations[operation]?.verb;
  return (verb === 'delete' && now.Deleted === true) || (verb === 'undelete' && now.Deleted !== true);
}

/** The members by which a later run sees that the record is no more as it was; without `patch` those of a deletion. */
export function relyingOn(
  resource: Resource,
  now: Row,
  patch: Readonly<Record<string, unknown>> = 'Deleted' in resource.fields ? { Deleted: null } : {},
): Pick<PlannedRow, 'was' | 'seen'> {
  const changed = Object.keys(patch).filter((name) => !resource.fields[name]?.writeOnly);
  // What hides a deleted record may come back by an earlier row; its own values cannot change before.
  const isHidden = now.Deleted === true && now.DeletedByRef === true;
  return defined({ was: valuesOf(now, changed), seen: isHidden ? undefined : fingerprintOf(resource, now) });
}

/** The ID of a new record: the one that was asked for, else a new one where the service takes it. */
function idOf(resource: Resource, change: Change, newID: () => string): string | undefined {
  if (change.id !== undefined) return change.id;
  if (resource.operations[change.operation]?.verb !== 'create') return undefined;
  if (change.body?.ID !== undefined) return String(change.body.ID);
  return takesID(resource) ? newID() : undefined;
}

/** Does a new record take the ID that is sent with it (D12)? */
export const takesID = (resource: Resource): boolean => resource.id === 'guid' && resource.fields.ID !== undefined;

function withoutSecrets(
  resource: Resource,
  { operation }: Change,
  values: Readonly<Record<string, unknown>> | undefined,
): { open: Readonly<Record<string, unknown>> | undefined; secret: Secrets | undefined } {
  const fields = resource.operations[operation]?.takes ?? resource.fields;
  if (!values || !hasSecrets(fields, values)) return { open: values, secret: undefined };
  const isSecret = ([name, value]: [string, unknown]): boolean => fields[name]?.writeOnly === true && value !== null;
  const entries = Object.entries(values);
  const secret = entries.filter(isSecret);
  return {
    open: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    secret: secret.length > 0 ? Object.fromEntries(secret) : undefined,
  };
}

/** Most bodies have none, and are not copied. */
function hasSecrets(fields: Resource['fields'], values: Readonly<Record<string, unknown>>): boolean {
  for (const name in values) if (fields[name]?.writeOnly) return true;
  return false;
}
