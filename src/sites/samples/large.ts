// The large sample: as many individuals as wanted, department by department, so that memory does not grow with their number.
import type { IDsByResource } from '../../contract/call.ts';
import { invalid } from '../../contract/errors.ts';
import type { ResourceName } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import { BEGINNING, dayStart, dayText, hourOf, moment, quartersAround } from './calendar.ts';
import { canBePlanned, promiseIn, UNDERTAKINGS } from './commitments.ts';
import { addTeamMember, idNamed, letWrite, makeLeader, type Name, setUpSite } from './founding.ts';
import { nameOf, TRADES, type Trade } from './large-names.ts';
import { addRanked, LIST_SIZES, type ListName, lineOf, writeOwnLists } from './own-lists.ts';
import { guidOf, randomOf } from './random.ts';
import { type Timeline, type Visit, visit, type Writer } from './timeline.ts';

const MOST = 1_000_000;
const MINUTE = 60_000;
/** Writes of one individual, roughly. */
const WRITES = 40;

export function largeOf({ individuals, randomSeed }: Wanted) {
  refuseSize(individuals);
  const seed = `large ${randomSeed}`;
  const someone = (number: number): string => idOfSomeone(seed, number);
  const pace = Math.max(1, Math.min(3 * MINUTE, Math.floor((BEGINNING * 24 * 60 * MINUTE) / (individuals * WRITES))));
  return {
    sample: {
      seed,
      pace,
      first: nameOf(randomSeed, 0).user,
      people: { first: someone(0), last: someone(individuals - 1), next: someone(individuals) },
    },
    write: (timeline: Timeline, onProgress: (done: number, total: number) => void) =>
      writeLarge(timeline, { individuals, randomSeed }, onProgress),
  };
}

function refuseSize(individuals: number): void {
  if (Number.isInteger(individuals) && individuals >= 1 && individuals <= MOST) return;
  const message = `is ${individuals}; allowed are whole numbers from 1 to ${MOST}`;
  throw invalid('the large sample', [{ field: 'individuals', code: 'out_of_range', message }]);
}

async function writeLarge(
  timeline: Timeline,
  wanted: Wanted,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const { today } = timeline;
  const total = wanted.individuals;
  const setUp = (writer: Writer): Promise<void> => setUpSite(writer, today, 'A large sample. No such company exists.');
  await timeline.write([{ at: moment(today, BEGINNING, randomOf(wanted.randomSeed)), work: setUp }]);
  const units = Math.ceil(total / CROWD);
  for (let number = 0; number < units; number++) {
    const unit = unitOf(wanted, number);
    const visits = [foundingVisit(today, unit), ...memberVisits(today, unit), ...leaderVisits(today, unit)];
    await timeline.write(visits, newIDsOf(unit));
    const people = Math.min((number + 1) * CROWD, total);
    onProgress(timeline.records(), Math.round((timeline.records() / people) * total) + units * REVIEW_RECORDS);
  }
  for (let number = 0; number < units; number++) {
    await timeline.write(quarterVisits(today, unitOf(wanted, number)));
    onProgress(timeline.records(), timeline.records() + (units - number - 1) * REVIEW_RECORDS);
  }
}

/** The administrator sets up the department and its people. */
function foundingVisit(today: Date, unit: Unit): Visit {
  return {
    at: moment(today, unit.begun, randomOf(unit.seed, 'founding', unit.number)),
    async work(writer) {
      await writer.add('organization', {
        ID: unit.id,
        ParentID: unit.above === undefined ? writer.site : idOfUnit(unit.seed, unit.above),
        Rank: unit.above === undefined ? 2 : ((unit.number - 1) % FAN) + 1,
        Name: unit.name,
        Focus: `${unit.people.length} people who work in one direction.`,
      });
      for (const [index, one] of unit.people.entries()) await addIndividual(writer, today, unit, one, index);
      const [leader] = unit.people;
      if (!leader) return;
      await makeLeader(writer, leader.id, unit.id);
      await letWrite(writer, leader.id, unit.id);
      for (const one of unit.people) await letWrite(writer, leader.id, one.id);
    },
  };
}

