// What an administrator sets up before anybody else writes: periods, values, phases, statuses, groups, settings.
import { contract } from '../../contract/index.ts';
import { quartersAround } from './calendar.ts';
import type { Pen } from './diary.ts';

/** Adds the quarters of last year, this year and next year that the site does not have yet. */
export async function addPeriods(pen: Pen, today: Date): Promise<void> {
  const there = new Set<string>();
  for await (const period of pen.session.list(contract.period.operations.list, { params: { siteid: pen.site } })) {
    there.add(String(period.StartDate).slice(0, 10));
  }
  for (const { first, last } of quartersAround(today).filter((quarter) => !there.has(quarter.first))) {
    await pen.add('period', {
      SiteID: pen.site,
      StartDate: `${first}T00:00:00+00:00`,
      EndDate: `${last}T00:00:00+00:00`,
    });
  }
}

const CORE_VALUES = [
  ['We keep our word', 'A date is a date, and a weight is a weight.'],
  ['Safe home', 'Nobody goes home hurt. No ferry is worth it.'],
  ['Build it simple', 'What is not there cannot break.'],
  ['Say it early', 'Bad news does not get better with time.'],
  ['Ça se partage', 'Savoir-faire belongs to all of us: we teach, and we ask.'],
] as const;

export async function addCoreValues(pen: Pen): Promise<void> {
  for (const [index, [Name, Description]] of CORE_VALUES.entries()) {
    await pen.add('coreValue', { Rank: index + 1, Name, Description });
  }
}

/** A phase and a status of the yard's own, where the site does not have them yet. */
export async function addPhaseAndStatus(pen: Pen): Promise<void> {
  const SiteID = pen.site;
  if (!(await isThere(pen, 'phase', 'Sea trial'))) await pen.add('phase', { SiteID, Name: 'Sea trial', Rank: 5 });
  if (!(await isThere(pen, 'status', WAITING)))
    await pen.add('status', { SiteID, Name: WAITING, Rank: 5, ShowForInd: true });
}
const WAITING = 'Waiting for the customer';

const isThere = async ({ session }: Pen, resource: string, name: string): Promise<boolean> =>
  ((await session.find.named(resource, 'Name', name)) ?? []).length > 0;

/** How the site describes itself, what it shows and from where on a metric counts. */
export async function describeSite(pen: Pen, about: string): Promise<void> {
  await pen.change('site', pen.site, { Comment: about, Category: 'Sample' });
  await pen.change('siteSetting', pen.site, {
    Threshold1: 50,
    Threshold2: 75,
    Threshold3: 95,
    ShowLeaderAssessment: true,
  });
}

/** A lighter color for the lowest level, where the site has its first colors. */
export async function changeColor(pen: Pen): Promise<void> {
  const [below] = (await pen.session.find.named('color', 'Name', 'Below')) ?? [];
  if (below) await pen.change('color', below.ID, { Code: 'd9534f' });
}

/** The ID of the record of that name; there is one. */
export async function idNamed({ session }: Pen, resource: 'phase' | 'status' | 'securityGroup', name: string) {
  const field = resource === 'securityGroup' ? 'Group' : 'Name';
  const [row] = (await session.find.named(resource, field, name)) ?? [];
  if (!row) throw new Error(`the site has no ${resource} "${name}"`);
  return row.ID ?? null;
}

/** Marks the membership of an individual in a department as a leading one. */
export async function makeLeader(pen: Pen, individual: string, department: string): Promise<void> {
  const params = { individualID: individual, departmentID: department };
  const membership = await pen.session.call(contract.organizationMember.operations.get, { params });
  await pen.change('organizationMember', membership.ID, { Leader: true });
}
