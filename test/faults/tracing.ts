// Commands under strace: which calls change the disk, and what happens where one of them goes wrong.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandResult } from '../support/pm.ts';
import { spawned } from '../support/terminal.ts';

/** The calls that change files. */
const CALLS = ['pwrite64', 'fsync', 'fdatasync', 'ftruncate', 'unlink', 'rename'];

/** One call of a command: the how-manieth of its kind in its thread. */
export interface Point {
  readonly call: string;
  readonly k: number;
}

/** Every call by which a program of Node changes the disk; of several threads, those of the one that makes most. It is run to its end. */
export async function pointsOf(args: readonly string[], home: string): Promise<readonly Point[]> {
  const log = join(home, 'calls.txt');
  await traced(['-o', log, '-e', `trace=${CALLS.join()}`], args, home);
  const counts = new Map<string, number>();
  const next = (key: string): number => {
    const k = (counts.get(key) ?? 0) + 1;
    counts.set(key, k);
    return k;
  };
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, thread, call] = /^(\d+)\s+(\w+)\(/.exec(line) ?? [];
      if (call === undefined) return [];
      const k = next(`${thread} ${call}`);
      if (k <= (counts.get(call) ?? 0)) return [];
      return [{ call, k: next(call) }];
    });
}

/** Runs a program of Node; at this point the call is not made, and `what` happens instead: `signal=SIGKILL`, `error=EIO`. */
export const runUntil = (
  { call, k }: Point,
  what: string,
  args: readonly string[],
  home: string,
): Promise<CommandResult> =>
  traced(['-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${call}:${what}:when=${k}`], args, home);

const traced = (how: readonly string[], args: readonly string[], home: string): Promise<CommandResult> =>
  spawned('strace', ['-f', '-qq', ...how, process.execPath, ...args], home);

/** So many of the points at most, evenly spread: a large transaction makes thousands of calls that are alike. */
export function evenly(points: readonly Point[], most: number): readonly Point[] {
  const step = Math.max(1, Math.ceil(points.length / most));
  return points.filter((_, at) => at % step === 0);
}
