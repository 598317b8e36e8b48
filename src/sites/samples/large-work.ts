// What the people of one department of the large sample write, and how it stands in this quarter.
import { dayStart, dayText, hourOf, moment, quartersAround } from './calendar.ts';
import { canBePlanned, promiseIt } from './commitments.ts';
import type { Pen, Visit } from './diary.ts';
import { DISCIPLINES } from './disciplines.ts';
import { idNamed } from './founding.ts';
import type { Someone, Unit } from './large-units.ts';
import { lineOf, writeOwnLists } from './own-lists.ts';
import { guidOf, randomOf } from './random.ts';
import {
  ABOUT_DEPARTMENTS,
  ABOUT_DIALOGS,
  ABOUT_INDIVIDUALS,
  ABOUT_PROJECTS,
  AGENDA,
  DEPARTMENT_AGENDA,
  ON_ROLES,
  PLACES,
} from './remarks.ts';
import { addTeamMember } from './team.ts';

const EXTENT = { accountabilities: 5, roles: 2 } as const;
/** Days after its founding when a department has held its talks. */
const TALK = 40;

/** Each one writes the own lists; a few delete a line again. */
export function memberVisits(today: Date, unit: Unit): readonly Visit[] {
  return unit.people.map((one, index) => ({
    at: moment(today, unit.begun - 8, randomOf(unit.seed, 'lists', one.user)),
    user: one.user,
    async work(pen: Pen) {
      await writeOwnLists(pen, { id: one.id, trade: unit.trade, leads: index === 0 }, EXTENT);
      if (pen.random.chance(0.1)) await pen.delete('accountability', lineOf(one.id, 'accountability', 3));
    },
  }));
}

/** The leader agrees on a talk with everybody, promises and begins a project; later looks back, and one in fifty leaves. */
export function leaderVisits(today: Date, unit: Unit): readonly Visit[] {
  const [leader, ...others] = unit.people;
  if (!leader) return [];
  const at = (ago: number): number => moment(today, unit.begun - ago, randomOf(unit.seed, 'leader', unit.number, ago));
  return [
    {
      at: at(20),
      user: leader.user,
      async work(pen) {
        await aboutDepartment(pen, today, unit);
        for (const one of others) await agreeOnTalk(pen, today, unit, one);
        for (const one of unit.people) await promiseFor(pen, today, unit, one.id, 1);
        if (others.length > 0) await beginProject(pen, today, unit);
      },
    },
    ...others.map((one) => ({ at: at(TALK), user: one.user, work: (pen: Pen) => remarkOnTalk(pen, one) })),
    {
      at: at(TALK + 2),
      user: leader.user,
      async work(pen) {
        for (const one of others) await lookBack(pen, one);
        for (const one of others) if (pen.random.chance(0.02)) await pen.delete('individual', one.id);
      },
    },
  ];
}

async function aboutDepartment(pen: Pen, today: Date, unit: Unit): Promise<void> {
  await promiseFor(pen, today, unit, unit.id, 2);
  await pen.add('comment', { AncestorID: unit.id, Body: pen.random.pick(ABOUT_DEPARTMENTS) });
  await pen.add('dialog', {
    AncestorID: unit.id,
    DialogDate: hourOf(today, unit.begun - 40, 9),
    Name: `Half-year of ${unit.name}`,
    Agenda: DEPARTMENT_AGENDA,
  });
}

const talkID = (one: Someone): string => guidOf(one.id, 'dialog', 1);

async function agreeOnTalk(pen: Pen, today: Date, unit: Unit, one: Someone): Promise<void> {
  await pen.add('dialog', {
    ID: talkID(one),
    AncestorID: one.id,
    DialogDate: hourOf(today, unit.begun - pen.random.between(22, TALK - 1), pen.random.between(9, 15)),
    Name: 'Development talk',
    Location: pen.random.pick(PLACES),
    Agenda: AGENDA,
  });
}

const remarkOnTalk = async (pen: Pen, one: Someone): Promise<void> =>
  void (await pen.add('comment', { AncestorID: talkID(one), Body: pen.random.pick(ABOUT_DIALOGS) }));

