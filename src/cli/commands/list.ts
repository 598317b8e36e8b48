// pm <resource> list, and the other commands that answer a list.
import { ServiceError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import { plural, type Resource } from '../../contract/resource.ts';
import { resolveFlags } from '../address-values.ts';
import { addressFlags, choosePlan, inputAt, plansOf } from '../addresses.ts';
import type { Context } from '../context.ts';
import { camel } from '../names.ts';
import { shapeOf } from '../shape.ts';

type Given = Readonly<Record<string, unknown>>;

export async function list(context: Context, resource: Resource, operation: Operation, given: Given): Promise<number> {
  const plans = plansOf(resource, operation);
  const flags = addressFlags(plans);
  const named = new Set(
    [...flags.map((flag) => flag.flag), 'mine', 'organizations'].filter((flag) => given[camel(flag)] !== undefined),
  );
  const plan = choosePlan(plans, named, `${resource.command} ${operation.name}`);
  const { deleted, tz, limit, where, sort } = context.settings;
  if (deleted !== undefined && !plan.query.has('deleted')) throw noDeleted(resource, operation);
  const session = await context.session();
  const values = await resolveFlags(session, flags, given, deleted ?? 0);
  const input = inputAt(plan, session, values);
  const query = {
    ...input.query,
    ...(deleted === undefined ? {} : { deleted }),
    ...(tz !== undefined && plan.query.has('tz') ? { tz } : {}),
  };
  // One record more than asked for tells whether something was cut; a filter or another order needs them all.
  const want = limit !== undefined && where.length === 0 && sort === undefined ? { limit: limit + 1 } : {};
  const count = await context.print({
    shape: shapeOf(resource, operation),
    rows: session.list(operation, { ...input, query }, want),
    one: false,
  });
  if (count === 0) context.note(`No ${plural(resource)}.`);
  return 0;
}

function noDeleted(resource: Resource, operation: Operation): ServiceError {
  return new ServiceError(
    'usage',
    `the service lists no deleted ones here: ${resource.command} ${operation.name} takes no --deleted`,
    {
      hint: 'Leave --deleted out, or list them another way: --help shows the flags.',
    },
  );
}
