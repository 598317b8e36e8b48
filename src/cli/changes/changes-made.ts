// What became of the changes of one command, and the way back.
import type { Rehearsed } from '../../changes/rehearsal.ts';
import { isUnchanged, type Made, resultOf } from '../../changes/run/apply-row.ts';
import type { Summary } from '../../changes/run/counts.ts';
import type { RunOptions } from '../../changes/run/options.ts';
import { reverseOf } from '../../changes/undo.ts';
import type { Session } from '../../contract/call.ts';
import type { JobHead, PlannedRow } from '../../contract/jobs.ts';
import type { Row } from '../../contract/resource.ts';
import { type Context, rowsOf } from '../context.ts';
import { jobCommand } from './journal.ts';
import { linesOf, ONLY_SENT, plannedShape } from './planned-changes.ts';

export interface ChangesMade {
  /** The records as they are now, in the order of the changes; none of a rehearsal. */
  readonly rows: readonly Row[];
  readonly failures: readonly unknown[];
  /** What would change was printed, and nothing was changed. */
  readonly isRehearsed: boolean;
  /** Undefined where everything is as it was. */
  readonly job: JobHead | undefined;
  /** Is there anything in it that pm undo takes back? */
  readonly undoable: boolean;
}

/** Says how the changes are taken back, where they can be. */
export function noteUndo(context: Context, { job, undoable }: ChangesMade): void {
  if (job && undoable) context.note(`Undo: ${jobCommand(context, 'undo', job.id)}`);
}

/** Gathers what becomes of a few changes, until all of it can be told. */
export function gather(context: Context, session: Session) {
  const answers = new Map<number, readonly Row[]>();
  const failures: unknown[] = [];
  const lines: Row[] = [];
  let undoable = false;
  let hasChanged = false;
  const onDone = (row: PlannedRow, made: Made): void => {
    for (const name of made.ignored) context.note(`The server ignored ${name}.`);
    answers.set(row.number, [made.after, ...made.others]);
    hasChanged ||= !isUnchanged(row, made);
    const result = resultOf(made);
    undoable ||= reverseOf({ ...row, state: 'done', ...(result ? { result } : {}) }) !== undefined;
  };
  const told: Pick<RunOptions, 'onDone' | 'onFailed'> = {
    onDone,
    onFailed: (_row, error) => void failures.push(error),
  };
  return {
    told,
    async rehearsed(rows: AsyncIterable<Rehearsed>): Promise<void> {
      for await (const { Line, ...line } of linesOf(rows, session.find)) lines.push(line);
    },
    /** Prints what a rehearsal found. Throws where there was a single change, and it failed. */
    async made(total: number, summary: Summary | undefined): Promise<ChangesMade> {
      if (summary?.stopped) failures.push(summary.stopped);
      if (failures.length > 0 && total === 1) throw failures[0];
      const isRehearsed = context.settings.dryRun;
      if (isRehearsed) await printLines(context, session, lines);
      const isNothing = failures.length === 0 && (isRehearsed ? lines.length === 0 : !hasChanged);
      if (isNothing) context.note(isRehearsed ? 'Nothing would change.' : 'Nothing was changed.');
      const rows = [...answers].sort(([a], [b]) => a - b).flatMap(([, some]) => some);
      return {
        rows: isRehearsed ? [] : rows,
        failures,
        isRehearsed,
        job: hasChanged ? summary?.job : undefined,
        undoable,
      };
    },
  };
}

async function printLines(context: Context, session: Session, lines: readonly Row[]): Promise<void> {
  const isNamed = lines.some(({ Name }) => Name !== null);
  const shape = plannedShape(isNamed ? ['File', 'Line'] : ['File', 'Line', 'Name']);
  await context.print({ shape, rows: rowsOf(lines), one: false });
  if (lines.length > 0 && !session.local) context.note(ONLY_SENT);
}
