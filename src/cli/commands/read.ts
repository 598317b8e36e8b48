// pm <resource> list, and the other commands that read what their flags name.
import type { Operation } from '../../contract/operation.ts';
import { plural, type Resource } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { kebab } from '../names.ts';
import { shapeOf } from '../output/shape.ts';
import { inputFor } from '../selectors/address-values.ts';
import { checkDeleted, choosePlan, givenFlags, plansOf, zoneIn } from '../selectors/addresses.ts';

type Given = Readonly<Record<string, unknown>>;

/** Prints the list that an operation answers, or the one record. Answers the exit code. */
export async function read(context: Context, resource: Resource, operation: Operation, given: Given): Promise<number> {
  const { deleted, limit, where, sort } = context.settings;
  const command = `${resource.command} ${operation.name}`;
  const plans = plansOf(resource, operation);
  const plan = choosePlan(plans, givenFlags(plans, given), command);
  checkDeleted(context.settings, plan, command);
  const session = await context.session();
  const { query, ...place } = await inputFor(session, plans, plan, given, deleted ?? 0);
  const which = deleted === undefined ? {} : { deleted };
  const input = { ...place, query: { ...query, ...which, ...zoneIn(context.settings, plan) } };
  const shape = shapeOf(resource, operation);
  if (!operation.many) return context.print({ shape, rows: [await session.call(operation, input)], one: true });
  // One record more than asked for tells whether something was cut; a filter or another order needs them all.
  const want = limit !== undefined && where.length === 0 && sort === undefined ? { limit: limit + 1 } : {};
  const none = `No ${listName(resource, operation)}.`;
  return context.print({ shape, rows: session.list(operation, input, want), none });
}

/** The name of a list in words. One that answers other records is called after them: active projects. */
function listName(resource: Resource, { name, answers }: Operation): string {
  if (answers === undefined || !name.endsWith('s')) return plural(resource);
  return kebab(name)
    .replaceAll('-', ' ')
    .replace(/^dept /, 'department ');
}
