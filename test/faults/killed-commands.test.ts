// Commands of many rows that are killed at a call by which they change the disk: where one was planning, nothing was done
// and it can be given again; else it is gone on with. Both ways its rows are done once. The floor: 3 calls of each
// command, evenly; the long run: 300.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { inLong } from '../support/long.ts';
import { type Pm, pmIn } from '../support/pm.ts';
import { PM } from '../support/terminal.ts';
import { importing, inTurns, isSound, jobsIn, made, tellKills, usingGround, wanted } from './ground.ts';
import { evenly, type Point, pointsOf, runUntil } from './tracing.ts';

/** More than are held in memory, so that the plan is written down before it is run. */
const ROWS = 501;
const LANES = 3;
const POINTS = inLong(3, 300);
const ground = usingGround();

/** Where a killed command left its job. */
type Left = 'nothing' | 'planning' | 'planned' | 'begun';

/** `jobs`: how many there were before. */
const leftIn = (home: string, jobs: number): Left => {
  const state = jobsIn(home)[jobs]?.state;
  if (state === undefined) return 'nothing';
  return state === 'planning' || state === 'planned' ? state : 'begun';
};

/** What was done nowhere is said to be so, and leaves no trace of being asked. */
async function saysNothingWasDone(pm: Pm, home: string, before: readonly string[]): Promise<void> {
  const job = jobsIn(home).at(-1)?.id ?? '';
  await pm(['jobs', 'resume', job, '--yes']).fails(7, 'it changed nothing', 'Run the command again.');
  expect(made(home)).toEqual(before);
}

interface Command {
  readonly line: readonly string[];
  /** The site where it is given. */
  readonly home: string;
  /** The colors there once it has ended. */
  readonly end: readonly string[];
  /** The states of its job from which it is resumed; from the others it is given again. */
  readonly resumed: readonly Left[];
}

interface Seen extends Point {
  readonly killed: boolean;
  readonly sound: boolean;
  readonly left: Left;
  readonly atTheEnd: readonly string[];
}

async function killedAt(point: Point, { line, home: from, resumed }: Command): Promise<Seen> {
  const home = ground.copy(from);
  const before = made(home);
  const jobs = jobsIn(home).length;
  const { exit } = await runUntil(point, 'signal=SIGKILL', [PM, ...line], home);
  const left = leftIn(home, jobs);
  const seen = { ...point, killed: exit === -1, sound: isSound(home), left };
  const pm = pmIn(() => home);
  if (left === 'planning') await saysNothingWasDone(pm, home, before);
  if (resumed.includes(left)) await pm(['jobs', 'resume', jobsIn(home).at(-1)?.id ?? '', '--yes']).says();
  // An undo of which every row is done has nothing left to take back.
  else await pm(line);
  return { ...seen, atTheEnd: [...made(home)].sort() };
}

/** Kills a command at each of the points; expects what goes on from there to bring it to the same end. */
async function endsAlike(command: Command): Promise<void> {
  const points = evenly(await pointsOf([PM, ...command.line], ground.copy(command.home)), POINTS);
  const seen = await inTurns(points, LANES, (point) => killedAt(point, command));
  const well = { killed: true, sound: true, atTheEnd: [...command.end].sort() };
  expect(seen).toEqual(seen.map((one, at) => ({ ...one, ...points[at], ...well })));
  const left = seen.map((one) => one.left);
  expect(left).toContain('begun');
  tellKills(String(command.line[0]), left);
}

describe('wherever it is killed,', { tags: 'strace' }, () => {
  const all = wanted(ROWS);
  let home = '';
  beforeAll(() => {
    home = ground.home();
  });

  it('an apply can be given again, or gone on with, and is done once', async () => {
    const plan = join(ground.root, 'colors.plan');
    await pmIn(() => home)(['plan', 'colors', ground.colors(ROWS), '--mode', 'create', '--out', plan]).says();
    await endsAlike({ line: ['apply', plan, '--yes'], home, end: all, resumed: ['begun'] });
  });

  it('an import can be given again where it did nothing, or gone on with, and is done once', async () => {
    await endsAlike({ line: importing(ground.colors(ROWS)), home, end: all, resumed: ['begun', 'planned'] });
  });

  it('so can an each', async () => {
    const words = ['colors', 'create', '--rank', '{Rank}', '--name', '{Name}', '--code', '{Code}'];
    const line = ['each', '--yes', ground.colors(ROWS), '--', ...words];
    await endsAlike({ line, home, end: all, resumed: ['begun', 'planned'] });
  });

  it('so can an undo', async () => {
    const full = ground.home();
    await pmIn(() => full)(importing(ground.colors(ROWS))).prints();
    await endsAlike({ line: ['undo', '--yes'], home: full, end: [], resumed: ['begun'] });
  });

  it('a sites create leaves a whole site or none', async () => {
    const line = ['sites', 'create', 'Annex', '--admin', 'ann'];
    const points = evenly(await pointsOf([PM, ...line], ground.copy(home)), POINTS);
    const seen = await inTurns(points, LANES, async (point) => {
      const at = ground.copy(home);
      const { exit } = await runUntil(point, 'signal=SIGKILL', [PM, ...line], at);
      const pm = pmIn(() => at);
      const isThere = (await pm('sites list -o id').prints()).trim().split('\n').length === 2;
      if (!isThere) await pm(line).prints();
      const people = await pm('individuals list --site Annex -o csv --fields UserName').prints();
      const departments = await pm('departments list --site Annex -o csv --fields Name').prints();
      return { killed: exit === -1, sound: isSound(at), people, departments, isThere };
    });
    const whole = { killed: true, sound: true, people: 'UserName\nann\n', departments: 'Name\nAnnex\n' };
    expect(seen).toEqual(seen.map(({ isThere }) => ({ ...whole, isThere })));
    expect(seen.map(({ isThere }) => isThere)).toContain(false);
  });
});
