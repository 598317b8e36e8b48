// Runs a job on a remote service: a few rows at once, each after those before it that touch the same.

import { resourceNamed } from '../../contract/index.ts';
import type { JobRow, PlannedRow } from '../../contract/jobs.ts';
import { isGuid } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/record-address.ts';
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

interface Lanes {
  /** Begins the work when there is room for it and nothing in flight touches the same; comes back when it has begun. */
  begin(touch: Touch, work: () => Promise<void>): Promise<void>;
  /** Settles when nothing is in flight. */
  idle(): Promise<void>;
}

/** What a row changes, and what it speaks of. */
interface Touch {
  readonly owns: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

export function openLanes(limit: number): Lanes {
  const flying = new Map<Promise<void>, Touch>();
  const isFree = (touch: Touch): boolean =>
    flying.size < limit && ![...flying.values()].some((other) => meet(touch, other));
  return {
    async begin(touch, work) {
      while (!isFree(touch)) await Promise.race(flying.keys());
      const flight: Promise<void> = work().finally(() => flying.delete(flight));
      flying.set(flight, touch);
    },
    async idle() {
      while (flying.size > 0) await Promise.race(flying.keys());
    },
  };
}

/**
 * What a row touches. `alone`: new records under one owner are told apart by what was there before each of them, so
 * they come one by one.
 */
export function touchOf(row: PlannedRow, alone: boolean): Touch {
  const resource = resourceNamed(row.resource);
  const members = { ...row.body, ...row.patch };
  const params = Object.values(row.params ?? {});
  const ids = row.id === undefined ? params : [row.id];
  const names = new Set<string>(params);
  const owns = new Set(ids.map((id) => id.toLowerCase()));
  for (const name in members) {
    const value = members[name];
    if (typeof value === 'string' && isGuid(value)) names.add(value.toLowerCase());
    // A text that must be unique may be free only since the row before.
    if (resource.fields[name]?.unique) (row.patch ? owns : names).add(`${row.resource} ${name}`);
  }
  if (alone) owns.add([row.resource, ...ownersOf(resource).map(({ field }) => members[field])].join(' '));
  return { owns, names };
}

function meet(one: Touch, other: Touch): boolean {
  for (const key of one.owns) if (other.owns.has(key) || other.names.has(key)) return true;
  for (const key of one.names) if (other.owns.has(key)) return true;
  return false;
}
