// Flags that name records: their owner, or the two ends of a membership.
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resources } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import { nearest } from '../../text/spelling.ts';
import type { Context } from '../context.ts';
import { camel, ownerFlags } from '../names.ts';
import type { Settings } from '../settings.ts';
import { inputFor } from './address-values.ts';
import { type AddressPlan, addressFlags, checkDeleted, choosePlan, givenFlags, plansOf, zoneIn } from './addresses.ts';
import { idsOf } from './records.ts';
import { type Lookup, resolve } from './selectors.ts';

type Given = Readonly<Record<string, unknown>>;

/** The flags that together name a record without its ID: the ends of a membership. */
export const endFlags = (resource: Resource): readonly string[] =>
  addressFlags(endPlans(resource)).map((flag) => flag.flag);

/** The owner members that the flags give. */
export async function ownersGiven(
  session: Session,
  resource: Resource,
  given: Given,
  deleted: 0 | 1 | 2,
): Promise<NonNullable<Lookup['within']>> {
  const within: Record<string, string> = {};
  for (const [flag, { name, targets }] of ownerFlags(resource)) {
    const written = given[camel(flag)];
    if (typeof written !== 'string') continue;
    within[name] = await resolve(session, written, { targets, deleted: deleted === 0 ? 0 : 2 });
  }
  return within;
}

/** The operation of a command line, with its arguments and options. */
export interface CommandInput {
  readonly resource: Resource;
  readonly operation: Operation;
  /** Names of records, or `-` for IDs on stdin. */
  readonly given: readonly string[];
  readonly options: Given;
}

/** The IDs of the arguments, or the one that the flags name. `deleted` as in D4. */
export async function idsFor(
  context: Context,
  session: Session,
  { resource, operation, given, options }: CommandInput,
  deleted: 0 | 1,
): Promise<readonly string[]> {
  if (given.length > 0) {
    const within = await ownersGiven(session, resource, options, deleted);
    return idsOf(context, session, resource, given, { deleted, within });
  }
  return [String((await recordByFlags(session, resource, options, `${resource.command} ${operation.name}`)).ID)];
}

/**
 * The record that flags name without an ID: site settings, the caller, a membership. `choices` are query parameters of
 * the read. Throws `usage`.
 */
export async function recordByFlags(
  session: Session,
  resource: Resource,
  given: Given,
  command: string,
  choices: Pick<Settings, 'tz' | 'deleted'> = { tz: undefined, deleted: undefined },
): Promise<Row> {
  const { get } = resource.operations;
  if (get && resource.name === 'siteSetting') {
    checkDeleted(choices, plansOf(resource, get)[0], command);
    return session.call(get, { params: { id: session.me.site } });
  }
  const plans = endPlans(resource);
  const named = givenFlags(plans, given);
  if (!get || plans.length === 0 || named.size === 0) throw noRecordNamed(resource, command);
  const plan = choosePlan(plans, named, command);
  checkDeleted(choices, plan, command);
  const input = await inputFor(session, plans, plan, given, 0);
  return session.call(get, { ...input, query: { ...input.query, ...zoneIn(choices, plan) } });
}

const endPlans = (resource: Resource): readonly AddressPlan[] => {
  const { get } = resource.operations;
  return get ? plansOf(resource, get).filter((plan) => plan.own === undefined) : [];
};

function noRecordNamed(resource: Resource, command: string): ServiceError {
  const ends = endFlags(resource).map((flag) => `--${flag} <ref>`);
  const way = ends.length > 0 ? `, or ${ends.join(' ')}` : '';
  return new ServiceError(
    'usage',
    `pm ${command} needs to know which: an ID${hasNames(resource) ? ' or a name' : ''}${way}`,
    {
      hint: `pm ${command} --help describes the flags.`,
    },
  );
}

const hasNames = (resource: Resource): boolean => resource.names.length > 0;

/** Finds a resource by its command, an alias, or its type. `before` precedes the name in the hint. Throws `usage`. */
export function resourceCalled(name: string, before = ''): Resource {
  const wanted = name.toLowerCase();
  const found = resources.find(
    (one) =>
      one.command === wanted ||
      one.aliases.includes(wanted) ||
      one.name.toLowerCase() === wanted ||
      one.type.toLowerCase() === wanted,
  );
  if (found) return found;
  const close = nearest(
    name,
    resources.flatMap((one) => [one.command, ...one.aliases]),
  );
  throw new ServiceError('usage', `there is no resource "${name}"`, {
    hint: close ? `Did you mean: ${before}${close}?` : 'pm --help lists the resources.',
  });
}
