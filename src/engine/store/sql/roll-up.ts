// The sums of dashboards (D30 to D36) of any number of scopes in three statements, and the records that they count.
import { grouped } from '../../../text/batches.ts';
import type {
  CountedSet,
  GradedMetric,
  MetricSet,
  ProjectSums,
  Reads,
  Rollup,
  RollupQuery,
  Sum,
  SumsByKind,
} from '../port.ts';
import type { Schema } from '../schema/tables.ts';
import * as counting from './counting.ts';
import { gradedSql, KINDS, partsSql, runQuery, talkedSql, totals } from './counting.ts';
import type { Dialect } from './dialect.ts';
import type { Stepped, Steps } from './steps.ts';

/** The name of the sum, the place of the scope, the kind or department mark or level; then up to four figures. */
type Fact = readonly [what: string, root: number, kind: number, ...figures: number[]];

const sums = (what: string, from: string, of: string, done: string): string =>
  `SELECT '${what}', Root, Kind, ${of}, ${total(done)}, 0, 0 ${from} GROUP BY Root, Kind`;

const total = (condition: string): string => `count(*) FILTER (WHERE ${condition})`;

const projectSumsSql = (dialect: Dialect): string => {
  const onTime = `(${counting.ACTIVE} OR ${counting.COMPLETED}) AND ${counting.ON_TIME}`;
  const figures = [counting.ACTIVE, onTime, counting.COMPLETED].map(total).join(', ');
  return `SELECT 'projects', part.Root, part.Dept, ${figures}, sum(${counting.dateChanges(dialect)})
    ${counting.projects(dialect)} GROUP BY part.Root, part.Dept`;
};

const factsOf = (dialect: Dialect, hasPeriod: boolean): string =>
  `${partsSql(dialect)} ${talkedSql(dialect)} ${[
    sums('commitments', counting.commitments(dialect, hasPeriod), 'count(*)', 'c."Completed" = 1'),
    sums('dialogs', counting.dialogs(dialect), 'count(*)', 'd."DialogDate$" <= params.Now'),
    sums('followUps', counting.followUps(dialect), total(counting.FOLLOW_UP_MADE), counting.FOLLOW_UP_DONE),
    sums('goals', counting.goals(dialect), 'count(*)', 't."EndDateActual$" IS NOT NULL'),
    sums('criteria', counting.criteria(dialect), 'count(*)', 'e."Completed" = 1'),
    sums('roles', counting.roles(dialect), 'count(*)', counting.discussed(dialect)),
    projectSumsSql(dialect),
  ].join('\nUNION ALL ')}`;

const levelsOf = (dialect: Dialect): string => `${partsSql(dialect)} ${gradedSql(dialect)}
  SELECT 'levels', Root, Level, count(*), sum(Is8020), 0, 0 FROM graded GROUP BY Root, Level`;

const below = (dialect: Dialect): string => `${partsSql(dialect)} SELECT Root, ID FROM unit WHERE Dept = 1`;

type RollUps = Pick<Reads, 'totals' | 'rollup' | 'countedRecords' | 'gradedMetrics'>;

export const rollUpsIn = (schema: Schema, dialect = schema.dialect): Stepped<RollUps> => ({
  totals: (query) => totals(schema, query),
  rollup: (query) => rollup(dialect, query),
  *countedRecords(query, set) {
    const found = yield* runQuery(`${partsSql(dialect)} ${RECORDS[set](dialect, query.period !== undefined)}`, query);
    return found.map(([id]) => String(id));
  },
  gradedMetrics: (query, set) => gradedMetrics(dialect, query, set),
});

/** Every scope of the query has an entry. */
function* rollup(dialect: Dialect, query: RollupQuery): Steps<ReadonlyMap<string, Rollup>> {
  const departmentsBelow = (yield* runQuery(below(dialect), query)) as readonly (readonly [number, string])[];
  // For metrics, each department below is a scope too.
  const scopes = [...new Set([...query.scopes, ...departmentsBelow.map(([, id]) => id)])];
  const allFacts = (yield* runQuery(factsOf(dialect, query.period !== undefined), query)) as readonly Fact[];
  const allLevels = (yield* runQuery(levelsOf(dialect), { ...query, scopes })) as readonly Fact[];
  const facts = grouped(allFacts, ([, root]) => query.scopes[root]);
  const levels = grouped(allLevels, ([, root]) => scopes[root]);
  const departments = grouped(departmentsBelow, ([root]) => query.scopes[root]);
  return new Map(
    query.scopes.map((root) => [
      root,
      {
        ...factSums(facts.get(root) ?? []),
        levels: levelCounts(levels.get(root) ?? []),
        key: keySum(levels.get(root) ?? []),
        departments: (departments.get(root) ?? []).map(([, id]) => keySum(levels.get(id) ?? [])),
      },
    ]),
  );
}

