// The metrics of the small sample, its reviews of the quarter, and the follow-ups and goals of its talks.
import { BEGINNING, dayStart, daysAgo, dayText, hourOf, moment, type Quarter, quartersAround } from './calendar.ts';
import { randomOf } from './random.ts';
import { FOLLOW_UPS } from './remarks.ts';
import { bossOf, DEPARTMENTS, type Department, idOf, type Person, SEED } from './small-company.ts';
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
const mistaken = (today: Date, begun: number): Visit =>
  visit(
    moment(today, begun + BEFORE, randomOf(SEED, 'mistaken')),
    writerOf(['organization', 'sales']),
    async (writer) => {
      const AncestorID = idOf('organization', 'sales');
      const twice = { AncestorID, Rank: 9, Name: 'Offers', Description: 'Counted already.' };
      await writer.delete('metric', (await writer.add('metric', twice)).ID);
      await writer.delete('task', (await writer.add('task', { AncestorID, Name: 'Count the offers' })).ID);
    },
  );

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

/** A talk in this quarter, and two follow-ups: the first one is done where there was time for it. */
function reviewed(today: Date, { key, name, people }: Department, begun: number): readonly Visit[] {
  const random = randomOf(SEED, 'review', key);
  const ago = Math.round(begun * (0.3 + random.next() * 0.6));
  const user = (people[0] as Person).user;
  const talk = idOf('dialog', `${key} review`);
  const hold = visit(moment(today, ago, random), user, async (writer) => {
    const DialogDate = hourOf(today, ago, 9);
    const AncestorID = idOf('organization', key);
    await writer.add('dialog', { ID: talk, AncestorID, DialogDate, Name: `Review of ${name}` });
    for (const [index, Name] of FOLLOW_UPS.entries()) {
      const EndDateProjected = dayText(today, ago - 14);
      const ID = taskID(`${key} ${index + 1}`);
      const order = { Rank: index + 1, Priority: 3 - index };
      await writer.add('task', { ID, AncestorID: talk, Name, ...order, EndDateProjected });
    }
  });
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
  const hold = visit(moment(today, ago, random), user, async (writer) => {
    const DialogDate = hourOf(today, ago, 8);
    await writer.add('dialog', { ID: talk, AncestorID: leader.id, DialogDate, Name: 'Look at the quarter' });
    await writer.add('task', { ID: follow, AncestorID: talk, Name: 'Write down the next three steps', Rank: 1 });
  });
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
    const ID = taskID(one.user);
    const ago = Math.min(begun + random.between(2, 80), (one.joined ?? BEGINNING) - 10);
    const note = visit(moment(today, ago, random), bossOf(department, one).user, (writer) =>
      writer.add('task', { ID, AncestorID: one.id, Name: random.pick(GOALS), Rank: 1, Priority: 2 }),
    );
    return random.chance(0.4) ? [note, done(today, note, ID, Math.round(begun / 4))] : [note];
  });
}

interface Measure {
  readonly key: string;
  /** The department's, project's or individual's. */
  readonly owner: readonly [kind: 'organization' | 'project' | 'individual', key: string];
  readonly name: string;
  readonly text: string;
  readonly format: string;
  /** Minimum, meets, exceeds; falling ones where smaller is better, none where the site's count. */
  readonly thresholds?: readonly [number, number, number];
  /** One of the few that matter most. */
  readonly key8020?: true;
  /** Two of the last quarter, then up to two of this one. */
  readonly values: readonly number[];
}

const of =
  (kind: Measure['owner'][0]) =>
  (owner: string, key: string, name: string, more: Omit<Measure, 'key' | 'owner' | 'name'>): Measure => ({
    key,
    owner: [kind, owner],
    name,
    ...more,
  });
const department = of('organization');
const project = of('project');
const individual = of('individual');

/** Given in percent; the format multiplies by a hundred. */
const share = (
  text: string,
  [minimum, meets, exceeds]: readonly [number, number, number],
  values: readonly number[],
) => ({
  text,
  format: '0.0 %',
  thresholds: [minimum / 100, meets / 100, exceeds / 100] as const,
  values: values.map((one) => one / 100),
});
const key8020 = true as const;

