// The owners of records (D6), and the addresses of records with the members that fill their parameters.
import { oncePer } from '../text/once-per.ts';
import type { Field } from './field.ts';
import { resources } from './index.ts';
import { idKey } from './kinds.ts';
import { addressOf, isAlias, type Operation } from './operation.ts';
import { type Param, paramsOf } from './params.ts';
import type { Resource, Row, Value } from './resource.ts';
import { fieldNamed } from './validate.ts';

/** A parameter of a path that a member of the record fills. */
export interface Filled {
  readonly param: string;
  readonly member: string;
  /** The resource whose ID it is; undefined for a plain number. */
  readonly kind: string | undefined;
}

export interface RecordAddress {
  /** The name of the route. */
  readonly by: string;
  /** The parameter of the record's own ID. */
  readonly own: string | undefined;
  readonly site: readonly string[];
  readonly filled: readonly Filled[];
  readonly query: readonly string[];
}

const known = new WeakMap<Operation, readonly RecordAddress[]>();

/** The addresses of an operation that the site, the ID and the members of a record fill; not those of the caller. */
export function recordAddresses(resource: Resource, operation: Operation): readonly RecordAddress[] {
  const there = known.get(operation);
  if (there) return there;
  const found = Object.keys(operation.routes).flatMap((by) =>
    isAlias(by) ? [] : (addressAt(resource, operation, by) ?? []),
  );
  known.set(operation, found);
  return found;
}

/** What fills one address; undefined if the caller, or something that is no member, does. */
export function addressAt(resource: Resource, operation: Operation, by: string): RecordAddress | undefined {
  const address = addressOf(operation.routes[by] as `GET /${string}`);
  if (address.segments[0] === 'me') return undefined;
  const params = paramsOf(resources, resource, operation.many, address);
  const own = params.find((param) => param.own)?.name;
  const filled: Filled[] = [];
  const site: string[] = [];
  for (const param of params.filter(({ name }) => name !== own)) {
    const member = memberFor(resource, param);
    if (member !== undefined) filled.push({ param: param.name, member, kind: param.target });
    else if (param.target === 'site') site.push(param.name);
    else return undefined;
  }
  return { by, own, site, filled, query: address.query };
}

/** Not for the site as owner of a tree: the list of a site has the whole tree, not the top only. */
function memberFor(resource: Resource, { name, target }: Param): string | undefined {
  if (target === undefined) return fieldNamed(resource.fields, name);
  const member = ownerFieldFor(resource, target);
  const isTree = member !== undefined && target === 'site' && resource.fields[member]?.to?.includes(resource.name);
  return isTree ? undefined : member;
}

/** The members by which a list shows a record: its owners, and the period of what is listed for one period. */
export const listMembers = oncePer((resource: Resource): readonly string[] => {
  const { operations, fields } = resource;
  const filled = operations.list ? recordAddresses(resource, operations.list).flatMap((one) => one.filled) : [];
  const owners = ownersOf(resource).map(({ field }) => field);
  const period = 'PeriodID' in fields ? ['PeriodID'] : [];
  return [...new Set([...owners, ...filled.map(({ member }) => member), ...period])];
});

/** The same, where no address shows the record by its ID alone. */
export const placeMembers = (resource: Resource): readonly string[] =>
  resource.operations.get?.routes.plain ? NONE : listMembers(resource);
const NONE: readonly string[] = [];

type Values = Readonly<Record<string, unknown>> | undefined;

/** The values of the list members, each from the last source that has it. */
export const listValuesIn = (resource: Resource, ...sources: readonly Values[]): Row =>
  pickLast(listMembers(resource), sources);

/** The same, where no address shows the record by its ID alone. */
export const placeIn = (resource: Resource, ...sources: readonly Values[]): Row =>
  pickLast(placeMembers(resource), sources);

function pickLast(names: readonly string[], sources: readonly Values[]): Row {
  const found: Record<string, Value> = {};
  for (const name of names) {
    const value = sources.findLast((source) => source?.[name] !== undefined)?.[name];
    // The contract lets bodies hold the values of a record only.
    if (value !== undefined) found[name] = value as Value;
  }
  return found;
}

/** The members that the parameters of an address fill. */
export function placeFromParams(
  resource: Resource,
  operation: Operation,
  by: string | undefined,
  params: Readonly<Record<string, string>>,
): Row {
  const address = recordAddresses(resource, operation).find((one) => one.by === by);
  const said = (address?.filled ?? []).filter(({ param }) => params[param] !== undefined);
  return Object.fromEntries(said.map(({ param, member }) => [member, params[param] ?? null]));
}

/** The lists that can show live or deleted records. `deleted` as in D4. */
export function listAddresses(resource: Resource, deleted: 0 | 1 | 2): readonly RecordAddress[] {
  const { list } = resource.operations;
  const all = list ? recordAddresses(resource, list) : [];
  if (deleted === 0) return all;
  const able = all.filter(takesDeleted);
  return able.length > 0 || deleted === 1 ? able : all;
}

export const takesDeleted = ({ query }: RecordAddress): boolean => query.includes('deleted');

/** Does the list show the records of all owners? */
export const listsAll = ({ filled }: RecordAddress): boolean => filled.length === 0;

/** The owner fields of a resource, with the resources that each may name. */
export const ownersOf = oncePer((resource: Resource) =>
  Object.entries(resource.fields)
    .filter(([, field]) => field.owner)
    .map(([name, field]) => ({ resource, field: name, targets: field.to ?? [] })),
);

/** Does the record belong to one of these, which are named by resource and ID? */
export const isOwnedBy = (resource: Resource, row: Row, owners: ReadonlySet<string>): boolean =>
  ownersOf(resource).some(({ field, targets }) =>
    targets.some((target) => owners.has(`${target} ${idKey(row[field])}`)),
  );

/** Every field through which a record of `target` owns others. */
export function ownedBy(resources: readonly Resource[], target: string) {
  return resources.flatMap(ownersOf).filter((ownership) => ownership.targets.includes(target));
}

/** The owner field of a resource that can name a record of `target`; undefined if it has none. */
export const ownerFieldFor = (resource: Resource, target: string): string | undefined =>
  ownersOf(resource).find((ownership) => ownership.targets.includes(target))?.field;

/** May a PUT never change this member (D10)? */
export const isImmutable = (field: Field): boolean => field.owner === true && !field.moves;
