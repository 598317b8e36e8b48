// Random sites for the tests of rights: built straight in a store, and told to the oracle.
import fc from 'fast-check';
import type { ResourceName } from '../../src/contract/index.ts';
import type { Action, Row } from '../../src/contract/resource.ts';
import type { Store } from '../../src/engine/store/port.ts';
import { type Caller, type Rule, type Thing, through, type World } from './oracle.ts';

export const ACTIONS: readonly Action[] = ['create', 'read', 'update', 'delete', 'delegate'];
/** What hangs on other records, with what it may hang on; what others hang on comes first. */
export const HUNG: Readonly<Record<string, readonly ResourceName[]>> = {
  dialog: ['organization', 'individual', 'project'],
  task: ['organization', 'individual', 'dialog', 'project'],
  metric: ['organization', 'project', 'individual'],
  metricValue: ['metric'],
  comment: ['organization', 'individual', 'project', 'dialog', 'metric', 'task'],
  commitment: ['organization', 'individual'],
  accountability: ['individual'],
  projectScope: ['project'],
  basicRole: ['individual'],
  indicator: ['basicRole'],
  organizationMember: ['organization'],
  archive: ['metric', 'project', 'individual', 'organization'],
  supervisoryScope: ['individual'],
  evaluationCriteria: ['project'],
  teamMember: ['project'],
  basicRoleDialog: ['basicRole'],
};
/** The other owner that some of them may have, besides. */
const SECOND: Readonly<Record<string, readonly [field: string, kind: ResourceName]>> = {
  metric: ['ParentID', 'metric'],
  task: ['ParentID', 'project'],
  teamMember: ['IndividualID', 'individual'],
  basicRoleDialog: ['DialogID', 'dialog'],
};
export const CHILDREN = [null, null, null, 4, 7, 9, 15, 16, 19, 25, 38, 58];

export const plans = fc.record({
  departments: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
  bosses: fc.array(fc.nat(), { minLength: 3, maxLength: 5 }),
  /** What each of them is administrator of. */
  offices: fc.array(fc.constantFrom('nothing', 'nothing', 'the site', 'every site'), { minLength: 5, maxLength: 5 }),
  projects: fc.array(fc.record({ parent: fc.option(fc.nat()), under: fc.nat() }), { maxLength: 4 }),
  hung: fc.array(
    fc.record({
      ...{ kind: fc.constantFrom(...Object.keys(HUNG)), on: fc.nat(), author: fc.nat() },
      second: fc.option(fc.nat()),
    }),
    { maxLength: 40, size: 'max' },
  ),
  groups: fc.array(fc.record({ members: fc.array(fc.nat(), { maxLength: 3 }), deleted: fc.boolean() }), {
    maxLength: 3,
  }),
  rules: fc.array(
    fc.record({
      on: fc.nat(),
      whom: fc.nat(),
      child: fc.constantFrom(...CHILDREN),
      says: fc.tuple(...ACTIONS.map(() => fc.constantFrom(0, 1, 2, 1))),
      gone: fc.boolean(),
    }),
    { maxLength: 14, size: 'max' },
  ),
});
export type Plan = typeof plans extends fc.Arbitrary<infer P> ? P : never;

export interface Built {
  readonly site: string;
  readonly world: World;
  /** Everything as the store keeps it, by kind of resource. */
  readonly rows: readonly (readonly [ResourceName, Row])[];
  readonly people: readonly (readonly [Row, Caller])[];
}

export const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] as T;

/** In a rule: the site itself, whose ID is not known before it is built. */
export const THE_SITE = 'the site';

interface Names {
  site(site: number): string;
  id(resource: ResourceName, row: number, site: number): string;
}

/** Names in which a failure can be read. */
const PLAIN: Names = { site: (site) => `site-${site}`, id: (resource, row) => `${resource}-${row}` };

/** Builds planned sites in one store, each with the next number. */
export function siteBuilder(
  store: Store,
  names: Names = PLAIN,
): (plan: Plan, more?: readonly Rule[]) => Promise<Built> {
  let count = 0;
  return (plan, more = []) => build(store, names, ++count, plan, more);
}

