// The names behind the figures of a dashboard: the commitments, metrics, projects, dialogs and tasks that are not met.
import type { Input } from '../../contract/call.ts';
import { contract } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { type Bar, barWith, type Picture } from './picture.ts';
import {
  dayOf,
  type Gap,
  isMissing,
  type Listed,
  listed,
  nameIn,
  type Reading,
  type Scope,
  type Unmet,
} from './unmet-lists.ts';

/**
 * Reads what is not met of a dashboard whose figures count the owners of a scope. A list is asked for only where a figure
 * says that something is not met; dialogs, tasks and projects are read once for all dashboards.
 */
export function unmetReader(reading: Reading): (picture: Picture, scope: Scope) => Promise<readonly Unmet[]> {
  const lists: SharedLists = sharedLists(reading);
  return async (picture, scope) => {
    const found = [
      await commitments(reading, picture, scope),
      await metrics(reading, picture, scope, BELOW),
      await metrics(reading, picture, scope, MINIMUM),
      await lateProjects(reading, picture),
      ...(await unmetOfSubjects(reading, picture, scope, lists)),
    ];
    return found.filter((one) => one !== undefined && one.gaps?.length !== 0) as readonly Unmet[];
  };
}

const period = ({ period }: Reading) => (period === undefined ? {} : { period: Number(period) });

const whoseIn = ({ units, people }: Scope, { AncestorID }: Row): string | undefined =>
  units.get(String(AncestorID)) ?? people.get(String(AncestorID));

const TYPES = {
  organization: 'OrganizationCommitmentsCompleted',
  department: 'DepartmentCommitmentsCompleted',
  individual: 'IndividualCommitmentsCompleted',
} as const;

async function commitments(reading: Reading, picture: Picture, scope: Scope): Promise<Unmet | undefined> {
  const types = Object.entries(TYPES).filter(([, member]) => isMissing(picture, member));
  if (types.length === 0) return undefined;
  const rows: Row[] = [];
  for (const [type] of types) {
    const params = { ancestorId: picture.id, type };
    const input = { by: 'dashboard', params, query: period(reading) };
    const list = await listed(reading, contract.commitment.operations.list, input);
    if (!list) return { title: 'Commitments not completed', gaps: undefined };
    for (const row of list) if (row.Completed !== true) rows.push(row);
  }
  const gaps = rows.map((row) => ({
    name: nameIn(row),
    whose: whoseIn(scope, row),
    detail: `due ${dayOf(row.DueDate)}`,
  }));
  return { title: 'Commitments not completed', gaps };
}

/** A level of metrics, and the threshold that they have not reached. */
interface MetricLevel {
  readonly metricType: string;
  readonly member: string;
  readonly title: string;
  readonly missed: 'Minimum' | 'Meets';
}

const BELOW: MetricLevel = {
  metricType: 'below',
  member: 'MetricsBelowPercent',
  title: 'Metrics below their minimum',
  missed: 'Minimum',
};
const MINIMUM: MetricLevel = {
  metricType: 'min',
  member: 'MetricsMinimumPercent',
  title: 'Metrics at their minimum',
  missed: 'Meets',
};

async function metrics(
  reading: Reading,
  picture: Picture,
  scope: Scope,
  { metricType, member, title, missed }: MetricLevel,
): Promise<Unmet | undefined> {
  const bar: Bar | undefined = barWith(picture, member);
  if (!bar?.percent) return undefined;
  const input = { params: { id: picture.id, metricType }, query: period(reading) };
  const rows = await listed(reading, contract.dashboard.operations.metrics, input);
  const gap = (row: Row): Gap => ({
    name: nameIn(row),
    whose: whoseIn(scope, row),
    detail: `${row.FormattedCurrent}; ${missed.toLowerCase()} ${row[`Formatted${missed}`]}`,
  });
  return { title, gaps: rows?.map(gap) };
}

/** Late is what ended after its projected end, or is past it today (D33). */
async function lateProjects(reading: Reading, picture: Picture): Promise<Unmet | undefined> {
  if (!isMissing(picture, 'ProjectsOnTime')) return undefined;
  const input = { params: { id: picture.id }, query: period(reading) };
  const rows = await listed(reading, contract.dashboard.operations.activeProjects, input);
  const today = reading.now.toISOString().slice(0, 10);
  const isLate = ({ EndDateProjected, EndDateActual }: Row): boolean =>
    dayOf(EndDateProjected) !== '' && dayOf(EndDateProjected) < (dayOf(EndDateActual) || today);
  const gap = (row: Row): Gap => ({
    name: nameIn(row),
    whose: typeof row.AncestorName === 'string' ? row.AncestorName : undefined,
    detail: `planned until ${dayOf(row.EndDateProjected)}`,
  });
  return { title: 'Projects not on time', gaps: rows?.filter(isLate).map(gap) };
}

