// What is told of a deletion or a move before it is made is what it then does: of random changes in random sites.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { previewConsequences } from '../../src/changes/consequences/preview.ts';
import { openTotals, type Total } from '../../src/changes/consequences/totals.ts';
import { type Change, changeBy } from '../../src/changes/plan/change.ts';
import { planner } from '../../src/changes/plan/planner.ts';
import { runChange } from '../../src/changes/run-change.ts';
import { undoJob } from '../../src/changes/undo.ts';
import type { Session } from '../../src/contract/call.ts';
import { type ResourceName, resourceNamed, storedResources } from '../../src/contract/index.ts';
import type { PlannedRow } from '../../src/contract/jobs.ts';
import { ownersOf } from '../../src/contract/record-address.ts';
import { isSoft, type Row } from '../../src/contract/resource.ts';
import { gathered, head } from '../support/job.ts';
import { inLong } from '../support/long.ts';
import { changeRandomly, randomOf } from '../support/random-site.ts';
import { newSite, type TestSite, TODAY } from '../support/site.ts';

/** So many jobs in one site, and so many sites. */
const JOBS = 10;
const SITES = inLong(1, 20);
const ACTIONS = 80;

type Tables = ReadonlyMap<string, ReadonlyMap<string, Row>>;
type Told = Readonly<Record<string, readonly string[]>>;

const SOFT = storedResources.filter((one) => isSoft(one) && one.operations.delete?.verb === 'delete');
/** Mostly those that much belongs to. */
const DELETED = [
  ...SOFT,
  ...['individual', 'organization', 'project'].flatMap((name) => Array(6).fill(resourceNamed(name))),
];
/** What is moved by which member, and what of the records below it is told. */
const MOVED = {
  organization: { member: 'ParentID', along: ['organization', 'project'] },
  project: { member: 'ParentID', along: ['project', 'task'] },
  metric: { member: 'ParentID', along: ['metric'] },
  individual: { member: 'PrimaryReportsTo', along: [] },
} as const;
type MovedName = keyof typeof MOVED;
const MOVABLE = Object.keys(MOVED) as MovedName[];

it.each(Array.from({ length: SITES }, (_, seed) => seed + 1))('in site %i', async (seed) => {
  const site = await newSite();
  const random = randomOf(seed);
  await changeRandomly(site, seed, ACTIONS);
  await populate(site, random);
  let effects = 0;
  for (let count = 0; count < JOBS; count++) {
    const changes = await randomChanges(site, random);
    const rows = await gathered(planner(randomUUID).planAll(changes));
    const { session } = site.ada;
    const [asked, rehearsed] = [
      await previewConsequences(session, { job: planOf(session, rows).job, rows: () => rows, isKept: false }, RUN),
      await rehearse(session, rows),
    ];
    const before = await tablesOf(site);
    const { done, job } = await run(session, rows);
    const real = effectsBetween(before, await tablesOf(site), done);
    const plan = JSON.stringify(rows.map(({ resource, operation, id, patch }) => ({ resource, operation, id, patch })));
    expect(told(rehearsed), plan).toEqual(real);
    expect(told(asked), plan).toEqual(real);
    effects += Object.keys(real).length;
    // Else little would be left for the later ones.
    if (done.length > 0) await takeBack(session, job);
  }
  expect(effects).toBeGreaterThan(JOBS);
});

const RUN = { clock: () => new Date(TODAY), newID: randomUUID };
const planOf = (session: Session, rows: readonly PlannedRow[]) => ({
  job: { ...head(session, 'import'), settings: {} },
  rows,
});