/** Keeps a planned site in the store, and tells it to the oracle. */
async function build(store: Store, names: Names, count: number, plan: Plan, more: readonly Rule[]): Promise<Built> {
  const site = names.site(count);
  const rows: [ResourceName, Row][] = [];
  const things: Thing[] = [{ id: site, kind: 'site', under: [] }];
  const add = (resource: ResourceName, kind: string, under: readonly string[], row: Row, author?: string): string => {
    const id = resource === 'commitment' ? String(rows.length) : names.id(resource, rows.length, count);
    rows.push([resource, { ID: resource === 'commitment' ? rows.length : id, SiteID: site, ...row }]);
    const isGlobal = row.IsGlobalAdmin === true;
    things.push({
      id,
      kind,
      under,
      ...(author === undefined ? {} : { author }),
      ...(isGlobal ? { global: true } : {}),
    });
    return id;
  };
  const ids = new Map<ResourceName, string[]>();
  const keep = (resource: ResourceName, id: string): void => void ids.set(resource, [...(ids.get(resource) ?? []), id]);

  for (const at of plan.departments) {
    const tops = ids.get('organization') ?? [];
    const parent = at % 3 === 0 || tops.length === 0 ? site : pick(tops, at);
    const [RowType, kind] = parent === site ? [4, 'organization'] : [56, 'department'];
    keep('organization', add('organization', kind, [parent], { ParentID: parent, RowType, TreeKey: `${count}` }));
  }
  const organizations = ids.get('organization') ?? [];
  const people = plan.bosses.map((_, index) => names.id('individual', rows.length + index, count));
  const bosses: Record<string, string> = {};
  for (const [index, at] of plan.bosses.entries()) {
    const id = people[index] ?? '';
    bosses[id] = pick(people, at);
    add('individual', 'individual', [site], {
      UserID: `user-${id}`,
      UserName: `${site}-${id}`,
      PrimaryReportsTo: bosses[id] ?? null,
      Deleted: false,
      IsAdmin: plan.offices[index] === 'the site',
      IsGlobalAdmin: plan.offices[index] === 'every site',
    });
    keep('individual', id);
  }
  for (const { parent, under } of plan.projects) {
    const there = ids.get('project') ?? [];
    const ParentID = parent === null || there.length === 0 ? null : pick(there, parent);
    const AncestorID = pick(organizations, under);
    const owners = [ParentID, AncestorID].filter((one) => one !== null);
    keep('project', add('project', 'project', owners, { ParentID, AncestorID, TreeKey: `${count}` }));
  }
  const order = Object.keys(HUNG);
  const hung = plan.hung.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  for (const { kind, on, author, second } of hung) {
    const owners = (HUNG[kind] ?? []).flatMap((one) => ids.get(one) ?? []);
    if (owners.length === 0) continue;
    const owner = pick(owners, on);
    const by = pick(people, author);
    const resource = kind as ResourceName;
    const [field = '', of] = SECOND[kind] ?? [];
    const seconds = of && second !== null ? (ids.get(of) ?? []) : [];
    const other = seconds.length > 0 ? { [field]: pick(seconds, second ?? 0) } : {};
    const ends: Readonly<Record<string, string>> = kind === 'organizationMember' ? { IndividualID: by } : other;
    const row = { [through(kind).at(-1) ?? '']: owner, ...ends, ...(kind === 'comment' ? { CreatedBy: by } : {}) };
    const isThere = ([one, before]: readonly [string, Row]): boolean =>
      one === kind &&
      Object.entries(ends).every(([name, id]) => before[name] === id) &&
      before[through(kind).at(-1) ?? ''] === owner;
    if (['organizationMember', 'teamMember', 'basicRoleDialog'].includes(kind) && rows.some(isThere)) continue;
    keep(resource, add(resource, kind, [...Object.values(ends), owner], row, kind === 'comment' ? by : undefined));
  }
  const groups = plan.groups.map(({ members, deleted }) => ({
    id: add('securityGroup', 'securityGroup', [site], { Group: 'G', Deleted: deleted }),
    deleted,
    members: members.map((at) => pick(people, at)),
  }));
  const objects = [
    site,
    ...['organization', 'individual', 'project', 'metric', 'task'].flatMap((one) => ids.get(one as ResourceName) ?? []),
  ];
  const principals = [...people.map((id) => `user-${id}`), ...groups.map(({ id }) => id)];
  const planned = plan.rules.map(
    ({ on, whom, child, says, gone }): Rule => ({
      on: pick(objects, on),
      whom: pick(principals, whom),
      child,
      says: Object.fromEntries(ACTIONS.map((action, index) => [action, says[index]])) as Rule['says'],
      gone: gone && on % 4 === 0,
    }),
  );
  const given = more.map((rule): Rule => (rule.on === THE_SITE ? { ...rule, on: site } : rule));
  const rules = [...given, ...planned].filter(
    (rule, index, all) =>
      all.findIndex(({ on, whom, child }) => on === rule.on && whom === rule.whom && child === rule.child) === index,
  );
  for (const rule of rules) rows.push(['permission', permissionOf(rule, site, rows.length)]);
  await store.transaction(async (writer) => {
    await writer.insert('site', { ID: site, SiteID: site, Name: site, FeatureApi: true });
    for (const [resource, row] of rows) await writer.insert(resource, { ...row, PrimaryReportsTo: null });
    for (const [id, PrimaryReportsTo] of Object.entries(bosses))
      await writer.update('individual', site, id, { PrimaryReportsTo });
    for (const { id, members } of groups) for (const one of members) await writer.addMember(site, id, one);
  });
  const somebody = ({ ID, IsAdmin, IsGlobalAdmin }: Row, id = String(ID)): Caller => ({
    id,
    principals: [
      `user-${id}`,
      ...groups.filter((one) => !one.deleted && one.members.includes(id)).map((one) => one.id),
    ],
    administrator: IsAdmin === true || IsGlobalAdmin === true,
    global: IsGlobalAdmin === true,
  });
  return {
    site,
    world: { things, rules, bosses },
    rows: rows.filter(([resource]) => resource !== 'permission'),
    people: rows.filter(([one]) => one === 'individual').map(([, row]) => [row, somebody(row)]),
  };
}

const permissionOf = ({ on, whom, child, says, gone }: Rule, SiteID: string, at: number): Row => ({
  ID: `permission-${at}`,
  SiteID,
  RowID: on,
  PrincipalID: whom,
  ChildType: child,
  CreateState: says.create,
  ReadState: says.read,
  UpdateState: says.update,
  DeleteState: says.delete,
  DelegateState: says.delegate,
  DeletedByRef: gone ?? false,
});
