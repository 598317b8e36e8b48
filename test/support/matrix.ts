// The rights matrix: two sites full of records, callers with different rights, and the expected result of each operation.
import { type ResourceName, resourceNamed, resources, storedResources } from '../../src/contract/index.ts';
import { addressOf, type Operation, type Route } from '../../src/contract/operation.ts';
import { paramsOf } from '../../src/contract/params.ts';
import { isSoft, type Resource, type Row } from '../../src/contract/resource.ts';
import { type Action, allowed, type Caller, type Rule, type Thing, through, type World } from './oracle.ts';
import { ALLOW, DENY, give } from './rights.ts';
import type { Asker, TestSite } from './site.ts';

export const STATES = [
  ...(['own', 'other site', 'deleted', 'by reference', 'missing', 'other kind'] as const),
  ...(['global administrator', 'deleted global administrator'] as const),
] as const;
export type State = (typeof STATES)[number];
export const CALLERS = ['other site', 'no right', 'read only', 'deny', 'allow', 'administrator', 'global'] as const;
export type CallerName = (typeof CALLERS)[number];

const NOWHERE = { guid: '0f8fad5b-d9cb-469f-a165-70867728950e', integer: '99999' };
/** The resources of the records in each site. The interface cannot create the excluded ones there. */
const MADE = storedResources.filter(
  ({ name }) => !['site', 'siteSetting', 'archive', 'basicRoleDialog'].includes(name),
);
/** The resource of the owner, for those that inherit from anything but the site. */
const BELOW: Readonly<Record<string, ResourceName>> = {
  organization: 'organization',
  organizationMember: 'organization',
  project: 'organization',
  teamMember: 'project',
  accountability: 'individual',
  supervisoryScope: 'individual',
  projectScope: 'project',
  evaluationCriteria: 'project',
  basicRole: 'individual',
  indicator: 'basicRole',
  dialog: 'individual',
  comment: 'individual',
  commitment: 'individual',
  metric: 'individual',
  metricValue: 'metric',
  task: 'individual',
  permission: 'organization',
};

export const isGone = (state: State): boolean =>
  ['deleted', 'by reference', 'deleted global administrator'].includes(state);

export interface Matrix {
  readonly site: TestSite;
  readonly callers: Readonly<Record<CallerName, Asker>>;
  /** The record of that resource in that state, where there can be one. */
  record(resource: string, state: State): Row | undefined;
  allows(caller: CallerName, action: Action, resource: string, row: Row): boolean;
}

export async function newMatrix(site: TestSite): Promise<Matrix> {
  const { ada, as } = site;
  await ada.call('site', 'create', 'plain', { body: { Name: 'Wharf', Admin: 'wanda' } });
  const wanda = await as('wanda');
  const records = new Map<string, Row>();
  const keep = (state: State, resource: string, row: Row): void => void records.set(`${resource} ${state}`, row);
  const things: Thing[] = [{ id: site.id, kind: 'site', under: [] }];
  const rules: Rule[] = [];
  // Integer IDs are counted in each site: two sites may have the same ID.
  for (const { name } of MADE.filter(({ id }) => id === 'guid'))
    keep('other site', name, await wanda.make(name as ResourceName));
  for (const resource of MADE) await makeStates(ada, resource, keep);
  keep('global administrator', 'individual', await globalAdministrator(ada));
  const gone = await globalAdministrator(ada);
  keep('deleted global administrator', 'individual', await ada.delete('individual', gone.ID));
  const callers = {
    'other site': wanda,
    'no right': await caller(site, {}),
    'read only': await caller(site, { Read: ALLOW }),
    deny: await caller(site, { Read: DENY, Create: DENY, Update: DENY, Delete: DENY, Delegate: DENY }),
    allow: await caller(site, { Read: ALLOW, Create: ALLOW, Update: ALLOW, Delete: ALLOW, Delegate: ALLOW }),
    administrator: await as((await ada.make('individual', { IsAdmin: true })).UserName),
    global: ada,
  };
  const individuals = await ada.list('individual', 'plain', { deleted: 2 });
  for (const { name } of MADE) for (const row of await everyRow(site, name)) things.push(thingOf(name, row, site.id));
  for (const row of await everyRow(site, 'permission')) rules.push(ruleOf(row));
  const bosses = Object.fromEntries(individuals.map((row) => [String(row.ID), String(row.PrimaryReportsTo)]));
  const world: World = { things, rules, bosses };
  const callerOf = (name: CallerName): Caller => ({
    id: callers[name].id,
    principals: individuals.filter(({ ID }) => ID === callers[name].id).map(({ UserID }) => String(UserID)),
    administrator: name === 'administrator' || name === 'global',
    global: name === 'global',
  });
  return {
    site,
    callers,
    record: (resource, state) => {
      if (state === 'missing') return { ID: resourceNamed(resource).id === 'integer' ? NOWHERE.integer : NOWHERE.guid };
      if (state !== 'other kind') return records.get(`${resource} ${state}`);
      const other =
        resource === 'color' ? undefined : records.get(`${resource === 'project' ? 'dialog' : 'project'} own`);
      return resourceNamed(resource).id === 'integer' ? undefined : other;
    },
    allows: (name, action, resource, row) => allowed(world, callerOf(name), action, thingOf(resource, row, site.id)),
  };
}

