// Decides rights (D19): by the permission rows from an object up to the site, else by the default of its resource.
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Action, Resource, Row } from '../../contract/resource.ts';
import { countsOn, means, type RightsRole } from '../../contract/rights.ts';
import type { AnyRecord, Context, Grants, Owner } from '../context.ts';
import type { Grant, ReadFilter, State } from '../store/port.ts';
import { isAdministrator, isOutOfReach } from './labels.ts';
import { allAbove, grantsTo, isSelfOrManager, ownersOf, recordKey } from './walk.ts';

/** One record on the way up, and the permission rows on it that count. */
export interface Step extends AnyRecord {
  /** In the order of their precedence. */
  readonly grants: readonly Grant[];
  /** The state that they set together, and those that set it. */
  readonly state: State | undefined;
  readonly deciding: readonly Grant[];
}

export interface Decision {
  readonly allowed: boolean;
  /** Of the chain of owners that decides. The first step with a state decides; later ones are near misses. */
  readonly by: 'administrator' | 'global' | 'row' | 'default' | 'unread';
  /** The default allows it in this role. */
  readonly role?: RightsRole | undefined;
  readonly steps: readonly Step[];
}

/** Whether the caller may do this. `row` of a new record has the members that it is to have. */
export function may(
  context: Context,
  action: Action,
  resource: Resource,
  row: Row,
  owner?: AnyRecord,
): Promise<boolean> {
  if (isAdministrator(context)) return isProtected(context, action, row) ? NO : YES;
  return mayEach(context, [action], resource, row, owner).then(([is]) => is === true);
}

/** Asked of an administrator several times for each record. */
const YES = Promise.resolve(true);
const NO = Promise.resolve(false);

/** The same for several actions. `owner` is the nearest owner, where it is known. */
export async function mayEach(
  context: Context,
  actions: readonly Action[],
  resource: Resource,
  row: Row,
  owner?: AnyRecord,
): Promise<readonly boolean[]> {
  if (isAdministrator(context)) return actions.map((action) => !isProtected(context, action, row));
  if (resource.rights.unset === 'delegated') {
    const { allowed } = await decideByObject(context, resource, row);
    return actions.map(() => allowed);
  }
  const inquiry = await subjectOf(context, resource, row, owner);
  const answers: boolean[] = [];
  for (const action of actions) {
    const state = inquiry.hasNoGrants ? undefined : firstState(inquiry, action);
    const role = state === undefined ? byDefault(context, action, inquiry) : undefined;
    const isAllowed = state === ALLOW || (role instanceof Promise ? await role : role) !== undefined;
    const isHidden = isAllowed && action === 'read' && !(await areOwnersReadable(context, inquiry));
    answers.push(isAllowed && !isHidden && !isProtected(context, action, row));
  }
  return answers;
}

/** The same for one action, with every step from the object to the site. */
export async function decide(
  context: Context,
  action: Action,
  resource: Resource,
  row: Row,
  owner?: AnyRecord,
): Promise<Decision> {
  if (isProtected(context, action, row)) return { allowed: false, by: 'global', steps: [] };
  if (isAdministrator(context)) return { allowed: true, by: 'administrator', steps: [] };
  if (resource.rights.unset === 'delegated') return decideByObject(context, resource, row);
  const inquiry = await subjectOf(context, resource, row, owner);
  const state = firstState(inquiry, action);
  const steps = stepsOf(inquiry, action, state);
  const role = state === undefined ? await byDefault(context, action, inquiry) : undefined;
  const allowed = state === ALLOW || role !== undefined;
  if (allowed && action === 'read' && !(await areOwnersReadable(context, inquiry)))
    return { allowed: false, by: 'unread', steps };
  return state === undefined ? { allowed, by: 'default', role, steps } : { allowed, by: 'row', steps };
}

/** A membership is hidden with its individual, and with its department. */
async function areOwnersReadable(context: Context, { object, owners }: Subject): Promise<boolean> {
  if (object.resource !== 'organizationMember') return true;
  for (const { resource, row } of owners) if (!(await may(context, 'read', resourceNamed(resource), row))) return false;
  return true;
}

