// Asks a back end for any record of the contract, at an address that the record's own members fill.
import type { Input, Session } from '../../src/contract/call.ts';
import { resources } from '../../src/contract/index.ts';
import { type Address, addressOf, type Operation } from '../../src/contract/operation.ts';
import { paramsOf } from '../../src/contract/params.ts';
import { ownerFieldFor } from '../../src/contract/record-address.ts';
import type { Resource, Row, Value } from '../../src/contract/resource.ts';
import { sampleBody, sampledTarget } from './sample.ts';

export function operation(resource: Resource, name: string): Operation {
  const found = resource.operations[name];
  if (!found) throw new Error(`${resource.command} has no ${name}`);
  return found;
}

/** A record of the resource: a new one, or the one that comes with the site. */
export async function aRecord(session: Session, resource: Resource): Promise<Row> {
  const { create, get, list, update } = resource.operations;
  if (create?.verb === 'unsupported') return {};
  if (create?.verb === 'create') return session.call(create, { body: await sampleBody(session, resource) });
  if (get && resource.id === 'guid' && 'ID' in resource.fields) {
    return one(session, resource, 'get', { ID: session.me.site });
  }
  if (update?.verb === 'special') {
    const body = await sampleBody(session, resource);
    return one(session, resource, 'update', body, body);
  }
  if (!list) throw new Error(`nothing answers a ${resource.name}`);
  return (await listed(session, resource, {}))[0] ?? {};
}

/** One operation on this record, at the first address that its own members fill. */
export async function one(session: Session, resource: Resource, name: string, record: Row, body?: Row): Promise<Row> {
  const input = inputFor(resource, operation(resource, name), record, session.me.site);
  return session.call(operation(resource, name), body ? { ...input, body } : input);
}

/** The list in which this record stands, by preference one that can show deleted ones. */
export async function listed(
  session: Session,
  resource: Resource,
  record: Row,
  deleted: 0 | 1 | 2 = 0,
): Promise<Row[]> {
  const list = operation(resource, 'list');
  const input = inputFor(resource, list, record, session.me.site);
  const { query } = addressOf(list.routes[String(input.by)] ?? 'GET /');
  const asked = { ...(query.includes('deleted') ? { deleted } : {}), ...periodOf(query, record) };
  const rows: Row[] = [];
  for await (const row of session.list(list, { ...input, query: asked }))
    rows.push({ ...row, ...ONLY_IN_LISTS[resource.name] });
  return rows;
}

/** What a record read alone does not show. */
const ONLY_IN_LISTS: Readonly<Record<string, Row>> = { task: { RankOrder: null, Level: null } };

const periodOf = (query: readonly string[], { PeriodID }: Row): Record<string, number> =>
  query.includes('period') && typeof PeriodID === 'number' ? { period: PeriodID } : {};

/** The filters that the list takes in which this record stands. */
export const filters = (resource: Resource, record: Row): readonly (0 | 1 | 2)[] => {
  const list = operation(resource, 'list');
  const { by } = inputFor(resource, list, record, 'the site');
  return addressOf(list.routes[String(by)] ?? 'GET /').query.includes('deleted') ? [0, 1, 2] : [0];
};

/** The first address of an operation that the members of a record fill. Throws where there is none. */
export function inputFor(resource: Resource, { routes, many }: Operation, record: Row, site: string): Input {
  const fitting = Object.entries(routes).flatMap(([by, route]) => {
    const address = addressOf(route);
    const params = paramsFor(resource, many, address, record, site);
    return params ? [{ by, params, tells: address.query.includes('deleted') }] : [];
  });
  const best = fitting.find(({ tells }) => tells) ?? fitting[0];
  if (!best) throw new Error(`no address of ${resource.command} is filled by ${JSON.stringify(record)}`);
  return { by: best.by, params: best.params };
}

/** Undefined where the record does not tell one of them. */
function paramsFor(
  resource: Resource,
  many: boolean,
  address: Address,
  record: Row,
  site: string,
): Record<string, string> | undefined {
  if (address.segments[0] === 'me') return undefined;
  const values = paramsOf(resources, resource, many, address).map(({ name, target, own }): [string, Value] => {
    const field = own ? 'ID' : target && ownerFieldFor(resource, target);
    if (target === 'site' && !own) return [name, site];
    const named = field && (own || sampledTarget(resource.fields[field]?.to ?? []) === target);
    return [name, (named && record[field]) || null];
  });
  if (values.some(([, value]) => value === null)) return undefined;
  return Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
}

/** The members that the address of an operation fills. */
export function pathMembers(resource: Resource, operation: Operation, record: Row): readonly string[] {
  const { routes, many } = operation;
  const { by } = inputFor(resource, operation, record, '');
  const params = paramsOf(resources, resource, many, addressOf(routes[String(by)] ?? 'GET /'));
  return params.flatMap(({ target, own }) => (own || !target ? [] : (ownerFieldFor(resource, target) ?? [])));
}
