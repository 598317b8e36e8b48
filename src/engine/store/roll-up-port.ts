// What a roll-up is asked for, and what it answers (D30 to D36).

/** What a roll-up is asked for: the moments are ISO texts, both ends of the time are included. */
export interface RollupQuery {
  readonly site: string;
  /** IDs of organizations, departments and individuals. */
  readonly scopes: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly now: string;
  /** The ID of the period; undefined where the site has none, so that the time alone counts. */
  readonly period: number | undefined;
  /** The site's own, for metrics that have none. */
  readonly thresholds: readonly [minimum: number, meets: number, exceeds: number];
}

/** How many there are, and how many of them are done. */
export interface Sum {
  readonly of: number;
  readonly done: number;
}

/** By the kind of what they hang on. */
export type SumsByKind = Readonly<Record<'organization' | 'department' | 'project' | 'individual', Sum>>;

export interface ProjectSums {
  readonly active: number;
  readonly onTime: number;
  readonly completed: number;
  readonly dateChanges: number;
}

/** What a scope holds in a time. */
export interface Rollup {
  readonly commitments: SumsByKind;
  /** Expected, and held by now. */
  readonly dialogs: SumsByKind;
  /** Made in the time, and ended in the time, which need not be the same ones. */
  readonly followUps: SumsByKind;
  readonly goals: Sum;
  readonly criteria: Sum;
  /** Of an individual that is a scope itself: its roles, and those that a dialog spoke of. */
  readonly roles: Sum;
  readonly projects: ProjectSums;
  /** Those of departments below the scope. */
  readonly departmentProjects: ProjectSums;
  /** How many metrics are of each level. */
  readonly levels: Readonly<Record<'below' | 'minimum' | 'meets' | 'exceeds', number>>;
  /** 80/20 metrics, and those of them that meet what is expected or better. */
  readonly key: Sum;
  /** The same of each department below the scope, as a scope of its own. */
  readonly departments: readonly Sum[];
}

export type CountedSet =
  | `${'organization' | 'department' | 'individual'} commitments`
  | 'active projects'
  | 'completed projects'
  | 'active projects of departments';

export type MetricSet = 'below' | 'min' | 'meets' | 'exceeds' | '8020' | '8020dept';

/** A metric, its newest value of the time, and the thresholds that it was held against. */
export interface GradedMetric {
  readonly id: string;
  /** 1 below, 2 minimum, 3 meets, 4 exceeds. */
  readonly level: number;
  readonly value: number;
  readonly date: string;
  readonly minimum: number;
  readonly meets: number;
  readonly exceeds: number;
}