/** More departments, people and projects than chance makes, so that much hangs on some of them. */
async function populate({ ada, id }: TestSite, random: () => number): Promise<void> {
  const top = await ada.create('organization', { ParentID: id, Rank: 1, Name: 'New' });
  const [departments, people, projects] = [[String(top.ID)], [ada.id], [] as string[]];
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] as string;
  for (let count = 0; count < 8; count++) {
    departments.push(String((await ada.make('organization', { ParentID: pick(departments) })).ID));
    const place = { PrimaryOrganizationID: pick(departments), PrimaryReportsTo: pick(people) };
    people.push(String((await ada.make('individual', place)).ID));
    const above = projects.length > 0 && random() < 0.5 ? { ParentID: pick(projects) } : {};
    projects.push(String((await ada.make('project', { AncestorID: pick(departments), ...above })).ID));
    const Responsible = [pick(people), pick(people)];
    await ada.make('task', { AncestorID: pick([...projects, ...people]), Responsible });
    await ada.make('accountability', { AncestorID: pick(people) });
    await ada.make('basicRole', { IndividualID: pick(people) });
  }
  for (const IndividualID of people.slice(1).filter(() => random() < 0.4))
    for (const { ID } of (await ada.session.find.byMembers('organizationMember', { IndividualID })) ?? [])
      await ada.change('organizationMember', ID, { Leader: true });
  for (const id of departments.slice(-2)) await ada.delete('organization', id);
  for (const id of people.slice(-2)) await ada.delete('individual', id);
}

/** One to ten deletions, undeletions or moves, or deletions and moves where no place in a tree depends on their order. */
async function randomChanges(site: TestSite, random: () => number): Promise<readonly Change[]> {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const kind = pick(['deletions', 'deletions', 'undeletions', 'moves', 'both'] as const);
  const changes = new Map<string, Change>();
  const many = 1 + Math.floor(random() * 10);
  for (let tries = 0; changes.size < many && tries < 50; tries++) {
    const isBack = kind === 'undeletions';
    const isMarked = isBack || kind === 'deletions' || (kind === 'both' && random() < 0.5);
    const moved = kind === 'both' ? 'individual' : (pick(MOVABLE) ?? 'individual');
    const resource = isMarked ? (pick(DELETED)?.name as ResourceName) : moved;
    const records = (await site.ada.session.find.byMembers(resource, {})) ?? [];
    const isChosen = (one: Row): boolean => (isBack ? one.Deleted === true : !isGone(one) && one.ID !== site.ada.id);
    const row = pick(records.filter(isChosen));
    if (!row || changes.has(String(row.ID))) continue;
    const place = isMarked ? undefined : pick(records.filter((one) => !isGone(one)))?.ID;
    if (!isMarked && place === undefined) continue;
    const { operations } = resourceNamed(resource);
    const operation = isBack ? operations.undelete : isMarked ? operations.delete : operations.update;
    const patch = isMarked ? {} : { patch: { [MOVED[moved].member]: place } };
    if (operation)
      changes.set(String(row.ID), { ...changeBy(operation, {}, { id: String(row.ID), ...patch }), now: row });
  }
  return [...changes.values()];
}

/** As `-n` tells it. */
async function rehearse(session: Session, rows: readonly PlannedRow[]): Promise<Total> {
  const totals = openTotals(true);
  const ui = {
    planned: async () => undefined,
    rehearsed: async (all: Parameters<typeof totals.through>[0]) => void (await gathered(totals.through(all))),
    watch: () => Promise.reject(new Error('a rehearsal is not watched')),
  };
  await runChange({ session, jobs: jobsOf(session) }, { ...planOf(session, rows), rehearse: true }, ui, RUN);
  return totals.total();
}

/** The rows that were done, and the ID of their job. */
async function run(session: Session, rows: readonly PlannedRow[]) {
  const done: PlannedRow[] = [];
  const ui = {
    planned: async () => undefined,
    rehearsed: async () => undefined,
    watch: (_total: number, work: (options: object) => unknown) =>
      work({ ...RUN, onDone: (row: PlannedRow) => void done.push(row) }),
  };
  const request = { ...planOf(session, rows), rehearse: false };
  await runChange({ session, jobs: jobsOf(session) }, request, ui as Parameters<typeof runChange>[2], RUN);
  return { done, job: request.job.id };
}

const takeBack = async (session: Session, job: string) =>
  undoJob(session, await jobsOf(session)(), job, head(session, 'undo'), RUN);

const jobsOf =
  ({ local }: Session) =>
  async () => {
    if (!local) throw new Error('the engine has local doors');
    return local.jobs;
  };

