// The primary membership of a person goes back with what showed it: the person's record and the other memberships.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inLong } from '../support/long.ts';
import { type RunningCommand, usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const SECOND = 'ann';
const pm = usingPm(async (run) => {
  await company(run);
  await run(`department-members create --individual ${SECOND} --department Labs --title Adviser`).prints();
  await run('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});

/** The person and the memberships, in the file itself. */
async function state() {
  const { Updated, UpdatedBy, ...person } = await pm('individuals get ann -p local -o json').row();
  return { person, memberships: await pm('department-members list --individual ann -p local -o json').rows() };
}

const memberships = async () => {
  const rows = await pm('department-members list --individual ann -p local -o json').rows();
  const isPrimary = (wanted: boolean) => rows.find(({ Primary }) => Primary === wanted);
  return { primary: String(isPrimary(true)?.ID), second: String(isPrimary(false)?.ID) };
};

/** The first ones are of every kind: by the person, to a membership that is there, and to a new one. */
const MOVES: readonly (readonly [string, string])[] = [
  [
    'to a department of which one is a member',
    'individuals update ann --primary-organization Labs --primary-title New',
  ],
  ['to the second membership', 'department-members update SECOND --individual ann --primary true --reports-to bob'],
  [
    'to a new membership',
    'department-members create --individual ann --department EMEA --title New --reports-to ann --primary true',
  ],
  ['by its own department', 'department-members update PRIMARY --individual ann --set OrganizationID=EMEA'],
  ['to another department', 'individuals update ann --primary-organization EMEA --primary-reports-to ann'],
  ['with a title alone', 'individuals update ann --primary-title New'],
  ['by its own title', 'department-members update PRIMARY --individual ann --title New'],
];

describe.each(['local', 'prod'])('on %s', (profile) => {
  if (profile === 'prod') servedAsProd(pm);
  const run = (line: string): RunningCommand => pm(`${line} -p ${profile}`, { env: { PM_PASSWORD: PASSWORD } });
  const newest = async () => String((await run('jobs list -o json').rows())[0]?.Job);

  it.each(profile === 'local' ? MOVES : inLong(MOVES.slice(0, 3), MOVES))(
    'a move of the primary membership goes back, and is done again: %s',
    async (_, line) => {
      const { primary, second } = await memberships();
      await run('individuals update bob --primary-reports-to admin').prints();
      const before = await state();
      await run(line.replace('SECOND', second).replace('PRIMARY', primary)).prints();
      const after = await state();
      expect(after).not.toEqual(before);
      await run('undo --yes').prints();
      expect(await state()).toEqual(before);
      await run(`undo ${await newest()} --yes`).prints();
      expect(await state()).toEqual(after);
      await run(`undo ${await newest()} --yes`).prints();
      expect(await state()).toEqual(before);
    },
  );

  it('of several rows about one person it goes back through them', async () => {
    const { second } = await memberships();
    const lines = ['ID,individual,Primary,ReportsToID,Title', `${second},ann,true,admin,Head`];
    writeFileSync(join(pm.home, 'members.csv'), `${lines.join('\n')}\n`);
    const before = await state();
    await run('import department-members members.csv --yes').prints();
    await run('individuals update ann --primary-organization EMEA --primary-title Last').prints();
    const [last, first] = (await run('jobs list -o json').rows()).map(({ Job }) => String(Job));
    await run(`undo ${last} --yes`).prints();
    await run(`undo ${first} --yes`).prints();
    expect(await state()).toEqual(before);
  });

  it('with -n it shows the other records too, and changes nothing', async () => {
    const { second } = await memberships();
    await run('individuals update ann --primary-organization Labs --primary-title New').prints();
    const after = await state();
    const shown = await run('undo -n -o json').rows();
    expect(shown).toContainEqual(
      expect.objectContaining({ ID: second, Field: 'Title', Before: 'New', After: 'Adviser' }),
    );
    expect(await state()).toEqual(after);
  });

  it('what somebody changed meanwhile is left alone, with all of the row', async () => {
    const { second } = await memberships();
    await run(`department-members update ${second} --individual ann --primary true --reports-to admin`).prints();
    const job = await newest();
    await run('individuals update ann --primary-title Theirs').prints();
    const theirs = await state();
    await run(`undo ${job} --yes`).fails(3, 'has changed since');
    expect(await state()).toEqual(theirs);
  });
});

it('a written way back holds the other records', async () => {
  const { second } = await memberships();
  const lines = ['UserName,PrimaryOrganizationID,PrimaryTitle', 'ann,Labs,New'];
  writeFileSync(join(pm.home, 'people.csv'), `${lines.join('\n')}\n`);
  const before = await state();
  await pm('import individuals people.csv --yes').prints();
  await pm('undo -n --out back.plan').prints();
  expect((await state()).memberships).toContainEqual(expect.objectContaining({ ID: second, Title: 'New' }));
  await pm('apply back.plan --yes').prints();
  expect(await state()).toEqual(before);
});
