// The power goes: what the disk holds at that moment is copied, and looked at as the machine would find it afterwards. A
// kill is kinder: it leaves what was written in the memory of the system. The floor: one cut and its control; the long
// run: 30 cuts.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { inLong } from '../support/long.ts';
import { pmIn } from '../support/pm.ts';
import { programIn } from '../support/program.ts';
import { listening, PROGRAM } from './acknowledging.ts';
import { isSound, jobsIn, made, plannedIn, usingGround, wanted } from './ground.ts';
import { makeImage, mountImage } from './mounts.ts';

const CUTS = inLong(1, 30);
const ROWS = 2_000;
const PLANNED = 6_000;
const MIB = 24;
const MOST_HEARD = 100;
const ground = usingGround();

interface Found {
  /** Names that were acknowledged, and are not there. */
  readonly lost: readonly string[];
  readonly sound: boolean;
  /** The records and the marks of the job say the same. */
  readonly agree: boolean;
  /** What is there when the job is resumed. */
  readonly atTheEnd: readonly string[];
}

/** Works in a home on a disk of its own, and answers a copy of that disk: what it held when `cut` was called. */
async function diskAfter(work: (home: string, cut: () => void) => Promise<void>): Promise<string> {
  const folder = mkdtempSync(join(ground.root, 'disk-'));
  const [image, left] = [join(folder, 'image'), join(folder, 'left')];
  makeImage(image, MIB);
  const disk = join(folder, 'disk');
  const unmount = mountImage(disk, image);
  try {
    const home = join(disk, 'home');
    cpSync(ground.home(), home, { recursive: true });
    await work(home, () => copyFileSync(image, left));
  } finally {
    unmount();
  }
  return left;
}

/** Runs a job, cuts the power, and mounts what is left. */
async function cut(program: string, where: 'inside' | 'counted' = 'inside'): Promise<Found> {
  let said: readonly string[] = [];
  const disk = await diskAfter(async (home, cutNow) => {
    const job = await plannedIn(home, ROWS);
    execFileSync('sync', ['-f', home]);
    const running = listening(program, where, join(home, 'local.db'), 'admin', job);
    await running.heard(1 + Math.floor(Math.random() * MOST_HEARD));
    said = [...running.said];
    expect(said).not.toEqual([]);
    // It holds still while the disk is copied, so that the copy is of one moment.
    running.child.kill('SIGSTOP');
    cutNow();
    await running.kill();
  });
  return onDisk(disk, (home) => found(home, said));
}

async function onDisk<T>(image: string, work: (home: string) => Promise<T>): Promise<T> {
  const disk = `${image}-mounted`;
  const unmount = mountImage(disk, image);
  try {
    return await work(join(disk, 'home'));
  } finally {
    unmount();
  }
}

async function found(home: string, said: readonly string[]): Promise<Found> {
  const there = new Set(made(home));
  const job = jobsIn(home).at(-1);
  const seen = {
    lost: said.filter((name) => !there.has(name)),
    sound: isSound(home),
    agree: there.size === (job?.counts.done ?? 0),
  };
  await pmIn(() => home)(['jobs', 'resume', job?.id ?? '']).prints();
  return { ...seen, atTheEnd: made(home) };
}

describe('after a power cut', { tags: 'images' }, () => {
  let program = '';
  beforeAll(async () => {
    program = await programIn(ground.root, PROGRAM);
  });

  it(`nothing is lost that was acknowledged, and the job is done once (${CUTS} cuts)`, async () => {
    for (let at = 0; at < CUTS; at++) {
      const after = await cut(program);
      expect(after).toEqual({ lost: [], sound: true, agree: true, atTheEnd: wanted(ROWS) });
    }
  });

  it(`rows that were only counted run again when the job is resumed, and each is made once (${CUTS} cuts)`, async () => {
    for (let at = 0; at < CUTS; at++)
      expect(await cut(program, 'counted')).toMatchObject({ sound: true, agree: true, atTheEnd: wanted(ROWS) });
  });

  it('a plan is whole that was sealed, though its pages did not wait for the disk', async () => {
    const disk = await diskAfter(async (home, cutNow) => void (await plannedIn(home, PLANNED, undefined, cutNow)));
    await onDisk(disk, async (home) => {
      const job = jobsIn(home).at(-1);
      expect(job).toMatchObject({ state: 'planned', counts: { pending: PLANNED } });
      await pmIn(() => home)(['jobs', 'resume', job?.id ?? '']).prints();
      expect(made(home)).toEqual(wanted(PLANNED));
    });
  });

  it('something would be lost, if commits did not wait for the disk', async () => {
    const hasty = join(ground.root, 'hasty.mjs');
    const text = readFileSync(program, 'utf8');
    expect(text).toContain('synchronous = FULL');
    writeFileSync(hasty, text.replaceAll('synchronous = FULL', 'synchronous = NORMAL'));
    expect((await cut(hasty)).lost).not.toEqual([]);
  });
});