async function makeStates(
  ada: Asker,
  resource: Resource,
  keep: (state: State, resource: string, row: Row) => void,
): Promise<void> {
  const name = resource.name as ResourceName;
  keep('own', name, await ada.make(name));
  if (isSoft(resource)) keep('deleted', name, await ada.delete(name, (await ada.make(name)).ID));
  const field = through(name).at(-1);
  if (field === undefined) return;
  const kind = BELOW[name];
  if (!kind) throw new Error(`the matrix makes a ${name} below nothing: say in BELOW what owns it there`);
  const owner = await ada.make(kind);
  const row = await ada.make(name, { [field]: owner.ID });
  await ada.delete(kind, owner.ID);
  keep('by reference', name, { ...row, ...('DeletedByRef' in row ? { DeletedByRef: true } : {}) });
}

async function globalAdministrator(ada: Asker): Promise<Row> {
  const { ID } = await ada.make('individual');
  return ada.call('individual', 'grantGlobal', 'plain', { body: { Individual: ID } });
}

async function caller({ ada, as, id }: TestSite, actions: Parameters<typeof give>[3]): Promise<Asker> {
  const row = await ada.make('individual');
  if (Object.keys(actions).length > 0) await give(ada, row, id, actions);
  return as(row.UserName);
}

const everyRow = ({ engine, id }: TestSite, resource: string): Promise<readonly Row[]> =>
  engine.store.find({ resource, site: id, deleted: 2 });

function thingOf(resource: string, row: Row, site: string): Thing {
  const kind =
    resource !== 'organization'
      ? resource
      : row.RowType === 4 || (row.RowType === undefined && row.ParentID === site)
        ? 'organization'
        : 'department';
  const owners = through(resource).flatMap((field) => (typeof row[field] === 'string' ? String(row[field]) : []));
  return {
    id: String(row.ID),
    kind,
    under: owners.length > 0 ? owners : [site],
    ...(resource === 'comment' ? { author: String(row.CreatedBy) } : {}),
    ...(row.IsGlobalAdmin === true ? { global: true } : {}),
  };
}

const ruleOf = (row: Row): Rule => ({
  on: String(row.RowID),
  whom: String(row.PrincipalID),
  child: row.ChildType as number | null,
  gone: row.DeletedByRef === true,
  says: {
    create: Number(row.CreateState),
    read: Number(row.ReadState),
    update: Number(row.UpdateState),
    delete: Number(row.DeleteState),
    delegate: Number(row.DelegateState),
  },
});

/** One operation at one address. `about`: the address names the record itself, its owner, or nothing. */
export interface RightsCase {
  readonly operation: Operation;
  readonly route: string;
  readonly about: 'itself' | 'owner' | 'nothing';
  readonly resource: string;
  input(row: Row | undefined, body: Row | undefined): { by: string; params: Record<string, string>; body?: Row };
}

/** Every ordinary operation at each address that names at most one record. */
export const rightsCases: readonly RightsCase[] = resources.flatMap((resource) =>
  Object.values<Operation>(resource.operations).flatMap((operation) =>
    Object.entries(operation.routes).flatMap(([route, whole]) => casesOf(resource, operation, route, whole)),
  ),
);

function casesOf(resource: Resource, operation: Operation, route: string, whole: Route): readonly RightsCase[] {
  const verbs = ['list', 'get', 'create', 'update', 'delete', 'undelete'];
  const address = addressOf(whole);
  const params = paramsOf(resources, resource, operation.many, address).filter(({ target }) => target !== 'site');
  const isMade = MADE.includes(resource);
  if (!isMade || !verbs.includes(operation.verb) || address.segments[0] === 'me' || params.length > 1) return [];
  if (address.segments[0] === 'sites' || address.segments[0] === 'dashboards') return [];
  const [param] = params;
  const about = operation.verb === 'create' || !param ? 'nothing' : param.own ? 'itself' : 'owner';
  const target = about === 'nothing' || !param?.target || about === 'itself' ? resource.name : param.target;
  return [
    {
      operation,
      route,
      about,
      resource: target,
      input: (row, body) => ({
        by: route,
        params: param && row ? { [param.name]: String(row.ID) } : {},
        ...(body ? { body } : {}),
      }),
    },
  ];
}

const ACTION: Readonly<Record<string, Action>> = {
  get: 'read',
  update: 'update',
  delete: 'delete',
  undelete: 'delete',
};

/** The error code of the refusal, or `passes`. */
export function expected(
  matrix: Matrix,
  rightsCase: RightsCase,
  name: CallerName,
  state: State,
  row: Row | undefined,
): string {
  const { operation, about, resource } = rightsCase;
  const isAdministrator = name === 'administrator' || name === 'global' || name === 'other site';
  if (operation.labels.includes('GA') && name !== 'global') return 'global_admin_only';
  if (operation.labels.includes('Admin') && !isAdministrator) return 'admin_only';
  if (about === 'nothing') return 'passes';
  if (!row || ['missing', 'other kind'].includes(state)) return 'not_found';
  const isOthers = name === 'other site';
  if ((state === 'other site') !== isOthers) return 'not_found';
  if (isOthers) return 'passes';
  if (!matrix.allows(name, 'read', resource, row)) return 'not_found';
  if (isGone(state) && ['list', 'get', 'update'].includes(operation.verb)) return 'deleted';
  if (about === 'owner') {
    const mayAsk = operation.resource !== 'permission' || matrix.allows(name, 'delegate', resource, row);
    return mayAsk ? 'passes' : 'forbidden';
  }
  // Only its author or an administrator changes a comment (D17).
  const isAnothers = resource === 'comment' && row.CreatedBy !== matrix.callers[name].id && !isAdministrator;
  const isDone = operation.verb === (row.Deleted === true ? 'delete' : 'undelete');
  if (isAnothers && !isDone) return 'forbidden';
  if (matrix.allows(name, ACTION[operation.verb] ?? 'read', resource, row)) return 'passes';
  return row.IsGlobalAdmin === true && ACTION[operation.verb] === 'delete' ? 'global_admin_only' : 'forbidden';
}
