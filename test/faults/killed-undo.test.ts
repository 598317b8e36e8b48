// An undo that is killed at a call by which it changes the disk: its job is taken back once, whoever goes on from there.
// What it takes back are final deletions, which a second undo would make anew. The floor: every fourth call of each kind;
// the long run: every call.
import { beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../support/long.ts';
import { pmIn } from '../support/pm.ts';
import { PM } from '../support/terminal.ts';
import { deleting, importing, inTurns, isSound, jobsIn, made, tellKills, usingGround, wanted } from './ground.ts';
import { type Point, pointsOf, runUntil } from './tracing.ts';

const ROWS = 5;
const LANES = 3;
const UNDO = ['undo', '--yes'];
const isTried = ({ k }: Point): boolean => isLong || k % 12 === 0;
const ground = usingGround();

interface Seen extends Point {
  readonly killed: boolean;
  readonly sound: boolean;
  readonly left: string;
  readonly atTheEnd: readonly string[];
}

/** Kills the undo; then goes on as it is told to, and asks for the undo once more. */
async function killedAt(point: Point, deleted: string): Promise<Seen> {
  const home = ground.copy(deleted);
  const pm = pmIn(() => home);
  const before = jobsIn(home);
  const job = before.at(-1)?.id ?? '';
  const { exit } = await runUntil(point, 'signal=SIGKILL', [PM, ...UNDO], home);
  const { id: undo, state, counts } = jobsIn(home)[before.length] ?? { id: '', state: 'nothing', counts: {} };
  const seen = { ...point, killed: exit === -1, sound: isSound(home), left: `${state} ${JSON.stringify(counts)}` };
  if (state === 'stopped') await pm(['jobs', 'resume', undo]).prints('ended');
  else if (state !== 'ended') await pm(['undo', job, '--yes']).prints('ended');
  await pm(['undo', job, '--yes']).fails(7, 'undone already');
  for (const verb of ['resume', 'retry']) await pm(['jobs', verb, job, '--yes']).fails(7, 'undone already');
  expect(jobsIn(home).filter(({ state: at }) => at !== 'ended')).toEqual([]);
  return { ...seen, atTheEnd: [...made(home)].sort() };
}

describe('an undo of five final deletions', { tags: 'strace' }, () => {
  let deleted = '';
  beforeAll(async () => {
    deleted = ground.home();
    const pm = pmIn(() => deleted);
    await pm(importing(ground.colors(ROWS))).prints();
    await pm([...deleting(deleted), '--confirm', 'local:5']).prints('ended');
    expect(made(deleted)).toEqual([]);
  });

  it('is done once, wherever it is killed', async () => {
    const points = (await pointsOf([PM, ...UNDO], ground.copy(deleted))).filter(isTried);
    const seen = await inTurns(points, LANES, (point) => killedAt(point, deleted));
    const well = { killed: true, sound: true, atTheEnd: wanted(ROWS) };
    expect(seen).toEqual(seen.map((one, at) => ({ ...one, ...points[at], ...well })));
    tellKills(
      'undo',
      seen.map(({ left }) => left),
    );
  });
});
