// pm plan show: what a plan holds, what it would do to other records, and the hash by which it is applied.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Consequence } from '../../changes/consequences/consequence.ts';
import { previewConsequences } from '../../changes/consequences/preview.ts';
import type { PlanHeader } from '../../changes/plan/plan-file.ts';
import { isDatabase, readPlanFile } from '../../changes/plan/plan-reader.ts';
import { openSizeMeter } from '../../changes/plan/plan-size.ts';
import type { Rehearsed } from '../../changes/rehearsal/rehearsed.ts';
import { operationOfRow } from '../../changes/run/apply-row.ts';
import type { Session } from '../../contract/call.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { counted, spaced } from '../../text/thousands.ts';
import { newJob, urlOf } from '../changes/bulk.ts';
import { planCommand } from '../changes/journal.ts';
import { plannedNames, plannedRows, plannedShape } from '../changes/planned-changes.ts';
import { consequenceLines } from '../consequences/words.ts';
import { type Context, clockOf, tableClock } from '../context.ts';
import { kebab } from '../names.ts';
import { momentInWords } from '../output/formats/cells.ts';
import { homeOf } from '../profiles/home.ts';
import { referenceNames } from '../selectors/reference-names.ts';

/** Prints a plan. Everything is counted from the rows: the first line of a plan says what its maker wants it to say. */
export async function showPlan(context: Context, file: string): Promise<number> {
  const { header, hash, rows } = await readPlanFile(resolve(context.io.cwd, file));
  const meter = openSizeMeter();
  const counts = new Map<string, { readonly row: PlannedRow; readonly count: number }>();
  for await (const row of meter.through(rows())) {
    const what = `${row.operation} ${row.resource}`;
    counts.set(what, { row, count: (counts.get(what)?.count ?? 0) + 1 });
  }
  const parts = [...counts.values()].map(({ row, count }) => countInWords(row, count));
  context.note(
    `${header.title}, for ${header.profile} (${header.url}), as ${header.caller}, made ${momentInWords(header.created, await clockOf(context))}`,
  );
  context.note(
    `${counted(meter.size.changes, 'change')}: ${parts.join(', ') || 'none'}; ${spaced(header.unchanged)} unchanged`,
  );
  for (const line of meter.size.cautions) context.note(line);
  const run = planCommand(context, ['apply', file, '--expect', hash], databaseElsewhere(context, header));
  context.note(`To run this and nothing else: ${run}`);
  const session = await sessionOf(context, header);
  const names = referenceNames(session);
  const { found, lines } = await consequencesHere(
    context,
    session,
    header,
    meter.size.affecting > 0 ? rows : undefined,
  );
  const exit = await context.print({
    shape: plannedShape(session ? ['File'] : ['File', 'Name']),
    rows: plannedRows(asRehearsed(rows(), found), { names, find: session?.find }),
    nameOf: plannedNames(names, await tableClock(context)),
  });
  for (const line of lines) context.note(line);
  return exit;
}

/** Such as: 3 updates of individuals. */
function countInWords(row: PlannedRow, count: number): string {
  const { resource, operation } = operationOfRow(row);
  return `${counted(count, kebab(operation.name))} of ${resource.command}`;
}

/** The address of the database that a plan is for, where that is not the one asked. */
const databaseElsewhere = (context: Context, { url }: PlanHeader): string | undefined =>
  isDatabase(url) && url !== urlOf(context) ? url : undefined;

interface Consequences {
  /** By the number of the row. */
  readonly found: ReadonlyMap<number, readonly Consequence[]>;
  readonly lines: readonly string[];
}

/** What the plan would do to other records if it were applied now, on the embedded engine; nothing without `rows`. */
async function consequencesHere(
  context: Context,
  session: Session | undefined,
  { title }: PlanHeader,
  rows: (() => AsyncGenerator<PlannedRow>) | undefined,
): Promise<Consequences> {
  const found = new Map<number, readonly Consequence[]>();
  if (!session || !rows) return { found, lines: [] };
  // A plan that has run is in the journal under its own ID.
  const job = newJob(context, session, { kind: 'apply', title }, {});
  const total = await previewConsequences(
    session,
    { job, rows, isKept: false },
    {
      ...{ clock: () => context.io.now(), newID: () => crypto.randomUUID() },
      found: ({ number }, consequences) => void found.set(number, consequences),
    },
  );
  return { found, lines: await consequenceLines(session, total) };
}

/** The session that knows the records of a plan for the embedded engine. A remote service is not asked. */
async function sessionOf(context: Context, { url, site }: PlanHeader): Promise<Session | undefined> {
  // To look at a plan makes no new site.
  const { settings, io } = context;
  const isThere = settings.database !== undefined || existsSync(join(homeOf(io), 'local.db'));
  const isHere = !settings.remote && url === urlOf(context) && isThere;
  const session = isHere ? await context.session() : undefined;
  return session?.me.site === site ? session : undefined;
}

async function* asRehearsed(rows: AsyncIterable<PlannedRow>, found: Consequences['found']): AsyncGenerator<Rehearsed> {
  for await (const row of rows) yield { row, consequences: found.get(row.number) ?? [] };
}
