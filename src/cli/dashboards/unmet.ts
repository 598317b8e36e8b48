// The names behind the figures of a dashboard: the commitments, metrics, projects, dialogs and tasks that are not met.

import type { Input, Session } from '../../contract/call.ts';
import { type ErrorCode, orNone } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import { once } from '../../text/once-per.ts';
import { NOT_THERE } from '../selectors/selectors.ts';
import { barWith, type Picture } from './picture.ts';

/**
 * Reads what is not met of a dashboard whose figures count the owners of a scope. A list is asked for only where a figure
 * says that something is not met; dialogs, tasks and projects are read once for all dashboards.
 */
export function unmetReader(reading: Reading): (picture: Picture, scope: Scope) => Promise<readonly Unmet[]> {
  const lists = sharedLists(reading);
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

const allOf = ({ units, people }: Scope): Names => new Map([...people, ...units]);

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
  const gaps = gapsOf(rows, ownerIn(allOf(scope)), ({ DueDate }) => `due ${dayOf(DueDate)}`);
  return { title: 'Commitments not completed', gaps };
}

/** A level, as the service calls its metrics, and the threshold that they have not reached. */
const BELOW = ['below', 'MetricsBelowPercent', 'Metrics below their minimum', 'Minimum'] as const;
const MINIMUM = ['min', 'MetricsMinimumPercent', 'Metrics at their minimum', 'Meets'] as const;

async function metrics(
  reading: Reading,
  picture: Picture,
  scope: Scope,
  [metricType, member, title, missed]: typeof BELOW | typeof MINIMUM,
): Promise<Unmet | undefined> {
  if (!barWith(picture, member)?.percent) return undefined;
  const input = { params: { id: picture.id, metricType }, query: period(reading) };
  const rows = await listed(reading, contract.dashboard.operations.metrics, input);
  const detail = (row: Row): string => `${row.FormattedCurrent}; ${missed.toLowerCase()} ${row[`Formatted${missed}`]}`;
  return { title, gaps: rows && gapsOf(rows, ownerIn(allOf(scope)), detail) };
}

/** Late is what ended after its projected end, or is past it today (D33). */
async function lateProjects(reading: Reading, picture: Picture): Promise<Unmet | undefined> {
  if (!isMissing(picture, 'ProjectsOnTime')) return undefined;
  const input = { params: { id: picture.id }, query: period(reading) };
  const rows = await listed(reading, contract.dashboard.operations.activeProjects, input);
  const today = reading.now.toISOString().slice(0, 10);
  const isLate = ({ EndDateProjected, EndDateActual }: Row): boolean =>
    dayOf(EndDateProjected) !== '' && dayOf(EndDateProjected) < (dayOf(EndDateActual) || today);
  const owner = ({ AncestorName }: Row) => (typeof AncestorName === 'string' ? AncestorName : undefined);
  return { title: 'Projects not on time', gaps: rows && gapsOf(rows.filter(isLate), owner, plannedEnd) };
}

type SharedLists = ReturnType<typeof sharedLists>;

/** Lists of the whole site, each read once, when it is first needed. */
function sharedLists(reading: Reading) {
  const { dialog, task, project } = contract;
  const list = (operation: Operation, input: Input): (() => Listed) => once(() => listed(reading, operation, input));
  return {
    dialogs: list(dialog.operations.list, { by: 'plain' }),
    tasks: list(task.operations.list, { by: 'plain' }),
    projects: list(project.operations.list, { by: 'site', params: { siteid: reading.session.me.site } }),
  };
}

type Names = ReadonlyMap<string, string>;

/** What is not met of dialogs, follow-ups and goals; undefined if the figures say that nothing is missing. */
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
  const dialogs = (await lists.dialogs())?.filter(isToCome);
  const gaps = dialogs && gapsOf(dialogs, ownerIn(subjects), ({ DialogDate }) => `on ${dayOf(DialogDate)}`);
  return { title: 'Dialogs not held yet', gaps: gaps?.map((gap) => ({ ...gap, name: gap.name || 'Dialog' })) };
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

function openTasks(tasks: readonly Row[], owners: Names): readonly Gap[] {
  const isOpen = (row: Row): boolean => ownerIn(owners)(row) !== undefined && dayOf(row.EndDateActual) === '';
  return gapsOf(tasks.filter(isOpen), ownerIn(owners), plannedEnd);
}

const ownerIn =
  (names: Names) =>
  ({ AncestorID }: Row): string | undefined =>
    names.get(String(AncestorID));

const plannedEnd = ({ EndDateProjected }: Row): string =>
  dayOf(EndDateProjected) === '' ? '' : `planned until ${dayOf(EndDateProjected)}`;

const gapsOf = (
  rows: readonly Row[],
  whose: (row: Row) => string | undefined,
  detail: (row: Row) => string,
): readonly Gap[] => rows.map((row) => ({ name: nameIn(row), whose: whose(row), detail: detail(row) }));

/** Is the day of it in the period of the dashboard? */
const isWithin = ({ from, to }: Picture, value: Value | undefined): boolean =>
  (from === null || dayOf(value) >= from) && (to === null || dayOf(value) <= to);

export interface Gap {
  readonly name: string;
  /** The name of its owner; undefined if the report does not know it. */
  readonly whose: string | undefined;
  /** Its day or its value: `due 2026-03-01`; may be empty. */
  readonly detail: string;
}

/** What is not met of one kind; without `gaps` the caller may not read which. */
export interface Unmet {
  readonly title: string;
  readonly gaps: readonly Gap[] | undefined;
}

/** What the lists are read with; without the ID of a period, the service takes the current one (D28). */
export interface Reading {
  readonly session: Session;
  readonly period: string | undefined;
  readonly now: Date;
}

/** The names of those whom a dashboard counts, by their IDs. */
export interface Scope {
  readonly units: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, string>;
}

/** The errors of a dashboard or a list that the caller may not read, or that the service does not have. */
export const UNREADABLE: readonly ErrorCode[] = [
  ...NOT_THERE,
  ...(['forbidden', 'admin_only', 'global_admin_only', 'feature_off', 'method', 'unsupported'] as const),
];

type Listed = Promise<readonly Row[] | undefined>;

/** All records of a list; undefined if the caller may not read it. */
export const listed = ({ session }: Pick<Reading, 'session'>, operation: Operation, input: Input): Listed =>
  orNone(collect(session.list(operation, input)), UNREADABLE);

/** Does the bar of this member say that a part of the whole is missing? */
function isMissing(picture: Picture, member: string): boolean {
  const { value = null, of = null } = barWith(picture, member) ?? {};
  return value !== null && of !== null && value < of;
}

/** The day of a date or a time, as yyyy-mm-dd; blank without one. */
export const dayOf = (value: Value | undefined): string => String(value ?? '').slice(0, 10);

const nameIn = ({ Name }: Row): string => String(Name ?? '');
