// How the small sample is measured and what comes out of its talks: metrics, reviews of the quarter, follow-ups, goals.
import { BEGINNING, dayStart, daysAgo, dayText, hourOf, moment, type Quarter, quartersAround } from './calendar.ts';
import { randomOf } from './random.ts';
import { bossOf, DEPARTMENTS, type Department, idOf, type Person, SEED } from './small-company.ts';
import { MEASURES, type Measure } from './small-measures.ts';
import { PROJECTS } from './small-projects.ts';
import { type Visit, visit } from './timeline.ts';

/** The metrics are set up that many days before the quarter begins. */
const BEFORE = 100;
/** Days of the last quarter on which is measured, counted back from its end. */
const LAST = [75, 20];
/** Parts of the quarter so far, from today back to its beginning. */
const NOW = [0.7, 0.15];

const metricID = (key: string): string => idOf('metric', key);
const taskID = (key: string): string => idOf('task', key);

export function measuringVisits(today: Date): readonly Visit[] {
  const begun = daysAgo(today, currentQuarter(today).first);
  return [
    ...MEASURES.flatMap((measure) => measured(today, measure, begun)),
    mistaken(today, begun),
    archived(today, begun),
    ...DEPARTMENTS.flatMap((department) => reviewed(today, department, begun)),
    ...DEPARTMENTS.flatMap((department) => talked(today, department, begun)),
    ...DEPARTMENTS.flatMap((department) => goals(today, department, begun)),
    ...PROJECTS.filter(({ ended, dropped, parent }) => !(ended || dropped || parent === 'refit')).map(
      ({ key, team, begun: since }) => {
        const ago = Math.min(Math.max(1, Math.round(begun / 3)), since - 4);
        return visit(moment(today, ago, randomOf(SEED, 'tasks', key)), team[0], (writer) =>
          writer.add('task', { ID: taskID(`${key} plan`), AncestorID: idOf('project', key), ...PLAN }),
        );
      },
    ),
  ];
}

const currentQuarter = (today: Date): Quarter =>
  quartersAround(today).findLast(({ first }) => daysAgo(today, first) >= 0) as Quarter;

const PLAN = { Name: 'Bring the plan up to date', Priority: 2, Rank: 1 } as const;

/** The leader of the department or project, or the one that the individual reports to. */
function writerOf([kind, key]: Measure['owner']): string {
  if (kind === 'project') return PROJECTS.find((one) => one.key === key)?.team[0] ?? '';
  const department = DEPARTMENTS.find((one) => (kind === 'organization' ? one.key === key : personIn(one, key)));
  if (!department) throw new Error(`there is no ${kind} ${key}`);
  const one = personIn(department, key);
  return (one ? bossOf(department, one) : (department.people[0] as Person)).user;
}

const personIn = ({ people }: Department, user: string): Person | undefined => people.find((one) => one.user === user);

function measured(today: Date, measure: Measure, begun: number): readonly Visit[] {
  const { key, owner, values } = measure;
  const user = writerOf(owner);
  const random = randomOf(SEED, 'metric', key);
  const days = [...LAST.map((day) => begun + day), ...NOW.map((part) => Math.round(begun * part))];
  const setUp = visit(moment(today, begun + BEFORE, random), user, (writer) => writer.add('metric', metricOf(measure)));
  const looks = values.map((Value, index) => {
    const ago = days[index] ?? 0;
    const ID = idOf('metricValue', `${key} ${index}`);
    return visit(moment(today, ago, random), user, (writer) =>
      writer.add('metricValue', { ID, MetricID: metricID(key), Date: dayStart(today, ago), Value }),
    );
  });
  return [setUp, ...looks];
}

/** A metric and a task that were written down by mistake, and deleted at once. */
const mistaken = (today: Date, begun: number): Visit => ({
  at: moment(today, begun + BEFORE, randomOf(SEED, 'mistaken')),
  user: writerOf(['organization', 'sales']),
  async work(writer) {
    const AncestorID = idOf('organization', 'sales');
    const twice = { AncestorID, Rank: 9, Name: 'Offers', Description: 'Counted already.' };
    await writer.delete('metric', (await writer.add('metric', twice)).ID);
    await writer.delete('task', (await writer.add('task', { AncestorID, Name: 'Count the offers' })).ID);
  },
});