function factSums(facts: readonly Fact[]): Omit<Rollup, 'levels' | 'key' | 'departments'> {
  const of = (what: string): readonly Fact[] => facts.filter(([name]) => name === what);
  return {
    commitments: byKind(of('commitments')),
    dialogs: byKind(of('dialogs')),
    followUps: byKind(of('followUps')),
    goals: sumOf(of('goals')),
    criteria: sumOf(of('criteria')),
    roles: sumOf(of('roles')),
    projects: projectSums(of('projects')),
    departmentProjects: projectSums(of('projects').filter(([, , isBelow]) => isBelow === 1)),
  };
}

const byKind = (facts: readonly Fact[]): SumsByKind => ({
  organization: sumOf(facts.filter(([, , kind]) => kind === KINDS.organization)),
  department: sumOf(facts.filter(([, , kind]) => kind === KINDS.department)),
  project: sumOf(facts.filter(([, , kind]) => kind === KINDS.project)),
  individual: sumOf(facts.filter(([, , kind]) => kind === KINDS.individual)),
});

const FIGURES = 3;
const totalOf = (facts: readonly Fact[], figure: number): number =>
  facts.reduce((before, fact) => before + Number(fact[FIGURES + figure]), 0);

const sumOf = (facts: readonly Fact[]): Sum => ({ of: totalOf(facts, 0), done: totalOf(facts, 1) });

const projectSums = (facts: readonly Fact[]): ProjectSums => ({
  active: totalOf(facts, 0),
  onTime: totalOf(facts, 1),
  completed: totalOf(facts, 2),
  dateChanges: totalOf(facts, 3),
});

const ofLevel = (facts: readonly Fact[], level: number): readonly Fact[] => facts.filter(([, , one]) => one === level);

const levelCounts = (facts: readonly Fact[]): Rollup['levels'] => {
  const [below, minimum, meets, exceeds] = [1, 2, 3, 4].map((level) => totalOf(ofLevel(facts, level), 0));
  return { below: below ?? 0, minimum: minimum ?? 0, meets: meets ?? 0, exceeds: exceeds ?? 0 };
};

/** The 80/20 metrics, and how many of them meet or exceed. */
const keySum = (facts: readonly Fact[]): Sum => ({
  of: totalOf(facts, 1),
  done: totalOf([...ofLevel(facts, 3), ...ofLevel(facts, 4)], 1),
});

type Counted = (dialect: Dialect, hasPeriod: boolean) => string;

const commitments =
  (kind: keyof typeof KINDS): Counted =>
  (dialect, hasPeriod) =>
    `SELECT c."ID" ${counting.commitments(dialect, hasPeriod)} AND ${counting.isPart(dialect, kind)}`;

const projects =
  (which: string): Counted =>
  (dialect) =>
    `SELECT p."ID" ${counting.projects(dialect)} AND ${which}`;

const RECORDS: Readonly<Record<CountedSet, Counted>> = {
  'organization commitments': commitments('organization'),
  'department commitments': commitments('department'),
  'individual commitments': commitments('individual'),
  'active projects': projects(counting.ACTIVE),
  'completed projects': projects(counting.COMPLETED),
  'active projects of departments': projects(`part.Dept = 1 AND ${counting.ACTIVE}`),
};

const METRICS: Readonly<Record<MetricSet, string>> = {
  below: 'Level = 1',
  min: 'Level = 2',
  meets: 'Level = 3',
  exceeds: 'Level = 4',
  '8020': 'Is8020 = 1',
  '8020dept': 'Is8020 = 1 AND Dept = 1',
};

/** The counted metrics, in any order. */
function* gradedMetrics(dialect: Dialect, query: RollupQuery, kind: MetricSet): Steps<readonly GradedMetric[]> {
  const listed = `SELECT MetricID, Level, Value, ${counting.newest('Date', 'graded.MetricID')}, graded.T1, graded.T2, graded.T3
    FROM params CROSS JOIN graded WHERE ${METRICS[kind]}`;
  const sql = `${partsSql(dialect)} ${gradedSql(dialect)} ${listed}`;
  return (yield* runQuery(sql, query)).map(([id, level, value, date, minimum, meets, exceeds]) => ({
    id: String(id),
    level: Number(level),
    value: Number(value),
    date: String(date),
    minimum: Number(minimum),
    meets: Number(meets),
    exceeds: Number(exceeds),
  }));
}
