// pm <resource> delete and undelete, and what else is done to records as they stand.
import { type Change, changeBy } from '../../changes/plan/change.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { beginChange, makeChanges } from '../changes/make-changes.ts';
import type { Context } from '../context.ts';
import { shapeOf } from '../output/shape.ts';
import { zoneIn } from '../selectors/addresses.ts';
import { type Asked, idsFor, withinOf } from '../selectors/owner-flags.ts';
import { ownPlan } from '../selectors/records.ts';

export async function turn(context: Context, asked: Asked): Promise<number> {
  const { resource, given } = asked;
  const session = await beginChange(context, shapeOf(resource));
  const changes = await turnChanges(context, session, asked);
  const manner = { one: given.length <= 1 && given[0] !== '-', stdinUsed: given.includes('-') };
  return makeChanges(context, session, resource, changes, manner);
}

/** What it would delete or bring back, one change for each record. */
export async function turnChanges(context: Context, session: Session, asked: Asked): Promise<readonly Change[]> {
  const { resource, operation, options } = asked;
  const plan = ownPlan(resource, operation.name);
  if (!plan?.own) throw new ServiceError('usage', `${resource.command} ${operation.name} takes no ID`);
  const own = plan.own;
  const back = operation.verb === 'undelete';
  const query = zoneIn(context.settings, plan);
  const ids = await idsFor(context, session, asked, back ? 1 : 0);
  const within = await withinOf(session, resource, options, 2);
  return ids.map((id) => changeBy(operation, { by: plan.route, params: { [own]: id }, query }, { id, place: within }));
}