const archived = (today: Date, begun: number): Visit =>
  visit(moment(today, begun + 1, randomOf(SEED, 'archive')), writerOf(['organization', 'company']), (writer) =>
    writer.archive(metricID('orders'), 'As the quarter ended'),
  );

function metricOf({ key, owner: [kind, name], text, format, thresholds, key8020, ...more }: Measure) {
  const [Threshold1 = null, Threshold2 = null, Threshold3 = null] = thresholds ?? [];
  return {
    ID: metricID(key),
    AncestorID: idOf(kind, name),
    Rank: MEASURES.filter(({ owner }) => owner[1] === name).findIndex((one) => one.key === key) + 1,
    Name: more.name,
    Description: text,
    Format: format,
    Threshold1,
    Threshold2,
    Threshold3,
    ColorByValue: true,
    Is8020: key8020 ?? false,
  };
}

const FOLLOW_UPS = ['Tell everybody what was decided', 'Come back with numbers'] as const;

/** A talk in this quarter, and two follow-ups: the first one is done where there was time for it. */
function reviewed(today: Date, { key, name, people }: Department, begun: number): readonly Visit[] {
  const random = randomOf(SEED, 'review', key);
  const ago = Math.round(begun * (0.3 + random.next() * 0.6));
  const user = (people[0] as Person).user;
  const talk = idOf('dialog', `${key} review`);
  const hold: Visit = {
    at: moment(today, ago, random),
    user,
    async work(writer) {
      const DialogDate = hourOf(today, ago, 9);
      const AncestorID = idOf('organization', key);
      await writer.add('dialog', { ID: talk, AncestorID, DialogDate, Name: `Review of ${name}` });
      for (const [index, Name] of FOLLOW_UPS.entries()) {
        const EndDateProjected = dayText(today, ago - 14);
        const ID = taskID(`${key} ${index + 1}`);
        const order = { Rank: index + 1, Priority: 3 - index };
        await writer.add('task', { ID, AncestorID: talk, Name, ...order, EndDateProjected });
      }
    },
  };
  return [hold, ...(random.chance(0.7) ? [done(today, hold, taskID(`${key} 1`), Math.round(ago / 2))] : [])];
}

/** Leaders talk about the quarter with the one they report to. */
function talked(today: Date, department: Department, begun: number): readonly Visit[] {
  const leader = department.people[0] as Person;
  const { user } = bossOf(department, leader);
  if (user === leader.user) return [];
  const random = randomOf(SEED, 'quarter', leader.user);
  const ago = Math.round(begun * (0.2 + random.next() * 0.7));
  const talk = idOf('dialog', `${leader.user} quarter`);
  const follow = taskID(`${leader.user} quarter`);
  const hold: Visit = {
    at: moment(today, ago, random),
    user,
    async work(writer) {
      const DialogDate = hourOf(today, ago, 8);
      await writer.add('dialog', { ID: talk, AncestorID: leader.id, DialogDate, Name: 'Look at the quarter' });
      await writer.add('task', { ID: follow, AncestorID: talk, Name: 'Write down the next three steps', Rank: 1 });
    },
  };
  return [hold, ...(random.chance(0.6) ? [done(today, hold, follow, Math.round(ago / 3))] : [])];
}

/** Not before the visit in which the task was made, be that on the same day. */
const done = (today: Date, { at, user = '' }: Visit, task: string, ago: number): Visit =>
  visit(Math.max(at + 1, moment(today, ago, randomOf(SEED, 'done', task))), user, (writer) =>
    writer.change('task', task, { EndDateActual: dayText(today, ago) }),
  );

const GOALS = [
  'Speak at the meeting of the yard',
  'Pass on what I know to one other',
  'Take the course on safety',
] as const;

/** One of two has a goal, which the one it reports to writes down. */
function goals(today: Date, department: Department, begun: number): readonly Visit[] {
  return department.people.flatMap((one) => {
    const random = randomOf(SEED, 'goal', one.user);
    if (one.left !== undefined || !random.chance(0.5)) return [];
    const user = bossOf(department, one).user;
    const ID = taskID(one.user);
    const note: Visit = {
      at: moment(today, Math.min(begun + random.between(2, 80), (one.joined ?? BEGINNING) - 10), random),
      user,
      work: (writer) => writer.add('task', { ID, AncestorID: one.id, Name: random.pick(GOALS), Rank: 1, Priority: 2 }),
    };
    return random.chance(0.4) ? [note, done(today, note, ID, Math.round(begun / 4))] : [note];
  });
}
