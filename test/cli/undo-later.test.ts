// pm undo --with-later: a job goes back with the later jobs that changed the same records.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (run) => {
  await company(run);
  await run('individuals update ann --is-admin true').prints();
  await run('passwd ann --new-password-stdin', { stdin: PASSWORD }).says('is set');
});
servedAsProd(pm, { user: 'ann' });

const local = (line: string) => pm(`${line} -p local`);
const state = async () => [
  await local('individuals list -o json --fields ID,UserName,PrimaryTitle,Suffix').rows(),
  await local('departments list -o json --fields Name,Focus,Rank').rows(),
];
const newestJob = async () => String((await local('jobs list --limit 1 -o json').rows())[0]?.Job);

let before: unknown;
let imported = '';

/** An import, and what two people did on top of it and beside it. */
beforeEach(async () => {
  before = await state();
  const file = join(pm.home, 'titles.csv');
  writeFileSync(file, 'UserName,PrimaryTitle\nann,Chief\nbob,Deputy\n');
  await local(`import individuals ${file} --yes`).says();
  imported = (await newestJob()).slice(0, 8);
  await local('individuals update bob --primary-title Boss --yes --as ann').prints();
  await local('individuals update bob --suffix Dr --yes').prints();
  await local('departments update Sales --focus Elsewhere --yes').prints();
});

const without = async (column: string) => await local(`departments list -o json --fields ${column}`).rows();

it('takes back this import and what came after it, the newest first, by one confirmation that says whose jobs they are', async () => {
  await local(`undo ${imported} --yes`).fails(
    3,
    'has changed since',
    `To take them back, too: pm undo ${imported} -p local --with-later`,
  );
  await pm(`undo ${await newestJob()} --yes -p local`).says();
  const { err, out } = await local(`undo ${imported} --with-later --yes -o json`).says(
    'Undo of 3 jobs, the newest first:',
  );
  expect([...err.matchAll(/^ {2}\w{8} {2}(\w+): (.*)$/gm)].map(([, who, what]) => [who, what])).toEqual([
    ['admin', 'individuals update Bob Stone, 1 row'],
    ['ann', 'individuals update Bob Stone, 1 row'],
    ['admin', expect.stringMatching(/import .*titles.csv, \d rows?$/)],
  ]);
  expect((JSON.parse(out) as { State: string }[]).map(({ State }) => State)).toEqual(['ended', 'ended', 'ended']);
  expect((await state())[0]).toEqual((before as unknown[])[0]);
  await local(`undo ${imported} --with-later --yes`).fails(7, 'is undone already');
  // What changed other records stands.
  expect(await without('Focus')).toContainEqual({ Focus: 'Elsewhere' });
});

it('with -n says what would go back, and takes nothing back', async () => {
  const stands = await state();
  await local(`undo ${imported} -n`).fails(3, 'has changed since', `pm undo ${imported} -p local --with-later`);
  await local(`undo ${imported} --with-later -n`).says('Undo of 3 jobs', 'ann: individuals update');
  await local(`undo ${imported} --with-later`).fails(12, 'undoing 3 jobs needs a confirmation', '--yes');
  expect(await state()).toEqual(stands);
});

it('leaves out a later job of which nothing can be taken back: a password', async () => {
  await pm('passwd bob --new-password-stdin -p local', { stdin: 'An0ther-horse-2' }).says('is set');
  const { err } = await local(`undo ${imported} --with-later --yes`).says('individuals update Bob Stone');
  expect(err).not.toContain('set-password');
  expect((await state())[0]).toEqual((before as unknown[])[0]);
});

it('stops at the first that does not go back wholly: somebody changed the record without a job', async () => {
  await pm('individuals update bob --suffix Prof -p prod --yes', { env: { PM_PASSWORD: PASSWORD } }).prints();
  await local(`undo ${imported} --with-later --yes`).fails(3, 'has changed since', 'Taken back: 0 of 3 jobs.');
  expect(await local('individuals get bob -o json').row()).toMatchObject({ Suffix: 'Prof', PrimaryTitle: 'Boss' });
});

it('of a job on which none stands is its undo alone', async () => {
  await local('undo --with-later --yes').says('Undo of 1 job');
  expect(await without('Focus')).not.toContainEqual({ Focus: 'Elsewhere' });
});

it('is for the embedded engine, and for whole jobs', async () => {
  await pm('undo --with-later -p prod', { env: { PM_PASSWORD: PASSWORD } }).fails(2, 'undo --with-later');
  await local(`undo ${imported} --with-later --where "Line = 2"`).fails(2, '--where chooses rows of one job');
});
