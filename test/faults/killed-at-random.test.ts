// A job on the embedded engine that is killed again and again: what was acknowledged is kept, and nothing is made twice.
// The floor: 10 kills; the long run: 300.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OWNER } from '../support/engine.ts';
import { jobsOf, type TestJob } from '../support/job.ts';
import { inLong } from '../support/long.ts';
import { programIn } from '../support/program.ts';
import { type Asker, newSite } from '../support/site.ts';
import { drafts, listening, PROGRAM } from './acknowledging.ts';
import { twice, wanted } from './ground.ts';

const KILLS = inLong(10, 300);
const MOST_HEARD = 20;
/** More rows than all kills together let through. */
const ROWS = KILLS * MOST_HEARD * 3;

let folder = '';
let program = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pm-killed-at-random-'));
  program = await programIn(folder, PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Scene {
  readonly file: string;
  readonly job: TestJob;
  names(): Promise<readonly string[]>;
}

async function scene(rows: number): Promise<Scene> {
  const { ada, engine, id } = await newSite();
  const job = await jobsOf(ada.session).plan(...drafts(id, wanted(rows)));
  return { file: engine.file, job, names: () => namesOf(ada) };
}

const namesOf = async (ada: Asker): Promise<readonly string[]> =>
  (await ada.list('color')).map(({ Name }) => String(Name)).filter((name) => name.startsWith('new '));

/** Runs the job until it has said some of its names, and kills it a moment later. Answers what it had said. */
async function killed(where: 'inside' | 'outside', { file, job }: Scene): Promise<readonly string[]> {
  const running = listening(program, where, file, OWNER, job.id);
  await running.heard(1 + Math.floor(Math.random() * MOST_HEARD));
  await pause(Math.random() * 5);
  await running.kill();
  expect(running.said).not.toEqual([]);
  return running.said;
}

it(`after each of ${KILLS} kills holds what was acknowledged and what its journal says, once`, async () => {
  const one = await scene(ROWS);
  const acknowledged = new Set<string>();
  for (let kill = 0; kill < KILLS; kill++) {
    for (const name of await killed('inside', one)) acknowledged.add(name);
    const there = await one.names();
    const done = (await one.job.rows()).filter(({ state }) => state === 'done');
    const kept = new Set(there);
    expect([...acknowledged].filter((name) => !kept.has(name))).toEqual([]);
    expect([...there].sort()).toEqual(done.map(({ body }) => String(body?.Name)).sort());
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(KILLS);
  expect(acknowledged.size).toBeLessThan(ROWS);
  expect((await one.job.resume()).counts).toEqual({ done: ROWS });
  expect([...(await one.names())].sort()).toEqual([...wanted(ROWS)].sort());
});

it('would show a journal that is kept outside of the transaction: records are made twice', async () => {
  const one = await scene(30 * MOST_HEARD);
  for (let kill = 0; kill < 30 && twice(await one.names()).length === 0; kill++) await killed('outside', one);
  expect(twice(await one.names())).not.toEqual([]);
});
