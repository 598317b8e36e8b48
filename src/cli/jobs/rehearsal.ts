// A dry run of many changes: on the embedded engine really made by its rules, and taken back; on a remote service only read.
import { planJob, runJob } from '../../changes/job.ts';
import type { Summary } from '../../changes/tally.ts';
import type { Finder, Session } from '../../contract/call.ts';
import type { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { NewJob, PlannedRow } from '../../contract/jobs.ts';
import type { Row, Value } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { nameIn, nameless, plannedShape } from '../planned-shape.ts';
import { reportFailures } from '../several.ts';
import { failureAt, MOST_SHOWN } from './failures.ts';
import { type How, runOptions } from './running.ts';

/** How a rehearsal is printed. */
export const PLANNED = plannedShape('Line');

type Rows = AsyncIterable<PlannedRow> | Iterable<PlannedRow>;

/** Prints what would change, member by member. `announce` is called when all rows are known. Answers the exit code. */
export async function rehearseJob(
  context: Context,
  session: Session,
  job: NewJob,
  rows: Rows,
  { how, announce }: { readonly how: () => How; readonly announce: () => void },
): Promise<number> {
  if (!session.local) {
    const all: PlannedRow[] = [];
    for await (const row of rows) all.push(row);
    announce();
    await printRows(context, all);
    return 0;
  }
  const failures: ServiceError[] = [];
  const summary = await session.local.rehearse(async (inside): Promise<Summary> => {
    const { jobs } = inside.local;
    await planJob(jobs, job, rows);
    announce();
    await printRows(context, jobs.rows(job.id), inside.find);
    const onFailed = (row: PlannedRow, error: ServiceError): void => {
      if (failures.length < MOST_SHOWN) failures.push(failureAt(row, error));
    };
    return runJob(inside, jobs, job.id, { ...runOptions(context, how()), onFailed });
  });
  await reportFailures(context, failures, failures.length);
  const { failed = 0, drifted = 0 } = summary.counts;
  if (failed + drifted > 0) context.note(`${failed + drifted} of these changes would fail.`);
  return summary.exit;
}

/** One line for each member that changes. `find` knows the names of records that are there. */
export async function printRows(context: Context, rows: Rows, find?: Finder): Promise<void> {
  await context.print({ shape: find ? PLANNED : nameless(PLANNED), rows: membersOf(rows, find), one: false });
}

async function* membersOf(rows: Rows, find: Finder | undefined): AsyncGenerator<Row> {
  for await (const row of rows) {
    const { operation, line, id } = row;
    const resource = resourceNamed(row.resource);
    const record = id === undefined ? undefined : (await find?.record(row.resource, { id }))?.row;
    const head = { Line: line ?? null, Operation: operation, Name: nameIn(resource, { ...record, ...row.body }) };
    const tail = { Resource: resource.command, ID: id ?? null };
    for (const [Field, Before, After] of changesIn(row)) yield { ...head, Field, Before, After, ...tail };
  }
}

type Member = readonly [field: string, before: Value, after: Value];

function changesIn({ resource, operation, patch, body, was, secret, id }: PlannedRow): readonly Member[] {
  const verb = resourceNamed(resource).operations[operation]?.verb;
  const hidden = (secret?.members ?? []).map((name): Member => [name, null, '(not shown)']);
  if (verb === 'delete' || verb === 'undelete') {
    const soft = was !== undefined && 'Deleted' in was;
    return [soft ? ['Deleted', written(was.Deleted), String(verb === 'delete')] : ['ID', id ?? null, null]];
  }
  const before = was ?? {};
  const sent = Object.entries(patch ?? body ?? {}).filter(([, value]) => patch || (value ?? null) !== null);
  return [...sent.map(([name, value]): Member => [name, written(before[name]), written(value)]), ...hidden];
}

const written = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));
