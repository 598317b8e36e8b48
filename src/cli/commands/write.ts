// pm <resource> create, update, delete and undelete, and what else is done to records as they stand.
import { type Change, changeBy } from '../../changes/plan/change.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { beginChange, makeChanges } from '../changes/make-changes.ts';
import type { Context } from '../context.ts';
import { completeNew } from '../input/required.ts';
import { readBody } from '../input/values.ts';
import { camel } from '../names.ts';
import { shapeOf } from '../output/shape.ts';
import { resolveFlags } from '../selectors/address-values.ts';
import { choosePlan, inputAt, plansOf, zoneIn } from '../selectors/addresses.ts';
import { type Asked, idsFor, withinOf } from '../selectors/owner-flags.ts';
import { ownPlan } from '../selectors/records.ts';

export async function create(context: Context, asked: Asked): Promise<number> {
  const session = await beginChange(context, shapeOf(asked.resource));
  const changes = await createChanges(context, session, asked);
  return makeChanges(context, session, asked.resource, changes, { one: true });
}

/** What a create would change, as a value. */
export async function createChanges(context: Context, session: Session, asked: Asked): Promise<readonly Change[]> {
  const { resource, operation, options } = asked;
  const body = await completeNew(context, session, resource, await readBody(context, session, resource, options));
  const plain = plansOf(resource, operation).find((one) => one.route === 'plain');
  return [changeBy(operation, { by: 'plain', body, query: zoneIn(context.settings, plain) })];
}

export async function update(context: Context, asked: Asked): Promise<number> {
  const { resource, given } = asked;
  const session = await beginChange(context, shapeOf(resource));
  const changes = await updateChanges(context, session, asked);
  return makeChanges(context, session, resource, changes, { one: given.length <= 1 && given[0] !== '-' });
}

/** What an update would change, one for each record. */
export async function updateChanges(context: Context, session: Session, asked: Asked): Promise<readonly Change[]> {
  const { resource, operation, given, options } = asked;
  const plan = ownPlan(resource, operation.name);
  if (!plan?.own) throw new ServiceError('usage', `${resource.command} update takes no ID`);
  const own = plan.own;
  checkStdin(given, options);
  const ids = await idsFor(context, session, asked, 0);
  const within = await withinOf(session, resource, options, 0);
  const patch = await readBody(context, session, resource, options);
  if (Object.keys(patch).length === 0) {
    throw new ServiceError('usage', 'nothing to change: no field is named', {
      hint: `pm ${resource.command} update --help lists the flags.`,
    });
  }
  const query = zoneIn(context.settings, plan);
  return ids.map((id) =>
    changeBy(operation, { by: plan.route, params: { [own]: id }, query }, { id, patch, place: within }),
  );
}

/** An operation that writes one record which its owners name, or makes several of one body. */
export async function write(context: Context, asked: Asked): Promise<number> {
  const { resource, operation } = asked;
  const session = await beginChange(context, shapeOf(resource));
  const changes = await writeChanges(context, session, asked);
  return makeChanges(context, session, resource, changes, { one: !operation.many });
}

/** What such a write would change, as a value. */
export async function writeChanges(context: Context, session: Session, asked: Asked): Promise<readonly Change[]> {
  const { resource, operation, options } = asked;
  const plans = plansOf(resource, operation);
  const flags = plans.flatMap((plan) => plan.flags);
  const named = new Set(flags.map((flag) => flag.flag).filter((flag) => options[camel(flag)] !== undefined));
  const plan = choosePlan(plans, named, `${resource.command} ${operation.name}`);
  const values = await resolveFlags(session, flags, options, 0);
  const read = await readBody(context, session, resource, options);
  const body = operation.many ? await completeNew(context, session, resource, read) : read;
  const input = inputAt(plan, session, values);
  const query = { ...input.query, ...zoneIn(context.settings, plan) };
  return [changeBy(operation, { ...input, body, query })];
}

/** What stands on stdin can be read once. */
function checkStdin(given: readonly string[], options: Asked['options']): void {
  const uses = [given.includes('-'), options.from === '-', options.newPasswordStdin === true];
  if (uses.filter(Boolean).length > 1)
    throw new ServiceError('usage', 'stdin is named twice, and can be read once', {
      hint: 'Put one of them into a file.',
    });
}

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
