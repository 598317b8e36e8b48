// Explains rights for `pm can` (D19): who may do what, and which permission rows decide it.
import type { RightsQuestion, RightsVerdict } from '../../contract/call.ts';
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import { type Action, type Resource, type Row, singular } from '../../contract/resource.ts';
import { type Context, callerOf, lookupsIn, type Place } from '../context.ts';
import { answer } from '../records/answer.ts';
import { missing, readable } from '../records/read-record.ts';
import { findByID, nameOf, shortNameOf } from '../records/record-names.ts';
import type { Grant } from '../store/port.ts';
import { mayRead } from './check.ts';
import { adminOnly, isAdministrator, isOutOfReach, LOGIN_MEMBERS } from './labels.ts';
import { type Decision, decide, may, type Step } from './permissions.ts';

/** Individuals may ask about themselves, administrators about everyone. Throws `admin_only`, `not_found`. */
export async function explainRights(context: Context, question: RightsQuestion): Promise<RightsVerdict> {
  const isSelf = question.who === context.caller.id;
  const own = isSelf ? await context.lookup('individual', question.who) : undefined;
  const who = own ?? (await readable(context, { resource: 'individual', id: question.who }, 0));
  if (!isSelf && !isAdministrator(context)) throw adminOnly('asking what somebody else may do');
  const theirs: Context = { ...context, caller: callerOf(who), ...lookupsIn(context.store, context.site) };
  const resource = resourceNamed(question.resource);
  const { decision, isReadable, object, isOutOfReach } = question.in
    ? await explainNew(context, theirs, resource, question.in)
    : await explainExisting(context, theirs, resource, question);
  const label = labelOf(theirs, resource, question.action);
  const allowed = decision.allowed && isReadable && label === undefined;
  return {
    allowed,
    except: allowed && isOutOfReach && question.action === 'update' ? LOGIN_MEMBERS : [],
    by: label ? 'label' : !isReadable && decision.allowed ? 'unread' : decision.by,
    who: nameOf(who),
    object,
    steps: await Promise.all(decision.steps.filter(isNotRepeated).map((step) => stepShown(context, step))),
  };
}

interface Explanation {
  readonly decision: Decision;
  /** Whether the individual may read the object. */
  readonly isReadable: boolean;
  readonly object: string;
  /** Only a global administrator may change its login or delete it (D14). */
  readonly isOutOfReach: boolean;
}

async function explainNew(
  context: Context,
  theirs: Context,
  resource: Resource,
  owner: NonNullable<RightsQuestion['in']>,
): Promise<Explanation> {
  const row = await (owner.resource === 'site' ? context.lookup('site', owner.id) : readable(context, owner, 2));
  if (!row) throw missing(resourceNamed(owner.resource), owner.id);
  const place: Place = { resource: owner.resource as ResourceName, row };
  const members = { ParentID: owner.id, RowID: owner.id };
  return {
    decision: await decide(
      theirs,
      'create',
      resource,
      members,
      resource.rights.unset === 'delegated' ? undefined : place,
    ),
    isReadable: await mayRead(theirs, resourceNamed(owner.resource), row),
    isOutOfReach: false,
    object: `a new ${singular(resource)} in the ${singular(resourceNamed(owner.resource))} ${nameOf(row)}`,
  };
}

async function explainExisting(
  context: Context,
  theirs: Context,
  resource: Resource,
  { action, id = '' }: RightsQuestion,
): Promise<Explanation> {
  const row = resource.unstored
    ? (await findByID(context, id))?.row
    : await context.store.get(resource.name, context.site, id);
  if (!row || !(await mayRead(context, resource, row))) throw missing(resource, id);
  return {
    decision: await decide(theirs, action, resource, row),
    isReadable: action === 'read' || (await may(theirs, 'read', resource, row)),
    isOutOfReach: isOutOfReach(theirs, row),
    object: `the ${singular(resource)} ${nameOf(row)}`,
  };
}

/** The label that the individual lacks, which is checked before any right (D3). */
function labelOf(theirs: Context, resource: Resource, action: Action): string | undefined {
  if (isAdministrator(theirs)) return undefined;
  if (resource.name === 'site' && action === 'update') return 'Admin';
  return resource.operations[action === 'read' ? 'get' : action]?.labels.find((label) => label !== 'PM');
}

/** A dashboard has the ID of its owner, and so the same permission rows: they are shown once. */
const isNotRepeated = ({ row }: Step, at: number, all: readonly Step[]): boolean => row.ID !== all[at + 1]?.row.ID;

async function stepShown(
  context: Context,
  { resource, row, grants, state, deciding }: Step,
): Promise<RightsVerdict['steps'][number]> {
  const isShown = await mayRead(context, resourceNamed(resource), row);
  const rows = grants.map(
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
