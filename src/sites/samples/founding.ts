// The beginning of a sample: periods, values, phases, statuses, settings; rights, teams and user names.
import { contract } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { quartersAround } from './calendar.ts';
import { addRanked } from './own-lists.ts';
import type { Writer } from './timeline.ts';

/** An administrator sets the site up before anybody else writes; `about` is how the site describes itself. */
export async function setUpSite(writer: Writer, today: Date, about: string): Promise<void> {
  await describeSite(writer, about);
  await addRanked(writer, 'coreValue', CORE_VALUES, () => ({}));
  await changeColor(writer);
  await addPhaseAndStatus(writer);
  await addPeriods(writer, today);
}

/** Adds the quarters of last year, this year and next year that the site does not have yet. */
async function addPeriods(writer: Writer, today: Date): Promise<void> {
  const there = new Set<string>();
  const params = { siteid: writer.site };
  for await (const period of writer.session.list(contract.period.operations.list, { params }))
    there.add(String(period.StartDate).slice(0, 10));
  for (const { first, last } of quartersAround(today).filter((quarter) => !there.has(quarter.first))) {
    await writer.add('period', {
      SiteID: writer.site,
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

/** A phase and a status of the yard's own, where the site does not have them yet. */
async function addPhaseAndStatus(writer: Writer): Promise<void> {
  const SiteID = writer.site;
  if (!(await isThere(writer, 'phase', 'Sea trial'))) await writer.add('phase', { SiteID, Name: 'Sea trial', Rank: 5 });
  if (!(await isThere(writer, 'status', WAITING)))
    await writer.add('status', { SiteID, Name: WAITING, Rank: 5, ShowForInd: true });
}
const WAITING = 'Waiting for the customer';

const isThere = async ({ session }: Writer, resource: string, name: string): Promise<boolean> =>
  ((await session.find.byName(resource, 'Name', name)) ?? []).length > 0;

/** The words of the site about itself, its settings, and the threshold from which a metric counts. */
async function describeSite(writer: Writer, about: string): Promise<void> {
  await writer.change('site', writer.site, { Comment: about, Category: 'Sample' });
  await writer.change('siteSetting', writer.site, {
    Threshold1: 50,
    Threshold2: 75,
    Threshold3: 95,
    ShowLeaderAssessment: true,
  });
}

/** A lighter color for the lowest level, where the site has its first colors. */
async function changeColor(writer: Writer): Promise<void> {
  const [below] = (await writer.session.find.byName('color', 'Name', 'Below')) ?? [];
  if (below) await writer.change('color', below.ID, { Code: 'd9534f' });
}

/** The ID of the record of that name; there is one. */
export const idNamed = ({ session, once }: Writer, resource: 'phase' | 'status' | 'securityGroup', name: string) =>
  once(`${resource} ${name}`, async () => {
    const field = resource === 'securityGroup' ? 'Group' : 'Name';
    const [row] = (await session.find.byName(resource, field, name)) ?? [];
    if (!row) throw new Error(`the site has no ${resource} "${name}"`);
    return row.ID ?? null;
  });

/** Marks the membership of an individual in a department as a leading one. */
export async function makeLeader(writer: Writer, individual: string, department: string): Promise<void> {
  await writer.change('organizationMember', await membershipOf(writer, individual, department), { Leader: true });
}

export async function membershipOf({ session }: Writer, individual: string, department: string): Promise<Value> {
  const params = { individualID: individual, departmentID: department };
  return (await session.call(contract.organizationMember.operations.get, { params })).ID ?? null;
}

export async function addTeamMember(writer: Writer, project: string, individual: string, role: string): Promise<Row> {
  const HoursProjected = writer.random.between(4, 30) * 8;
  return writer.add('teamMember', {
    TaskID: project,
    IndividualID: individual,
    RoleID: await roleNamed(writer, role),
    HoursProjected,
    HoursActual: Math.round(HoursProjected * writer.random.next() * 4) / 4,
    TeamSurvey: true,
  });
}

/** The ID of a role in a team. */
export async function roleNamed({ session }: Writer, name: string): Promise<Value> {
  for await (const role of session.list(contract.teamMember.operations.roles)) {
    if (role.Group === name) return role.ID ?? null;
  }
  return null;
}

const WRITES = { CreateState: 1, ReadState: 1, UpdateState: 1, DeleteState: 1, DelegateState: 0 } as const;

/** Lets an individual write on a record and on all that belongs to it. Both are IDs. */
export async function letWrite(writer: Writer, individual: string, on: string): Promise<void> {
  const PrincipalID = await userIDOf(writer, individual);
  await writer.add('permission', { ...WRITES, RowID: on, PrincipalID, ChildType: null });
}

export const userIDOf = async ({ session }: Writer, individual: string): Promise<Value> =>
  (await session.find.record('individual', { id: individual })).row?.UserID ?? null;

/** Letters that do not come apart into a plain one and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', ß: 'ss', ı: 'i', ð: 'd', þ: 'th', æ: 'ae', đ: 'd' };

export interface Name {
  readonly first: string;
  readonly last: string;
  readonly user: string;
}

export const userNameOf = (first: string, last: string): string => `${plain(first)}.${plain(last)}`;

const plain = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^\x00-\x7f]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^a-z-]/g, '');