/** No right covers deleting or undeleting a global administrator (D14). */
const isProtected = (context: Context, action: Action, row: Row): boolean =>
  action === 'delete' && isOutOfReach(context, row);

/** The object of a decision, with all that decides it. */
interface Subject {
  readonly object: AnyRecord;
  readonly owners: readonly Owner[];
  readonly type: string;
  readonly grants: Grants;
  /** No permission row is on the object or an owner. */
  readonly hasNoGrants: boolean;
}

async function subjectOf(context: Context, resource: Resource, row: Row, owner?: AnyRecord): Promise<Subject> {
  const grants = await grantsTo(context);
  const owners = owner
    ? [{ ...owner, above: await ownersOf(context, resourceNamed(owner.resource), owner.row) }]
    : await ownersOf(context, resource, row);
  const object = { resource: resource.name as ResourceName, row };
  const hasNoGrants =
    grants.size === 0 ||
    ![object, ...allAbove(owners)].some(({ resource, row }) => grants.has(recordKey(resource, row.ID)));
  return { object, owners, type: typeOf(resource, row, context.site), grants, hasNoGrants };
}

/** For a new record only its owners count. */
function firstState(inquiry: Subject, action: Action): State | undefined {
  const { object, owners, grants } = inquiry;
  const own = action === 'create' ? undefined : stepAt(grants, object, undefined, action).state;
  return own ?? stateAbove(inquiry, owners, action);
}

/** The first state of each chain counts: a Deny on any of them denies, else an Allow on any allows. */
function stateAbove(inquiry: Subject, owners: readonly Owner[], action: Action): State | undefined {
  let state: State | undefined;
  for (const owner of owners) {
    state = stateFrom(inquiry, owner, action) ?? state;
    if (state === DENY) return DENY;
  }
  return state;
}

const stateFrom = (inquiry: Subject, owner: Owner, action: Action): State | undefined =>
  stepAt(inquiry.grants, owner, inquiry.type, action).state ?? stateAbove(inquiry, owner.above, action);

/** The steps of the first chain that sets this state; those of all chains where none sets one. */
function stepsOf(inquiry: Subject, action: Action, state: State | undefined): readonly Step[] {
  const { object, owners, type, grants } = inquiry;
  const own = action === 'create' ? [] : [stepAt(grants, object, undefined, action)];
  const above: Step[] = [];
  let isOpen = own[0]?.state === undefined;
  let at = state === undefined ? undefined : owners;
  while (at && at.length > 0) {
    const owner = at.find((one) => isOpen && stateFrom(inquiry, one, action) === state) ?? (at[0] as Owner);
    const step = stepAt(grants, owner, type, action);
    above.push(step);
    isOpen &&= step.state === undefined;
    at = owner.above;
  }
  const all = state === undefined ? allAbove(owners).map((owner) => stepAt(grants, owner, type, action)) : above;
  return [...own, ...all];
}

/** Permission rows need the right to delegate on their object. */
async function decideByObject(context: Context, resource: Resource, row: Row): Promise<Decision> {
  const [object] = await ownersOf(context, resource, row);
  if (!object) return { allowed: false, by: 'default', steps: [] };
  return decide(context, 'delegate', resourceNamed(object.resource), object.row);
}

const ALLOW = 1;
const DENY = 2;

const NO_ROWS: readonly Grant[] = [];

/** `type` is undefined for the object itself. */
function stepAt(grants: Grants, { resource, row }: AnyRecord, type: string | undefined, action: Action): Step {
  const here = grants.get(recordKey(resource, row.ID));
  if (!here) return { resource, row, grants: NO_ROWS, state: undefined, deciding: NO_ROWS };
  const typed = type === undefined ? [] : here.filter(({ ChildType }) => means(ChildType, type));
  const plain = here.filter(({ ChildType }) => ChildType === null);
  const ofType = combinedState(typed, action, (grant) => countsOn(grant.ChildType, resource));
  const { state, deciding } = ofType.state === undefined ? combinedState(plain, action, () => true) : ofType;
  return { resource, row, grants: [...typed, ...plain], state, deciding };
}