async function addIndividual(writer: Writer, today: Date, unit: Unit, one: Someone, index: number): Promise<void> {
  const email = `${one.user}@example.com`;
  const number = unit.number * CROWD + index;
  await writer.add('individual', {
    ID: one.id,
    FirstName: one.first,
    LastName: one.last,
    UserDefined1: String(number + 1).padStart(7, '0'),
    Email: email,
    UserEmail: email,
    UserName: one.user,
    PrimaryOrganizationID: unit.id,
    PrimaryTitle: one.title,
    PrimaryReportsTo: bossOf(unit, one).id,
    HireDate: dayStart(today, unit.begun + writer.random.between(0, 5_000)),
  });
}

const ranks = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The IDs that follow from names. */
function newIDsOf(unit: Unit): IDsByResource {
  const people = unit.people.map(({ id }) => id);
  const lines = (owners: readonly string[], list: ListName, count: number): readonly string[] =>
    owners.flatMap((owner) => ranks(count).map((rank) => lineOf(owner, list, rank)));
  const roles = lines(people, 'basicRole', LIST_SIZES.roles);
  const ids: Partial<Record<ResourceName, readonly string[]>> = {
    organization: [unit.id],
    individual: people,
    accountability: lines(people, 'accountability', LIST_SIZES.accountabilities),
    basicRole: roles,
    indicator: lines(roles, 'indicator', LIST_SIZES.indicators),
    supervisoryScope: lines(people.slice(0, 1), 'supervisoryScope', LIST_SIZES.scopes),
    dialog: unit.people.map(talkID),
  };
  return new Map(Object.entries(ids).map(([resource, some]) => [resource, new Set(some)]));
}

/** A department has its talks that many days after its founding. */
const TALK = 40;

/** Each one writes the own lists; a few delete a line again. */
function memberVisits(today: Date, unit: Unit): readonly Visit[] {
  return unit.people.map((one, index) =>
    visit(moment(today, unit.begun - 8, randomOf(unit.seed, 'lists', one.user)), one.user, async (writer) => {
      await writeOwnLists(writer, one.id, index === 0);
      if (writer.random.chance(0.1)) await writer.delete('accountability', lineOf(one.id, 'accountability', 3));
    }),
  );
}

/** The leader agrees on a talk with everybody, promises and begins a project; later looks back, and one in fifty leaves. */
function leaderVisits(today: Date, unit: Unit): readonly Visit[] {
  const [leader, ...others] = unit.people;
  if (!leader) return [];
  const at = (ago: number): number => moment(today, unit.begun - ago, randomOf(unit.seed, 'leader', unit.number, ago));
  return [
    visit(at(20), leader.user, async (writer) => {
      await aboutDepartment(writer, today, unit);
      for (const one of others) await agreeOnTalk(writer, today, unit, one);
      for (const one of unit.people) await promiseFor(writer, today, one.id, 1);
      if (others.length > 0) await beginProject(writer, today, unit);
    }),
    ...others.map((one) => visit(at(TALK), one.user, (writer) => remarkOnTalk(writer, one))),
    visit(at(TALK + 2), leader.user, async (writer) => {
      for (const one of others) await lookBack(writer, one);
      for (const one of others) if (writer.random.chance(0.02)) await writer.delete('individual', one.id);
    }),
  ];
}

async function aboutDepartment(writer: Writer, today: Date, unit: Unit): Promise<void> {
  await promiseFor(writer, today, unit.id, 2);
  await writer.add('comment', { AncestorID: unit.id, Body: writer.random.pick(REMARKS) });
  await writer.add('dialog', {
    AncestorID: unit.id,
    DialogDate: hourOf(today, unit.begun - 40, 9),
    Name: `Half-year of ${unit.name}`,
    Agenda: AGENDA,
  });
}

