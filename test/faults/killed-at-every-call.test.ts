// An import that is killed at a call by which it changes the disk: it is done as a whole or not at all, and once when it
// is gone on with. The floor: some calls of each kind; the long run: every call of a few rows, a third of many.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { inLong } from '../support/long.ts';
import { pmIn } from '../support/pm.ts';
import { programIn } from '../support/program.ts';
import { PM } from '../support/terminal.ts';
import { PROGRAM } from './acknowledging.ts';
import {
  broughtToEnd,
  importing,
  inTurns,
  isSound,
  jobsIn,
  made,
  plannedIn,
  twice,
  usingGround,
  wanted,
} from './ground.ts';
import { type Point, pointsOf, runUntil } from './tracing.ts';

const LANES = 3;
const ground = usingGround();

/** A few rows are one transaction with their plan; more are planned first. */
const FEW = 5;
const MANY = 501;
const STEPS: Readonly<Record<number, number>> = inLong({ [FEW]: 9, [MANY]: 120 }, { [FEW]: 1, [MANY]: 3 });
/** Each kind begins at another one, so that what two kinds do together is not left out together. */
const KINDS = ['pwrite64', 'fsync', 'fdatasync', 'ftruncate', 'unlink'];
const triedOf =
  (rows: number) =>
  ({ call, k }: Point): boolean =>
    (k + KINDS.indexOf(call)) % (STEPS[rows] ?? 1) === 0;

interface Seen extends Point {
  readonly killed: boolean;
  readonly sound: boolean;
  /** The records and the marks of the job say the same. */
  readonly agree: boolean;
  readonly atTheEnd: readonly string[];
}

async function killedAt(point: Point, file: string): Promise<Seen> {
  const home = ground.home();
  const { exit } = await runUntil(point, 'signal=SIGKILL', [PM, ...importing(file)], home);
  const done = jobsIn(home).at(-1)?.counts.done ?? 0;
  const seen = { ...point, killed: exit === -1, sound: isSound(home), agree: done === made(home).length };
  await broughtToEnd(home, file);
  return { ...seen, atTheEnd: made(home) };
}

describe.each([FEW, MANY])('an import of %i rows', { tags: 'strace' }, (rows) => {
  let file = '';
  let all: readonly Point[] = [];
  beforeAll(async () => {
    file = ground.colors(rows);
    all = await pointsOf([PM, ...importing(file)], ground.home());
  });

  it('writes, and waits for the disk, at many points', () => {
    const calls = (name: string): number => all.filter(({ call }) => call === name).length;
    expect(calls('pwrite64')).toBeGreaterThan(20);
    expect(calls('fsync') + calls('fdatasync')).toBeGreaterThanOrEqual(5);
  });

  it('is whole and done once, wherever it is killed', async () => {
    const points = all.filter(triedOf(rows));
    const seen = await inTurns(points, LANES, (point) => killedAt(point, file));
    const well = { killed: true, sound: true, agree: true, atTheEnd: wanted(rows) };
    expect(seen).toEqual(points.map((point) => ({ ...point, ...well })));
  });
});

describe('an import', { tags: 'strace' }, () => {
  it('would be done twice by a program that keeps the journal outside of the transaction', async () => {
    const program = await programIn(ground.root, PROGRAM);
    const doubled = await inTurns([1, 2, 3, 4, 5, 6], LANES, async (k) => {
      const home = ground.home();
      const job = await plannedIn(home, FEW);
      const args = [program, 'outside', join(home, 'local.db'), 'admin', job];
      await runUntil({ call: 'fsync', k }, 'signal=SIGKILL', args, home);
      await pmIn(() => home)(['jobs', 'resume', job]).prints();
      return twice(made(home)).length;
    });
    expect(Math.max(...doubled)).toBe(1);
  });
});
