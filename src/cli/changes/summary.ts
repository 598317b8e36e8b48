// Jobs as they are printed: the summary of a run, and jobs and their rows as records.
import type { InputFile } from '../../changes/files/index.ts';
import type { Summary } from '../../changes/run/counts.ts';
import { ownID } from '../../changes/run/remote/id-map.ts';
import { isReversible } from '../../changes/undo.ts';
import type { Session } from '../../contract/call.ts';
import { date } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobHead, JobRow, RowState } from '../../contract/jobs.ts';
import type { Row } from '../../contract/resource.ts';
import { defined } from '../../text/defined.ts';
import { counted, spaced } from '../../text/thousands.ts';
import { type Context, formatOf } from '../context.ts';
import type { Calling } from '../output/calling.ts';
import { integers, isForPeople, type Shape, shapeFrom, texts } from '../output/result.ts';
import { writeAllFailed } from './failed-rows.ts';
import { printFailures, reasonOf } from './failures.ts';
import { fileOf, hasFiles, type JobSettings, jobCommand, shortID } from './journal.ts';
import { nameIn } from './planned-changes.ts';

const STATE_COUNTS = integers('Done', 'Altered', 'Failed', 'Unknown', 'Skipped', 'Drifted', 'Pending');

/** The number of rows in each state. `intent` counts as unknown: it may have been done. */
const stateCounts = ({ unknown = 0, intent = 0, ...counts }: JobHead['counts']): Row => ({
  Done: counts.done ?? 0,
  Altered: counts.altered ?? 0,
  Failed: counts.failed ?? 0,
  Unknown: unknown + intent,
  Skipped: counts.skipped ?? 0,
  Drifted: counts.drifted ?? 0,
  Pending: counts.pending ?? 0,
});

const FIELDS = {
  ...texts('Job', 'State'),
  ...STATE_COUNTS,
  ...integers('Unchanged', 'Trimmed'),
  ...texts('FailedFile', 'Resume', 'Retry', 'Undo'),
};
/** Few jobs have trimmed cells. */
const COLUMNS = Object.keys(FIELDS).filter((name) => name !== 'Trimmed');

export const SUMMARY: Shape = { ...shapeFrom('JobSummary', FIELDS, COLUMNS), id: 'Job' };

interface Ended {
  /** The only input file, where it is open. */
  readonly input?: InputFile | undefined;
  /** The number of cells around which blanks were trimmed. */
  readonly trimmed?: number | undefined;
}

/** Writes what was not done to files, and prints failures on stderr and the summary on stdout; answers the exit code. */
export async function printSummary(
  context: Context,
  summary: Summary,
  { input, trimmed = 0 }: Ended = {},
): Promise<number> {
  const { files: failedFiles } = await writeAllFailed(context, summary.job, { input });
  await printFailures(context, summary);
  const isUndoable = await isReversible(await context.jobs(), summary.job.id);
  const row: Row = { ...summaryRow(context, summary, failedFiles, isUndoable), Trimmed: trimmed };
  try {
    await context.print({ shape: shapeFor(context, [row]), rows: [row], one: true });
  } finally {
    // The job has run even if stdout fails.
    noteNext(context, row, failedFiles);
    if (summary.rolledBack) noteRolledBack(context, summary.rolledBack);
  }
  return summary.exit;
}

/** Prints the summary of nothing, where a form is asked for. Answers 0. */
export async function printNothing(context: Context, unchanged = 0): Promise<number> {
  const nothing = { Job: null, State: 'ended', ...stateCounts({}), Unchanged: unchanged };
  const rest = { Trimmed: 0, FailedFile: null, Resume: null, Retry: null, Undo: null };
  if (context.settings.output === undefined) return 0;
  return context.print({ shape: SUMMARY, rows: [{ ...nothing, ...rest }], one: true });
}

/** For people: without the members that are empty in every job, and without those that a note prints below. */
export function shapeFor({ settings, io }: Context, rows: readonly Row[]): Shape {
  const { fields, where, quiet } = settings;
  if (fields || where.length > 0 || !isForPeople(formatOf({ settings, io }))) return SUMMARY;
  const isSaid = (name: string): boolean => !quiet && ['FailedFile', 'Resume', 'Undo'].includes(name);
  const isShown = (name: string): boolean => rows.some((row) => row[name]) && !isSaid(name);
  return {
    ...SUMMARY,
    fields: Object.fromEntries(Object.entries(FIELDS).filter(([name]) => isShown(name))),
    columns: COLUMNS.filter(isShown),
  };
}

function noteNext(context: Context, { Resume, Undo }: Row, failedFiles: readonly string[]): void {
  for (const file of failedFiles) context.note(`What was not done: ${file}`);
  if (Resume !== null) context.note(`To go on: ${String(Resume)}`);
  else if (Undo !== null) context.note(`Undo: ${String(Undo)}`);
}