const MEASURES: readonly Measure[] = [
  department('company', 'orders', 'Orders in the book', {
    text: 'Ferries that are ordered and not yet delivered.',
    format: '0',
    thresholds: [4, 6, 8],
    key8020,
    values: [5, 5, 6, 7],
  }),
  department('company', 'on-time', 'Delivered on the day', {
    ...share('Ferries and parts that left on the day that was named.', [80, 90, 98], [84, 91, 93, 92.5]),
    key8020,
  }),
  department('company', 'injuries', 'Accidents with lost days', {
    text: 'In the twelve months before.',
    format: '0',
    thresholds: [3, 1, 0],
    values: [2, 2, 1, 1],
  }),
  department('engineering', 'changes', 'Changes after release', {
    text: 'Drawings that came back from the hall, for each hull.',
    format: '0.#',
    thresholds: [40, 25, 15],
    key8020,
    values: [38, 33, 30.5, 27],
  }),
  department(
    'engineering',
    'releases',
    'Drawings released in time',
    share('Of those planned.', [70, 85, 95], [81, 88, 90]),
  ),
  department('hull-design', 'drag', 'Drag against the model', {
    text: 'Measured in the tank; 100 is the model.',
    format: '0.0',
    thresholds: [104, 101, 98],
    values: [103.5, 102, 100.4, 99.2],
  }),
  department('electric-drives', 'efficiency', 'Shore to propeller', {
    ...share('How much of what is charged moves the ferry.', [84, 87, 90], [86.1, 87.4, 88, 88.3]),
    key8020,
  }),
  department('battery-lab', 'cycles', 'Cycles to 80 %', {
    text: 'Of the newest module on the bench.',
    format: '#,##0',
    thresholds: [4000, 5000, 6000],
    key8020,
    values: [4650, 4900, 5350, 6120],
  }),
  department('production', 'weeks', 'Weeks for a hull', {
    text: 'From the first plate to float-out.',
    format: "0.0 'weeks'",
    thresholds: [12, 9, 8],
    key8020,
    values: [11.5, 10.5, 10, 9.5],
  }),
  department('production', 'hours', 'Hours against plan', {
    text: 'In percent of the hours planned, fewer is better.',
    format: '0',
    thresholds: [115, 103, 97],
    values: [118, 112, 109, 104],
  }),
  department('hull-shop', 'seams', 'Seams passed the first time', {
    ...share('Of all seams tested.', [94, 97, 99], [96.2, 97.1, 97.8, 98.1]),
    key8020,
  }),
  department('hull-shop', 'scrap', 'Scrap', share('Of the aluminium that was cut.', [9, 6, 4], [8.2, 7.7, 6.9, 6.4])),
  department('outfitting', 'open', 'Open points at sea trial', {
    text: 'For each ferry.',
    format: '0',
    thresholds: [60, 40, 20],
    values: [72, 66, 64, 61],
  }),
  department('quality', 'claims', 'Claims', {
    text: 'Within the first year, for each ferry.',
    format: '0.0',
    thresholds: [6, 4, 2],
    key8020,
    values: [4.5, 4, 3.2, 3],
  }),
  department('quality', 'audits', 'Audits passed', {
    text: 'In percent; the thresholds are those of the site.',
    format: '0',
    values: [90, 88, 92, 96],
  }),
  department('sea-trials', 'days', 'Days of trial', {
    text: 'Until the papers are signed.',
    format: '0',
    thresholds: [21, 14, 10],
    values: [20, 16, 15],
  }),
  department('sales', 'offers', 'Offers won', {
    ...share('Of those that were decided.', [20, 30, 40], [25, 22, 18, 17.5]),
    key8020,
  }),
  department('service', 'answers', 'First answer', {
    text: 'Hours until a harbour that calls has an answer.',
    format: "0.0 'h'",
    thresholds: [8, 4, 2],
    key8020,
    values: [5.5, 4.1, 3.9, 3.2],
  }),
  department(
    'service',
    'spares',
    'Parts in 48 hours',
    share('Of the parts ordered.', [75, 85, 95], [78, 83, 90, 95.5]),
  ),
  department('people', 'talks', 'Talks held', {
    text: 'In percent of those agreed on; the thresholds are those of the site.',
    format: '0',
    values: [70, 74, 78],
  }),
  project('ferry-12', 'ferry-hours', 'Hours used', {
    text: 'In percent of the hours planned, fewer is better.',
    format: '0',
    thresholds: [110, 100, 95],
    key8020,
    values: [92, 97, 101, 104],
  }),
  project('drive-12', 'drive-noise', 'Noise on deck', {
    text: 'At cruising speed.',
    format: "0.0 'dB'",
    thresholds: [64, 60, 57],
    values: [66, 63.5, 61.2],
  }),
  project('module-2', 'module-weight', 'Weight of a module', {
    text: 'In kilograms.',
    format: "#,##0 'kg'",
    thresholds: [420, 380, 350],
    key8020,
    values: [410, 402, 388, 379],
  }),
  individual('lina.zhou', 'lina-samples', 'Cells tested', {
    text: 'Each month.',
    format: '0',
    thresholds: [60, 80, 100],
    values: [74, 82, 88],
  }),
  individual('kwame.asante', 'kwame-seams', 'Metres welded', {
    text: 'Each week.',
    format: '#,##0.0',
    thresholds: [120, 150, 180],
    values: [149, 158, 161, 166.5],
  }),
  individual('matteo.gallo', 'matteo-calls', 'Visits to harbours', {
    text: 'Each month.',
    format: '0',
    thresholds: [4, 6, 8],
    values: [5, 4, 3, 3],
  }),
];
