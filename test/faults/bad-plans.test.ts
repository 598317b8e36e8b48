// Plans and journals that are not what they were: nothing is sent, and it is said what is wrong with them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { type Pm, pmIn } from '../support/pm.ts';
import { importing, jobsIn, made, usingGround, wanted } from './ground.ts';
import { usingService } from './service.ts';

const ground = usingGround();
const service = usingService();
let home = '';
let pm: Pm;
beforeEach(() => {
  home = ground.home();
  pm = pmIn(() => home);
});

/** A plan of five new colors, as its lines. */
async function planned(): Promise<{ path: string; lines: readonly string[] }> {
  const path = join(home, 'colors.plan');
  await pm(['plan', 'colors', ground.colors(5), '--mode', 'create', '--out', path]).says('5 changes');
  return { path, lines: readFileSync(path, 'utf8').split('\n') };
}

const applying = (path: string): readonly string[] => ['apply', path, '--yes'];

describe('a plan', () => {
  it('for another site is refused there, and runs where it is for', async () => {
    const { path } = await planned();
    const elsewhere = join(ground.root, 'elsewhere');
    const other = pmIn(() => elsewhere);
    await other('individuals list').prints();
    await other.refuses(applying(path), 7, 'the plan is for site', 'Make a new plan for here.');
    await pm(applying(path)).prints();
    expect(made(home)).toEqual(wanted(5));
  });

  it('for the engine is not sent to a service', async () => {
    const { path } = await planned();
    const visitor = await service.visitor();
    const before = service.line.writes();
    await visitor.pm([...applying(path), '-p', 'prod']).fails(7, 'the plan is for site');
    expect(service.line.writes()).toBe(before);
  });

  it('runs once', async () => {
    const { path } = await planned();
    await pm(applying(path)).prints();
    await pm.refuses(applying(path), 7, 'the plan has run already', 'pm jobs show');
    expect(made(home)).toEqual(wanted(5));
  });

  it.each([
    [
      'edited by hand',
      7,
      'changed after it was written',
      (lines: readonly string[]) => lines.join('\n').replace('new 3', 'new x'),
    ],
    [
      'cut between two rows',
      7,
      'it ends after 2 of 5 rows',
      (lines: readonly string[]) => lines.slice(0, 3).join('\n'),
    ],
    ['cut in a row', 7, 'damaged', (lines: readonly string[]) => lines.join('\n').slice(0, -40)],
    ['with a row more', 7, 'damaged', (lines: readonly string[]) => `${lines.join('\n')}${lines.at(-2)}\n`],
    [
      'of another version',
      2,
      'is a plan of version 99, and this pm reads version 2',
      (lines: readonly string[]) => lines.join('\n').replace(/"version":\d+/, '"version":99'),
    ],
    ['without its first line', 2, 'is not a plan of pm', (lines: readonly string[]) => lines.slice(1).join('\n')],
    ['that is empty', 2, 'is not a plan of pm', () => ''],
  ])('%s changes nothing', async (_what, exit, wanted, spoilt) => {
    const { path, lines } = await planned();
    const bad = join(home, 'bad.plan');
    writeFileSync(bad, spoilt(lines));
    await pm.refuses(applying(bad), exit, wanted);
    await pm.refuses(['plan', 'show', bad], exit, wanted);
    await pm.refuses(['apply', path], 12, '5 changes need a confirmation');
  });
});

describe('a journal with a flipped bit', () => {
  it.each([
    ['its plan', "UPDATE job_plan SET Rows = replace(Rows, 'new 3', 'new 2')"],
    ['its states', "UPDATE job_state SET States = replace(States, 'd', 'e')"],
    ['its head', 'UPDATE job SET Total = Total + 1'],
  ])('in %s is refused, and the records are not touched', async (_where, sql) => {
    await pm(importing(ground.colors(5))).prints();
    const { id = '' } = jobsIn(home).at(-1) ?? {};
    flip(sql);
    await pm.refuses(
      ['undo', id, '--yes'],
      10,
      /The journal of job .* is damaged/,
      'The records themselves are not damaged',
    );
    await pm.refuses(['jobs', 'show', id, '--rows'], 10, 'is damaged');
    await pm("colors update 'new 1' --rank 77").prints('77');
  });

  it('in its head is named beside the other jobs, and can be forgotten', async () => {
    await pm(importing(ground.colors(5))).prints();
    const { id = '' } = jobsIn(home).at(-1) ?? {};
    await pm("colors update 'new 1' --rank 77").prints('77');
    flip(`UPDATE job SET Total = Total + 1 WHERE ID = '${id}'`);
    const { out } = await pm('jobs list -o tsv --fields Title').fails(3, id, 'is damaged', `pm jobs prune ${id}`);
    expect(out).toContain('colors update');
    await pm(['jobs', 'prune', id, '--dry-run']).says('Would forget 1 job.');
    await pm(['jobs', 'prune', id]).says('Forgot 1 job.');
    expect(jobsIn(home).map((job) => job.id)).not.toContain(id);
    await pm('jobs list').prints('colors update');
    await pm(['jobs', 'prune', id]).fails(6, 'there is no job');
  });

  function flip(sql: string): void {
    const database = openDatabase(join(home, 'local.db'));
    expect(database.prepare(sql).run().changes).toBe(1);
    database.close();
  }
});