const talkID = (one: Someone): string => guidOf(one.id, 'dialog', 1);

const agreeOnTalk = (writer: Writer, today: Date, unit: Unit, one: Someone): Promise<Row> =>
  writer.add('dialog', {
    ID: talkID(one),
    AncestorID: one.id,
    DialogDate: hourOf(today, unit.begun - writer.random.between(22, TALK - 1), writer.random.between(9, 15)),
    Name: 'Development talk',
    Location: 'Quay 3, meeting room',
    Agenda: AGENDA,
  });

const remarkOnTalk = (writer: Writer, one: Someone): Promise<Row> =>
  writer.add('comment', { AncestorID: talkID(one), Body: writer.random.pick(REMARKS) });

async function lookBack(writer: Writer, one: Someone): Promise<void> {
  await writer.note(lineOf(one.id, 'basicRole', 1), talkID(one), writer.random.pick(REMARKS));
  if (!writer.random.chance(0.5)) return;
  await writer.add('comment', { AncestorID: one.id, Body: writer.random.pick(REMARKS) });
}

/** Commitments of the newest quarters that can be planned. */
async function promiseFor(writer: Writer, today: Date, ancestor: string, count: number): Promise<void> {
  const quarters = quartersAround(today).filter((quarter) => canBePlanned(today, quarter));
  for (const quarter of quarters.slice(-count)) await promiseIn(writer, quarter, ancestor);
}

/** What people write in comments, and in dialogs about roles. */
const REMARKS: readonly string[] = [
  'Took over the night shift at short notice. Thank you!',
  'Supplier is two weeks late; we can still hold the date.',
  'The two teams now share one store & one list.',
  'Needs a second person who can do it.',
  'Said "I was wrong" in front of everybody. That helps us all.',
];

const AGENDA = '1. What went well, what did not?\n2. What to learn next\n3. What we agree on';

async function beginProject(writer: Writer, today: Date, unit: Unit): Promise<void> {
  const undertaking = writer.random.pick(UNDERTAKINGS);
  const ID = guidOf(unit.seed, 'project', unit.number);
  await writer.add('project', {
    ID,
    AncestorID: unit.id,
    Rank: 1,
    Name: undertaking.name,
    PhaseID: await idNamed(writer, 'phase', writer.random.pick(['Idea', 'Planning', 'Work'])),
    StatusID: await idNamed(writer, 'status', writer.random.pick(['On track', 'At risk', 'On hold'])),
    StartDateProjected: dayText(today, unit.begun - 35),
    EndDateProjected: dayText(today, unit.begun - writer.random.between(100, 600)),
  });
  await writer.add('projectScope', { AncestorID: ID, Rank: 1, Name: unit.name, Description: 'This department only.' });
  const criteria = undertaking.measures.map((measure) => [measure, measure] as const);
  await addRanked(writer, 'evaluationCriteria', criteria, () => ({
    AncestorID: ID,
    Completed: writer.random.chance(0.4),
  }));
  for (const [index, one] of writer.random.some(unit.people, 5).entries())
    await addTeamMember(writer, ID, one.id, index === 0 ? 'Leader' : 'Member');
  await writer.add('comment', { AncestorID: ID, Body: writer.random.pick(REMARKS) });
}

const MEASURED: readonly (readonly [name: string, text: string])[] = [
  ['Delivered on the day', 'In percent of what was promised.'],
  ['Passed the first time', 'In percent of what was tested.'],
  ['Answered within a day', 'In percent of what was asked.'],
];
const FOLLOW_UPS = ['Tell everybody what was decided', 'Come back with numbers'] as const;
/** A metric with two values, a dialog, and its follow-ups. */
const REVIEW_RECORDS = 4 + FOLLOW_UPS.length;

