// Answers who may do what, and why, without trying it: for `pm can` (D19).
import type { Question, Verdict } from '../../contract/call.ts';
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import { type Action, type Resource, type Row, singular } from '../../contract/resource.ts';
import { type Context, callerOf, lookupIn } from '../context.ts';
import { answer } from '../records/answer.ts';
import { missing, readable } from '../records/read-record.ts';
import { nameOf, rowTypeOf, shortNameOf } from '../records/record-names.ts';
import type { Grant } from '../store/port.ts';
import { mayRead } from './check.ts';
import { adminOnly, isAdministrator, isOutOfReach, LOGIN_MEMBERS } from './labels.ts';
import { type Decision, decide, may, type Step } from './permissions.ts';
import type { Place } from './walk.ts';

/** Everybody may ask about themselves, and administrators about everybody. Throws `admin_only`, `not_found`. */
export async function verdictOn(context: Context, question: Question): Promise<Verdict> {
  const isSelf = question.who === context.caller.id;
  const own = isSelf ? await context.lookup('individual', question.who) : undefined;
  const who = own ?? (await readable(context, { resource: 'individual', id: question.who }, 0));
  if (!isSelf && !isAdministrator(context)) throw adminOnly('asking what somebody else may do');
  const theirs: Context = { ...context, caller: callerOf(who), lookup: lookupIn(context.store, context.site) };
  const resource = resourceNamed(question.resource);
  const { decision, isThere, object, isKept } = question.in
    ? await onNew(context, theirs, resource, question.in)
    : await onOld(context, theirs, resource, question);
  const label = labelOf(theirs, resource, question.action);
  const allowed = decision.allowed && isThere && label === undefined;
  return {
    allowed,
    except: allowed && isKept && question.action === 'update' ? LOGIN_MEMBERS : [],
    by: label ? 'label' : !isThere && decision.allowed ? 'unread' : decision.by,
    who: nameOf(who),
    object,
    steps: await Promise.all(decision.steps.filter(isNews).map((step) => told(context, step))),
  };
}

interface Found {
  readonly decision: Decision;
  /** May they read it, so that it is there for them? */
  readonly isThere: boolean;
  readonly object: string;
  /** The login and the deletion of it are for global administrators (D14). */
  readonly isKept: boolean;
}

async function onNew(
  context: Context,
  theirs: Context,
  resource: Resource,
  owner: NonNullable<Question['in']>,
): Promise<Found> {
  const row = await (owner.resource === 'site' ? context.lookup('site', owner.id) : readable(context, owner, 2));
  if (!row) throw missing(resourceNamed(owner.resource), owner.id);
  const place: Place = { resource: owner.resource as ResourceName, row };
  const asked = { ParentID: owner.id, RowID: owner.id };
  return {
    decision: await decide(
      theirs,
      'create',
      resource,
      asked,
      resource.rights.unset === 'delegated' ? undefined : place,
    ),
    isThere: await mayRead(theirs, resourceNamed(owner.resource), row),
    isKept: false,
    object: `a new ${singular(resource)} in the ${singular(resourceNamed(owner.resource))} ${nameOf(row)}`,
  };
}

async function onOld(
  context: Context,
  theirs: Context,
  resource: Resource,
  { action, id = '' }: Question,
): Promise<Found> {
  const row = resource.unstored
    ? (await rowTypeOf(context, id))?.row
    : await context.store.get(resource.name, context.site, id);
  if (!row || !(await mayRead(context, resource, row))) throw missing(resource, id);
  return {
    decision: await decide(theirs, action, resource, row),
    isThere: action === 'read' || (await may(theirs, 'read', resource, row)),
    isKept: isOutOfReach(theirs, row),
    object: `the ${singular(resource)} ${nameOf(row)}`,
  };
}

/** What the operation demands before any right is looked at (D3). */
function labelOf(theirs: Context, resource: Resource, action: Action): string | undefined {
  if (isAdministrator(theirs)) return undefined;
  if (resource.name === 'site' && action === 'update') return 'Admin';
  return resource.operations[action === 'read' ? 'get' : action]?.labels.find((label) => label !== 'PM');
}

/** A dashboard goes by the ID of whose it is, and so by that one's rows: they are told once. */
const isNews = ({ row }: Step, at: number, all: readonly Step[]): boolean => row.ID !== all[at + 1]?.row.ID;

async function told(
  context: Context,
  { resource, row, looked, state, deciding }: Step,
): Promise<Verdict['steps'][number]> {
  const isShown = await mayRead(context, resourceNamed(resource), row);
  const rows = looked.map(
    async (grant): Promise<Row> => withMark(await answer(context, resourceNamed('permission'), grant), grant),
  );
  return {
    object: `${singular(resourceNamed(resource))} ${isShown ? shortNameOf(row) : String(row.ID)}`,
    state: state ?? 0,
    rows: await Promise.all(rows),
    deciding: deciding.map(({ ID }) => ID),
  };
}

const withMark = (shown: Row, { DeletedByRef }: Grant): Row => ({ ...shown, DeletedByRef });
