// Runs a job on the embedded engine: rows, their marks and the history of both in one transaction for each batch.
import type { Inside, Local, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobRow, Mark } from '../../contract/jobs.ts';
import { idKey } from '../../contract/kinds.ts';
import { hasDrifted } from '../plan/drift.ts';
import { type Made, resultOf, send } from './apply-row.ts';
import { driftError, errorResult } from './counts.ts';
import { checkAwaited, learnRenamed, rename, withAwaited } from './id-map.ts';
import { joined, markOf, type Outcome } from './marks.ts';
import { interrupted, isOfStorage, type Run, recordFor, type Stopped, secretsFor } from './options.ts';

/** A commit waits for the disk, so that many rows share one; but other programs wait for it too. */
const ROWS_PER_COMMIT = 20_000;
const LONGEST = 2_000;
/** So many rows are held in memory. */
const BATCH = 200;

/** Runs the rows in their order. With `rollback` all of them are one transaction. Throws `busy`, `disk_full`, `storage`. */
export async function runEmbedded(run: Run, local: Local, rows: AsyncIterable<JobRow>): Promise<Stopped> {
  if (run.head.counts.done) await learnRenamed(run.renamed, run.jobs, run.head.id);
  return run.options.onError === 'rollback' ? runWhole(run, local, rows) : runBatches(run, local, rows);
}

/** What came of a row; it is told when it is durable. */
interface Done extends Outcome {
  readonly made?: Made;
  readonly error?: ServiceError;
}

type OneRow = (row: JobRow) => Promise<Done>;

interface Batch {
  readonly outcomes: readonly Done[];
  readonly stopped: Stopped;
}

/** What is held of a batch until it is durable: of a million rows that were done there is nothing to say but how many. */
interface Told extends Batch {
  readonly done: number;
}

async function runBatches(run: Run, local: Local, rows: AsyncIterable<JobRow>): Promise<Stopped> {
  const { rowsPerCommit = ROWS_PER_COMMIT, signal } = run.options;
  const batches = inBatches(rows, Math.min(BATCH, rowsPerCommit));
  for (let next = await batches.next(); !next.done; ) {
    if (signal?.aborted) return interrupted();
    const kept: Told[] = [];
    await local.transaction(async (inside) => {
      const isFull = fullness(run, rowsPerCommit);
      for (; !next.done; next = await batches.next()) {
        kept.push(briefly(await keptTogether(run, inside, next.value)));
        if (kept.at(-1)?.stopped || isFull(next.value.length)) break;
      }
    });
    for (const batch of kept) tell(run, batch);
    const stopped = kept.at(-1)?.stopped;
    if (stopped) return stopped;
    if (!next.done) next = await batches.next();
  }
  return undefined;
}

/** Tells, batch after batch, whether it is time for the commit. */
function fullness({ options: { clock } }: Run, most: number): (rows: number) => boolean {
  const until = clock().getTime() + LONGEST;
  let held = 0;
  return (rows) => {
    held += rows;
    return held >= most || clock().getTime() >= until;
  };
}

/**
 * A batch in which no row is refused needs no way back for each of them, which is a third of its time. Where one is,
 * the batch is taken back and run row by row.
 */
async function keptTogether(run: Run, inside: Inside, rows: readonly JobRow[]): Promise<Batch> {
  const batch = await untroubled(run, inside, rows);
  if (!batch) return kept(run, inside, rows);
  await markAll(run, inside, batch);
  return batch;
}

async function untroubled(run: Run, inside: Inside, rows: readonly JobRow[]): Promise<Batch | undefined> {
  try {
    return await inside.local.attempt((piece) => perform(run, rows, (row) => changed(run, piece, row)));
  } catch (error) {
    if (error instanceof ServiceError && !isOfStorage(error)) return undefined;
    throw error;
  }
}

/** Rows and their marks, each row for itself. */
async function kept(run: Run, inside: Inside, rows: readonly JobRow[]): Promise<Batch> {
  const batch = await perform(run, rows, (row) => performOne(run, inside, row));
  await markAll(run, inside, batch);
  return batch;
}

async function markAll(run: Run, inside: Inside, { outcomes }: Batch): Promise<void> {
  await inside.local.jobs.mark(run.head.id, joined(outcomes));
}

function briefly({ outcomes, stopped }: Batch): Told {
  const told = outcomes.filter(({ made, error }) => made !== undefined || error !== undefined);
  return { outcomes: told, stopped, done: outcomes.length - told.length };
}

