// Set operation: the sums of dashboards (D30 to D35), of one scope or of many, in three statements whatever their size.

import type { Asked, ProjectSums, Rollup, Sum, SumsByKind } from '../roll-up-port.ts';
import type { Connection } from '../sqlite/connection.ts';
import * as counted from './counting.ts';
import { GRADED } from './grading.ts';
import { ask, KINDS, PARTS } from './scope.ts';

/** What is summed, of which scope, and of which kind, department mark or level; then up to four figures. */
type Fact = readonly [what: string, root: string, kind: number, ...figures: number[]];

/** How many there are, and how many of them are done. */
const sums = (what: string, from: string, of: string, done: string): string =>
  `SELECT '${what}', part.Root, part.Kind, ${of}, ${total(done)}, 0, 0 ${from} GROUP BY part.Root, part.Kind`;

const total = (condition: string): string => `sum(ifnull(${condition}, 0))`;

const PROJECTS = `SELECT 'projects', part.Root, part.Dept, ${total(counted.ACTIVE)}, ${total(
  `(${counted.ACTIVE} OR ${counted.COMPLETED}) AND ${counted.ON_TIME}`,
)}, ${total(counted.COMPLETED)}, sum(${counted.DATE_CHANGES}) ${counted.PROJECTS} GROUP BY part.Root, part.Dept`;

const factsOf = (hasPeriod: boolean): string =>
  `${PARTS} ${[
    sums('commitments', counted.commitments(hasPeriod), 'count(*)', 'c."Completed"'),
    sums('dialogs', counted.DIALOGS, 'count(*)', 'd."DialogDate$" <= asked.Now'),
    sums('followUps', counted.FOLLOW_UPS, total(counted.FOLLOW_UP_MADE), counted.FOLLOW_UP_DONE),
    sums('goals', counted.GOALS, 'count(*)', 't."EndDateActual$" IS NOT NULL'),
    sums('criteria', counted.CRITERIA, 'count(*)', 'e."Completed"'),
    sums('roles', counted.ROLES, 'count(*)', counted.SPOKEN_OF),
    PROJECTS,
  ].join('\nUNION ALL ')}`;

const LEVELS = `${PARTS} ${GRADED}
  SELECT 'levels', Root, Level, count(*), sum(Is8020), 0, 0 FROM graded GROUP BY Root, Level`;

const BELOW = `${PARTS} SELECT Root, ID FROM unit WHERE Dept = 1`;

/** Sums what each scope holds in the time. Every scope that is asked for has an entry. */
export function rollup(connection: Connection, asked: Asked): ReadonlyMap<string, Rollup> {
  const below = ask(connection, BELOW, asked) as readonly (readonly [string, string])[];
  // The departments below are scopes of their own, as far as their metrics go.
  const scopes = [...new Set([...asked.scopes, ...below.map(([, id]) => id)])];
  const facts = byRoot(ask(connection, factsOf(asked.period !== undefined), asked) as readonly Fact[], rootOf);
  const levels = byRoot(ask(connection, LEVELS, { ...asked, scopes }) as readonly Fact[], rootOf);
  const departments = byRoot(below, ([root]) => root);
  return new Map(
    asked.scopes.map((root) => [
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

const rootOf = ([, root]: Fact): string => root;

function byRoot<T>(rows: readonly T[], root: (row: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(root(row));
    if (group) group.push(row);
    else groups.set(root(row), [row]);
  }
  return groups;
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
const added = (facts: readonly Fact[], figure: number): number =>
  facts.reduce((before, fact) => before + Number(fact[FIGURES + figure]), 0);

const sumOf = (facts: readonly Fact[]): Sum => ({ of: added(facts, 0), done: added(facts, 1) });

const projectSums = (facts: readonly Fact[]): ProjectSums => ({
  active: added(facts, 0),
  onTime: added(facts, 1),
  completed: added(facts, 2),
  dateChanges: added(facts, 3),
});

const ofLevel = (facts: readonly Fact[], level: number): readonly Fact[] => facts.filter(([, , one]) => one === level);

const levelCounts = (facts: readonly Fact[]): Rollup['levels'] => {
  const [below, minimum, meets, exceeds] = [1, 2, 3, 4].map((level) => added(ofLevel(facts, level), 0));
  return { below: below ?? 0, minimum: minimum ?? 0, meets: meets ?? 0, exceeds: exceeds ?? 0 };
};

/** The metrics that matter most, and how many of them meet what is expected. */
const keySum = (facts: readonly Fact[]): Sum => ({
  of: added(facts, 1),
  done: added([...ofLevel(facts, 3), ...ofLevel(facts, 4)], 1),
});
