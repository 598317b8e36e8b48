// pm <resource> delete and undelete.
import { type Change, make, rehearse } from '../../changes/change.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import { isSoft, type Resource, type Row } from '../../contract/resource.ts';
import { announce, checkNamed } from '../announce.ts';
import { confirmDeletion } from '../confirm.ts';
import { type Context, rowsOf } from '../context.ts';
import { idsFor } from '../naming.ts';
import { printPlan } from '../plan-output.ts';
import { ownPlan, standing } from '../records.ts';
import { reportFailures } from '../several.ts';
import { shapeOf } from '../shape.ts';

export async function turn(
  context: Context,
  resource: Resource,
  operation: Operation,
  given: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<number> {
  checkNamed(context);
  const shape = shapeOf(resource);
  await context.checkPrint(shape);
  const session = await context.session();
  const plan = ownPlan(resource, operation.name);
  if (!plan?.own) throw new ServiceError('usage', `${resource.command} ${operation.name} takes no ID`);
  const own = plan.own;
  const back = operation.verb === 'undelete';
  const ids = await idsFor(session, context, resource, given, options, back ? 1 : 0, operation.name);
  const changes = ids.map(
    (id): Change => ({
      resource,
      operation,
      id,
      input: { by: plan.route, params: { [own]: id } },
      read: (inside) => standing(inside, resource, id),
    }),
  );
  announce(context, session, changes);
  if (context.settings.dryRun) return printPlan(context, await rehearse(session, changes));
  if (!back)
    await confirmDeletion(context, session, changes, { final: !isSoft(resource), stdinUsed: given.includes('-') });
  const failures: unknown[] = [];
  const rows: Row[] = [];
  for (const change of changes) {
    try {
      rows.push((await make(session, change)).after);
    } catch (error) {
      if (changes.length === 1) throw error;
      failures.push(error);
    }
  }
  await context.print({ shape, rows: rowsOf(rows), one: given.length <= 1 && given[0] !== '-' });
  return reportFailures(context, failures, changes.length);
}
