// The names behind the figures of a dashboard: the commitments, metrics, projects, dialogs and tasks that are not met.
import { contract } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import { type Bar, barWith, type Picture } from './picture.ts';
import { dayOf, type Gap, isMissing, listed, nameIn, type Reading, type Scope, type Unmet } from './unmet-lists.ts';
import { type SharedLists, sharedLists, unmetOfSubjects } from './unmet-subjects.ts';

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