async function lookBack(pen: Pen, one: Someone): Promise<void> {
  await pen.note(lineOf(one.id, 'basicRole', 1), talkID(one), pen.random.pick(ON_ROLES));
  if (!pen.random.chance(0.5)) return;
  await pen.add('comment', { AncestorID: one.id, Body: pen.random.pick(ABOUT_INDIVIDUALS) });
}

/** Commitments of the newest quarters that can be planned. */
async function promiseFor(pen: Pen, today: Date, unit: Unit, ancestor: string, count: number): Promise<void> {
  const quarters = quartersAround(today).filter((quarter) => canBePlanned(today, quarter));
  for (const quarter of quarters.slice(-count)) {
    const undertaking = pen.random.pick(DISCIPLINES[unit.trade].undertakings);
    await promiseIt(pen, { ancestor, undertaking, quarter });
  }
}

async function beginProject(pen: Pen, today: Date, unit: Unit): Promise<void> {
  const undertaking = pen.random.pick(DISCIPLINES[unit.trade].undertakings);
  const ID = guidOf(unit.seed, 'project', unit.number);
  await pen.add('project', {
    ID,
    AncestorID: unit.id,
    Rank: 1,
    Name: undertaking.name,
    PhaseID: await idNamed(pen, 'phase', pen.random.pick(['Idea', 'Planning', 'Work'])),
    StatusID: await idNamed(pen, 'status', pen.random.pick(['On track', 'At risk', 'On hold'])),
    StartDateProjected: dayText(today, unit.begun - 35),
    EndDateProjected: dayText(today, unit.begun - pen.random.between(100, 600)),
  });
  await pen.add('projectScope', { AncestorID: ID, Rank: 1, Name: unit.name, Description: 'This department only.' });
  for (const [index, Name] of undertaking.measures.entries()) {
    const Completed = pen.random.chance(0.4);
    await pen.add('evaluationCriteria', { AncestorID: ID, Rank: index + 1, Name, Description: Name, Completed });
  }
  for (const [index, one] of pen.random.some(unit.people, 5).entries()) {
    await addTeamMember(pen, {
      project: ID,
      individual: one.id,
      role: index === 0 ? 'Leader' : 'Member',
    });
  }
  await pen.add('comment', { AncestorID: ID, Body: pen.random.pick(ABOUT_PROJECTS) });
}

const MEASURED: readonly (readonly [name: string, text: string])[] = [
  ['Delivered on the day', 'In percent of what was promised.'],
  ['Passed the first time', 'In percent of what was tested.'],
  ['Answered within a day', 'In percent of what was asked.'],
];
const FOLLOW_UPS = ['Tell everybody what was decided', 'Come back with numbers'] as const;

/** The leader measures, holds the review and notes what follows from it; half of that is done by today. */
export function quarterVisits(today: Date, unit: Unit): readonly Visit[] {
  const [leader] = unit.people;
  if (!leader) return [];
  const at = moment(today, 9, randomOf(unit.seed, 'quarter', unit.number));
  return [{ at, user: leader.user, work: (pen) => standing(pen, today, unit) }];
}

async function standing(pen: Pen, today: Date, unit: Unit): Promise<void> {
  const metric = guidOf(unit.seed, 'metric', unit.number);
  const talk = guidOf(unit.seed, 'review', unit.number);
  const [Name, Description] = pen.random.pick(MEASURED);
  const Is8020 = pen.random.chance(0.5);
  await pen.add('metric', { ID: metric, AncestorID: unit.id, Rank: 1, Name, Description, Is8020 });
  for (const ago of [120, 9]) {
    await pen.add('metricValue', { MetricID: metric, Date: dayStart(today, ago), Value: pen.random.between(40, 105) });
  }
  const review = { AncestorID: unit.id, DialogDate: hourOf(today, 9, 9), Name: `Review of ${unit.name}` };
  await pen.add('dialog', { ID: talk, ...review });
  for (const [index, followUp] of FOLLOW_UPS.entries()) {
    const EndDateActual = pen.random.chance(0.5) ? dayText(today, 9) : null;
    await pen.add('task', { AncestorID: talk, Name: followUp, Rank: index + 1, EndDateActual });
  }
}
