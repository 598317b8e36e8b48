// Runs a job on the embedded engine: the rows of a batch, their marks and their history are one transaction.
import type { Local, Session, TransactionSession } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JobRow, Mark } from '../../contract/jobs.ts';
import { idKey } from '../../contract/kinds.ts';
import { chunks } from '../../text/batches.ts';
import { defined } from '../../text/defined.ts';
import { type AppliedRow, applyRow, resultOf } from './apply-row.ts';
import { errorResult } from './counts.ts';
import { joinMarks, markOf, type Outcome } from './marks.ts';
import { currentRecord, interrupted, isStorageError, type Run, type StopReason, secretsFor } from './options.ts';
import { checkAwaited, loadIdMap, mapIDs, resolveAwaited } from './remote/id-map.ts';
import { driftOf, UNCHANGED } from './row-drift.ts';

/** Rows per commit: few commits wait for the disk, but other programs wait for each. */
const ROWS_PER_COMMIT = 20_000;
/** Other programs wait at most so long. */
const MOST_MILLISECONDS = 2_000;
/** Rows in memory at a time. */
const BATCH = 200;

/** Runs the rows in their order; with `rollback` in one transaction. Throws `busy`, `disk_full`, `storage`. */
export async function runEmbedded(run: Run, local: Local, rows: AsyncIterable<JobRow>): Promise<StopReason> {
  if (run.head.counts.done) await loadIdMap(run.idMap, run.jobs, run.head.id);
  return run.options.onError === 'rollback' ? runWhole(run, local, rows) : runBatches(run, local, rows);
}

/** The outcome of a row; it is reported after the commit. */
interface RowOutcome extends Outcome {
  readonly applied?: AppliedRow;
  readonly error?: ServiceError;
}

type OneRow = (row: JobRow) => Promise<RowOutcome>;

interface Batch {
  readonly outcomes: readonly RowOutcome[];
  readonly stopped: StopReason;
}

/** What is kept of a batch until the commit: a number for the rows that have nothing to report. */
interface BatchReport extends Batch {
  readonly done: number;
}

async function runBatches(run: Run, local: Local, rows: AsyncIterable<JobRow>): Promise<StopReason> {
  const { rowsPerCommit = ROWS_PER_COMMIT, signal } = run.options;
  const batches = chunks(rows, Math.min(BATCH, rowsPerCommit));
  for (let next = await batches.next(); !next.done; ) {
    if (signal?.aborted) return interrupted();
    const reports: BatchReport[] = [];
    await local.transaction(async (session) => {
      const isFull = commitLimit(run, rowsPerCommit);
      for (; !next.done; next = await batches.next()) {
        reports.push(reportOf(await runBatch(run, session, next.value)));
        if (reports.at(-1)?.stopped || isFull(next.value.length)) break;
      }
    });
    for (const batch of reports) report(run, batch);
    const stopped = reports.at(-1)?.stopped;
    if (stopped) return stopped;
    if (!next.done) next = await batches.next();
  }
  return undefined;
}

/** Is it time for the commit? Called with the size of each batch. */
function commitLimit({ options: { clock } }: Run, most: number): (rows: number) => boolean {
  const until = clock().getTime() + MOST_MILLISECONDS;
  let count = 0;
  return (rows) => {
    count += rows;
    return count >= most || clock().getTime() >= until;
  };
}

/**
 * One savepoint for the whole batch saves a third of the time. Where a row fails, the batch is rolled back and run row by
 * row.
 */
async function runBatch(run: Run, session: TransactionSession, rows: readonly JobRow[]): Promise<Batch> {
  const tried = await tryBatch(run, session, rows);
  const batch = tried ?? (await runEach(run, rows, (row) => runInSavepoint(run, session, row)));
  await session.local.jobs.mark(run.head.id, joinMarks(batch.outcomes));
  return batch;
}

async function tryBatch(run: Run, session: TransactionSession, rows: readonly JobRow[]): Promise<Batch | undefined> {
  try {
    return await session.local.savepoint((inner) => runEach(run, rows, (row) => applyOne(run, inner, row)));
  } catch (error) {
    if (error instanceof ServiceError && !isStorageError(error)) return undefined;
    throw error;
  }
}

function reportOf({ outcomes, stopped }: Batch): BatchReport {
  const reported = outcomes.filter(({ applied, error }) => applied !== undefined || error !== undefined);
  return { outcomes: reported, stopped, done: outcomes.length - reported.length };
}

