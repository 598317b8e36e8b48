// Runs a job on the embedded engine: the rows of a commit, their marks and their history are one transaction, which can be
// run again. So rows are drawn before it, and their outcomes are reported after it.
import type { BatchReads, Local, Session, TransactionSession } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Field } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobRow, Mark, PlannedRow, RowState } from '../../contract/jobs.ts';
import { guidsIn, idKey } from '../../contract/kinds.ts';
import { batchesOf, chunks } from '../../text/batches.ts';
import { valueAt } from '../../text/once-per.ts';
import { rowsDone } from '../jobs/state.ts';
import { alsoOf } from '../plan/current-record.ts';
import { type AppliedRow, applyRow, operationOfRow } from './apply-row.ts';
import { AS_WANTED, errorResult } from './counts.ts';
import { joinMarks, markOf, type Outcome } from './marks.ts';
import {
  currentRecord,
  interrupted,
  isStorageError,
  type Run,
  type StopReason,
  secretsFor,
  stoppedAt,
} from './options.ts';
import { checkAwaited, forgetSince, loadIdMap, mapIDs, ownID, resolveAwaited } from './remote/id-map.ts';
import { driftOf, mayDrift } from './row-drift.ts';

/** Rows per commit, and rows that are run together: few commits wait for the disk, but other programs wait for each. */
const ROWS_PER_COMMIT = 2_000;
/** Where a row fails, rows take longer: other programs wait at most so long and for one piece. */
const MOST_MILLISECONDS = 2_000;

/** Runs the rows in these states in their order; with `rollback` in one transaction. Throws `busy`, `disk_full`, `storage`. */
export async function runEmbedded(run: Run, local: Local, states: readonly RowState[]): Promise<StopReason> {
  if (rowsDone(run.head) > 0) await loadIdMap(run.idMap, run.jobs, run.head.id);
  return run.options.onError === 'rollback' ? runWhole(run, local, states) : runBatches(run, local, states);
}

/** The report of a batch, kept until the commit: of the rows that have nothing to report their number alone. */
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
  const reported = outcomes.filter(({ applied, result }) => applied !== undefined || result !== undefined);
  return { outcomes: reported, stopped, done: outcomes.length - reported.length };
}

