// Builds a dashboard: its owner, the caller's right to it, its time, and its figures (D19, D30).
import { contract, resourceNamed } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { SETTINGS } from '../records/defaults.ts';
import { periodOf, type Span } from '../records/periods.ts';
import { noSuch, readable } from '../records/read-record.ts';
import { findByID } from '../records/record-names.ts';
import { checkRight, mayRead } from '../rights/check.ts';
import type { Rollup, RollupQuery, Stored } from '../store/port.ts';
import { figuresOf, type Grading } from './figures.ts';

const INDIVIDUAL = 39;

/** What all dashboards of one call share. */
export interface DashboardFrame {
  readonly span: Span;
  readonly settings: Row;
  readonly grading: Grading;
}

/** `period` is an ID; the current period by default. Throws `not_found`. */
export async function frameOf(context: Context, period: Value | undefined): Promise<DashboardFrame> {
  const { store, site } = context;
  const span = await periodOf(context, period);
  const settings = (await store.get('siteSetting', site, site)) ?? SETTINGS;
  const colors = await store.find({ resource: 'color', site, deleted: 0, ordered: true });
  const [minimum, meets, exceeds] = [settings.Threshold1, settings.Threshold2, settings.Threshold3].map(Number);
  const thresholds = [minimum ?? 0, meets ?? 0, exceeds ?? 0] as const;
  return { span, settings, grading: { thresholds, colors } };
}

export function rollupQuery(
  { site, now }: Context,
  { span, grading }: DashboardFrame,
  scopes: readonly string[],
): RollupQuery {
  const { id, from, to } = span;
  return { site, scopes, from, to, now, period: id, thresholds: grading.thresholds };
}

/** One dashboard, in the contract's order. The owner is an organization, a department or an individual. */
export function dashboardOf(owner: Stored, { span, settings, grading }: DashboardFrame, rollup: Rollup): Row {
  const isIndividual = owner.RowType === undefined;
  const known: Record<string, Value> = {
    ...settings,
    ...figuresOf(rollup, grading, isIndividual),
    ID: owner.ID ?? null,
    SiteID: owner.SiteID ?? null,
    RowType: owner.RowType ?? INDIVIDUAL,
    Name: owner.FullName ?? owner.Name ?? null,
    FromDate: span.first,
    ToDate: span.last,
  };
  return Object.fromEntries(Object.keys(contract.dashboard.fields).map((name) => [name, known[name] ?? null]));
}

/** The record of a dashboard. Throws `not_found`, `deleted`, or `forbidden` where the caller may not read the dashboard. */
export async function dashboardOwner(context: Context, id: string, resource?: string): Promise<Stored> {
  const found = resource === undefined ? await findByID(context, id) : undefined;
  const kind = resource ?? found?.resource;
  if (kind !== 'organization' && kind !== 'individual') throw noSuch('dashboard', id);
  // A record that the caller may not read is missing, with the same message for every kind.
  if (found && !(await mayRead(context, resourceNamed(found.resource), found.row))) throw noSuch('dashboard', id);
  const owner = await readable(context, { resource: kind, id }, 0);
  // The right to read an organization covers its dashboard; an individual's dashboard has its own right.
  if (kind === 'individual') {
    await checkRight(context, 'read', contract.dashboard, { ID: id, Name: owner.FullName ?? null });
  }
  return owner;
}
