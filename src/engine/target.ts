// Reads the address of an operation: the record or list, its site, its owners and its parameters.
import type { Input } from '../contract/call.ts';
import { type Fault, invalid, ServiceError } from '../contract/errors.ts';
import { resourceNamed, resources } from '../contract/index.ts';
import type { RecordNamed } from '../contract/next.ts';
import { addressOf, type Operation, type Route } from '../contract/operation.ts';
import { type Param, paramsOf, QUERIES } from '../contract/params.ts';
import { ownerFieldFor } from '../contract/record-address.ts';
import type { Resource, Row, Value } from '../contract/resource.ts';
import { inheritanceOf } from '../contract/rights.ts';
import { checkText, validate } from '../contract/validate.ts';
import { oncePer, oncePerText } from '../text/once-per.ts';
import { nearest } from '../text/spelling.ts';
import type { Caller } from './caller.ts';

export interface Target {
  readonly operation: Operation;
  readonly resource: Resource;
  readonly route: string;
  readonly site: string;
  /** The ID of the record, where the path has it. */
  readonly id: string | undefined;
  /** Other records that the path names, such as owners. */
  readonly named: readonly RecordNamed[];
  readonly queryOwners: readonly RecordNamed[];
  /** The values of owner fields that the path sets. */
  readonly owners: Readonly<Record<string, string>>;
  /** Path parameters that are no IDs, by name in lower case. */
  readonly values: Readonly<Record<string, Value>>;
  /** Query parameters by name in lower case. */
  readonly query: Readonly<Record<string, Value>>;
}

interface AddressPlan {
  readonly resource: Resource;
  readonly route: string;
  readonly params: readonly Param[];
  readonly query: readonly string[];
  /** The path begins with `me`. */
  readonly isMine: boolean;
}

/**
 * Throws `invalid` for a malformed parameter, `not_found` for a site that the caller may not name (D2).
 * Without `by` the address is `plain`, or the only one.
 */
export function targetOf(operation: Operation, input: Input, caller: Caller, actingSite: string): Target {
  const plan = planOf(operation, input.by);
  const query = readQuery(plan, input);
  let site = typeof query.siteid === 'string' ? query.siteid : plan.isMine ? caller.site : actingSite;
  let id = plan.isMine && plan.resource.name === 'individual' && !operation.many ? caller.id : undefined;
  const named: RecordNamed[] = plan.isMine ? [{ resource: 'individual', id: caller.id }] : [];
  const values: Record<string, Value> = {};
  for (const param of plan.params) {
    const value = readParam(plan, param, input);
    if (param.target === undefined) values[param.name.toLowerCase()] = value;
    else if (param.target === 'site') site = String(value);
    else if (!param.own) named.push({ resource: param.target, id: String(value) });
    if (param.own) id = String(value);
  }
  if (site !== caller.site && site !== actingSite && !caller.isGlobalAdmin) throw noSite(site);
  return {
    operation,
    resource: plan.resource,
    route: plan.route,
    site,
    id,
    named,
    queryOwners: queryOwners(query),
    owners: ownersIn(plan, named),
    values,
    query,
  };
}

/** The checked body of an operation with members of its own. Throws `invalid`. */
export const bodyOf = ({ operation }: Target, input: Input, what: string): Row =>
  validate({ fields: operation.takes ?? {}, what }, input.body ?? {}, 'create').values;

export const noSite = (site: string): ServiceError =>
  new ServiceError('not_found', `there is no site ${site}`, { next: { do: 'list', resource: 'site' } });

function planOf(operation: Operation, by?: string): AddressPlan {
  const names = Object.keys(operation.routes);
  const route = by ?? ('plain' in operation.routes || names.length !== 1 ? 'plain' : (names[0] ?? 'plain'));
  return plansOf(operation)(route);
}

const plansOf = oncePer((operation: Operation) => oncePerText((route) => makePlan(operation, route)));

function makePlan(operation: Operation, route: string): AddressPlan {
  const resource = resourceNamed(operation.resource);
  if (operation.verb === 'local') return { resource, route, params: [], query: [], isMine: false };
  const whole: Route | undefined = operation.routes[route];
  if (!whole) {
    const known = Object.keys(operation.routes).join(', ');
    throw new ServiceError('usage', `${resource.command} ${operation.name} has no address "${route}"; it has ${known}`);
  }
  const address = addressOf(whole);
  const params = paramsOf(resources, resource, operation.many, address);
  return { resource, route, params, query: address.query, isMine: address.segments[0] === 'me' };
}

function readParam(plan: AddressPlan, param: Param, input: Input): Value {
  const text = input.params?.[param.name];
  if (text === undefined) throw new Error(`${plan.resource.name}: the address ${plan.route} needs ${param.name}`);
  const answer = checkText(param.field, text);
  if ('value' in answer) return answer.value;
  throw addressFault({ field: param.name, code: 'malformed', message: answer.refused });
}

function readQuery(plan: AddressPlan, input: Input): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const name in input.query) {
    const known = plan.query.find((one) => one.toLowerCase() === name.toLowerCase());
    const field = known && QUERIES[known.toLowerCase()];
    if (!field) throw unknownQuery(plan, name);
    const answer = checkText(field, String(input.query[name]));
    if ('refused' in answer) throw addressFault({ field: name, code: 'malformed', message: answer.refused });
    values[name.toLowerCase()] = answer.value;
  }
  return values;
}

function unknownQuery(plan: AddressPlan, name: string): ServiceError {
  const close = nearest(name, plan.query);
  const hint = close ? { hint: `Did you mean ${close}?` } : {};
  return addressFault({
    field: name,
    code: 'unknown_member',
    message: 'is not a parameter of this address',
    ...hint,
  });
}

const addressFault = (fault: Fault): ServiceError => invalid('the address', [fault]);

function queryOwners(query: Readonly<Record<string, Value>>): readonly RecordNamed[] {
  const owners: RecordNamed[] = [];
  for (const name in query) {
    // An ID of several kinds is looked up by the selection of the list.
    const [resource, ...others] = QUERIES[name]?.to ?? [];
    if (resource !== undefined && others.length === 0 && resource !== 'site')
      owners.push({ resource, id: String(query[name]) });
  }
  return owners;
}

/** The field that a record inherits rights through, although the contract calls it no owner: an archive's item. */
const namedBy = (resource: Resource, target: string): string | undefined =>
  inheritanceOf(resource).find(({ targets }) => targets.includes(target))?.field;

function ownersIn(plan: AddressPlan, named: readonly RecordNamed[]): Record<string, string> {
  const owners: Record<string, string> = {};
  for (const { resource, id } of named) {
    const field = ownerFieldFor(plan.resource, resource) ?? namedBy(plan.resource, resource);
    if (field) owners[field] = id;
  }
  return owners;
}
