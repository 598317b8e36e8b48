// A plan as a file: one line that says what it is, then one line for each row. It holds no passwords, and runs once.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { ServiceError } from '../../contract/errors.ts';
import { everyResource } from '../../contract/index.ts';
import type { JobStore, PlannedRow } from '../../contract/jobs.ts';
import { type Output, writeOutput } from '../../files/output.ts';
import { inBatches } from '../run/embedded.ts';
import { isAgreed, outcomeOf } from '../run/job-state.ts';

interface ReadPlan {
  readonly header: PlanHeader;
  /** Reads the rows from the file, as often as it is asked to. */
  rows(): AsyncGenerator<PlannedRow>;
}

/**
 * Opens a plan and checks that it is whole and as it was written. Throws `usage` where the file is missing or is no plan
 * of this version, `invalid` where it was cut or edited.
 */
export async function readPlanFile(path: string): Promise<ReadPlan> {
  const hash = createHash('sha256');
  let header: PlanHeader | undefined;
  let rows = 0;
  for await (const line of linesOf(path)) {
    if (header) {
      hash.update(line).update('\n');
      rows++;
    } else header = headerOf(path, line);
  }
  if (!header) throw noPlan(path);
  const whole = header;
  if (rows < whole.rows) throw damaged(path, `it ends after ${rows} of ${whole.rows} rows`);
  if (hash.digest('hex') !== whole.sha256) throw damaged(path, 'it is not as it was written');
  return { header: whole, rows: () => rowsOf(path) };
}

/**
 * May the plan run here? Throws `conflict` where it is for another site or service, or has run. A run that was not agreed
 * to, or ended before its plan was whole, does not count.
 */
export async function checkPlan(
  header: PlanHeader,
  here: Pick<PlanHeader, 'profile' | 'url' | 'site'>,
  jobs: JobStore,
): Promise<void> {
  if (header.site !== here.site || header.url !== here.url) {
    const { profile, site, url } = header;
    throw new ServiceError(
      'conflict',
      `the plan is for site ${site} of ${profile} (${url}), not for site ${here.site} of ${here.profile}`,
      {
        hint: 'Make a new plan for here.',
        next: profile === here.profile ? undefined : { do: 'use-profile', name: profile },
      },
    );
  }
  const job = await jobs.head(header.id);
  if (!job || !isAgreed(job)) return;
  throw new ServiceError('conflict', `the plan has run already, as job ${job.id}: ${outcomeOf(job)}`, {
    next: { do: job.state === 'ended' ? 'show-job' : 'resume-job', job: job.id },
  });
}

async function* rowsOf(path: string): AsyncGenerator<PlannedRow> {
  let number = 0;
  for await (const line of linesOf(path)) {
    if (number > 0) yield rowOf(path, line, number);
    number++;
  }
}

/** The hash says that pm wrote it; that it is a row of this contract says the version. */
function rowOf(path: string, line: Buffer, number: number): PlannedRow {
  const row = parsed(line);
  if (!isRecord(row) || row.number !== number || !isKnown(row.resource, row.operation))
    throw damaged(path, `row ${number} is none that this pm knows`);
  return row as unknown as PlannedRow;
}

const isKnown = (resource: unknown, operation: unknown): boolean =>
  everyResource.some(({ name, operations }) => name === resource && Object.hasOwn(operations, String(operation)));

function headerOf(path: string, line: Buffer): PlanHeader {
  const header = parsed(line);
  if (!isRecord(header) || header.pm !== 'plan' || typeof header.version !== 'number') throw noPlan(path);
  if (header.version > PLAN_VERSION) {
    throw new ServiceError('usage', `${path} is a plan of version ${header.version}, made by a newer pm`, {
      hint: `This pm reads version ${PLAN_VERSION}: use the newer one, or make the plan anew.`,
    });
  }
  const { id, site, url, profile, rows, sha256 } = header;
  if (![id, site, url, profile, sha256].every((one) => typeof one === 'string') || typeof rows !== 'number')
    throw damaged(path, 'its first line is not as it was written');
  return header as unknown as PlanHeader;
}

