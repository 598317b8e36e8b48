// Options of a run, its progress, and time-ordered IDs of new records.
import type { Counts, Summary } from '../../changes/run/counts.ts';
import type { RunOptions } from '../../changes/run/options.ts';
import type { Context } from '../context.ts';
import { progress } from '../output/progress.ts';

/** Run options that are not kept with the job. */
export type RunExtras = Pick<RunOptions, 'onDrift' | 'onDone' | 'onFailed' | 'secretOf' | 'unchanged' | 'unknownFor'>;

type Work = (options: RunOptions) => Promise<Summary>;

/** In milliseconds: no service works on a request for ten minutes. */
const UNKNOWN_FOR = 600_000;
/** It is never shorter than so many timeouts of a request. */
const TIMEOUTS = 3;

export function runOptions({ io, settings }: Context, how: RunExtras): RunOptions {
  return {
    ...how,
    unknownFor: Math.max(how.unknownFor ?? UNKNOWN_FOR, TIMEOUTS * settings.timeout),
    concurrency: settings.concurrency,
    clock: () => io.now(),
    newID: () => crypto.randomUUID(),
    ...(io.stopped ? { signal: io.stopped } : {}),
  };
}

export async function withProgress(context: Context, total: number, how: RunExtras, work: Work): Promise<Summary> {
  const { io, settings } = context;
  let counts: Counts = {};
  const bar = progress(io, { title: 'Rows', total, quiet: !settings.progress, suffix: () => failuresIn(counts) });
  let shown = 0;
  const onProgress = (now: Counts): void => {
    counts = now;
    const done = Object.values(now).reduce((sum, count) => sum + count, 0);
    bar.tick(done - shown);
    shown = done;
  };
  try {
    return await finishing(context, () => work({ ...runOptions(context, how), onProgress }));
  } finally {
    bar.done();
  }
}

/** An interruption of `work` lets what is in flight finish, and `says` so; a second one ends the process. */
export async function finishing<T>(
  context: Context,
  work: () => Promise<T>,
  says = 'Interrupted: pm finishes the running requests first.',
): Promise<T> {
  const { stopped } = context.io;
  const onStop = (): void => context.note(says);
  stopped?.addEventListener('abort', onStop);
  try {
    return await work();
  } finally {
    stopped?.removeEventListener('abort', onStop);
  }
}

const failuresIn = ({ failed = 0, drifted = 0, unknown = 0 }: Counts): string =>
  Object.entries({ failed, drifted, unknown })
    .flatMap(([word, count]) => (count === 0 ? [] : [`, ${count} ${word}`]))
    .join('');

/** Makes GUIDs of version 7 (RFC 9562): time first, then a counter, then 62 random bits. `now` is in milliseconds. */
export function orderedIDs(now: () => number): () => string {
  const random = randomEnds();
  let moment = 0;
  let count = 0;
  let time = '';
  const begin = (at: number): void => {
    [moment, count] = [at, 0];
    const digits = at.toString(16).padStart(12, '0');
    time = `${digits.slice(0, 8)}-${digits.slice(8)}`;
  };
  return () => {
    const clock = now();
    // IDs stay ordered when the clock stops or goes back.
    if (clock > moment) begin(clock);
    else if (++count > MAX_COUNT) begin(moment + 1);
    return `${time}-7${count.toString(16).padStart(3, '0')}-${random()}`;
  };
}

/** The counter of IDs within a millisecond has twelve bits. */
const MAX_COUNT = 0xfff;

/** The ends of GUIDs, with their variant. To draw the bytes of many together takes a third of the time. */
function randomEnds(): () => string {
  const drawn = Buffer.alloc(4096);
  let at = drawn.length;
  return () => {
    if (at === drawn.length) {
      crypto.getRandomValues(drawn);
      at = 0;
    }
    drawn[at] = ((drawn[at] ?? 0) & 0x3f) | 0x80;
    const digits = drawn.toString('hex', at, at + 8);
    at += 8;
    return `${digits.slice(0, 4)}-${digits.slice(4)}`;
  };
}
