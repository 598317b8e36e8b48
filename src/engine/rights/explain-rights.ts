// Explains the rights of one individual for `pm can` (D19), with the permission rows that decide them.
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import { type Action, type Resource, type Row, singular } from '../../contract/resource.ts';
import type { RightsQuestion, RightsVerdict, RightsWish } from '../../contract/rights.ts';
import { oncePer } from '../../text/once-per.ts';
import { callerOf } from '../caller.ts';
import type { AnyRecord, Context } from '../context.ts';
import { answer } from '../records/answer.ts';
import { missing, readable } from '../records/read-record.ts';
import { findByID, nameOf } from '../records/record-names.ts';
import type { Grant } from '../store/port.ts';
import { mayRead } from './check.ts';
import { adminOnly, isAdministrator, isOutOfReach, LOGIN_MEMBERS } from './labels.ts';
import { type Decision, decide, may, type Step } from './permissions.ts';
import { contextAs } from './walk.ts';

/** Individuals may ask about themselves, administrators about everyone. Throws `admin_only`, `not_found`. */
export async function explainRights(context: Context, question: RightsQuestion): Promise<RightsVerdict> {
  const theirs = await contextOfAsked(context, question.who);
  const wished = await wishedObject(context, question);
  return verdictOf(theirs, wished, await outcomeOf(theirs, wished), shownSteps(context));
}

/** The context of the individual that is asked about. Throws `admin_only`, `not_found`. */
export async function contextOfAsked(context: Context, id: string): Promise<Context> {
  const isSelf = id === context.caller.id;
  const own = isSelf ? await context.lookup('individual', id) : undefined;
  const who = own ?? (await readable(context, { resource: 'individual', id }, 0));
  if (!isSelf && !isAdministrator(context)) throw adminOnly('asking what somebody else may do');
  return contextAs(context, callerOf(who), await context.store.grants(context.site, id));
}

/** A wish with the records that it names. */
export interface WishedObject {
  readonly action: Action;
  readonly resource: Resource;
  /** Of a new record the members that it is to have. */
  readonly row: Row;
  readonly owner?: AnyRecord;
  /** In words. */
  readonly object: string;
}

/** Throws `not_found`, also for a record that the caller may not read. */
export function wishedObject(context: Context, wish: RightsWish): Promise<WishedObject> {
  const resource = resourceNamed(wish.resource);
  return wish.in ? newObject(context, resource, wish.in) : existingObject(context, resource, wish);
}

async function newObject(
  context: Context,
  resource: Resource,
  owner: NonNullable<RightsWish['in']>,
): Promise<WishedObject> {
  const row = await (owner.resource === 'site' ? context.lookup('site', owner.id) : readable(context, owner, 2));
  if (!row) throw missing(resourceNamed(owner.resource), owner.id);
  return newIn(resource, { resource: owner.resource as ResourceName, row });
}

export function newIn(resource: Resource, owner: AnyRecord): WishedObject {
  const { ID = null } = owner.row;
  const object = `a new ${singular(resource)} in the ${singular(resourceNamed(owner.resource))} ${nameOf(owner.row)}`;
  return { action: 'create', resource, row: { ParentID: ID, RowID: ID }, owner, object };
}

async function existingObject(
  context: Context,
  resource: Resource,
  { action, id = '' }: RightsWish,
): Promise<WishedObject> {
  const row = resource.unstored
    ? (await findByID(context, id))?.row
    : await context.store.get(resource.name, context.site, id);
  if (!row || !(await mayRead(context, resource, row))) throw missing(resource, id);
  return { action, resource, row, object: `the ${singular(resource)} ${nameOf(row)}` };
}

/** Is it allowed, and why? `theirs` is the context of the individual that is asked about. */
export interface Outcome extends Pick<RightsVerdict, 'allowed' | 'by' | 'role'> {
  readonly decision: Decision;
}

export async function outcomeOf(theirs: Context, { action, resource, row, owner }: WishedObject): Promise<Outcome> {
  const decision = await decide(
    theirs,
    action,
    resource,
    row,
    resource.rights.unset === 'delegated' ? undefined : owner,
  );
  const { allowed, by, role } = decision;
  if (labelOf(theirs, resource, action)) return { decision, allowed: false, by: 'label' };
  if (!allowed || action === 'read') return { decision, allowed, by, role };
  const read = owner ?? { resource: resource.name as ResourceName, row };
  if (await may(theirs, 'read', resourceNamed(read.resource), read.row)) return { decision, allowed, by, role };
  return { decision, allowed: false, by: 'unread' };
}

/** The label that the individual lacks, which is checked before any right (D3). */
export function labelOf(theirs: Context, resource: Resource, action: Action): string | undefined {
  if (isAdministrator(theirs)) return undefined;
  if (resource.name === 'site' && action === 'update') return 'Admin';
  return resource.operations[action === 'read' ? 'get' : action]?.labels.find((label) => label !== 'PM');
}

/** An outcome in words, with its steps. */
export async function verdictOf(
  theirs: Context,
  { action, row, object }: WishedObject,
  { allowed, by, role, decision }: Outcome,
  show: ShowSteps,
): Promise<RightsVerdict> {
  const who = await theirs.lookup('individual', theirs.caller.id);
  const isKept = allowed && action === 'update' && isOutOfReach(theirs, row);
  return {
    allowed,
    by,
    role,
    except: isKept ? LOGIN_MEMBERS : [],
    who: who ? nameOf(who) : theirs.caller.userName,
    object,
    steps: await show(decision.steps),
  };
}

type ShowSteps = (steps: readonly Step[]) => Promise<RightsVerdict['steps']>;

/** Steps as the caller may see them; each permission row is worked out once. */
export function shownSteps(context: Context): ShowSteps {
  const show = shownGrants(context);
  return (steps) => Promise.all(steps.filter(isNotRepeated).map((step) => stepShown(context, step, show)));
}

/** Permission rows as the caller may see them, each worked out once. */
export const shownGrants = (context: Context): ((grant: Grant) => Promise<Row>) =>
  oncePer(async (grant: Grant) => ({
    ...(await answer(context, resourceNamed('permission'), grant)),
    DeletedByRef: grant.DeletedByRef,
  }));

/** A dashboard has the ID of its owner, and so the same permission rows: they are shown once. */
const isNotRepeated = ({ row }: Step, at: number, all: readonly Step[]): boolean => row.ID !== all[at + 1]?.row.ID;

async function stepShown(
  context: Context,
  step: Step,
  show: (grant: Grant) => Promise<Row>,
): Promise<RightsVerdict['steps'][number]> {
  return {
    object: await objectShown(context, step),
    state: step.state ?? 0,
    rows: await Promise.all(step.grants.map(show)),
    deciding: step.deciding.map(({ ID }) => ID),
  };
}

/** `department "Sales"`; with its ID where the caller may not read it. */
export async function objectShown(context: Context, { resource, row }: AnyRecord): Promise<string> {
  const isShown = await mayRead(context, resourceNamed(resource), row);
  return `${singular(resourceNamed(resource))} ${isShown ? nameOf(row, true) : String(row.ID)}`;
}
