// Reads a record as it stands, with nothing but the row of a plan to go by.
import type { Input, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { resourceNamed } from '../contract/index.ts';
import type { PlannedRow } from '../contract/jobs.ts';
import { addressOf, isAlias, type Operation } from '../contract/operation.ts';
import { ownersOf } from '../contract/owners.ts';
import type { Resource, Row } from '../contract/resource.ts';

const GONE: readonly string[] = ['not_found', 'deleted'];

/**
 * The record of a row; undefined where there is none, or where the service has no address that could show it. The
 * embedded engine shows deleted ones too.
 */
export async function standingOf(session: Session, row: PlannedRow): Promise<Row | undefined> {
  const { id } = row;
  const resource = resourceNamed(row.resource);
  const local = id === undefined ? undefined : await session.local?.record(row.resource, id);
  const live = local ?? (await single(session, resource, row));
  // What a single read does not show is deleted or not there (D5): no list would tell more of it.
  if (live || id === undefined || session.local || resource.operations.get?.routes.plain) return live;
  const isIt = (one: Row): boolean => sameID(one.ID, id);
  const { patch, ...before } = row;
  const there = (await besideOf(session, before))?.find(isIt);
  // One that was moved stands with its new owner.
  const isMoved = patch && [...ownersOf(resource).map(({ field }) => field), 'PeriodID'].some((name) => name in patch);
  return there || !isMoved ? there : (await besideOf(session, row))?.find(isIt);
}

/**
 * All records beside which a new one would stand: those of the list of its owner; undefined where no list of the
 * service can show them.
 */
export async function besideOf(session: Session, row: PlannedRow): Promise<readonly Row[] | undefined> {
  const resource = resourceNamed(row.resource);
  const { list } = resource.operations;
  const members = { ...row.was, ...row.patch, ...row.body };
  for (const asked of list ? listsFor(resource, list, members, session.me.site) : []) {
    try {
      return await gathered(session.list(list as Operation, asked));
    } catch (error) {
      // The owner may be of another kind, and stand in the next list.
      if (!isGone(error)) throw error;
    }
  }
  return undefined;
}

async function single(session: Session, resource: Resource, row: PlannedRow): Promise<Row | undefined> {
  const { get } = resource.operations;
  const reading = get && readingOf(get, row);
  if (!get || !reading) return undefined;
  try {
    return await session.call(get, reading);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

const isGone = (error: unknown): boolean => error instanceof ServiceError && GONE.includes(error.code);

async function gathered(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** By its own ID, or by the ends that name it. */
function readingOf(get: Operation, row: PlannedRow): { by: string; params: Record<string, string> } | undefined {
  for (const [by, route] of Object.entries(get.routes)) {
    const { params } = addressOf(route);
    const [first, ...more] = params;
    if (by === 'plain' && first !== undefined && more.length === 0 && row.id !== undefined)
      return { by, params: { [first]: row.id } };
    if (by === row.by && params.length > 0 && params.every((name) => row.params?.[name] !== undefined))
      return { by, params: Object.fromEntries(params.map((name) => [name, row.params?.[name] ?? ''])) };
  }
  return undefined;
}

type Asked = Required<Pick<Input, 'by' | 'params' | 'query'>>;

/** The addresses of a list that the members of a record fill: of all, of the site, or of its owner. */
function listsFor(
  resource: Resource,
  list: Operation,
  members: Readonly<Record<string, unknown>>,
  site: string,
): readonly Asked[] {
  const known = new Map([['site', site]]);
  for (const { field, targets } of ownersOf(resource)) {
    if (members[field] === undefined) continue;
    for (const name of targets.flatMap(namesOf)) known.set(name, String(members[field]));
  }
  return Object.entries(list.routes).flatMap(([by, route]): readonly Asked[] => {
    const { params, query } = addressOf(route);
    const [name, ...more] = params;
    if (by === 'mine' || isAlias(by) || more.length > 0) return [];
    const asked = { by, query: queryFor(query, members) };
    if (name === undefined) return [{ ...asked, params: {} }];
    const id = known.get(by);
    return id === undefined ? [] : [{ ...asked, params: { [name]: id } }];
  });
}

function queryFor(names: readonly string[], members: Readonly<Record<string, unknown>>): Asked['query'] {
  return {
    ...(names.includes('deleted') ? { deleted: 2 } : {}),
    ...(names.includes('period') && members.PeriodID !== undefined ? { period: String(members.PeriodID) } : {}),
  };
}

/** Routes are named after what owns: an organization's and a department's are one. */
const namesOf = (target: string): readonly string[] =>
  target === 'organization' ? ['department', 'organization'] : [target];

export const sameID = (one: unknown, other: unknown): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase();