/** Lists of the whole site, each read once, when it is first needed. */
interface SharedLists {
  dialogs(): Listed;
  tasks(): Listed;
  projects(): Listed;
}

function sharedLists(reading: Reading): SharedLists {
  const { dialog, task, project } = contract;
  const once = (operation: Operation, input: Input): (() => Listed) => {
    let list: Listed | undefined;
    return () => (list ??= listed(reading, operation, input));
  };
  return {
    dialogs: once(dialog.operations.list, { by: 'plain' }),
    tasks: once(task.operations.list, { by: 'plain' }),
    projects: once(project.operations.list, { by: 'site', params: { siteid: reading.session.me.site } }),
  };
}

type Names = ReadonlyMap<string, string>;

/** What is not met of dialogs, follow-ups and goals; undefined where the figures say that nothing is missing. */
async function unmetOfSubjects(
  { now }: Reading,
  picture: Picture,
  scope: Scope,
  lists: SharedLists,
): Promise<readonly (Unmet | undefined)[]> {
  const some = (name: string): boolean =>
    ['Org', 'Dept', 'Proj', 'Ind'].some((kind) => isMissing(picture, kind + name));
  const [hasDialogs, hasFollowUps] = [some('DialogsOccurred'), some('FollowUpsCompleted')];
  const subjects = hasDialogs || hasFollowUps ? await subjectsOf(scope, lists) : new Map<string, string>();
  return [
    hasDialogs ? await dialogsToCome(picture, subjects, lists, now) : undefined,
    hasFollowUps ? await openFollowUps(picture, subjects, lists) : undefined,
    isMissing(picture, 'PersonalGoalsCompleted') ? await openGoals(scope.people, lists) : undefined,
  ];
}

/** The owners and the projects of their units, by their IDs. */
async function subjectsOf({ units, people }: Scope, lists: SharedLists): Promise<Names> {
  const projects = ((await lists.projects()) ?? []).filter(({ AncestorID }) => units.has(String(AncestorID)));
  return new Map([...units, ...people, ...projects.map((row) => [String(row.ID), nameIn(row)] as const)]);
}

async function dialogsToCome(picture: Picture, subjects: Names, lists: SharedLists, now: Date): Promise<Unmet> {
  const isToCome = ({ AncestorID, DialogDate, Draft }: Row): boolean =>
    subjects.has(String(AncestorID)) &&
    isWithin(picture, DialogDate) &&
    Draft !== true &&
    Date.parse(String(DialogDate)) > now.getTime();
  const gap = (row: Row): Gap => ({
    name: nameIn(row) || 'Dialog',
    whose: subjects.get(String(row.AncestorID)),
    detail: `on ${dayOf(row.DialogDate)}`,
  });
  return { title: 'Dialogs not held yet', gaps: (await lists.dialogs())?.filter(isToCome).map(gap) };
}

async function openFollowUps(picture: Picture, subjects: Names, lists: SharedLists): Promise<Unmet> {
  const [dialogs, tasks] = [await lists.dialogs(), await lists.tasks()];
  const about: Names = new Map(
    (dialogs ?? []).flatMap(({ ID, AncestorID }) => {
      const name = subjects.get(String(AncestorID));
      return name === undefined ? [] : [[String(ID), name] as const];
    }),
  );
  const made = tasks?.filter(({ Created }) => isWithin(picture, Created));
  return { title: 'Follow-ups not completed', gaps: dialogs && made && openTasks(made, about) };
}

const openGoals = async (people: Names, lists: SharedLists): Promise<Unmet> => {
  const tasks = await lists.tasks();
  return { title: 'Personal goals not reached', gaps: tasks && openTasks(tasks, people) };
};

const openTasks = (tasks: readonly Row[], owners: Names): readonly Gap[] =>
  tasks
    .filter(({ AncestorID, EndDateActual }) => owners.has(String(AncestorID)) && dayOf(EndDateActual) === '')
    .map((row) => ({
      name: nameIn(row),
      whose: owners.get(String(row.AncestorID)),
      detail: dayOf(row.EndDateProjected) === '' ? '' : `planned until ${dayOf(row.EndDateProjected)}`,
    }));

/** Is the day of it in the period of the dashboard? */
const isWithin = ({ from, to }: Picture, value: Value | undefined): boolean =>
  (from === null || dayOf(value) >= from) && (to === null || dayOf(value) <= to);