const told = (total: Total | undefined): Told =>
  Object.fromEntries(
    (total?.consequences ?? [])
      .map(
        ({ effect, resource, field = '', ids }) => [`${effect} ${resource} ${field}`.trim(), [...ids].sort()] as const,
      )
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Every record of the site as it is stored. */
async function tablesOf({ engine, id: site }: TestSite): Promise<Tables> {
  const tables = new Map<string, ReadonlyMap<string, Row>>();
  for (const { name } of storedResources) {
    const rows = await engine.store.find({ resource: name, site, deleted: 2 });
    tables.set(name, new Map(rows.map((row) => [String(row.ID), row])));
  }
  return tables;
}

const isGone = (row: Row | undefined): boolean => !row || row.Deleted === true || row.DeletedByRef === true;

/** What changed for other records than those of the rows, found by comparing all records before and after. */
function effectsBetween(before: Tables, after: Tables, done: readonly PlannedRow[]): Told {
  const found = new Map<string, Set<string>>();
  const add = (key: string, id: unknown): void => void found.set(key, (found.get(key) ?? new Set()).add(String(id)));
  const was = (resource: string, id: unknown): Row | undefined => before.get(resource)?.get(String(id));
  const is = (resource: string, id: unknown): Row | undefined => after.get(resource)?.get(String(id));
  const isLost = (resource: string, id: unknown): boolean => !isGone(was(resource, id)) && isGone(is(resource, id));
  const moved = done.filter(({ patch }) => patch !== undefined);
  const isMoved = (id: unknown): boolean => moved.some((row) => row.id === id);
  for (const [resource, rows] of after)
    for (const [id, row] of rows) {
      if (isLost(resource, id) && row.Deleted !== true) add(`hidden ${resource}`, id);
      const before = was(resource, id);
      if (before && isGone(before) && before.Deleted !== true && !isGone(row)) add(`back ${resource}`, id);
      if (isGone(row)) continue;
      if (resource === 'individual' && isLost('individual', row.PrimaryReportsTo)) add('top individual', id);
      if (resource === 'individual' && isLost('organization', row.PrimaryOrganizationID))
        add('department individual', id);
      if (resource === 'organizationMember' && row.Primary !== true && isLost('individual', row.ReportsToID))
        add('named organizationMember ReportsToID', id);
      const responsible = resource === 'task' ? String(row.Responsible ?? '').split(' ') : [];
      if (responsible.some((one) => isLost('individual', one))) add('named task Responsible', id);
      if (isMoved(id)) continue;
      const { PrimaryReportsTo: boss } = row;
      if (resource === 'individual' && isMoved(boss) && boss !== id) add('moves individual PrimaryReportsTo', id);
      const above = ownersAbove(after, resource, row);
      if (MOVABLE.some((kind) => (MOVED[kind].along as readonly string[]).includes(resource) && isBelow(kind, above)))
        add(`moves ${resource}`, id);
    }
  function isBelow(kind: string, above: ReadonlySet<string>): boolean {
    return moved.some((row) => row.resource === kind && above.has(String(row.id)));
  }
  for (const row of before.get('organizationMember')?.values() ?? []) {
    const { IndividualID, OrganizationID } = row;
    if (isGone(row)) continue;
    if (row.Leader === true && isLost('individual', IndividualID) && !isGone(is('organization', OrganizationID)))
      add('leads organization', OrganizationID);
    const above = ownersAbove(after, 'organizationMember', row);
    const isThere = !isGone(is('organizationMember', row.ID)) && !isGone(is('individual', IndividualID));
    if (isThere && isBelow('organization', above)) add('moves individual', IndividualID);
  }
  return Object.fromEntries(
    [...found].map(([key, ids]) => [key, [...ids].sort()] as const).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** The IDs of all that a record belongs to, directly or through others. */
function ownersAbove(tables: Tables, resource: string, row: Row): ReadonlySet<string> {
  const found = new Set<string>();
  const climb = (name: string, record: Row): void => {
    for (const { field, targets } of ownersOf(resourceNamed(name)))
      for (const target of targets) {
        const id = String(record[field]);
        const owner = tables.get(target)?.get(id);
        if (!owner || found.has(id)) continue;
        found.add(id);
        climb(target, owner);
      }
  };
  climb(resource, row);
  return found;
}
