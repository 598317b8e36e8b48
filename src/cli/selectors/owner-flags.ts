// Flags that name records or fill an address: the owner of a record, the two ends of a membership, other parameters.
import type { Input, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { idKey } from '../../contract/kinds.ts';
import type { Operation } from '../../contract/operation.ts';
import { childTypeOf, readWritten } from '../../contract/params.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import type { Answer } from '../input/dialog.ts';
import { camel, ownerFlags } from '../names.ts';
import type { Settings } from '../settings.ts';
import {
  type AddressFlag,
  type AddressPlan,
  addressFlags,
  checkDeleted,
  choosePlan,
  givenFlags,
  inputAt,
  listsDeleted,
  plansOf,
  zoneIn,
} from './addresses.ts';
import { idInEither, idOf, textsOf } from './records.ts';
import { type Lookup, resolve } from './selectors.ts';

type Given = Readonly<Record<string, unknown>>;

/** The flags that together name a record without its ID: the ends of a membership. */
export const endFlags = (resource: Resource): readonly string[] =>
  addressFlags(endPlans(resource)).map((flag) => flag.flag);

/** The owner members that the flags give, of a record that is looked for. `deleted`, `updating`: as in `Lookup`, `ownerFlags`. */
export async function ownersGiven(
  session: Session,
  resource: Resource,
  given: Given,
  { deleted, updating = false }: Pick<Lookup, 'deleted'> & { readonly updating?: boolean },
): Promise<NonNullable<Lookup['within']>> {
  const within: Record<string, string> = {};
  for (const [flag, { name, targets }] of ownerFlags(resource, { updating })) {
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
  /** Where the answers of a dialog are added. */
  readonly answers?: Answer[];
  /** The members that an editor gave, instead of those of the flags. */
  readonly edited?: Readonly<Record<string, unknown>>;
}

/** The IDs of the arguments, each once, or the one that the flags name. `deleted` as in D4. */
export async function idsFor(
  context: Context,
  { resource, operation, given, options }: CommandInput,
  deleted: 0 | 1,
): Promise<readonly string[]> {
  const session = await context.session();
  if (given.length > 0) {
    const within = await ownersGiven(session, resource, options, { deleted, updating: operation.verb === 'update' });
    const find = operation.verb === 'delete' || operation.verb === 'undelete' ? idInEither : idOf;
    const ids = new Map<string, string>();
    for (const text of await textsOf(context, given)) {
      const id = await find(session, resource, text, { deleted, within });
      ids.set(idKey(id), id);
    }
    return [...ids.values()];
  }
  if (operation.verb === 'undelete' && context.settings.asks) {
    const within = await ownersGiven(session, resource, options, { deleted: 1 });
    return [await (await import('../input/dialog.ts')).askDeleted(session, resource, within)];
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
  // Where the interface lists no deleted ones, the history does.
  const list = listsDeleted(resource)
    ? `pm ${resource.command} list --deleted 1`
    : `pm log --resource ${resource.command} --where "What = 'delete'"`;
  const hint = command.endsWith(' undelete')
    ? `${list} lists those that can be brought back.`
    : `pm ${command} --help describes the flags.`;
  const which = `an ID${resource.names.length > 0 ? ' or a name' : ''}${way}`;
  return new ServiceError('usage', `pm ${command} needs to know which: ${which}`, { hint });
}

/**
 * The input at the address of `plan`, one of `plans`, with names resolved. Owners may be deleted if `deleted` is not 0. Throws as
 * `resolve`, and `usage`, `invalid`.
 */
export async function inputFor(
  session: Session,
  plans: readonly AddressPlan[],
  plan: AddressPlan,
  given: Given,
  deleted: 0 | 1 | 2,
): Promise<Input> {
  const values = new Map<string, string>();
  for (const flag of addressFlags(plans)) {
    const written = given[camel(flag.flag)];
    if (typeof written !== 'string') continue;
    const value =
      flag.targets.length === 0
        ? readWord(flag, written)
        : await resolve(session, written, { targets: flag.targets, deleted: deleted === 0 ? 0 : 2 });
    values.set(flag.flag, value);
  }
  return inputAt(plan, session, values);
}

function readWord({ flag, field }: AddressFlag, written: string): string {
  const answer = flag === 'child-type' ? childTypeOf(written) : readWritten(field, written);
  if ('refused' in answer) throw new ServiceError('invalid', `--${flag} ${answer.refused}`);
  return field.kind === 'integer' ? String(answer.value) : written;
}
