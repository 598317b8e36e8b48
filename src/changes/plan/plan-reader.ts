// Reads a plan file. Everything is checked before the first row is handed on.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { ServiceError } from '../../contract/errors.ts';
import { everyResource, resourceNamed } from '../../contract/index.ts';
import type { JobStore, PlannedRow } from '../../contract/jobs.ts';
import { sameID } from '../../contract/kinds.ts';
import type { Next } from '../../contract/next.ts';
import { type Check, checkBy, parsedJson } from '../../files/checked.ts';
import { systemCode, whyUnreadable } from '../../text/system-code.ts';
import { isConfirmed, outcomeOf } from '../jobs/state.ts';
import { PLAN_VERSION, type PlanHeader, planHeader, plannedRow, sealedText } from './plan-file.ts';
import { ownParams } from './planner.ts';

/**
 * Opens a plan and checks that it is whole and as it was written. Throws `usage` where the file is missing or is no plan
 * of this version, `invalid` where it was cut or edited.
 */
export async function readPlanFile(path: string) {
  const hash = createHash('sha256');
  let header: PlanHeader | undefined;
  let rows = 0;
  for await (const line of linesOf(path)) {
    if (header) {
      hash.update(line).update('\n');
      rows++;
    } else header = await headerOf(path, line);
  }
  if (!header) throw noPlan(path);
  const whole = header;
  if (rows < whole.rows) throw damaged(path, `it ends after ${rows} of ${whole.rows} rows`);
  const ofRows = hash.copy().digest('hex');
  if (whole.sha256 !== hash.update(sealedText(whole)).digest('hex'))
    throw damaged(path, 'it was changed after it was written');
  return {
    header: whole,
    /** Reads the rows from the file, as often as it is asked to. Throws `invalid` where they are others than were hashed. */
    rows: () => rowsOf(path, ofRows),
  };
}

type Where = Pick<PlanHeader, 'profile' | 'url' | 'site'>;

/**
 * May the plan run here? Throws `conflict` where it is for another site or service, or has run. A run that was not agreed
 * to, or ended before its plan was whole, does not count.
 */
export async function checkPlan(header: Where & Pick<PlanHeader, 'id'>, here: Where, jobs: JobStore): Promise<void> {
  if (header.site !== here.site || header.url !== here.url) {
    const { profile, site, url } = header;
    throw new ServiceError(
      'conflict',
      `the plan is for site ${site} of ${profile} (${url}), not for site ${here.site} of ${here.profile}`,
      { hint: 'Make a new plan for here.', next: wayThere(header, here) },
    );
  }
  const job = await jobs.head(header.id);
  if (!job || !isConfirmed(job)) return;
  const { failed, drifted } = job.counts;
  const ended = failed ? 'retry-job' : drifted ? 'overwrite-drift' : 'show-job';
  throw new ServiceError('conflict', `the plan has run already, as job ${job.id}: ${outcomeOf(job)}`, {
    next: { do: job.state === 'ended' ? ended : 'resume-job', job: job.id },
  });
}

/** Is the address that of a database, and not of a service? */
export const isDatabase = (url: string): boolean => /^postgres:/.test(url);

/** A database may have no profile, or another one on each machine. */
function wayThere({ profile, url }: Where, here: Where): Next | undefined {
  if (isDatabase(url)) return url === here.url ? undefined : { do: 'use-database', address: url };
  return profile === here.profile ? undefined : { do: 'use-profile', name: profile };
}

async function* rowsOf(path: string, sha256: string): AsyncGenerator<PlannedRow> {
  const check = await checkBy(plannedRow);
  const hash = createHash('sha256');
  let number = 0;
  for await (const line of linesOf(path)) {
    if (number > 0) {
      hash.update(line).update('\n');
      yield rowOf(path, line, number, check);
    }
    number++;
  }
  if (hash.digest('hex') !== sha256) throw damaged(path, 'it was changed while it was read');
}

function rowOf(path: string, line: Buffer, number: number, check: Check): PlannedRow {
  const row = parsedJson(line.toString('utf8'));
  const wrong = check(row);
  if (wrong !== undefined) throw damaged(path, `row ${number}: ${wrong}`);
  const planned = row as PlannedRow;
  if (planned.number !== number || !isKnown(planned)) throw damaged(path, `this pm does not know row ${number}`);
  if (!namesOneRecord(planned)) throw damaged(path, `row ${number} names one record and changes another`);
  return planned;
}

const isKnown = ({ resource, operation, also = [] }: PlannedRow): boolean =>
  hasOperation(resource, operation) && also.every((one) => hasOperation(one.resource, one.operation));

/** People see the ID; the parameters are sent. */
function namesOneRecord({ resource, operation, by, params = {}, id }: PlannedRow): boolean {
  const planned = resourceNamed(resource).operations[operation];
  if (!planned || planned.verb === 'create') return true;
  return Object.entries(ownParams(planned, by, id)).every(([name, own]) => sameID(params[name] ?? own, own));
}

const hasOperation = (resource: string, operation: string): boolean =>
  everyResource.some(({ name, operations }) => name === resource && Object.hasOwn(operations, operation));

async function headerOf(path: string, line: Buffer): Promise<PlanHeader> {
  const value = parsedJson(line.toString('utf8'));
  const isPlan = await checkBy((z) => z.object({ pm: z.literal('plan'), version: z.int() }));
  if (isPlan(value) !== undefined) throw noPlan(path);
  const header = value as PlanHeader;
  if (header.version !== PLAN_VERSION) {
    const versions = `is a plan of version ${header.version}, and this pm reads version ${PLAN_VERSION}`;
    throw new ServiceError('usage', `${path} ${versions}`, { hint: 'Use the pm that made it, or plan again.' });
  }
  const wrong = (await checkBy(planHeader))(value);
  if (wrong !== undefined) throw damaged(path, `its first line: ${wrong}`);
  return header;
}

/** No line of a plan is longer; a file without line ends is given up here and not read into memory. */
const LONGEST = 64 * 1024 * 1024;
const LINE_END = 0x0a;

/** Lines as bytes, without their ends: a sign in a text may look like the end of a line elsewhere. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let rest: readonly Buffer[] = [];
  let size = 0;
  for await (const part of partsOf(path)) {
    let from = 0;
    for (let at = part.indexOf(LINE_END); at >= 0; at = part.indexOf(LINE_END, from)) {
      yield Buffer.concat([...rest, part.subarray(from, at)]);
      rest = [];
      size = 0;
      from = at + 1;
    }
    size += part.length - from;
    if (size > LONGEST) throw noPlan(path);
    rest = [...rest, part.subarray(from)];
  }
  if (size > 0) yield Buffer.concat(rest);
}

async function* partsOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path) as AsyncIterable<Buffer>;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new ServiceError('usage', `the plan ${path} cannot be read: ${whyUnreadable(error)}`, {
      next: { do: 'make-plan' },
      cause: error,
    });
  }
}

const noPlan = (path: string): ServiceError =>
  new ServiceError('usage', `${path} is not a plan of pm`, { next: { do: 'make-plan' } });

const damaged = (path: string, why: string): ServiceError =>
  new ServiceError('invalid', `the plan ${path} is damaged: ${why}`, {
    hint: 'Nothing was sent. Make the plan again.',
  });
