// Finds the address of an operation whose parameters the given flags fill.
import type { Input, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Field } from '../../contract/field.ts';
import { resources } from '../../contract/index.ts';
import { type Address, addressOf, isAlias, type Operation } from '../../contract/operation.ts';
import { type Param, paramsOf, QUERIES } from '../../contract/params.ts';
import type { Resource } from '../../contract/resource.ts';
import { camel, type FieldFlag, flagText, kebab, kindFlag } from '../names.ts';
import type { Settings } from '../settings.ts';

/** A flag that fills a parameter of a path or query. */
export interface AddressFlag extends Pick<FieldFlag, 'flag' | 'field' | 'targets'> {
  /** The parameter's own name. */
  readonly param: string;
  readonly place: 'path' | 'query';
}

export interface AddressPlan {
  readonly route: string;
  readonly mine: boolean;
  /** Parameter that names the record itself. */
  readonly own: string | undefined;
  /** Parameters that hold the site. */
  readonly site: readonly string[];
  readonly flags: readonly AddressFlag[];
  /** Does the address take `deleted`, `tz`? */
  readonly query: ReadonlySet<string>;
}

const GLOBAL_QUERIES = ['deleted', 'tz', 'siteid'];

/** The addresses of an operation that a command line can mean. */
export function plansOf(resource: Resource, operation: Operation): readonly AddressPlan[] {
  const all = Object.keys(operation.routes).map((route) => planOf(resource, operation, route));
  const wayOf = ({ flags, mine }: AddressPlan): string =>
    `${mine} ${inPath(flags)
      .map(({ flag }) => flag)
      .sort()}`;
  const ways = new Set(all.filter(({ route }) => !isAlias(route)).map(wayOf));
  // A second spelling is meant where its flags are other ones.
  return all.filter((plan) => !isAlias(plan.route) || !(operation.writes || ways.has(wayOf(plan))));
}

function planOf(resource: Resource, operation: Operation, route: string): AddressPlan {
  const address = addressOf(operation.routes[route] as `GET /${string}`);
  const params = paramsOf(resources, resource, operation.many, address);
  const path = params.filter((param) => !param.own && param.target !== 'site');
  const queries = address.query.filter((name) => !GLOBAL_QUERIES.includes(name.toLowerCase()));
  return {
    route,
    mine: address.segments[0] === 'me',
    own: params.find((param) => param.own)?.name,
    site: params.filter((param) => param.target === 'site' && !param.own).map((param) => param.name),
    flags: [
      ...path.map((param): AddressFlag => pathFlag(resource, address, route, param)),
      ...queries.flatMap(queryFlags),
    ],
    query: new Set(address.query.map((name) => name.toLowerCase())),
  };
}

function pathFlag(
  resource: Resource,
  { segments }: Address,
  route: string,
  { name, field, target }: Param,
): AddressFlag {
  const place = { field, param: name, place: 'path' } as const;
  if (target === undefined && field.kind === 'guid') return { ...place, flag: 'of', targets: DASHBOARD_OWNERS };
  // Computed resources take the flag from the name of the address.
  const flag = resource.unstored && target !== undefined ? kebab(route) : flagOf(name, target);
  const isOfOrganization = isAlias(route) && segments[0] === 'organizations';
  return {
    ...place,
    flag: isOfOrganization && target === 'organization' ? target : flag,
    targets: target === undefined ? [] : [target],
  };
}

/** A query that may name records of several kinds has a flag for each. */
function queryFlags(name: string): readonly AddressFlag[] {
  const field = QUERIES[name.toLowerCase()] as Field;
  const place = { field, param: name, place: 'query' } as const;
  if (name === 'id') return [{ ...place, flag: 'of', targets: DASHBOARD_OWNERS }];
  const targets = field.to ?? [];
  if (targets.length < 2) return [{ ...place, flag: flagOf(name, targets[0]), targets }];
  return targets.map((target) => ({ ...place, flag: kindFlag(target), targets: [target] }));
}

const DASHBOARD_OWNERS = ['organization', 'individual'];

const flagOf = (param: string, target: string | undefined): string =>
  target === undefined ? kebab(param.replace('childtype', 'childType')) : kindFlag(target);

export function addressFlags(plans: readonly AddressPlan[]): readonly AddressFlag[] {
  const all = plans.flatMap((plan) => plan.flags);
  return all.filter((flag, index) => all.findIndex((other) => other.flag === flag.flag) === index);
}

/** The flags that are given; `given` has commander's keys. */
export function givenFlags(
  plans: readonly AddressPlan[],
  given: Readonly<Record<string, unknown>>,
): ReadonlySet<string> {
  const flags = [...addressFlags(plans).map(({ flag }) => flag), 'mine', 'organizations'];
  return new Set(flags.filter((flag) => given[camel(flag)] !== undefined));
}