/** All rows, or none: then the batch in which one failed, or the last one before an interruption, stands for the rest. */
async function runWhole(run: Run, local: Local, rows: AsyncIterable<JobRow>): Promise<Stopped> {
  const told: Told[] = [];
  const work = async (inside: Inside): Promise<Batch | undefined> => {
    for await (const some of inBatches(rows)) {
      const batch = await keptTogether(run, inside, some);
      const bad = batch.stopped ?? batch.outcomes.find(({ state }) => state === 'failed');
      if (bad || run.options.signal?.aborted) return batch;
      told.push(briefly(batch));
    }
    return undefined;
  };
  const bad = await local.attempt(work, (failed) => failed === undefined);
  if (bad) return markTakenBack(run, local, bad);
  for (const batch of told) tell(run, batch);
  return undefined;
}

/** Nothing was kept: the row that failed is marked, and all others as not tried. */
async function markTakenBack(run: Run, local: Local, batch: Batch): Promise<Stopped> {
  const bad = batch.outcomes.filter(({ state }) => state === 'failed' || state === 'drifted');
  if (bad.length === 0) return interrupted();
  const { id, total, counts } = run.head;
  // What an earlier run has done stays done.
  const marks: Mark[] = counts.done ? [] : [{ from: 1, to: total, state: 'skipped' }];
  for (const { row, state, result } of bad) marks.push(markOf(row.number, state, result));
  await local.jobs.mark(id, marks);
  tell(run, briefly({ outcomes: bad, stopped: undefined }));
  return batch.stopped;
}

/** Makes the changes of some rows, each for itself: one that fails leaves the others as they are. */
async function perform(run: Run, rows: readonly JobRow[], one: OneRow): Promise<Batch> {
  const { onError = 'continue', onDrift = 'skip', signal } = run.options;
  const outcomes: Done[] = [];
  // The engine waits for nothing, so a signal would not be heard before the last row.
  await new Promise((resolve) => setImmediate(resolve));
  for (const row of rows) {
    if (signal?.aborted) return { outcomes, stopped: interrupted() };
    const outcome = await one(row);
    outcomes.push(outcome);
    if (row.id !== undefined && outcome.result?.id !== undefined) run.renamed.set(idKey(row.id), outcome.result.id);
    const stops =
      outcome.state === 'failed' ? onError !== 'continue' : outcome.state === 'drifted' && onDrift === 'stop';
    if (stops) return { outcomes, stopped: stoppedAt(outcome) };
  }
  return { outcomes, stopped: undefined };
}

async function performOne(run: Run, inside: Inside, row: JobRow): Promise<Done> {
  try {
    return await inside.local.attempt((piece) => changed(run, piece, row));
  } catch (error) {
    if (!(error instanceof ServiceError) || isOfStorage(error)) throw error;
    return failed(row, 'failed', error);
  }
}

async function changed(run: Run, piece: Session, given: JobRow): Promise<Done> {
  const { options } = run;
  const row = given.awaits ? await withAwaited(piece, rename(given, run.renamed, true)) : given;
  checkAwaited(row);
  const read = () => recordFor(piece, row);
  const found = await read();
  if (options.onDrift !== 'overwrite' && hasDrifted(resourceNamed(row.resource), row, found?.row))
    return failed(row, 'drifted', driftError(row, found));
  const made = await send(piece, row, { found, secrets: secretsFor(row, options), read });
  const result = resultOf(made);
  return { row: given, state: 'done', ...(options.onDone ? { made } : {}), ...(result ? { result } : {}) };
}

const failed = (row: JobRow, state: 'failed' | 'drifted', error: ServiceError): Done => ({
  row,
  state,
  error,
  result: { error: errorResult(error) },
});

function tell({ tally, options }: Run, { outcomes, done }: Told): void {
  tally.count('done', done);
  for (const { row, state, result, made, error } of outcomes) {
    tally.note(row, state, result);
    if (made) options.onDone?.(row, made);
    if (error) options.onFailed?.(row, error);
  }
  options.onProgress?.(tally.counts);
}

const stoppedAt = ({ row, result }: Done): ServiceError =>
  new ServiceError(result?.error?.code ?? 'internal', `stopped at row ${row.number}: ${result?.error?.message ?? ''}`);

/** Rows some at a time. */
export async function* inBatches<T>(rows: AsyncIterable<T> | Iterable<T>, size = BATCH): AsyncGenerator<readonly T[]> {
  let some: T[] = [];
  for await (const row of rows) {
    some.push(row);
    if (some.length < size) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
