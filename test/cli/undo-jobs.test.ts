// pm undo and pm jobs: what was done is listed, looked at and taken back.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { rowsIn } from '../support/older-files.ts';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const exported = (): Promise<string> => pm('export individuals').prints();
let job = '';

beforeEach(async () => {
  const lines = ['UserName,PrimaryTitle', 'ann,Chief', 'bob,Chief'];
  writeFileSync(join(pm.home, 'q4.csv'), `${lines.join('\n')}\n`);
});

async function imported(): Promise<void> {
  job = String((await pm('import individuals q4.csv --yes -o json').row()).Job).slice(0, 8);
}

describe('an undo', () => {
  it('brings back an export that is the same to the byte, and can be undone itself', async () => {
    const before = await exported();
    await imported();
    const after = await exported();
    await pm('undo --yes').says(`Undo of ${job}: individuals import q4.csv`, '2 updates');
    expect(await exported()).toBe(before);
    const undo = String((await pm('jobs list -o json').rows())[0]?.Job);
    await pm(`undo ${undo} --yes`).prints();
    expect(await exported()).toBe(after);
  });

  it('needs an agreement, and shows with -n what it would do', async () => {
    await imported();
    await pm.refuses(`undo ${job}`, 12, '2 changes need a confirmation');
    expect(await pm(`undo ${job} -n -o json`).rows()).toHaveLength(2);
  });

  it('leaves alone what somebody changed since, and ends with 3', async () => {
    await imported();
    await pm('individuals update ann --primary-title President').prints();
    await pm(`undo ${job} --yes`).fails(3, 'has changed');
    const rows = await pm('individuals list -o json').rows();
    const titles = Object.fromEntries(rows.map(({ UserName, PrimaryTitle }) => [UserName, PrimaryTitle]));
    expect(titles).toMatchObject({ ann: 'President', bob: 'Member' });
  });
});

it('of a person who was deleted since says how she comes back, and goes on then', async () => {
  await imported();
  await pm('individuals delete ann --yes').prints();
  const { err } = await pm(`undo ${job} --yes`).fails(3, 'was deleted after the change', 'To bring it back first:');
  await pm(`${/(?<=pm )individuals undelete \S+/.exec(err)?.[0]} --yes`).prints();
  await pm(`undo ${job} --yes`).prints();
  expect(await pm('individuals get ann -o json').row()).toMatchObject({ PrimaryTitle: 'Member' });
});

describe('the jobs', () => {
  it('are listed, and shown with their rows', async () => {
    await imported();
    const [newest] = await pm('jobs list -o json').rows();
    expect(newest).toMatchObject({ Job: job, Kind: 'import', Title: 'individuals import q4.csv', Total: 2, Done: 2 });
    const rows = await pm(`jobs show ${job} --rows -o json`).rows();
    expect(rows).toMatchObject([
      { Row: 1, Line: 2, State: 'done', Operation: 'update', Resource: 'individuals', Error: null },
      { Row: 2, Line: 3, State: 'done' },
    ]);
  });

  it('have nothing left to do, once they are done', async () => {
    await imported();
    const { err } = await pm(`jobs resume ${job}`).says('There is nothing left to do.');
    expect(err).not.toContain('▲');
    await pm(`jobs report ${job}`).says('All rows were done');
  });

  it('are forgotten when they are old', async () => {
    await imported();
    const now = () => new Date('2027-01-01T00:00:00Z');
    await pm('jobs prune', { now }).says('Forgot');
    expect(await pm('jobs list -o json').rows()).toEqual([]);
    await pm.refuses('jobs prune --older-than soon', 2, '--older-than is "soon"');
  });
});

it('what a job changed stands in the history alone, and a deleted number comes back as it was', async () => {
  const before = await pm('colors list -o json').rows();
  await imported();
  await pm('colors delete 1 --confirm local:1').prints();
  const marks = rowsIn(join(pm.home, 'local.db'), 'job_mark').map(({ Marks }) => String(Marks));
  expect(marks.length).toBeGreaterThan(1);
  expect(marks.filter((mark) => mark.includes('before'))).toEqual([]);
  await pm('undo --yes').prints();
  expect(await pm('colors list -o json').rows()).toEqual(before);
});
