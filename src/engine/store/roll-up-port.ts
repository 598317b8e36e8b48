// The query of a roll-up, and its answers (D30 to D36).
import type { ReadFilter } from './query-port.ts';

/** Moments are ISO texts; both ends of the time are included. */
export interface RollupQuery {
  readonly site: string;
  /** IDs of organizations, departments and individuals. */
  readonly scopes: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly now: string;
  /** The ID of the period; undefined if the site has none, so that the time alone counts. */
  readonly period: number | undefined;
  /** The site's own, for metrics that have none. */
  readonly thresholds: readonly [minimum: number, meets: number, exceeds: number];
}

/** A period of a site: its ID, and its first and last moment. */
export interface PeriodQuery extends Pick<RollupQuery, 'site' | 'from' | 'to'> {
  readonly period: number;
  /** Of each, only the records that may be read count (D19). */
  readonly readFilters?: Readonly<Record<'project' | 'commitment', ReadFilter | undefined>>;
}

/** A number of things, and how many of them are done. */
export interface Sum {
  readonly of: number;
  readonly done: number;
}

export type SumsByKind = Readonly<Record<'organization' | 'department' | 'project' | 'individual', Sum>>;

export interface ProjectSums {
  readonly active: number;
  readonly onTime: number;
  readonly completed: number;
  readonly dateChanges: number;
}

/** The sums of one scope in one time. */
export interface Rollup {
  readonly commitments: SumsByKind;
  /** Expected dialogs, and those that took place by now. */
  readonly dialogs: SumsByKind;
  /** Follow-ups created in the time, and those ended in the time: not always the same ones. */
  readonly followUps: SumsByKind;
  readonly goals: Sum;
  readonly criteria: Sum;
  /** For a scope that is an individual: its roles, and those that a dialog discussed. */
  readonly roles: Sum;
  readonly projects: ProjectSums;
  readonly departmentProjects: ProjectSums;
  readonly levels: Readonly<Record<'below' | 'minimum' | 'meets' | 'exceeds', number>>;
  /** 80/20 metrics, and those of them that meet or exceed. */
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

/** A metric, its newest value of the time, and the thresholds that it was graded by. */
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