/** All rows or none. On a failure or an interruption everything is rolled back, and the last batch is reported. */
async function runWhole(run: Run, local: Local, rows: AsyncIterable<JobRow>): Promise<StopReason> {
  const reports: BatchReport[] = [];
  const work = async (session: TransactionSession): Promise<Batch | undefined> => {
    for await (const some of chunks(rows, BATCH)) {
      const batch = await runBatch(run, session, some);
      const bad = batch.stopped ?? batch.outcomes.find(({ state }) => state === 'failed');
      if (bad || run.options.signal?.aborted) return batch;
      reports.push(reportOf(batch));
    }
    return undefined;
  };
  const bad = await local.savepoint(work, (failed) => failed === undefined);
  if (bad) return markRolledBack(run, local, bad);
  for (const batch of reports) report(run, batch);
  return undefined;
}

/** Marks the row that failed, and all others as skipped. */
async function markRolledBack(run: Run, local: Local, batch: Batch): Promise<StopReason> {
  const bad = batch.outcomes.filter(({ state }) => state === 'failed' || state === 'drifted');
  if (bad.length === 0) return interrupted();
  const { id, total, counts } = run.head;
  // Rows that an earlier run has done stay done.
  const marks: Mark[] = counts.done ? [] : [{ from: 1, to: total, state: 'skipped' }];
  for (const { row, state, result } of bad) marks.push(markOf(row.number, state, result));
  await local.jobs.mark(id, marks);
  report(run, reportOf({ outcomes: bad, stopped: undefined }));
  return batch.stopped;
}

/** Runs rows one after another, until one stops the run. */
async function runEach(run: Run, rows: readonly JobRow[], one: OneRow): Promise<Batch> {
  const { onError = 'continue', onDrift = 'skip', signal } = run.options;
  const outcomes: RowOutcome[] = [];
  // The engine is synchronous: signals are handled here.
  await new Promise((resolve) => setImmediate(resolve));
  for (const row of rows) {
    if (signal?.aborted) return { outcomes, stopped: interrupted() };
    const outcome = await one(row);
    outcomes.push(outcome);
    if (row.id !== undefined && outcome.result?.id !== undefined) run.idMap.set(idKey(row.id), outcome.result.id);
    const stops =
      outcome.state === 'failed' ? onError !== 'continue' : outcome.state === 'drifted' && onDrift === 'stop';
    if (stops) return { outcomes, stopped: stoppedAt(outcome) };
  }
  return { outcomes, stopped: undefined };
}

async function runInSavepoint(run: Run, session: TransactionSession, row: JobRow): Promise<RowOutcome> {
  try {
    return await session.local.savepoint((inner) => applyOne(run, inner, row));
  } catch (error) {
    if (!(error instanceof ServiceError) || isStorageError(error)) throw error;
    return failed(row, 'failed', error);
  }
}

async function applyOne(run: Run, session: Session, given: JobRow): Promise<RowOutcome> {
  const { options } = run;
  const row = given.awaits ? await resolveAwaited(session, mapIDs(given, run.idMap, true)) : given;
  checkAwaited(row);
  const read = () => currentRecord(session, row);
  const found = await read();
  const drift = await driftOf(run, session, row, found);
  if (drift === 'as wanted') return { row: given, state: 'done', result: UNCHANGED };
  if (drift) return failed(row, 'drifted', drift);
  const consequences = await options.consequencesOf?.(session, row, found?.row);
  const applied = await applyRow(session, row, { found, secrets: secretsFor(row, options), read });
  const reported = options.onDone ? { ...applied, ...(consequences ? { consequences } : {}) } : undefined;
  return defined({ row: given, state: 'done' as const, applied: reported, result: resultOf(applied) });
}

const failed = (row: JobRow, state: 'failed' | 'drifted', error: ServiceError): RowOutcome => ({
  row,
  state,
  error,
  result: { error: errorResult(error) },
});

function report({ counter, options }: Run, { outcomes, done }: BatchReport): void {
  counter.addRows('done', done);
  for (const { row, state, result, applied, error } of outcomes) {
    counter.addRow(row, state, result);
    if (applied) options.onDone?.(row, applied);
    if (error) options.onFailed?.(row, error);
  }
  options.onProgress?.(counter.counts);
}

const stoppedAt = ({ row, result }: RowOutcome): ServiceError =>
  new ServiceError(result?.error?.code ?? 'internal', `stopped at row ${row.number}: ${result?.error?.message ?? ''}`);
