// A command that is killed at its question: nothing is done, and nothing is done later that nobody agreed to. The floor:
// an import of final deletions and an apply; the long run: an undo too, and each of them three times.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inLong, isLong } from '../support/long.ts';
import { pmIn } from '../support/pm.ts';
import { onTerminal } from '../support/terminal.ts';
import { deleting, importing, jobsIn, made, pastOf, usingGround, wanted } from './ground.ts';

/** More than are held in memory: their plan is written down before the question. */
const ROWS = 501;
const TIMES = inLong(1, 3);
const ground = usingGround();

async function withColors() {
  const home = ground.home();
  const pm = pmIn(() => home);
  await pm(importing(ground.colors(ROWS))).prints();
  return { home, pm };
}

/** Kills the command at its question; answers the job that it leaves. */
async function killedAt(question: string, line: readonly string[], home: string): Promise<string> {
  const before = pastOf(home);
  const told = await onTerminal(line, home, [[question]]);
  expect(told.exit, told.out).toBe(-9);
  expect(pastOf(home)).toBe(before);
  return jobsIn(home).at(-1)?.id ?? '';
}

const times = Array.from({ length: TIMES }, (_, at) => at + 1);

describe.each(times)('for the %i. time, what was killed at its question', { tags: 'terminal' }, () => {
  it('is asked for again by resume, an import of final deletions with its number', async () => {
    const { home, pm } = await withColors();
    const job = await killedAt('Type local:501 to go on', deleting(home), home);
    await pm(['jobs', 'resume', job]).fails(
      12,
      'deleting 501 records for good needs a confirmation',
      '--confirm local:501',
    );
    await pm(['jobs', 'resume', job, '--yes']).fails(12, '--confirm local:501');
    await pm(['jobs', 'retry', job, '--yes']).fails(7, 'is not confirmed yet');
    const { out } = await onTerminal(['jobs', 'resume', job], home, [['Type local:501 to go on', 'no\r']]);
    expect(out).toContain('not confirmed');
    expect(made(home)).toEqual(wanted(ROWS));
    await pm(['jobs', 'resume', job, '--confirm', 'local:501']).prints('ended');
    expect(made(home)).toEqual([]);
    await pm(['jobs', 'resume', job]).says('There is nothing left to do.');
    await pm('undo --yes').prints();
    expect([...made(home)].sort()).toEqual([...wanted(ROWS)].sort());
  });

  it('leaves a plan as it was: it is applied again, or its job resumed, and done once', async () => {
    const home = ground.home();
    const pm = pmIn(() => home);
    const plan = join(home, 'colors.plan');
    await pm(['plan', 'colors', ground.colors(ROWS), '--mode', 'create', '--out', plan]).says();
    const job = await killedAt('Apply?', ['apply', plan], home);
    await pm(['apply', plan]).fails(12, '501 changes need a confirmation');
    await killedAt('Apply?', ['apply', plan], home);
    expect(jobsIn(home).map(({ id }) => id)).toEqual([job]);
    await pm(['apply', plan, '--yes']).prints('ended');
    await pm(['apply', plan, '--yes']).fails(7, 'the plan has run already');
    expect(made(home)).toEqual(wanted(ROWS));
  });

  it.runIf(isLong)('is forgotten where it is an undo and another one is agreed to', async () => {
    const { home, pm } = await withColors();
    const job = await killedAt('Undo?', ['undo'], home);
    await pm(['jobs', 'resume', job]).fails(12, 'deleting 501 records needs a confirmation');
    await pm('undo --yes').prints('ended');
    expect(made(home)).toEqual([]);
    await pm(['jobs', 'resume', job, '--yes']).fails(6, 'there is no job');
  });

  it('leaves nothing at all where a few rows were asked about', async () => {
    const { home, pm } = await withColors();
    const jobs = jobsIn(home).length;
    const few = join(home, 'few.csv');
    writeFileSync(few, 'Rank,Name,Code\n1,few,ff0000\n');
    await killedAt('Import?', importing(few).slice(0, -1), home);
    expect(jobsIn(home)).toHaveLength(jobs);
    await pm('undo --yes').says('501 deletes');
  });
});
