// pm <resource> list, and the other commands that answer a list.
import type { Operation } from '../../contract/operation.ts';
import { plural, type Resource } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { camel, kebab } from '../names.ts';
import { shapeOf } from '../output/shape.ts';
import { resolveFlags } from '../selectors/address-values.ts';
import {
  type AddressFlag,
  type AddressPlan,
  addressFlags,
  checkDeleted,
  choosePlan,
  inputAt,
  plansOf,
  zoneIn,
} from '../selectors/addresses.ts';

type Given = Readonly<Record<string, unknown>>;

export async function list(context: Context, resource: Resource, operation: Operation, given: Given): Promise<number> {
  const { plan, flags } = chosen(resource, operation, given);
  const { deleted, limit, where, sort } = context.settings;
  checkDeleted(context.settings, plan, `${resource.command} ${operation.name}`);
  const session = await context.session();
  const values = await resolveFlags(session, flags, given, deleted ?? 0);
  const input = inputAt(plan, session, values);
  const query = {
    ...input.query,
    ...(deleted === undefined ? {} : { deleted }),
    ...zoneIn(context.settings, plan),
  };
  // One record more than asked for tells whether something was cut; a filter or another order needs them all.
  const want = limit !== undefined && where.length === 0 && sort === undefined ? { limit: limit + 1 } : {};
  const count = await context.print({
    shape: shapeOf(resource, operation),
    rows: session.list(operation, { ...input, query }, want),
  });
  if (count === 0) context.note(`No ${listed(resource, operation)}.`);
  return 0;
}

/** What a list is of, in words: one that answers other records is called after them, as in active projects. */
function listed(resource: Resource, { name, answers }: Operation): string {
  if (answers === undefined || !name.endsWith('s')) return plural(resource);
  return kebab(name)
    .replaceAll('-', ' ')
    .replace(/^dept /, 'department ');
}

/** An operation that reads one record which its flags name. */
export async function read(context: Context, resource: Resource, operation: Operation, given: Given): Promise<number> {
  const { plan, flags } = chosen(resource, operation, given);
  checkDeleted(context.settings, plan, `${resource.command} ${operation.name}`);
  const session = await context.session();
  const input = inputAt(plan, session, await resolveFlags(session, flags, given, 0));
  const row = await session.call(operation, { ...input, query: { ...input.query, ...zoneIn(context.settings, plan) } });
  await context.print({ shape: shapeOf(resource, operation), rows: [row], one: true });
  return 0;
}

interface Chosen {
  readonly plan: AddressPlan;
  readonly flags: readonly AddressFlag[];
}

/** The address that the flags mean, and every flag that may fill it. */
function chosen(resource: Resource, operation: Operation, given: Given): Chosen {
  const plans = plansOf(resource, operation);
  const flags = addressFlags(plans);
  const named = new Set(
    [...flags.map((flag) => flag.flag), 'mine', 'organizations'].filter((flag) => given[camel(flag)] !== undefined),
  );
  return { plan: choosePlan(plans, named, `${resource.command} ${operation.name}`), flags };
}
