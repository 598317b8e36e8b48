// A disk that is full, or a limit on the size of files: the command says so and what to do, keeps nothing by half, and
// goes on when there is room.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spaced } from '../../src/text/thousands.ts';
import { inLong } from '../support/long.ts';
import { PM, spawned, spawnPm } from '../support/terminal.ts';
import { broughtToEnd, importing, isSound, jobsIn, made, usingGround, wanted } from './ground.ts';
import { mountMemory, resize } from './mounts.ts';

const ROWS = 2_500;
const ENOUGH = 64 * 1024;
const FLOOR = [64, 1024, 3200, 8192];
const SIZES = inLong(
  FLOOR,
  Array.from({ length: 128 }, (_, at) => 64 * (at + 1)),
);
const FULL = /no room|could not be written/;
const WHAT_TO_DO = /hint: .*(room|df)/;
const ground = usingGround();

interface Told {
  readonly exit: number;
  readonly err: string;
}

/** Whole commits, of which the job says the same, and the command, where it is not all. */
function expectWhole(home: string, { exit, err }: Told): void {
  const count = made(home).length;
  expect(isSound(home)).toBe(true);
  expect(jobsIn(home).at(-1)?.counts.done ?? 0).toBe(count);
  if (exit === 0) expect(count).toBe(ROWS);
  else if (count > 0) expect(err).toContain(`${spaced(count)} of ${spaced(ROWS)} rows are done`);
}

async function expectGoesOn(home: string, file: string): Promise<void> {
  await broughtToEnd(home, file);
  expect(made(home)).toEqual(wanted(ROWS));
}

/** Ends well, or says that there is no room; never otherwise. */
function expectTold({ exit, err }: Told): void {
  expect([0, 10]).toContain(exit);
  if (exit === 0) return;
  expect(err).toMatch(FULL);
  expect(err).toMatch(WHAT_TO_DO);
  expect(err).not.toMatch(/\n\s+at /);
}

describe('a disk of', { tags: 'memory' }, () => {
  const exits: number[] = [];

  it.each(SIZES)('%i KiB', async (kib) => {
    const file = ground.colors(ROWS);
    const home = join(ground.root, `disk-${kib}`);
    const unmount = mountMemory(home, kib);
    try {
      const born = await spawnPm(['individuals', 'list'], home);
      expectTold(born);
      if (born.exit !== 0) {
        expect(readdirSync(home)).toEqual([]);
        resize(home, ENOUGH);
        expect((await spawnPm(['individuals', 'list'], home)).exit).toBe(0);
        exits.push(born.exit);
        return;
      }
      const told = await spawnPm(importing(file), home);
      expectTold(told);
      exits.push(told.exit);
      resize(home, ENOUGH);
      expectWhole(home, told);
      await expectGoesOn(home, file);
    } finally {
      unmount();
    }
  });

  it('is full sometimes, and sometimes not', () => {
    expect(new Set(exits)).toEqual(new Set([0, 10]));
  });
});

describe('a limit on the size of files', { tags: 'limits' }, () => {
  it.each(inLong([700], [600, 700, 900]))('of %i KiB', async (kib) => {
    const file = ground.colors(ROWS);
    const home = ground.home();
    const limited = ['prlimit', `--fsize=${kib * 1024}`, process.execPath, PM, ...importing(file)];
    const told = await spawned(limited[0] ?? '', limited.slice(1), home);
    expectTold(told);
    expect(told.exit).toBe(10);
    expectWhole(home, told);
    await expectGoesOn(home, file);
  });
});
