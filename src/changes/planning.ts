// From what is wanted to the rows of a plan: numbered, each with the ID of a new record and what it relies on.
import { resourceNamed } from '../contract/index.ts';
import type { PlannedRow } from '../contract/jobs.ts';
import { addressOf, type Operation } from '../contract/operation.ts';
import { placeIn } from '../contract/record-address.ts';
import type { Resource, Row } from '../contract/resource.ts';
import type { Change } from './change.ts';
import { isSame, seenOf } from './seen.ts';

/** One change as somebody wants it. */
export interface Draft {
  readonly resource: string;
  /** The operation's name under its resource. */
  readonly operation: string;
  /** The record; of a new one only where its ID is already chosen. */
  readonly id?: string;
  /** The address, its parameters and queries, where it is not the operation's own with the ID alone. */
  readonly by?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly patch?: Readonly<Record<string, unknown>>;
  /** Members by which a list shows the record, as far as they are known. */
  readonly place?: Row;
  /** The record as it stands; the change is then made only while it still does. */
  readonly now?: Row;
  readonly line?: number;
  /** The SHA-256 of the file that the draft's secrets stand in. */
  readonly sha256?: string;
}

export type Secrets = Readonly<Record<string, unknown>>;

export interface Planner {
  /** The row of a draft; undefined where it would change nothing. */
  plan(draft: Draft): PlannedRow | undefined;
  /** The rows of many drafts, as they come. */
  planAll(drafts: AsyncIterable<Draft> | Iterable<Draft>): AsyncGenerator<PlannedRow>;
  /** How many drafts would change nothing. */
  unchanged(): number;
  /** The values that stand in no plan, by the numbers of their rows: for the run, and for nothing else. */
  readonly secrets: ReadonlyMap<number, Secrets>;
}

/** Numbers rows from 1 on. `newID` makes the IDs of new records. */
export function planner(newID: () => string): Planner {
  const secrets = new Map<number, Secrets>();
  let count = 0;
  let unchanged = 0;
  const plan = (draft: Draft): PlannedRow | undefined => {
    const resource = resourceNamed(draft.resource);
    const patch = draft.patch && changing(resource, draft.patch, draft.now);
    if (!patch && draft.patch) {
      unchanged++;
      return undefined;
    }
    if (isTurned(resource, draft)) {
      unchanged++;
      return undefined;
    }
    const number = ++count;
    const kept = withoutSecrets(resource, draft, patch ?? draft.body);
    if (kept.secret) secrets.set(number, kept.secret);
    return {
      number,
      ...(draft.line === undefined ? {} : { line: draft.line }),
      resource: draft.resource,
      operation: draft.operation,
      ...(draft.by === undefined ? {} : { by: draft.by }),
      ...(draft.params === undefined ? {} : { params: draft.params }),
      ...idOf(resource, draft, newID),
      ...(kept.open === undefined ? {} : patch ? { patch: kept.open } : { body: kept.open }),
      ...placed(resource, draft),
      ...(draft.now ? saw(resource, draft.now, patch ?? marksOf(resource)) : {}),
      ...(kept.secret
        ? {
            secret: { members: Object.keys(kept.secret), line: draft.line ?? 0, sha256: draft.sha256 ?? '' },
          }
        : {}),
    };
  };
  return {
    plan,
    async *planAll(drafts) {
      for await (const draft of drafts) {
        const row = plan(draft);
        if (row) yield row;
      }
    },
    unchanged: () => unchanged,
    secrets,
  };
}

/** A change of a command as a draft: as plain data. */
export function draftOf(change: Change): Draft {
  const { resource, operation, id, patch, place, input } = change;
  const { by, body } = input;
  const params = { ...input.params, ...textsOf(input.query ?? {}) };
  return {
    resource: resource.name,
    operation: operation.name,
    ...(id === undefined ? {} : { id }),
    ...(by === undefined ? {} : { by }),
    ...(Object.keys(params).length > 0 ? { params } : {}),
    ...(body ? { body } : {}),
    ...(patch ? { patch } : {}),
    ...(place ? { place } : {}),
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

const textsOf = (query: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

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
function isTurned(resource: Resource, { operation, now }: Draft): boolean {
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

function placed(resource: Resource, { place, now }: Draft): Pick<PlannedRow, 'place'> {
  const known = placeIn(resource, place, now);
  return Object.keys(known).length > 0 ? { place: known } : {};
}

function idOf(resource: Resource, draft: Draft, newID: () => string): Pick<PlannedRow, 'id'> {
  if (draft.id !== undefined) return { id: draft.id };
  if (resource.operations[draft.operation]?.verb !== 'create') return {};
  if (draft.body?.ID !== undefined) return { id: String(draft.body.ID) };
  return takesID(resource) ? { id: newID() } : {};
}

/** Does a new record take the ID that is sent with it (D12)? */
export const takesID = (resource: Resource): boolean => resource.id === 'guid' && resource.fields.ID !== undefined;

function withoutSecrets(
  resource: Resource,
  { operation }: Draft,
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