/** All rows or none. On a failure or an interruption everything is rolled back, and the last batch, the bad one, is reported. */
async function runWhole(run: Run, local: Local, states: readonly RowState[]): Promise<StopReason> {
  const known = run.idMap.size;
  const work = async (session: TransactionSession): Promise<{ reports: readonly BatchReport[]; bad?: Batch }> => {
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

/** The outcome of a row; it is reported after the commit. */
interface RowOutcome extends Outcome {
  /** The number that the engine gave to a new record. */
  readonly id?: string | undefined;
  readonly applied?: AppliedRow | undefined;
  readonly error?: ServiceError;
}

interface Batch {
  readonly outcomes: readonly RowOutcome[];
  readonly stopped: StopReason;
}

/**
 * Runs the rows together, which takes few statements. Where one of them fails they are rolled back and run in pieces, and the
 * rows of a piece that fails one by one; after the moment `until` no further piece begins. Answers the outcomes of the first
 * rows, which are marked in the journal. Outside of a transaction either is one of its own.
 */
async function runBatch(
  run: Run,
  local: Local,
  rows: readonly JobRow[],
  until = Number.POSITIVE_INFINITY,
): Promise<Batch> {
  const known = run.idMap.size;
  const marked = async ({ local: { jobs } }: TransactionSession, batch: Batch): Promise<Batch> => {
    await jobs.mark(run.head.id, joinMarks(batch.outcomes));
    return batch;
  };
  const together = await runTogether(run, local, rows, marked);
  if (together) return together;
  return local.transaction(async (session) => {
    forgetSince(run.idMap, known);
    return marked(session, await runPieces(run, session, rows, until));
  });
}

const PIECE = 100;

async function runPieces(
  run: Run,
  session: TransactionSession,
  rows: readonly JobRow[],
  until: number,
): Promise<Batch> {
  const { clock } = run.options;
  const outcomes: RowOutcome[] = [];
  for (let at = 0; at < rows.length && (at === 0 || clock().getTime() < until); at += PIECE) {
    const piece = rows.slice(at, at + PIECE);
    const isAll = piece.length === rows.length;
    const ran =
      (isAll ? undefined : await runTogether(run, session.local, piece)) ??
      (await runEach(run, piece, (row) => runInSavepoint(run, session, row)));
    outcomes.push(...ran.outcomes);
    if (ran.stopped) return { outcomes, stopped: ran.stopped };
  }
  return { outcomes, stopped: undefined };
}

/** To read ahead pays for a few rows at least. */
const FEWEST = 5;

/** Undefined if a row fails. `kept` is the last work, where all rows are kept. */
async function runTogether(
  run: Run,
  local: Local,
  rows: readonly JobRow[],
  kept?: (session: TransactionSession, batch: Batch) => Promise<Batch>,
): Promise<Batch | undefined> {
  const known = run.idMap.size;
  const work = async (inner: TransactionSession): Promise<Batch> => {
    forgetSince(run.idMap, known);
    const batch = await runEach(run, rows, (row) => applyOne(run, inner, row));
    return kept ? kept(inner, batch) : batch;
  };
  try {
    // A row that is reported by itself is durable before; all others when the job ends: resume makes again what was lost.
    const durability = run.options.onDone ? 'durable' : 'lazy';
    return await (rows.length < FEWEST ? local.savepoint(work) : local.batch(readsOf(rows), work, durability));
  } catch (error) {
    if (!(error instanceof ServiceError) || isStorageError(error)) throw error;
    forgetSince(run.idMap, known);
    return undefined;
  }
}

/** Runs rows one after another, until one stops the run. */
async function runEach(run: Run, rows: readonly JobRow[], one: (row: JobRow) => Promise<RowOutcome>): Promise<Batch> {
  const { onError = 'continue', onDrift = 'skip', signal } = run.options;
  const outcomes: RowOutcome[] = [];
  // The engine is synchronous: signals are handled here.
  await new Promise((resolve) => setImmediate(resolve));
  for (const row of rows) {
    if (signal?.aborted) return { outcomes, stopped: interrupted() };
    const outcome = await one(row);
    outcomes.push(outcome);
    if (row.id !== undefined && outcome.id !== undefined) run.idMap.set(idKey(row.id), outcome.id);
    const stops =
      outcome.state === 'failed' ? onError !== 'continue' : outcome.state === 'drifted' && onDrift === 'stop';
    if (stops && outcome.error) return { outcomes, stopped: stoppedAt(row, outcome.error) };
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
  // Nothing is awaited that is not there: each wait costs as much as a check.
  const reading = read();
  const found = reading && (await reading);
  const drift = mayDrift(run, row) ? await driftOf(run, session, row, found) : undefined;
  if (drift === 'as wanted') return { row: given, state: 'done', result: AS_WANTED };
  if (drift) return failed(row, 'drifted', drift);
  const id = operationOfRow(row).operation.verb === 'create' ? ownID(row) : undefined;
  const cause = { job: run.head.id, row: row.number, id };
  const applied = await applyRow(session, row, { found, secrets: secretsFor(row, options), cause, read });
  const { consequencesOf } = options;
  const consequences = consequencesOf && (await consequencesOf(session, row, found?.row));
  const reported = options.onDone ? { ...applied, ...(consequences ? { consequences } : {}) } : undefined;
  const result = changedNothing(row, applied) ? { before: {} } : undefined;
  return { row: given, state: 'done', id: applied.id, applied: reported, result };
}

/** Was the record as wanted already, or there before it was to be made (D12)? Then its undo leaves it alone. */
const changedNothing = (row: PlannedRow, { before }: AppliedRow): boolean =>
  before !== undefined && (operationOfRow(row).operation.verb === 'create' || Object.keys(before).length === 0);

const failed = (row: JobRow, state: 'failed' | 'drifted', error: ServiceError): RowOutcome => ({
  row,
  state,
  error,
  result: { error: errorResult(error) },
});

type IDs = Map<string, Set<string>>;

function readsOf(rows: readonly PlannedRow[]): BatchReads {
  const none = (): IDs => new Map();
  const reads: Readonly<Record<keyof BatchReads, IDs>> = {
    changed: none(),
    deleted: none(),
    made: none(),
    named: none(),
  };
  for (const row of rows) {
    const { fields, operations } = resourceNamed(row.resource);
    const verb = operations[row.operation]?.verb;
    const ofVerb = verb === 'create' ? 'made' : verb === 'delete' || verb === 'undelete' ? 'deleted' : 'changed';
    if (row.id !== undefined) add(reads[ofVerb], row.resource, row.id);
    for (const one of alsoOf(row)) if (one.id !== undefined) add(reads.changed, one.resource, one.id);
    for (const values of [row.body, row.patch]) addNamed(reads.named, fields, values ?? {});
  }
  return reads;
}

function addNamed(
  named: IDs,
  fields: Readonly<Record<string, Field>>,
  values: Readonly<Record<string, unknown>>,
): void {
  for (const name in values) {
    const { to = [], kind } = fields[name] ?? {};
    if (to.length === 0) continue;
    const value = values[name];
    const ids = kind === 'guids' && typeof value === 'string' ? guidsIn(value).map(String) : [value];
    for (const target of to) for (const id of ids) if (typeof id === 'string') add(named, target, id);
  }
}

function add(all: IDs, resource: string, id: string): void {
  valueAt(all, resource, () => new Set()).add(idKey(id));
}