/** The address that the given flags fill. Throws `usage` with the possible flags. */
export function choosePlan(plans: readonly AddressPlan[], given: ReadonlySet<string>, command: string): AddressPlan {
  const mine = given.has('mine');
  const wide = given.has('organizations');
  const fits = plans.filter((plan) => {
    if (plan.mine !== mine || /rganizations$/.test(plan.route) !== wide) return false;
    const needed = inPath(plan.flags);
    const known = new Set([...plan.flags.map((flag) => flag.flag), 'mine', 'organizations']);
    return needed.every((flag) => given.has(flag.flag)) && [...given].every((flag) => known.has(flag));
  });
  const plan = fits.sort(
    (a, b) => pathFlagCount(b) - pathFlagCount(a) || Number(b.route === 'plain') - Number(a.route === 'plain'),
  )[0];
  if (plan) return plan;
  const ways = waysOf(plans)
    .filter((way) => way !== '')
    .join(', or ');
  const what = given.size === 0 ? 'needs to know whose' : 'takes one of these';
  throw new ServiceError('usage', `pm ${command} ${what}: ${ways}`, {
    hint: `pm ${command} --help describes the flags.`,
  });
}

/** The ways to say which address is meant, as written on a command line; an empty one where nothing needs to be said. */
export const waysOf = (plans: readonly AddressPlan[]): readonly string[] => [...new Set(plans.map(usageOf))];

/** The number of path flags: a path is more specific than a query. */
const pathFlagCount = ({ flags }: AddressPlan): number => inPath(flags).length;

export const inPath = (flags: readonly AddressFlag[]): readonly AddressFlag[] =>
  flags.filter(({ place }) => place === 'path');

/** The flags of an address, as written on a command line. */
function usageOf(plan: AddressPlan): string {
  return plan.mine ? '--mine' : inPath(plan.flags).map(flagText).join(' ');
}

/** Can deleted records be listed? `ofOwners`: of one owner only, so that those of all are read, one list after another. */
export const listsDeleted = (resource: Resource, ofOwners = false): boolean => {
  const { list } = resource.operations;
  const plans = list ? plansOf(resource, list).filter(({ query }) => query.has('deleted')) : [];
  return plans.length > 0 && !(ofOwners && plans.some((plan) => usageOf(plan) === ''));
};

export function listHint(resource: Resource, deleted: 0 | 1 | 2): string {
  const { list } = resource.operations;
  const plans = list ? plansOf(resource, list) : [];
  const way = plans.some((plan) => usageOf(plan) === '') ? '' : ` ${usageOf(plans[0] as AddressPlan)}`;
  return `pm ${resource.command} list${way}${deleted === 1 ? ' --deleted 1' : ''} shows what is there.`;
}

/** The input for an address; `values` are resolved, by flag. */
export function inputAt(plan: AddressPlan, session: Session, values: ReadonlyMap<string, string>, own?: string): Input {
  const params: Record<string, string> = {};
  const query: Record<string, string> = {};
  for (const flag of plan.flags) {
    const value = values.get(flag.flag);
    const place = flag.place === 'path' ? params : query;
    if (value !== undefined && place[flag.param] !== undefined) throw duplicateFlag(plan, flag);
    if (value !== undefined) place[flag.param] = value;
  }
  for (const name of plan.site) params[name] = session.me.site;
  if (plan.own !== undefined && own !== undefined) params[plan.own] = own;
  return { by: plan.route, params, query };
}

type ReadChoices = Pick<Settings, 'tz' | 'deleted'>;

/** The query of --tz, where the address takes one. */
export const zoneIn = ({ tz }: ReadChoices, plan: AddressPlan | undefined): Readonly<Record<string, string>> =>
  tz !== undefined && plan?.query.has('tz') ? { tz } : {};

/** Throws `usage` for --deleted at an address that does not take it. */
export function checkDeleted({ deleted }: ReadChoices, plan: AddressPlan | undefined, command: string): void {
  if (deleted === undefined || plan?.query.has('deleted')) return;
  throw new ServiceError('usage', `the service shows no deleted ones here: ${command} takes no --deleted`, {
    hint: 'Leave --deleted out, or ask another way: --help shows the flags.',
  });
}

function duplicateFlag({ flags }: AddressPlan, { param }: AddressFlag): ServiceError {
  const names = flags.filter((flag) => flag.param === param).map((flag) => `--${flag.flag}`);
  return new ServiceError('usage', `only one of ${names.join(', ')} can be given`);
}
