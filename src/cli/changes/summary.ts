// What is said of a job that has run: how many rows came to which state, what failed first, and what can be done next.
import type { Summary } from '../../changes/run/counts.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Field } from '../../contract/field.ts';
import { integer, text } from '../../contract/field.ts';
import type { Row } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { errorOptions, failureAt, MOST_SHOWN, STATE_COUNTS } from './failures.ts';
import { jobCommand } from './journal.ts';
import { fileOf } from './sources.ts';

const COUNTS = ['done', 'failed', 'unknown', 'skipped', 'drifted', 'pending'] as const;

const FIELDS: Readonly<Record<string, Field>> = {
  Job: text('read-only'),
  State: text('read-only'),
  ...STATE_COUNTS,
  Unchanged: integer('read-only'),
  FailedFile: text('read-only'),
  Resume: text('read-only'),
  Retry: text('read-only'),
  Undo: text('read-only'),
};

export const SUMMARY = { fields: FIELDS, type: 'JobSummary', columns: Object.keys(FIELDS), id: 'Job' };

interface Told {
  /** The files of the rows that were not done. */
  readonly failedFiles?: readonly string[] | undefined;
  /** A row that was left out of the job without having to be changed. */
  readonly unchanged?: number;
}

/** Prints the failures on stderr and the summary on stdout; answers the exit code. */
export async function tellSummary(context: Context, summary: Summary, told: Told = {}): Promise<number> {
  await tellFailures(context, summary);
  const row = rowOf(context, summary, told);
  try {
    await context.print({ shape: SUMMARY, rows: [row], one: true });
  } finally {
    // Where stdout is full the job has run all the same.
    tellNext(context, row, told);
    if (summary.rolledBack) tellTakenBack(context, summary.rolledBack);
  }
  return summary.exit;
}

function tellNext(context: Context, { Resume, Undo }: Row, { failedFiles = [] }: Told): void {
  for (const file of failedFiles) context.note(`What was not done: ${file}`);
  if (Resume !== null) context.note(`To go on: ${String(Resume)}`);
  else if (Undo !== null) context.note(`Undo: ${String(Undo)}`);
}

/** On a remote service what was done before a row failed is undone by a job of its own. */
function tellTakenBack(context: Context, { job, counts: { done = 0 } }: Summary): void {
  const left = job.total - done;
  const rest = left === 0 ? '' : `, ${left} not: ${jobCommand(context, 'jobs show', job.id)}`;
  context.note(`Taken back: ${done} of ${job.total} changes${rest}`);
}

function rowOf(context: Context, { job, counts, unchanged, rolledBack }: Summary, told: Told): Row {
  const { failed = 0, skipped = 0, unknown = 0, pending = 0, intent = 0, done = 0 } = counts;
  // What was taken back as a whole is begun anew, not gone on with.
  const goesOn = !rolledBack && pending + unknown + intent > 0;
  const command = (verb: string): string => jobCommand(context, verb, job.id);
  const words = COUNTS.map((state) => [`${state[0]?.toUpperCase()}${state.slice(1)}`, counts[state] ?? 0]);
  return {
    Job: job.id,
    State: job.state,
    ...(Object.fromEntries(words) as Row),
    Unknown: unknown + intent,
    Unchanged: told.unchanged ?? unchanged,
    FailedFile: told.failedFiles?.join(', ') || null,
    Resume: goesOn ? command('jobs resume') : null,
    Retry: !goesOn && !rolledBack && failed + skipped > 0 ? command('jobs retry') : null,
    Undo: done > 0 && !rolledBack && unknown + intent === 0 ? command('undo') : null,
  };
}

/** Prints what failed on stderr. */
async function tellFailures(context: Context, { job, failures, stopped, counts }: Summary): Promise<void> {
  const { printError } = await import('../output/errors.ts');
  const { io } = context;
  const options = errorOptions(context);
  for (const { row, error } of failures) {
    const at = options.json ? { file: fileOf(job, row), row: row.line ?? row.number } : {};
    printError(failureAt(job, row, error), { ...options, ...at }, io);
  }
  const all = (counts.failed ?? 0) + (counts.drifted ?? 0);
  if (failures.length >= MOST_SHOWN && all > failures.length) context.note(`… and ${all - failures.length} more`);
  if (stopped) printError(asStop(stopped), options, io);
}

/** The failure that ended a run is none of a row: it says so itself. */
function asStop(error: ServiceError): ServiceError {
  if (error.code === 'interrupted' || error.message.startsWith('stopped')) return error;
  const { code, message, hint, next } = error;
  return new ServiceError(code, `stopped: ${message}`, { hint, next });
}
