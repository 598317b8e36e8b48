// A seed that is killed: the sample is there whole or not at all, and running it again makes it whole.
// The floor: two kills at a moment and three at a call; the long run: 100, and 300 of the calls by which it changes the disk.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { inLong } from '../support/long.ts';
import { pmIn } from '../support/pm.ts';
import { PM } from '../support/terminal.ts';
import { inTurns, isSound, pastOf, usingGround } from './ground.ts';
import { evenly, pointsOf, runUntil } from './tracing.ts';

const LANES = 3;
const KILLS = inLong(2, 100);
const MOST_POINTS = inLong(3, 300);
const LONGEST_MS = 1_500;
const SEED = ['seed', '--sample', 'large', '--individuals', '30'];
const MADE = 'Made 150 accountabilities';

const ground = usingGround();
const empty = (): string => mkdtempSync(join(ground.root, 'empty-'));

/** How many lines the past of a site has; a database that is not there is made. */
async function linesIn(home: string): Promise<number> {
  await pmIn(() => home)('whoami').prints();
  return pastOf(home);
}

let nothing = 0;
let everything = 0;
beforeAll(async () => {
  const home = empty();
  nothing = await linesIn(home);
  await pmIn(() => home)(SEED).says(MADE);
  everything = await linesIn(home);
});

interface Seen {
  readonly before: 'nothing' | 'everything' | number;
  readonly sound: boolean;
  readonly after: number;
}

/** What a killed seed has left behind, and what running it again leaves. */
async function seenIn(home: string): Promise<Seen> {
  const lines = await linesIn(home);
  const before = lines === nothing ? 'nothing' : lines === everything ? 'everything' : lines;
  await pmIn(() => home)(SEED).says(before === 'nothing' ? MADE : 'The site holds this sample already');
  return { before, sound: isSound(home), after: await linesIn(home) };
}

const halfway = (seen: readonly Seen[]): readonly Seen[] =>
  seen.filter(({ before, sound, after }) => typeof before === 'number' || !sound || after !== everything);

async function killedAfter(milliseconds: number): Promise<Seen> {
  const home = empty();
  const child = spawn(process.execPath, [PM, ...SEED], {
    env: { ...process.env, CI: '', PM_HOME: home, USER: 'admin' },
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  await Promise.race([pause(milliseconds), ended]);
  child.kill('SIGKILL');
  await ended;
  return seenIn(home);
}

it(`is whole or not begun after each of ${KILLS} kills, and whole when it is run again`, async () => {
  const moments = Array.from({ length: KILLS }, () => Math.random() * LONGEST_MS);
  expect(halfway(await inTurns(moments, LANES, killedAfter))).toEqual([]);
});

describe('at a call by which it changes the disk', { tags: 'strace' }, () => {
  it('is whole or not begun when it is killed, and whole when it is run again', async () => {
    const all = await pointsOf([PM, ...SEED], empty());
    expect(all.length).toBeGreaterThan(30);
    const seen = await inTurns(evenly(all, MOST_POINTS), LANES, async (point) => {
      const home = empty();
      await runUntil(point, 'signal=SIGKILL', [PM, ...SEED], home);
      return seenIn(home);
    });
    expect(halfway(seen)).toEqual([]);
    expect(seen.map(({ before }) => before)).toContain('nothing');
  });
});
