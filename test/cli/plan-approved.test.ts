// A re-organisation as a folder: one person plans it, another one looks at it and at the rights, a third one applies it by its hash.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Setting, usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { ID, PERSON, person, siteFolder } from '../support/site-folder.ts';
import { company, individual } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (one) => {
  await company(one);
  await one(individual('cid', 'Cid Moss', 'EMEA', 'ann')).prints();
  for (const who of ['ann', 'bob']) await one(`individuals update ${who} --is-admin true`).prints();
  await one('permissions set cid allow read,update department Labs').prints();
  for (const who of ['admin', 'ann', 'bob'])
    await one(`passwd ${who} --new-password-stdin`, { stdin: PASSWORD }).says('is set');
});

/** North is new, EMEA goes below Labs, and Dora comes. */
const FILES = {
  'departments.csv': ['ID,ParentID,Name,Rank', `${ID(1)},Local,North,4`, ',Labs,EMEA,1'],
  'individuals.csv': [PERSON, person(ID(3), 'dora', ID(1), 'ann')],
};
const folder = async (): Promise<string> => {
  const emea = await pm('departments get EMEA -o id -p local').id();
  const [head, north, moved = ''] = FILES['departments.csv'];
  const files = { ...FILES, 'departments.csv': [head as string, north as string, `${emea}${moved}`] };
  return siteFolder(join(pm.home, 'site'), files);
};
const held = async (): Promise<string> =>
  (await pm('export departments -p local').prints()) + (await pm('export individuals -p local').prints());
const hashIn = (text: string): string => /--expect ([0-9a-f]{64})/.exec(text)?.[1] ?? '';

describe.each([
  ['the engine', '-p local', {}, 'Cid Moss gains, by the permissions on department Labs: '],
  ['a remote service', '-p prod', { env: { PM_PASSWORD: PASSWORD } }, 'gains or loses rights cannot be known here'],
] as const)('on %s', (name, where, setting: Setting, rights) => {
  if (name === 'a remote service') servedAsProd(pm);
  const by = (who: string, line: string) =>
    pm(`${line} ${where}${name === 'the engine' ? ` --as ${who}` : ''}`, setting);

  it('is made as it was approved, and taken back', async () => {
    const before = await held();
    await by('admin', `apply ${await folder()} -n --out x.plan`).says('x.plan: 3 changes');
    expect(await held()).toBe(before);
    const { err } = await by('ann', 'plan show x.plan').says('3 changes: ', rights);
    await by('bob', `apply x.plan --yes --expect ${hashIn(err)}`).prints();
    expect(await pm('individuals get dora -o json -p local').row()).toMatchObject({ PrimaryOrganizationName: 'North' });
    await by('bob', 'undo --yes').prints();
    expect(await held()).toBe(before);
  });

  it('is not made where another plan stands in its place', async () => {
    await by('admin', `apply ${await folder()} -n --out x.plan`).says('x.plan: 3 changes');
    const { err } = await by('ann', 'plan show x.plan').says('nothing else');
    const text = readFileSync(join(pm.home, 'x.plan'), 'utf8');
    writeFileSync(join(pm.home, 'x.plan'), text.replaceAll('dora', 'evil'));
    await by('bob', `apply x.plan --yes --expect ${hashIn(err)}`).fails(7, 'not as it was written');
  });
});

describe('rights in a look at a plan', () => {
  it.each([
    ['individuals update cid --is-admin true', '  Cid Moss gains, as administrator: '],
    [
      'permissions set cid allow read,update department Sales',
      '  Cid Moss gains, by the permissions on department Sales: ',
    ],
    [
      'permissions set cid unset read,update department Labs',
      '  Cid Moss loses, by the permissions on department Labs: ',
    ],
    ['individuals update cid --suffix Dr', 'Nobody gains or loses rights.'],
  ])('%s', async (line, wanted) => {
    await pm(`${line} -n --out x.plan`).says('x.plan: 1 change');
    const before = pm.dump();
    await pm('plan show x.plan').says(wanted);
    expect(pm.dump()).toEqual(before);
  });

  it('are for administrators to see', async () => {
    await pm('individuals update cid --suffix Dr -n --out x.plan').says('1 change');
    await pm('plan show x.plan --as cid').says('is for administrators to see');
  });
});
