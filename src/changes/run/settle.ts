// Settles a row of unknown outcome, as the caller has found it.
import { ServiceError } from '../../contract/errors.ts';
import type { JobHead, JobRow, JobStore } from '../../contract/jobs.ts';
import { sameID } from '../../contract/kinds.ts';
import { singular } from '../../contract/resource.ts';
import { defined } from '../../text/defined.ts';
import { withLock } from '../jobs/access.ts';
import { conflict } from '../jobs/state.ts';
import { takesID } from '../plan/planner.ts';
import { operationOfRow } from './apply-row.ts';
import { markOf } from './marks.ts';

/** Done, with the ID of the record that the row made; or `pending`: it was not done, and can be run. */
export type Outcome = { readonly state: 'done'; readonly id: string | undefined } | { readonly state: 'pending' };

interface Settling {
  readonly number: number;
  readonly outcome: Outcome;
  /** The user name of who says so. */
  readonly caller: string;
  readonly dryRun: boolean;
  /** Asks whether it is so. Throws `confirmation` where it is not. */
  confirm(row: JobRow): Promise<void>;
}

/**
 * Throws `not_found` for a row that the job has not, `conflict` where its outcome is known, `usage` where the ID of the new
 * record is missing, `busy` while another process runs the job, and as `confirm`; then nothing is settled.
 */
export function settleRow(jobs: JobStore, job: string, settling: Settling): Promise<void> {
  const { number, outcome, caller, dryRun } = settling;
  return withLock(jobs, job, {}, async (head) => {
    const row = await unknownRow(jobs, head, number);
    if (outcome.state === 'done') checkID(head, row, outcome.id);
    if (dryRun) return;
    await settling.confirm(row);
    // What it changed besides is not known.
    const { error, effects, now, ...expected } = row.result ?? {};
    const id = outcome.state === 'done' ? outcome.id : undefined;
    const result = defined({ ...expected, id: id ?? expected.id, settledBy: caller });
    if (id !== undefined) await learnID(jobs, head, row, id);
    await jobs.mark(job, [markOf(number, outcome.state, result)]);
  });
}

async function unknownRow(jobs: JobStore, { id }: JobHead, number: number): Promise<JobRow> {
  for await (const row of jobs.rows(id)) {
    if (row.number !== number) continue;
    if (row.state === 'intent' || row.state === 'unknown') return row;
    throw conflict(`row ${number} of job ${id} is ${row.state}: its outcome is known`, { do: 'show-job', job: id });
  }
  throw new ServiceError('not_found', `job ${id} has no row ${number}`, { next: { do: 'show-job', job: id } });
}

/** A record whose ID the service may have given must be named, or nothing could refer to it or take it back. */
function checkID({ settings }: JobHead, row: JobRow, id: string | undefined): void {
  const { resource, operation } = operationOfRow(row);
  const isOurs = takesID(resource) && settings.keepsIDs === true;
  if (operation.verb !== 'create' || isOurs || id !== undefined) return;
  throw new ServiceError('usage', `row ${row.number} made a new ${singular(resource)}: which one is it?`, {
    hint: 'Give its ID, too.',
  });
}

/** The first new record shows whether the service keeps IDs, also where the caller has found it. */
async function learnID(jobs: JobStore, { id: job, settings }: JobHead, row: JobRow, id: string): Promise<void> {
  const { resource, operation } = operationOfRow(row);
  if (operation.verb !== 'create' || !takesID(resource) || settings.keepsIDs !== undefined) return;
  await jobs.set(job, { settings: { ...settings, keepsIDs: sameID(id, row.id) } });
}
