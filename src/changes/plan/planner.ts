// From what is wanted to the rows of a plan: numbered, each with the ID of a new record and what it relies on.
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { addressOf, type Operation } from '../../contract/operation.ts';
import { placeIn } from '../../contract/record-address.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import type { Change } from './change.ts';
import { isSame, seenOf } from './drift.ts';

export type Secrets = Readonly<Record<string, unknown>>;

export interface Planner {
  /** The row of a change; undefined where it would change nothing. */
  plan(change: Change): PlannedRow | undefined;
  /** The rows of many changes, as they come. */
  planAll(changes: AsyncIterable<Change> | Iterable<Change>): AsyncGenerator<PlannedRow>;
  /** How many changes would change nothing. */
  unchanged(): number;
  /** The values that stand in no plan, by the numbers of their rows: for the run, and for nothing else. */
  readonly secrets: ReadonlyMap<number, Secrets>;
}

/** Numbers rows from 1 on. `newID` makes the IDs of new records. */
export function planner(newID: () => string): Planner {
  const secrets = new Map<number, Secrets>();
  let count = 0;
  let unchanged = 0;
  const plan = (change: Change): PlannedRow | undefined => {
    const resource = resourceNamed(change.resource);
    const patch = change.patch && changing(resource, change.patch, change.now);
    if ((change.patch && !patch) || isTurned(resource, change)) {
      unchanged++;
      return undefined;
    }
    const number = ++count;
    const kept = withoutSecrets(resource, change, patch ?? change.body);
    if (kept.secret) secrets.set(number, kept.secret);
    return {
      number,
      ...(change.source === undefined ? {} : { source: change.source }),
      ...(change.line === undefined ? {} : { line: change.line }),
      resource: change.resource,
      operation: change.operation,
      ...(change.by === undefined ? {} : { by: change.by }),
      ...(change.params === undefined ? {} : { params: change.params }),
      ...idOf(resource, change, newID),
      ...(kept.open === undefined ? {} : patch ? { patch: kept.open } : { body: kept.open }),
      ...(change.awaits === undefined ? {} : { awaits: change.awaits }),
      ...placed(resource, change),
      ...(change.now ? saw(resource, change.now, patch ?? marksOf(resource)) : {}),
      ...(kept.secret
        ? {
            secret: { members: Object.keys(kept.secret), line: change.line ?? 0, sha256: change.sha256 ?? '' },
          }
        : {}),
    };
  };
  return {
    plan,
    async *planAll(changes) {
      for await (const change of changes) {
        const row = plan(change);
        if (row) yield row;
      }
    },
    unchanged: () => unchanged,
    secrets,
  };
}

/** The name of the route that an operation takes where none is named. */
export const plainRoute = (operation: Operation): string | undefined =>
  'plain' in operation.routes ? 'plain' : Object.keys(operation.routes)[0];

/** The parameters of an operation's path that stand for the record itself: the one of its plain address. */
export function ownParams(
  operation: Operation,
  by: string | undefined,
  id: string | undefined,
): Record<string, string> {
  const route = operation.routes[by ?? plainRoute(operation) ?? ''];
  const [name, ...more] = route ? addressOf(route).params : [];
  return name !== undefined && more.length === 0 && id !== undefined ? { [name]: id } : {};
}

/** What of a patch is new to the record; undefined where nothing is. A secret is always new: nobody can read it. */
function changing(
  resource: Resource,
  patch: Readonly<Record<string, unknown>>,
  now: Row | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (!now) return patch;
  const differing = Object.entries(patch).filter(
    ([name, value]) => resource.fields[name]?.writeOnly || !isSame(resource, name, value, now[name]),
  );
  return differing.length > 0 ? Object.fromEntries(differing) : undefined;
}

/** Is it deleted, or live, as wanted (D7)? */
function isTurned(resource: Resource, { operation, now }: Change): boolean {
  if (!now || !('Deleted' in resource.fields)) return false;
  const verb = resource.operations[operation]?.verb;
  return (verb === 'delete' && now.Deleted === true) || (verb === 'undelete' && now.Deleted !== true);
}

const marksOf = ({ fields }: Resource): Readonly<Record<string, unknown>> =>
  'Deleted' in fields ? { Deleted: null } : {};

function saw(
  resource: Resource,
  now: Row,
  changes: Readonly<Record<string, unknown>>,
): Pick<PlannedRow, 'was' | 'seen'> {
  const changed = Object.keys(changes).filter((name) => !resource.fields[name]?.writeOnly);
  return {
    was: Object.fromEntries(changed.map((name) => [name, now[name] ?? null])),
    seen: seenOf(resource, now),
  };
}

function placed(resource: Resource, { place, now }: Change): Pick<PlannedRow, 'place'> {
  const known = placeIn(resource, place, now);
  return Object.keys(known).length > 0 ? { place: known } : {};
}

function idOf(resource: Resource, change: Change, newID: () => string): Pick<PlannedRow, 'id'> {
  if (change.id !== undefined) return { id: change.id };
  if (resource.operations[change.operation]?.verb !== 'create') return {};
  if (change.body?.ID !== undefined) return { id: String(change.body.ID) };
  return takesID(resource) ? { id: newID() } : {};
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

/** Most records have none, so their bodies are handed on as they are. */
function hasSecrets(fields: Resource['fields'], values: Readonly<Record<string, unknown>>): boolean {
  for (const name in values) if (fields[name]?.writeOnly) return true;
  return false;
}
