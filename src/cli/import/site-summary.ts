// What is said of a folder that was imported: one line for each file, and the way back.

import { EXIT, exitOfMany } from '../../contract/exit.ts';
import { integer, text } from '../../contract/field.ts';
import type { Row } from '../../contract/resource.ts';
import { type Context, rowsOf } from '../context.ts';
import { jobCommand } from '../jobs/journal.ts';
import { STATE_COUNTS } from '../jobs/state-counts.ts';
import type { FileDone } from './one-file.ts';

const FIELDS = {
  File: text('read-only'),
  Resource: text('read-only'),
  Job: text('read-only'),
  ...STATE_COUNTS,
  Unchanged: integer('read-only'),
  FailedFile: text('read-only'),
  Next: text('read-only'),
  Undo: text('read-only'),
};

export const SITE_SUMMARY = { fields: FIELDS, type: 'FileSummary', columns: Object.keys(FIELDS), id: 'Job' };

/** Prints a row for each file on stdout, and on stderr what can be done next. */
export async function tellSite(context: Context, files: readonly FileDone[]): Promise<void> {
  const rows = files.map((one) => rowOf(context, one));
  try {
    await context.printWhole({ shape: SITE_SUMMARY, rows: rowsOf(rows), one: false });
  } finally {
    for (const { Next } of rows) if (Next !== null) context.note(`To go on: ${String(Next)}`);
    const undos = rows.flatMap(({ Undo }) => (typeof Undo === 'string' ? [Undo] : [])).reverse();
    if (undos.length > MOST_NAMED)
      context.note(`Undo: ${undos[0]}, and so on for the ${undos.length} jobs, the last one first`);
    else if (undos.length > 0) context.note(`Undo: ${undos.join(' && ')}`);
    else if (rows.every(({ Job }) => Job === null)) context.note('Nothing to change.');
  }
}

/** More commands than this fill the screen; they stand in the summary. */
const MOST_NAMED = 3;

function rowOf(context: Context, { file, unchanged, summary, failedFile }: FileDone): Row {
  const {
    done = 0,
    failed = 0,
    unknown = 0,
    intent = 0,
    skipped = 0,
    drifted = 0,
    pending = 0,
  } = summary?.counts ?? {};
  const isKept = summary !== undefined && !summary.rolledBack;
  const command = (verb: string): string => (summary ? jobCommand(context, verb, summary.job.id) : '');
  const isOpen = isKept && pending + unknown + intent > 0;
  return {
    ...{ File: file.name, Resource: file.resource.command, Job: isKept ? summary.job.id : null },
    ...{ Done: done, Failed: failed, Unknown: unknown + intent, Skipped: skipped, Drifted: drifted, Pending: pending },
    ...{ Unchanged: unchanged, FailedFile: failedFile ?? null },
    Next: isOpen ? command('jobs resume') : null,
    Undo: isKept && done > 0 && !isOpen ? command('undo') : null,
  };
}

/** The exit code of all files. */
export const exitOfAll = (files: readonly FileDone[]): number =>
  exitOfMany({
    exits: files.map(({ summary }) => summary?.exit ?? EXIT.ok),
    done: files.some(({ summary }) => (summary?.counts.done ?? 0) > 0),
  });