/** The leader measures, holds the review and notes follow-ups; half of these are done by today. */
function quarterVisits(today: Date, unit: Unit): readonly Visit[] {
  const [leader] = unit.people;
  if (!leader) return [];
  const at = moment(today, 9, randomOf(unit.seed, 'quarter', unit.number));
  return [visit(at, leader.user, (writer) => reviewQuarter(writer, today, unit))];
}

async function reviewQuarter(writer: Writer, today: Date, unit: Unit): Promise<void> {
  const metric = guidOf(unit.seed, 'metric', unit.number);
  const talk = guidOf(unit.seed, 'review', unit.number);
  const [Name, Description] = writer.random.pick(MEASURED);
  const Is8020 = writer.random.chance(0.5);
  await writer.add('metric', { ID: metric, AncestorID: unit.id, Rank: 1, Name, Description, Is8020 });
  for (const ago of [120, 9]) {
    const Value = writer.random.between(40, 105);
    await writer.add('metricValue', { MetricID: metric, Date: dayStart(today, ago), Value });
  }
  const review = { AncestorID: unit.id, DialogDate: hourOf(today, 9, 9), Name: `Review of ${unit.name}` };
  await writer.add('dialog', { ID: talk, ...review });
  for (const [index, followUp] of FOLLOW_UPS.entries()) {
    const EndDateActual = writer.random.chance(0.5) ? dayText(today, 9) : null;
    await writer.add('task', { AncestorID: talk, Name: followUp, Rank: index + 1, EndDateActual });
  }
}

interface Wanted {
  readonly individuals: number;
  readonly randomSeed: number;
}

/** A part of the sample: a department with its people. All of it follows from the seed and its number. */
interface Unit {
  readonly seed: string;
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly above: number | undefined;
  /** The first one leads. */
  readonly people: readonly Someone[];
  /** Days ago when it was set up. */
  readonly begun: number;
}

interface Someone extends Name {
  readonly id: string;
  readonly title: string;
}

/** People in a department, its leader included; the last one has the rest. */
const CROWD = 25;
/** Departments right below one department. */
const FAN = 5;

/** The first unit is the organization; the others stand below it in a tree that is as even as can be. */
function unitOf({ individuals, randomSeed }: Wanted, number: number): Unit {
  const seed = `large ${randomSeed}`;
  // That of the first unit is the last one.
  const trade = TRADES.at((number - 1) % TRADES.length) as Trade;
  const first = number * CROWD;
  const crowd = Math.min(CROWD, individuals - first);
  return {
    seed,
    number,
    id: idOfUnit(seed, number),
    name: number === 0 ? `Blue Quay ${randomSeed}` : `${trade.name} ${Math.ceil(number / TRADES.length)}`,
    above: number === 0 ? undefined : Math.floor((number - 1) / FAN),
    people: Array.from({ length: crowd }, (_, index) => someoneOf(randomSeed, seed, first + index, trade, index === 0)),
    begun: Math.round(BEGINNING - 5 - (first / individuals) * (BEGINNING - 60)),
  };
}

const idOfUnit = (seed: string, number: number): string => guidOf(seed, 'organization', number);
const idOfSomeone = (seed: string, number: number): string => guidOf(seed, 'individual', number);

function someoneOf(randomSeed: number, seed: string, number: number, trade: Trade, isLeader: boolean): Someone {
  const title = isLeader && number > 0 ? 'Head of department' : randomOf(seed, 'title', number).pick(trade.titles);
  const name = nameOf(randomSeed, number);
  return { id: idOfSomeone(seed, number), ...name, title: number === 0 ? 'Managing director' : title };
}

/** The leader, and for the leader the one of the department above. */
function bossOf(unit: Unit, one: Someone): { readonly id: string } {
  const leader = unit.people[0] ?? one;
  if (one !== leader) return leader;
  return unit.above === undefined ? one : { id: idOfSomeone(unit.seed, unit.above * CROWD) };
}