/** Deny beats Allow. A row that is deleted by reference still denies, but does not allow. */
function combinedState(
  grants: readonly Grant[],
  action: Action,
  allows: (grant: Grant) => boolean,
): Pick<Step, 'state' | 'deciding'> {
  const denying = grants.filter((grant) => stateIn(grant, action) === DENY);
  if (denying.length > 0) return { state: DENY, deciding: denying };
  const allowing = grants.filter((grant) => stateIn(grant, action) === ALLOW && !grant.DeletedByRef && allows(grant));
  return allowing.length > 0 ? { state: ALLOW, deciding: allowing } : { state: undefined, deciding: [] };
}

const STATES = {
  create: 'CreateState',
  read: 'ReadState',
  update: 'UpdateState',
  delete: 'DeleteState',
  delegate: 'DelegateState',
} as const satisfies Record<Action, string>;

const stateIn = (grant: Grant, action: Action): unknown => grant[STATES[action]];

const ORGANIZATION = 4;

/** The type of a record among the child types; organizations and departments are two. */
function typeOf({ name, rights }: Resource, row: Row, site: string): string {
  if (name !== 'organization') return rights.countsAs ?? name;
  const isTop = row.RowType === undefined ? row.ParentID === site : row.RowType === ORGANIZATION;
  return isTop ? 'organization' : 'department';
}

type Role = RightsRole | undefined;

/** The role in which the default of the resource allows it, where no row decides. */
function byDefault(context: Context, action: Action, { object, owners }: Subject): Role | Promise<Role> {
  if (action === 'delegate') return undefined;
  const { row } = object;
  const me = context.caller.id;
  const reads = action === 'read';
  const holders = allAbove(owners).filter(({ resource }) => resource === 'individual');
  switch (resourceNamed(object.resource).rights.unset) {
    case 'open':
      return reads ? 'everybody' : undefined;
    case 'private':
      return reads ? readerOf(context, holders) : undefined;
    case 'own list':
      return reads ? 'everybody' : selfIf(holders[0]?.row.ID === me);
    case 'own record':
      return reads ? 'everybody' : selfIf(action === 'update' && row.ID === me);
    case 'authored':
      if (action === 'create') return 'everybody';
      if (row.CreatedBy === me) return 'author';
      return reads ? readerOf(context, holders) : undefined;
    case 'delegated':
    case 'none':
      return undefined;
  }
}

const selfIf = (is: boolean): Role => (is ? 'self' : undefined);

/** The role in which the caller reads a record that belongs to these individuals; undefined if none allows it. */
function readerOf(context: Context, [holder, ...others]: readonly AnyRecord[]): Role | Promise<Role> {
  if (!holder) return 'everybody';
  const role: Role | Promise<Role> = holder.row.ID === context.caller.id ? 'self' : managerOf(context, holder.row);
  if (others.length === 0) return role;
  return Promise.all([role, readerOf(context, others)]).then(
    ([one, other]): Role => (other === undefined ? undefined : one),
  );
}

const managerOf = (context: Context, individual: Row): Promise<Role> =>
  isSelfOrManager(context, individual).then((is) => (is ? 'manager' : undefined));

/**
 * The same decision about reading as a filter for the store. Undefined for administrators, and for lists whose object
 * is checked before they are read.
 */
export async function readFilterOf(context: Context, { name, rights }: Resource): Promise<ReadFilter | undefined> {
  if (isAdministrator(context) || rights.unset === 'delegated') return undefined;
  const grants = await grantsTo(context);
  const type = name === 'organization' ? 'department' : (rights.countsAs ?? name);
  const at = (kind: string, id: string, below: string | undefined): State | undefined =>
    stepAt(grants, { resource: kind as ResourceName, row: { ID: id } }, below, 'read').state;
  const onSite = (below: string | undefined): State | undefined => at('site', context.site, below);
  const objects = [...grants.values()].flatMap(([first]) => (first && first.Kind !== 'site' ? [first] : []));
  return {
    individual: context.caller.id,
    records: objects
      .map(({ Kind, RowID }) => ({
        id: RowID,
        own: Kind === name ? at(Kind, RowID, undefined) : undefined,
        below: at(Kind, RowID, type),
      }))
      .filter(({ own, below }) => own !== undefined || below !== undefined),
    site: onSite(undefined),
    siteForType: onSite(type),
    siteForOrganizations: onSite('organization'),
  };
}
