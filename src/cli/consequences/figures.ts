// --effects: which figures of the nearest dashboards a rehearsed change moves (embedded engine only).
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { decimal } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { nameOf, type Row } from '../../contract/resource.ts';
import { type Context, checkLocal } from '../context.ts';
import { MEMBERS } from '../dashboards/areas.ts';
import { type Owner, readDashboard } from '../dashboards/owner.ts';
import { numberOf } from '../dashboards/picture.ts';
import { type Shape, shapeFrom, texts } from '../output/result.ts';
import { orNone } from '../selectors/records.ts';

const FIELDS = {
  ...texts('Dashboard', 'Area', 'Label', 'Member'),
  Before: decimal('read-only'),
  After: decimal('read-only'),
  ...texts('ID'),
};

/** A record for each figure that moves; null without data. */
export const FIGURES: Shape = {
  ...shapeFrom('DashboardEffect', FIELDS, ['Dashboard', 'Member', 'Before', 'After']),
  whole: ['Dashboard'],
};

/** Throws `usage` where nothing is rehearsed, and on a remote service. */
export function checkFigures(context: Context): void {
  checkLocal(context, '--effects');
  if (context.settings.dryRun) return;
  throw new ServiceError('usage', '--effects says what a dry run found', { hint: 'Write -n beside it.' });
}

interface Compared {
  /** The figures that differ. */
  readonly rows: readonly Row[];
  /** The dashboards that were not compared, since they are too many. */
  readonly left: number;
  /** The number of rows for which no dashboards were looked for. */
  readonly unread: number;
}

interface Comparison {
  /** The rows of the plan; the first are kept when they are read. */
  readonly rows: AsyncIterable<PlannedRow>;
  /** All rows are known, and none is made: reads the dashboards. */
  planned(): Promise<void>;
  /** Reads them once more, while the changes stand. */
  made(session: Session): Promise<void>;
  result(): Compared;
}

/** Of more rows, the dashboards of the first ones are compared. */
const MOST_ROWS = 500;
/** The most dashboards that are read: those of the changed records themselves first, then of the departments above. */
const MOST = 20;

/** Compares the dashboards that are nearest to the first rows of a plan. */
export function openComparison(session: Session, given: AsyncIterable<PlannedRow> | Iterable<PlannedRow>): Comparison {
  const first: PlannedRow[] = [];
  let [count, left] = [0, 0];
  const before: (readonly [NamedOwner, Row | undefined])[] = [];
  const moved: Row[] = [];
  return {
    rows: (async function* () {
      for await (const row of given) {
        if (++count <= MOST_ROWS) first.push(row);
        yield row;
      }
    })(),
    async planned() {
      const owners = [...(await nearestOwners(session, first)).values()];
      left = Math.max(0, owners.length - MOST);
      for (const owner of owners.slice(0, MOST)) before.push([owner, await dashboardOf(session, owner)]);
    },
    async made(inner) {
      for (const [owner, was] of before) {
        const is = await dashboardOf(inner, owner);
        if (was && is) moved.push(...figuresMoved(owner, was, is));
      }
    },
    result: () => ({ rows: moved, left, unread: count - first.length }),
  };
}

export async function printFigures(context: Context, { rows, left, unread }: Compared): Promise<void> {
  await context.print({ shape: FIGURES, rows, none: 'No figure of the nearest dashboards moves.' });
  if (left > 0) context.note(`  Dashboards that were not compared, since they are farther away: ${left}`);
  if (unread > 0) context.note(`  Rows whose dashboards were not looked for, after the first ${MOST_ROWS}: ${unread}`);
}

interface NamedOwner extends Owner {
  readonly name: string;
}

/** Undefined of one that is not there, or that the caller may not read. */
const dashboardOf = (session: Session, owner: Owner): Promise<Row | undefined> =>
  orNone(readDashboard(session, owner, undefined), ['not_found', 'deleted', 'forbidden', 'feature_off']);

function figuresMoved({ id, name }: NamedOwner, was: Row, is: Row): readonly Row[] {
  const all = MEMBERS.map((figure) => {
    const [Before, After] = [numberOf(was[figure.Member]), numberOf(is[figure.Member])];
    return { Dashboard: name, ...figure, Before, After, ID: id };
  });
  return all.filter(({ Before, After }) => Before !== After);
}

/** The individuals and departments that the records are of, before and after their change; then the owners of these. */
async function nearestOwners(
  session: Session,
  planned: readonly PlannedRow[],
): Promise<ReadonlyMap<string, NamedOwner>> {
  const found = new Map<string, NamedOwner>();
  let wave: (readonly [resource: string, row: Row])[] = [];
  for (const { resource, id, body, patch } of planned) {
    const { row } = id === undefined ? {} : await session.find.record(resource, { id });
    if (row) wave.push([resource, row]);
    // Bodies hold the values of a record.
    if (body ?? patch) wave.push([resource, { ...row, ...(body ?? patch) } as Row]);
  }
  const passed = new Set<string>();
  while (wave.length > 0 && found.size <= MOST * 2) {
    const next: (readonly [string, Row])[] = [];
    for (const [resource, row] of wave) {
      const id = String(row.ID);
      const by = BY[resource];
      if (by && row.ID !== undefined && !found.has(id))
        found.set(id, { id, by, name: nameOf(resourceNamed(resource), row) ?? id });
      for (const above of await recordsAbove(session, resource, row)) {
        const key = `${above[0]} ${String(above[1].ID)}`;
        if (!passed.has(key)) next.push(above);
        passed.add(key);
      }
    }
    wave = next;
  }
  return found;
}

const BY: Readonly<Record<string, Owner['by']>> = { individual: 'individual', organization: 'department' };

/** The owners of a record; of an individual its primary department. */
async function recordsAbove(session: Session, name: string, row: Row): Promise<readonly (readonly [string, Row])[]> {
  const links = [
    ...ownersOf(resourceNamed(name)),
    ...(name === 'individual' ? [{ field: 'PrimaryOrganizationID', targets: ['organization'] }] : []),
  ];
  const above: (readonly [string, Row])[] = [];
  for (const { field, targets } of links)
    for (const target of targets.filter((one) => one !== 'site' && one !== 'principal')) {
      const id = row[field];
      if (typeof id !== 'string') continue;
      const found = await session.find.record(target, { id });
      if (found.state === 'live' && found.row) above.push([target, found.row]);
    }
  return above;
}
