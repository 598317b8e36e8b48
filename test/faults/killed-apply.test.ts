// An apply that is killed at a call by which it changes the disk: where it was planning, nothing was done and the plan
// can be applied again. The floor: every fifth call of each kind; the long run: every call.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Pm, pmIn } from '../support/pm.ts';
import { PM } from '../support/terminal.ts';
import { importing, inTurns, isLong, isSound, jobsIn, made, tellKills, usingGround, wanted } from './ground.ts';
import { hasStrace, type Point, pointsOf, runUntil } from './tracing.ts';

/** More than are held in memory, so that the plan is written down before it is run. */
const ROWS = 501;
const LANES = 3;
const isTried = ({ k }: Point): boolean => k % (isLong ? 3 : 40) === 0;
const ground = usingGround();

/** Where a killed command left its job. */
type Left = 'nothing' | 'planning' | 'planned' | 'begun';

const leftIn = (home: string): Left => {
  const state = jobsIn(home).at(-1)?.state;
  if (state === undefined) return 'nothing';
  return state === 'planning' || state === 'planned' ? state : 'begun';
};

/** What was done nowhere is said to be so, and leaves no trace of being asked. */
async function saysNothingWasDone(pm: Pm, home: string): Promise<void> {
  const job = jobsIn(home).at(-1)?.id ?? '';
  await pm(['jobs', 'resume', job, '--yes']).fails(7, 'nothing of it was done', 'Give the command once more.');
  expect(made(home)).toEqual([]);
}

interface Seen extends Point {
  readonly killed: boolean;
  readonly sound: boolean;
  readonly left: Left;
  readonly atTheEnd: readonly string[];
}

async function killedAt(point: Point, line: readonly string[], goesOn: (pm: Pm, home: string) => Promise<unknown>) {
  const home = ground.home();
  const { exit } = await runUntil(point, 'signal=SIGKILL', [PM, ...line], home);
  const seen = { ...point, killed: exit === -1, sound: isSound(home), left: leftIn(home) };
  const pm = pmIn(() => home);
  if (seen.left === 'planning') await saysNothingWasDone(pm, home);
  await goesOn(pm, home);
  return { ...seen, atTheEnd: made(home) } satisfies Seen;
}

const resumed = (pm: Pm, home: string): Promise<unknown> =>
  pm(['jobs', 'resume', jobsIn(home).at(-1)?.id ?? '', '--yes']).says();

/** Tries a command at each point; expects what goes on from there to bring it to the same end. */
async function tries(line: readonly string[], again: (left: Left) => (pm: Pm, home: string) => Promise<unknown>) {
  const points = (await pointsOf([PM, ...line], ground.home())).filter(isTried);
  const seen = await inTurns(points, LANES, (point) =>
    killedAt(point, line, (pm, home) => again(leftIn(home))(pm, home)),
  );
  const well = { killed: true, sound: true, atTheEnd: wanted(ROWS) };
  expect(seen).toEqual(seen.map((one, at) => ({ ...one, ...points[at], ...well })));
  const left = seen.map((one) => one.left);
  expect(left).toContain('planning');
  tellKills(String(line[0]), left);
}

describe.skipIf(!hasStrace)('wherever it is killed,', () => {
  let plan = '';
  beforeAll(async () => {
    plan = join(ground.root, 'colors.plan');
    const home = ground.home();
    await pmIn(() => home)(['plan', 'colors', ground.colors(ROWS), '--mode', 'create', '--out', plan]).says();
  });

  it('an apply can be given again, or gone on with, and is done once', async () => {
    const line = ['apply', plan, '--yes'];
    await tries(line, (left) => (left === 'begun' ? resumed : (pm) => pm(line).prints()));
  });

  it('an import can be given again where it did nothing, or gone on with, and is done once', async () => {
    const line = importing(ground.colors(ROWS));
    await tries(line, (left) => (left === 'begun' || left === 'planned' ? resumed : (pm) => pm(line).prints()));
  });
});