/** A line is never so long, and what has none is not held. */
const LONGEST = 64 * 1024 * 1024;
const LINE_END = 0x0a;

/** Lines as bytes, without their ends: what stands in a text may look like the end of a line elsewhere. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let rest: readonly Buffer[] = [];
  let held = 0;
  for await (const part of partsOf(path)) {
    let from = 0;
    for (let at = part.indexOf(LINE_END); at >= 0; at = part.indexOf(LINE_END, from)) {
      yield Buffer.concat([...rest, part.subarray(from, at)]);
      rest = [];
      held = 0;
      from = at + 1;
    }
    held += part.length - from;
    if (held > LONGEST) throw noPlan(path);
    rest = [...rest, part.subarray(from)];
  }
  if (held > 0) yield Buffer.concat(rest);
}

async function* partsOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path) as AsyncIterable<Buffer>;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    throw new ServiceError('usage', `the plan ${path} cannot be read: ${code}`, {
      next: { do: 'make-plan' },
      cause: error,
    });
  }
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const noPlan = (path: string): ServiceError =>
  new ServiceError('usage', `${path} is no plan of pm`, { next: { do: 'make-plan' } });

const damaged = (path: string, why: string): ServiceError =>
  new ServiceError('invalid', `the plan ${path} is damaged: ${why}`, {
    hint: 'Nothing was sent. Make the plan anew.',
  });

const PLAN_VERSION = 1;

/** The first line of a plan file. */
interface PlanHeader {
  readonly pm: 'plan';
  readonly version: number;
  /** The job that a run of it becomes: so it runs once. */
  readonly id: string;
  readonly profile: string;
  /** The service's address; `embedded` for the engine. */
  readonly url: string;
  readonly site: string;
  readonly caller: string;
  readonly created: string;
  readonly title: string;
  /** How many rows there are for each operation: `{ 'individuals update': 37 }`. */
  readonly counts: Readonly<Record<string, number>>;
  readonly unchanged: number;
  readonly rows: number;
  /** Of the lines of the rows, as they stand in the file. */
  readonly sha256: string;
}

export type NewPlan = Omit<PlanHeader, 'pm' | 'version' | 'counts' | 'unchanged' | 'rows' | 'sha256'>;

/**
 * Writes a plan, row by row; `unchanged` is asked at the end. The file is whole or not there. Only its owner can read it.
 * Throws as `writeOutput`, and what the rows throw.
 */
export const writePlanFile = (
  output: Output,
  plan: NewPlan,
  rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>,
  unchanged: () => number,
): Promise<PlanHeader> => writeOutput(output, (draft) => writePlan(draft, plan, rows, unchanged));

/** What is counted is known at the end: the first line is kept free for it, and filled with blanks. */
const ROOM = 4096;
const WRITTEN_AT_ONCE = 500;

async function writePlan(
  file: FileHandle,
  plan: NewPlan,
  rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>,
  unchanged: () => number,
): Promise<PlanHeader> {
  const room = ROOM + Buffer.byteLength(JSON.stringify(plan));
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  let total = 0;
  await file.write(`${' '.repeat(room)}\n`);
  for await (const some of inBatches(rows, WRITTEN_AT_ONCE)) {
    for (const row of some) count(counts, row);
    const text = some.map((row) => `${JSON.stringify(row)}\n`).join('');
    hash.update(text);
    total += some.length;
    await file.appendFile(text);
  }
  const header: PlanHeader = {
    ...{ pm: 'plan', version: PLAN_VERSION, ...plan },
    ...{ counts, unchanged: unchanged(), rows: total, sha256: hash.digest('hex') },
  };
  await file.write(Buffer.from(JSON.stringify(header)), 0, undefined, 0);
  return header;
}

function count(counts: Record<string, number>, { resource, operation }: PlannedRow): void {
  const name = `${resource} ${operation}`;
  counts[name] = (counts[name] ?? 0) + 1;
}
