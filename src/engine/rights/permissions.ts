// Decides rights (D19): by the permission rows from an object up to the site, else by the default of its resource.
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Action, Resource, Row } from '../../contract/resource.ts';
import { countsOn, means, type RightsRole } from '../../contract/rights.ts';
import type { Context, Place } from '../context.ts';
import type { Grant, ReadFilter, State, Stored } from '../store/port.ts';
import { isAdministrator, isOutOfReach } from './labels.ts';
import { type Grants, grantsTo, isSelfOrManager, nearestOwner, ownerChain, placeKey } from './walk.ts';

/** One record on the way up, and the permission rows on it that count. */
export interface Step {
  readonly resource: ResourceName;
  readonly row: Stored;
  /** In the order of their precedence. */
  readonly grants: readonly Grant[];
  /** The state that they set together, and those that set it. */
  readonly state: State | undefined;
  readonly deciding: readonly Grant[];
}

export interface Decision {
  readonly allowed: boolean;
  /** The first step with a state decides; later ones are near misses. */
  readonly by: 'administrator' | 'global' | 'row' | 'default';
  /** As what the default allows it. */
  readonly role?: RightsRole | undefined;
  readonly steps: readonly Step[];
}

/** Whether the caller may do this. `row` of a new record has the members that it is to have. */
export function may(context: Context, action: Action, resource: Resource, row: Row, owner?: Place): Promise<boolean> {
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
  owner?: Place,
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
    answers.push(isAllowed && !isProtected(context, action, row));
  }
  return answers;
}

/** The same for one action, with every step from the object to the site. */
export async function decide(
  context: Context,
  action: Action,
  resource: Resource,
  row: Row,
  owner?: Place,
): Promise<Decision> {
  if (isProtected(context, action, row)) return { allowed: false, by: 'global', steps: [] };
  if (isAdministrator(context)) return { allowed: true, by: 'administrator', steps: [] };
  if (resource.rights.unset === 'delegated') return decideByObject(context, resource, row);
  const inquiry = await subjectOf(context, resource, row, owner);
  const steps = [...stepsOf(inquiry, action)];
  const decisive = steps.find(({ state }) => state !== undefined);
  if (decisive) return { allowed: decisive.state === ALLOW, by: 'row', steps };
  const role = await byDefault(context, action, inquiry);
  return { allowed: role !== undefined, by: 'default', role, steps };
}

/** No right covers deleting or undeleting a global administrator (D14). */
const isProtected = (context: Context, action: Action, row: Row): boolean =>
  action === 'delete' && isOutOfReach(context, row);

/** The object of a decision, with all that decides it. */
interface Subject {
  readonly object: Place;
  readonly owners: readonly Place[];
  readonly type: string;
  readonly grants: Grants;
  /** No permission row is on the object or an owner. */
  readonly hasNoGrants: boolean;
}

async function subjectOf(context: Context, resource: Resource, row: Row, owner?: Place): Promise<Subject> {
  const grants = await grantsTo(context);
  const owners = owner
    ? [owner, ...(await ownerChain(context, resourceNamed(owner.resource), owner.row))]
    : await ownerChain(context, resource, row);
  const object = { resource: resource.name as ResourceName, row };
  const hasNoGrants =
    grants.size === 0 || ![object, ...owners].some((place) => grants.has(placeKey(place.resource, place.row.ID)));
  return { object, owners, type: typeOf(resource, row, context.site), grants, hasNoGrants };
}

/** For a new record only its owners count. */
function* stepsOf({ object, owners, type, grants }: Subject, action: Action): Generator<Step> {
  if (action !== 'create') yield stepAt(grants, object, undefined, action);
  for (const owner of owners) yield stepAt(grants, owner, type, action);
}

function firstState(inquiry: Subject, action: Action): State | undefined {
  for (const { state } of stepsOf(inquiry, action)) if (state !== undefined) return state;
  return undefined;
}

/** Permission rows need the right to delegate on their object. */
async function decideByObject(context: Context, resource: Resource, row: Row): Promise<Decision> {
  const object = await nearestOwner(context, resource, row);
  if (!object) return { allowed: false, by: 'default', steps: [] };
  return decide(context, 'delegate', resourceNamed(object.resource), object.row);
}

const ALLOW = 1;
const DENY = 2;

const NO_ROWS: readonly Grant[] = [];

/** `type` is undefined for the object itself. */
function stepAt(grants: Grants, { resource, row }: Place, type: string | undefined, action: Action): Step {
  const here = grants.get(placeKey(resource, row.ID));
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

/** As what the default of the resource allows it, where no row decides. */
function byDefault(context: Context, action: Action, { object, owners }: Subject): Role | Promise<Role> {
  if (action === 'delegate') return undefined;
  const { row } = object;
  const me = context.caller.id;
  const reads = action === 'read';
  const holder = owners.find(({ resource }) => resource === 'individual')?.row;
  switch (resourceNamed(object.resource).rights.unset) {
    case 'open':
      return reads ? 'everybody' : undefined;
    case 'private':
      return reads ? readerOf(context, holder) : undefined;
    case 'own list':
      return reads ? 'everybody' : selfIf(holder?.ID === me);
    case 'own record':
      return reads ? 'everybody' : selfIf(action === 'update' && row.ID === me);
    case 'authored':
      if (action === 'create') return 'everybody';
      if (row.CreatedBy === me) return 'author';
      return reads ? readerOf(context, holder) : undefined;
    case 'delegated':
    case 'none':
      return undefined;
  }
}

const selfIf = (is: boolean): Role => (is ? 'self' : undefined);

/** As what the caller reads what is an individual's own. */
function readerOf(context: Context, holder: Row | undefined): Role | Promise<Role> {
  if (!holder) return 'everybody';
  if (holder.ID === context.caller.id) return 'self';
  return isSelfOrManager(context, holder).then((is) => (is ? 'manager' : undefined));
}

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
