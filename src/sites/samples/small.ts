// The small sample: two years of a company of sixty people, with every resource filled and some records deleted.
import type { ResourceName } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import { chunks } from '../../text/batches.ts';
import { hourOf, moment, quartersAround } from './calendar.ts';
import { canBePlanned, commitmentVisits } from './commitments.ts';
import { DISCIPLINES } from './disciplines.ts';
import { deleteTeamMember } from './founding.ts';
import { lineOf } from './own-lists.ts';
import { type Random, randomOf } from './random.ts';
import { ABOUT_DEPARTMENTS, DEPARTMENT_AGENDA, IN_MANY_TONGUES } from './remarks.ts';
import {
  CLOSED,
  DEPARTMENTS,
  type Department,
  idOf,
  MANAGING_DIRECTOR,
  type Person,
  RECORD_KEEPER,
  SEED,
} from './small-company.ts';
import { departmentID, foundingVisits, groupID, recordKeepingVisits } from './small-founding.ts';
import { measuringVisits } from './small-measuring.ts';
import { peopleVisits } from './small-people.ts';
import { PROJECTS } from './small-projects.ts';
import { kickOffID, partID, projectID, projectVisits } from './small-undertaken.ts';
import { type Timeline, type Visit, visit, type Writer } from './timeline.ts';

function departmentVisits(today: Date): readonly Visit[] {
  return DEPARTMENTS.flatMap((department, place) => {
    const random = randomOf(SEED, 'department', department.key);
    return [
      ...talks(today, department, random),
      ...remarks(today, department, random),
      ...commitments(today, department, place),
    ];
  });
}

const departmentTalkID = (key: string, number: number): string => idOf('dialog', `${key} ${number}`);

const leaderOf = ({ people }: Department): Person => people[0] as Person;

/** Two a year behind us, one to come. */
function talks(today: Date, department: Department, random: Random): readonly Visit[] {
  const days = [random.between(540, 600), random.between(340, 400), random.between(150, 200), -random.between(3, 30)];
  return days.map((ago, index) => ({
    at: moment(today, Math.max(ago + 14, 3), random),
    user: leaderOf(department).user,
    work: (writer: Writer) =>
      writer.add('dialog', {
        ID: departmentTalkID(department.key, index + 1),
        AncestorID: departmentID(department.key),
        DialogDate: hourOf(today, ago, writer.random.between(9, 14)),
        Name: department.key === 'company' ? 'Review of the half-year' : `Half-year of ${department.name}`,
        Location: 'Quay 3, large room',
        Agenda: DEPARTMENT_AGENDA,
      }),
  }));
}

/** By people of the department who were there from the start and still are. */
function remarks(today: Date, department: Department, random: Random): readonly Visit[] {
  const authors = department.people.filter((one) => one.joined === undefined && one.left === undefined);
  const AncestorID = departmentID(department.key);
  return [random.between(420, 680), random.between(30, 300)].map((ago) =>
    visit(moment(today, ago, random), random.pick(authors).user, (writer) =>
      writer.add('comment', { AncestorID, Body: writer.random.pick(ABOUT_DEPARTMENTS) }),
    ),
  );
}

/** One for the department and one for its leader each quarter; the company itself has both of its undertakings. */
function commitments(today: Date, department: Department, place: number): readonly Visit[] {
  const leader = leaderOf(department);
  const { undertakings } = DISCIPLINES[department.trade];
  const ours = departmentID(department.key);
  return quartersAround(today)
    .filter((quarter) => canBePlanned(today, quarter))
    .flatMap((quarter, index) => {
      const theirs = department.key === 'company' ? undertakings : undertakings.slice(index % 2, (index % 2) + 1);
      const own = DISCIPLINES.lead.undertakings[(index + place) % 2];
      return [
        ...theirs.map((undertaking) => ({ ancestor: ours, undertaking })),
        ...(own ? [{ ancestor: leader.id, undertaking: own }] : []),
      ].flatMap((one) => commitmentVisits(today, { ...one, quarter, user: leader.user }));
    });
}

/** What the timeline of this sample begins with. */
export const SMALL = {
  seed: SEED,
  pace: 4 * 60_000,
  first: MANAGING_DIRECTOR.user,
  people: { first: MANAGING_DIRECTOR.id, last: DEPARTMENTS.at(-1)?.people.at(-1)?.id ?? MANAGING_DIRECTOR.id },
} as const;

/** Visits between two reports of progress. */
const BATCH = 100;

/** Records of the small sample; on some days it has a few more or less. */
const ABOUT = 2_040;

export async function writeSmall(timeline: Timeline, onProgress: (done: number, total: number) => void): Promise<void> {
  const { today } = timeline;
  const begin = foundingVisits(today);
  const rest = [
    ...recordKeepingVisits(today),
    ...peopleVisits(today),
    ...departmentVisits(today),
    ...projectVisits(today),
    ...measuringVisits(today),
    ...tongues(today),
    ...deletionVisits(today),
  ].sort((a, b) => a.at - b.at);
  await timeline.write(begin);
  for await (const some of chunks(rest, BATCH)) {
    await timeline.write(some);
    onProgress(timeline.records(), Math.max(timeline.records(), ABOUT));
  }
  onProgress(timeline.records(), timeline.records());
}

