// Runs a job on a remote service: a few rows at once, each after those before it that touch the same.
import type { JobRow } from '../../contract/jobs.ts';
import { openLanes, touchOf } from './lanes.ts';
import { markOf } from './marks.ts';
import { interrupted, type Run, type Stopped } from './options.ts';
import { beginRemote, isNew, isUnlearned, keeps, type Remote, renamedRow, runRow, takeSettled } from './remote-row.ts';
import { settle } from './resolve-unknown.ts';

const CONCURRENCY = 4;

/** Runs the rows. Answers why it ended early. Throws what the journal throws. */
export async function runRemote(run: Run, rows: AsyncIterable<JobRow>): Promise<Stopped> {
  const remote = await beginRemote(run);
  const lanes = openLanes(run.options.concurrency ?? CONCURRENCY);
  let source: number | undefined;
  for await (const row of rows) {
    // What a row brings about besides, as the membership of a new individual, only rows of later files rely on.
    if (row.source !== source) await lanes.idle();
    source = row.source;
    if (run.options.signal?.aborted) remote.stopped ??= interrupted();
    if (remote.stopped || remote.broken) break;
    const shows = isUnlearned(remote, row);
    if (shows) await lanes.idle();
    await lanes.begin(touchOf(row, isNew(row) && !keeps(remote, row)), () => guarded(remote, row));
    if (shows) await lanes.idle();
  }
  await lanes.idle();
  return finished(remote);
}

/**
 * Settles what an earlier run sent and had no answer to: done, to be sent again, or as unknown as before.
 * Throws what keeps the service from being asked.
 */
export async function settleRows(run: Run, rows: AsyncIterable<JobRow>): Promise<void> {
  const remote = await beginRemote(run);
  for await (const given of rows) {
    const row = await renamedRow(remote, given);
    const settled = await settle(run.session, row, remote.keepsIDs);
    if (settled.state === 'again') await run.jobs.mark(run.head.id, [markOf(row.number, 'pending')]);
    else await takeSettled(remote, row, settled);
  }
  await finished(remote);
}

/** A failure that is no row's own stops the run after what is in flight: a row that waited for a lane is then left. */
async function guarded(remote: Remote, row: JobRow): Promise<void> {
  if (remote.stopped || remote.broken) return;
  try {
    await runRow(remote, row);
  } catch (error) {
    remote.broken ??= { error };
  }
}

/** Comes back when every mark is durable. */
async function finished(remote: Remote): Promise<Stopped> {
  await Promise.all(remote.noting);
  if (remote.broken) throw remote.broken.error;
  remote.run.options.onProgress?.(remote.run.tally.counts);
  return remote.stopped;
}
