// The small sample: two years of a company of sixty people, with every resource filled and some records deleted.
import type { ResourceName } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import { chunks } from '../../text/batches.ts';
import { hourOf, moment, quartersAround } from './calendar.ts';
import { canBePlanned, commitmentVisits } from './commitments.ts';
import { DISCIPLINES } from './disciplines.ts';
import { deleteTeamMember } from './founding.ts';
import { lineOf, writeOwnLists } from './own-lists.ts';
import { type Random, randomOf } from './random.ts';
import {
  ABOUT_DEPARTMENTS,
  ABOUT_DIALOGS,
  ABOUT_INDIVIDUALS,
  addTalk,
  DEPARTMENT_AGENDA,
  IN_MANY_TONGUES,
  ON_ROLES,
} from './remarks.ts';
import {
  bossOf,
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
  return days.map((ago, index) =>
    visit(moment(today, Math.max(ago + 14, 3), random), leaderOf(department).user, (writer) =>
      writer.add('dialog', {
        ID: departmentTalkID(department.key, index + 1),
        AncestorID: departmentID(department.key),
        DialogDate: hourOf(today, ago, writer.random.between(9, 14)),
        Name: department.key === 'company' ? 'Review of the half-year' : `Half-year of ${department.name}`,
        Location: 'Quay 3, large room',
        Agenda: DEPARTMENT_AGENDA,
      }),
    ),
  );
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

/** The beginning of the timeline of this sample. */
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

/** Authors of the remarks in other languages, and the records that they write them on. */
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
    visit(at(46, 'mistake'), 'bjorn.akesson', mistake),
    visit(at(64, HASTY), RECORD_KEEPER, deleteHastily),
    visit(at(78, 'team'), 'mei.tanaka', leaveTeam),
    visit(at(60, 'again'), 'hanna.virtanen', changeOnesMind),
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

interface Someone {
  readonly today: Date;
  readonly one: Person;
  readonly department: Department;
  readonly boss: Person;
  readonly random: Random;
  /** First and last day at work, in days before today. */
  readonly first: number;
  readonly last: number;
}

/** People write through the years: their own lists, talks with whom they report to, remarks. */
function peopleVisits(today: Date): readonly Visit[] {
  return DEPARTMENTS.flatMap((department) =>
    department.people.flatMap((one) => {
      const someone: Someone = {
        today,
        one,
        department,
        boss: bossOf(department, one),
        random: randomOf(SEED, one.user),
        first: one.joined ?? 712,
        last: one.left ?? 0,
      };
      return [...ownVisits(someone), ...ownTalks(someone), ...remarksOn(someone)];
    }),
  );
}

/** The ID of a talk by its number; 0 is the one to come. */
const talkID = (user: string, number: number): string => idOf('dialog', `${user} ${number}`);

const leads = (one: Person): boolean =>
  DEPARTMENTS.some((department) =>
    department.people.some((other) => other !== one && bossOf(department, other) === one),
  );

/** The lists are written in the first weeks, and looked at again later. */
function ownVisits({ today, one, department, random, first, last }: Someone): readonly Visit[] {
  const begun = first - random.between(4, 40);
  const again = random.between(last + 5, begun - 20);
  const write = async (writer: Writer): Promise<void> => {
    const sizes = { accountabilities: writer.random.between(3, 5), roles: writer.random.between(2, 3) };
    await writeOwnLists(writer, { id: one.id, trade: department.trade, leads: leads(one) }, sizes);
  };
  const revise = async (writer: Writer): Promise<void> => {
    await writer.change('basicRole', lineOf(one.id, 'basicRole', 1), { PercentTime: 60 });
    await writer.change('basicRole', lineOf(one.id, 'basicRole', 2), { PercentTime: 40 });
  };
  const written = visit(moment(today, begun, random), one.user, write);
  return random.chance(0.4) ? [written, visit(moment(today, again, random), one.user, revise)] : [written];
}

/** Yearly talks: planned before, and remarked on the day after. One in five has the next one planned. */
function ownTalks(someone: Someone): readonly Visit[] {
  const { today, one, boss, random, first, last } = someone;
  if (boss === one) return [];
  const days = [random.between(400, 640), random.between(45, 360)].filter((ago) => ago < first - 60 && ago > last + 5);
  const before = days.flatMap((ago, index) => talkVisits(someone, ago, index + 1));
  if (one.left !== undefined || !random.chance(0.2)) return before;
  const next = visit(moment(today, random.between(2, 9), random), boss.user, (writer) =>
    agreeOnTalk(writer, someone, 0, -random.between(5, 40)),
  );
  return [...before, next];
}

function talkVisits(someone: Someone, ago: number, number: number): readonly Visit[] {
  const { today, one, boss, random } = someone;
  const remark = visit(moment(today, ago - 2, random), one.user, (writer) =>
    writer.add('comment', { AncestorID: talkID(one.user, number), Body: writer.random.pick(ABOUT_DIALOGS) }),
  );
  const visits = [
    visit(moment(today, ago + 10, random), boss.user, (writer) => agreeOnTalk(writer, someone, number, ago)),
    visit(moment(today, ago - 1, random), boss.user, async (writer) => {
      for (const rank of [1, 2])
        await writer.note(lineOf(one.id, 'basicRole', rank), talkID(one.user, number), writer.random.pick(ON_ROLES));
    }),
  ];
  return random.chance(0.5) ? [...visits, remark] : visits;
}

const agreeOnTalk = (writer: Writer, { today, one }: Someone, number: number, ago: number): Promise<Row> =>
  addTalk(writer, {
    ID: talkID(one.user, number),
    AncestorID: one.id,
    DialogDate: hourOf(today, ago, writer.random.between(9, 15)),
  });

/** Remarks by the one they report to, and sometimes by a colleague. */
function remarksOn({ today, one, department, boss, random, first, last }: Someone): readonly Visit[] {
  if (!random.chance(0.6)) return [];
  const ago = random.between(last + 4, first - 30);
  const colleagues = department.people.filter(
    (other) => other !== one && (other.joined ?? 712) > ago + 5 && (other.left ?? 0) < ago,
  );
  const author = colleagues.length > 0 && random.chance(0.3) ? random.pick(colleagues) : boss;
  return [
    visit(moment(today, ago, random), author.user, (writer) =>
      writer.add('comment', { AncestorID: one.id, Body: writer.random.pick(ABOUT_INDIVIDUALS) }),
    ),
  ];
}
