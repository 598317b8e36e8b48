// Runs a job on the embedded engine: the rows of a commit, their marks and their history are one transaction, which can be
// run again. So rows are drawn before it, and their outcomes are reported after it.
import type { Local, TransactionSession } from '../../contract/call.ts';
import type { JobRow, Mark, RowState } from '../../contract/jobs.ts';
import { batchesOf, chunks } from '../../text/batches.ts';
import { rowsDone } from '../jobs/state.ts';
import { type Batch, runBatch } from './embedded-batch.ts';
import { markOf } from './marks.ts';
import { interrupted, type Run, type StopReason } from './options.ts';
import { forgetSince, loadIdMap } from './remote/id-map.ts';

/** Rows per commit, and rows that are run together: few commits wait for the disk, but other programs wait for each. */
const ROWS_PER_COMMIT = 2_000;
/** Where a row fails, rows take longer: other programs wait at most so long and for one piece. */
const MOST_MILLISECONDS = 2_000;

/** Runs the rows in these states in their order; with `rollback` in one transaction. Throws `busy`, `disk_full`, `storage`. */
export async function runEmbedded(run: Run, local: Local, states: readonly RowState[]): Promise<StopReason> {
  if (rowsDone(run.head) > 0) await loadIdMap(run.idMap, run.jobs, run.head.id);
  return run.options.onError === 'rollback' ? runWhole(run, local, states) : runBatches(run, local, states);
}

/** What is kept of a batch until the commit: a number for the rows that have nothing to report. */
interface BatchReport extends Batch {
  readonly done: number;
}

async function runBatches(run: Run, local: Local, states: readonly RowState[]): Promise<StopReason> {
  const { rowsPerCommit = ROWS_PER_COMMIT, signal, clock } = run.options;
  const source = batchesOf(run.jobs.rows(run.head.id, { states }));
  let waiting: readonly JobRow[] = [];
  for (;;) {
    waiting = await filled(waiting, source, rowsPerCommit);
    if (waiting.length === 0) return undefined;
    if (signal?.aborted) return interrupted();
    const rows = waiting.slice(0, rowsPerCommit);
    const batch = reportOf(await runBatch(run, local, rows, clock().getTime() + MOST_MILLISECONDS));
    report(run, batch);
    if (batch.stopped) return batch.stopped;
    waiting = waiting.slice(batch.done + batch.outcomes.length);
  }
}

/** These rows, and as many of the next batches as make `count` at least. */
async function filled(
  rows: readonly JobRow[],
  source: AsyncIterator<readonly JobRow[]>,
  count: number,
): Promise<readonly JobRow[]> {
  const all = [...rows];
  while (all.length < count) {
    const next = await source.next();
    if (next.done) break;
    all.push(...next.value);
  }
  return all;
}

function reportOf({ outcomes, stopped }: Batch): BatchReport {
  const reported = outcomes.filter(({ applied, error }) => applied !== undefined || error !== undefined);
  return { outcomes: reported, stopped, done: outcomes.length - reported.length };
}

/** All rows or none. On a failure or an interruption everything is rolled back, and the last batch is reported. */
async function runWhole(run: Run, local: Local, states: readonly RowState[]): Promise<StopReason> {
  const known = run.idMap.size;
  const work = async (session: TransactionSession): Promise<Whole> => {
    forgetSince(run.idMap, known);
    const reports: BatchReport[] = [];
    for await (const some of chunks(session.local.jobs.rows(run.head.id, { states }), ROWS_PER_COMMIT)) {
      const batch = await runBatch(run, session.local, some);
      const isBad = batch.stopped ?? batch.outcomes.find(({ state }) => state === 'failed');
      if (isBad || run.options.signal?.aborted) return { reports, bad: batch };
      reports.push(reportOf(batch));
    }
    return { reports };
  };
  const { reports, bad } = await local.savepoint(work, (whole) => whole.bad === undefined);
  if (bad) return markRolledBack(run, local, bad);
  for (const batch of reports) report(run, batch);
  return undefined;
}

interface Whole {
  readonly reports: readonly BatchReport[];
  /** The batch for which everything is rolled back. */
  readonly bad?: Batch;
}

/** Marks the row that failed, and all others as skipped. After an interruption all rows wait for the next run. */
async function markRolledBack(run: Run, local: Local, batch: Batch): Promise<StopReason> {
  const failed = batch.outcomes.some(({ state }) => state === 'failed');
  if (batch.stopped ? batch.stopped.code === 'interrupted' : !failed) return interrupted();
  const bad = batch.outcomes.filter(({ state }) => state === 'failed' || state === 'drifted');
  const { id, total, counts } = run.head;
  // Rows that an earlier run has done stay done.
  const marks: Mark[] = counts.done ? [] : [{ from: 1, to: total, state: 'skipped' }];
  for (const { row, state, result } of bad) marks.push(markOf(row.number, state, result));
  await local.jobs.mark(id, marks);
  report(run, reportOf({ outcomes: bad, stopped: undefined }));
  return batch.stopped;
}

function report({ counter, options }: Run, { outcomes, done }: BatchReport): void {
  counter.addRows('done', done);
  for (const { row, state, result, applied, error } of outcomes) {
    counter.addRow(row, state, result);
    if (applied) options.onDone?.(row, applied);
    if (error) options.onFailed?.(row, error);
  }
  options.onProgress?.(counter.counts);
}