/** On a remote service a rollback is a job of its own. */
export function noteRolledBack(context: Context, { job, counts: { done = 0 } }: Summary): void {
  const left = job.total - done;
  const rest = left === 0 ? '' : `, ${left} not: ${jobCommand(context, 'jobs show', job.id)}`;
  context.note(`Taken back: ${spaced(done)} of ${counted(job.total, 'change')}${rest}`);
}

function summaryRow(
  context: Context,
  { job, counts, unchanged, rolledBack }: Summary,
  failedFiles: readonly string[],
  isUndoable: boolean,
): Row {
  const { failed = 0, skipped = 0, unknown = 0, pending = 0, intent = 0 } = counts;
  // A rolled back job cannot be resumed.
  const goesOn = !rolledBack && pending + unknown + intent > 0;
  const command = (verb: string): string => jobCommand(context, verb, job.id);
  return {
    Job: job.id,
    State: job.state,
    ...stateCounts(counts),
    Unchanged: unchanged,
    FailedFile: failedFiles.join(', ') || null,
    Resume: goesOn ? command('jobs resume') : null,
    Retry: !goesOn && !rolledBack && failed + skipped > 0 ? command('jobs retry') : null,
    Undo: isUndoable && !rolledBack && unknown + intent === 0 ? command('undo') : null,
  };
}

const HEAD_FIELDS = {
  ...texts('Job', 'Kind', 'Title', 'State'),
  Created: date('read-only'),
  Ended: date('read-only'),
  ...texts('Caller', 'Profile'),
  ...integers('Total'),
  ...STATE_COUNTS,
  ...integers('Undone'),
  ...texts('Undoes', 'UndoneBy', 'ID'),
};
const HEAD_COLUMNS = ['Job', 'Kind', 'Title', 'State', 'Created', 'Total', 'Done', 'Failed', 'Undone'];

export const HEADS: Shape = {
  ...shapeFrom('Job', HEAD_FIELDS, HEAD_COLUMNS),
  whole: ['Job', 'Title', 'State', 'Created', 'Failed', 'Undone'],
};

export function headRow(head: JobHead): Row {
  return {
    Job: shortID(head.id),
    Kind: head.kind,
    Title: head.title,
    State: head.state,
    Created: head.created,
    Ended: head.ended ?? null,
    Caller: head.caller,
    Profile: head.profile,
    Total: head.total,
    ...stateCounts(head.counts),
    Undone: head.counts.undone ?? 0,
    Undoes: head.undoes === undefined ? null : shortID(head.undoes),
    UndoneBy: head.undoneBy === undefined ? null : shortID(head.undoneBy),
    ID: head.id,
  };
}

/** The columns of a row of a job. */
export const ROW_FIELDS = {
  ...integers('Row'),
  ...texts('File'),
  ...integers('Line'),
  ...texts('State', 'Operation', 'Resource', 'Name', 'ID', 'Error', 'Hint'),
};

/** The file is a column only if the job has several. */
export const rowsShape = (job: JobSettings): Shape => ({
  ...shapeFrom(
    'JobRow',
    ROW_FIELDS,
    Object.keys(ROW_FIELDS).filter((name) => name !== 'File' || hasFiles(job)),
  ),
  whole: ['Name', 'Error'],
});

/** States that need no reason. */
const FINE: readonly RowState[] = ['done', 'pending', 'undone'];

export async function jobRow(job: JobSettings, row: JobRow, calling: Calling, names: RowNames): Promise<Row> {
  const { message, hint } = FINE.includes(row.state) ? { message: null, hint: null } : reasonOf(row, calling);
  return {
    Row: row.number,
    File: fileOf(job, row) ?? null,
    Line: row.line ?? null,
    State: row.state,
    Operation: row.operation,
    Resource: resourceNamed(row.resource).command,
    Name: await names(row),
    ID: idOf(row) ?? null,
    Error: message,
    Hint: hint || null,
  };
}

export async function* jobRows(
  job: JobSettings,
  rows: AsyncIterable<JobRow>,
  calling: Calling,
  names: RowNames,
): AsyncGenerator<Row> {
  for await (const row of rows) yield jobRow(job, row, calling, names);
}

const idOf = (row: JobRow): string | undefined => row.result?.id ?? ownID(row);

/** The name of the record of a row; null where it has none, or none is known. */
type RowNames = (row: JobRow) => Promise<string | null>;

/** Names from the rows; what they do not know, from the records of the embedded engine. A remote service is not asked. */
export const rowNames =
  (session: Session | undefined): RowNames =>
  async (row) => {
    const resource = resourceNamed(row.resource);
    const known = { ...row.result?.before, ...row.was, ...row.body };
    const id = idOf(row);
    const isNamed = typeof known[resource.names[0] ?? ''] === 'string';
    if (isNamed || !session?.local || id === undefined) return nameIn(resource, known);
    const { row: record } = await session.find.record(row.resource, defined({ id, place: row.place }));
    return nameIn(resource, record ?? known);
  };

/** Is it worth reading records for the names of a job's rows? */
export const readsNames = ({ settings, io }: Context): boolean =>
  settings.where.length > 0 || isForPeople(formatOf({ settings, io }));