/** Who writes which of the remarks in other languages, and on what. */
const ON: readonly (readonly [user: string, ancestor: string])[] = [
  ['nils.aune', projectID('ferry-12')],
  ['annika.weiss', projectID('hull-12')],
  ['jean-baptiste.rousseau', departmentID('outfitting')],
  ['lucia.pena', departmentID('production')],
  ['dmytro.shevchuk', projectID('hull-12')],
  ['giorgos.papadakis', departmentID('hull-shop')],
  ['mei.tanaka', departmentID('electric-drives')],
  ['lina.zhou', projectID('module-2')],
  ['farid.haddad', kickOffID('module-2')],
  ['ruben.dewit', projectID('drive-12')],
  ['ingrid.halvorsen', departmentID('company')],
  ['tomasz.wrona', idOf('individual', 'ingrid.halvorsen')],
];

function tongues(today: Date): readonly Visit[] {
  const random = randomOf(SEED, 'tongues');
  const bodies = [
    ...IN_MANY_TONGUES,
    'Thank you all: two years, no lost day. 🎉',
    'Birthday on Friday, cake at ten 🎂',
  ];
  return ON.flatMap(([user, AncestorID], index) => {
    const Body = bodies[index];
    if (Body === undefined) return [];
    const at = moment(today, random.between(5, 130), random);
    return [visit(at, user, (writer) => writer.add('comment', { AncestorID, Body }))];
  });
}

const MISTAKEN = idOf('comment', 'mistaken');
const HASTY = 'ewa.zielinska';

const individual = (user: string): string => idOf('individual', user);
const accountabilityOf = (user: string, rank: number): string => lineOf(individual(user), 'accountability', rank);
const roleOf = (user: string, rank: number): string => lineOf(individual(user), 'basicRole', rank);

/** Days ago, whose hand, which record. */
type Deletion = readonly [ago: number, user: string, resource: ResourceName, id: string];

const SINGLE: readonly Deletion[] = [
  [CLOSED.closed, RECORD_KEEPER, 'organization', departmentID(CLOSED.key)],
  // Before its owner left, so that it stays deleted when he is undeleted.
  [230, 'henrik.baas', 'accountability', accountabilityOf('henrik.baas', 2)],
  [150, 'tomasz.wrona', 'accountability', accountabilityOf('tomasz.wrona', 3)],
  [120, 'luis.ferreira', 'accountability', accountabilityOf('luis.ferreira', 2)],
  [100, 'giorgos.papadakis', 'supervisoryScope', lineOf(individual('giorgos.papadakis'), 'supervisoryScope', 2)],
  [95, 'pavel.novotny', 'basicRole', roleOf('pavel.novotny', 2)],
  [88, 'marta.kowalczyk', 'indicator', lineOf(roleOf('marta.kowalczyk', 1), 'indicator', 2)],
  [84, 'margaret.oyelaran', 'projectScope', partID('projectScope', 'ferry-12', 3)],
  [80, 'farid.haddad', 'evaluationCriteria', partID('evaluationCriteria', 'module-2', 3)],
  [70, RECORD_KEEPER, 'securityGroup', groupID('Interns')],
  [66, 'oscar.ibanez', 'dialog', departmentTalkID('service', 3)],
  [40, 'bjorn.akesson', 'comment', MISTAKEN],
];

function deletionVisits(today: Date): readonly Visit[] {
  const at = (ago: number, name: string): number => moment(today, ago, randomOf(SEED, 'deletion', name));
  const one = ([ago, user, resource, id]: Deletion): Visit =>
    visit(at(ago, id), user, (writer) => writer.delete(resource, id));
  const left = DEPARTMENTS.flatMap(({ people }) => people).flatMap(({ id, left: ago }) =>
    ago === undefined ? [] : [one([ago, RECORD_KEEPER, 'individual', id])],
  );
  const dropped = PROJECTS.flatMap(({ key, dropped: ago, team }) =>
    ago === undefined ? [] : [one([ago, team[0], 'project', projectID(key)])],
  );
  return [
    ...SINGLE.map(one),
    ...left,
    ...dropped,
    { at: at(46, 'mistake'), user: 'bjorn.akesson', work: mistake },
    { at: at(64, HASTY), user: RECORD_KEEPER, work: deleteHastily },
    { at: at(78, 'team'), user: 'mei.tanaka', work: leaveTeam },
    { at: at(60, 'again'), user: 'hanna.virtanen', work: changeOnesMind },
  ];
}

const mistake = (writer: Writer): Promise<Row> =>
  writer.add('comment', {
    ID: MISTAKEN,
    AncestorID: projectID('noise'),
    Body: 'Oops, this belongs to another project.',
  });

async function deleteHastily(writer: Writer): Promise<void> {
  await writer.delete('individual', individual(HASTY));
  await writer.undelete('individual', individual(HASTY));
  await writer.add('comment', {
    AncestorID: individual(HASTY),
    Body: 'Deleted by mistake, and undeleted with everything that belongs to it. Sorry, Ewa!',
  });
}

const leaveTeam = (writer: Writer): Promise<void> =>
  deleteTeamMember(writer, projectID('drive-12'), individual('lucia.pena'));

async function changeOnesMind(writer: Writer): Promise<void> {
  const id = accountabilityOf('hanna.virtanen', 1);
  await writer.delete('accountability', id);
  await writer.undelete('accountability', id);
}
