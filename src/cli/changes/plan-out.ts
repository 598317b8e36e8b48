// The plan that a rehearsal writes: the rows that it shows, for pm apply.
import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { type NewPlan, writePlanFile } from '../../changes/plan/plan-file.ts';
import { relyingOn } from '../../changes/plan/planner.ts';
import type { Rehearsed } from '../../changes/rehearsal/rehearsed.ts';
import { operationOfRow } from '../../changes/run/apply-row.ts';
import type { Summary } from '../../changes/run/counts.ts';
import { runSettings } from '../../changes/run/options.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JobRow, NewJob, PlannedRow } from '../../contract/jobs.ts';
import { seenBy } from '../../text/batches.ts';
import { defined } from '../../text/defined.ts';
import { counted, spaced } from '../../text/thousands.ts';
import type { Context } from '../context.ts';
import { outputOf } from '../input/files.ts';
import { databaseIn, homeOf } from '../profiles/home.ts';
import { planCommand, planHeader, runCommand } from './journal.ts';

/** A look makes no new site; in a database or on a service there is one. */
export const isSiteThere = ({ settings, io }: Context): boolean =>
  settings.remote !== undefined || settings.database !== undefined || existsSync(databaseIn(homeOf(io)));

/** Begins the plan of --out; undefined without it. Its rows stand in a file from the first one on: they may be a million. */
export function openPlanOut(context: Context, session: Session, job: NewJob) {
  const { out } = context.settings;
  if (out === undefined || !context.settings.dryRun) return undefined;
  if (!isSiteThere(context))
    throw new ServiceError('usage', `--out ${out}: there is no site to plan for yet`, {
      hint: 'Make one first: pm seed --sample small',
    });
  const rows = new Readable({ objectMode: true, read: () => undefined });
  let unchanged = 0;
  const { onError } = runSettings(job);
  const header: NewPlan = { ...planHeader(context, session, job.title), ...(onError !== 'continue' && { onError }) };
  const output = { ...outputOf(context, '--out', out), dryRun: false };
  const written = writePlanFile(output, header, rows, () => unchanged);
  written.catch(() => undefined);
  /** Nothing is written. */
  const abandon = async (): Promise<void> => {
    rows.destroy();
    await written.catch(() => undefined);
  };
  return {
    abandon,
    /** Takes the rows that are shown. */
    through(rehearsed: AsyncIterable<Rehearsed> | Iterable<Rehearsed>): AsyncGenerator<Rehearsed> {
      const planned = planning(job);
      return seenBy(rehearsed, (one) => void rows.push(planned(one)));
    },
    /** Writes the file, unless changes would fail. Answers what is said of it. */
    async close(summary: Summary | undefined, same: number): Promise<string> {
      const failed = summary?.counts.failed ?? 0;
      if (failed > 0) {
        await abandon();
        return `${out} is not written: ${counted(failed, 'change')} would fail.`;
      }
      unchanged = same;
      rows.push(null);
      const plan = await written;
      const look = planCommand(context, ['plan', 'show', out]);
      const counts = `${out}: ${counted(plan.rows, 'change')}, ${spaced(plan.unchanged)} unchanged`;
      return `${counts}. Look: ${look}. Run: ${runCommand(context, out, plan)}`;
    },
  };
}

/**
 * Makes the rows of a plan of what is rehearsed. The change of a named record relies on nothing until it is kept: it then
 * relies on the record as it is now, so that a later run leaves alone what others have changed. Rows of files do so already.
 */
function planning({ kind }: NewJob): (rehearsed: Rehearsed) => PlannedRow {
  const touched = new Set<string>();
  let number = 0;
  return ({ row, newID, applied, current }) => {
    const { state, result, undoes, ...rest } = row as JobRow;
    const planned = defined<PlannedRow>({ ...rest, id: newID ?? row.id, number: ++number });
    const key = `${row.resource} ${planned.id}`;
    const now = touched.has(key) ? undefined : (applied?.now ?? current);
    touched.add(key);
    const { resource, operation } = operationOfRow(row);
    const isOrdinary = ['update', 'delete', 'undelete'].includes(operation.verb);
    const isNamed = (kind === 'change' || kind === 'each') && row.was === undefined && row.seen === undefined;
    return isOrdinary && isNamed && now ? { ...planned, ...relyingOn(resource, now, row.patch) } : planned;
  };
}

/** Throws `invalid` for rows with secrets: plans are read by others and hold none. */
export const withoutSecrets = (rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>): AsyncGenerator<PlannedRow> =>
  seenBy(rows, ({ secret, line }) => {
    if (!secret) return;
    const what = line === undefined ? 'the change' : `line ${line}`;
    throw new ServiceError('invalid', `${what} sets ${secret.members.join(', ')}, which no plan holds`, {
      hint: 'Leave it out of the plan, or make the change without a plan.',
    });
  });
