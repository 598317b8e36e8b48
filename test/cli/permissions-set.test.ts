// pm permissions set: a right in words, beside the rows themselves.
import { expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(async (one) => {
  await company(one);
  await one('projects create --name Ferry --department Sales --phase 1').prints();
});
const rows = () => pm('permissions list --department Sales -o json').rows();

it('makes a row where there is none', async () => {
  expect(await pm('permissions set bob allow read,update department Sales -o json').row()).toMatchObject({
    PrincipalName: 'Bob Stone',
    RowName: 'Sales',
    ChildType: null,
    CreateText: 'Not Set',
    ReadText: 'Allow',
    UpdateText: 'Allow',
  });
});

it('changes the one that is there, and leaves its other states', async () => {
  await pm('permissions set bob allow read,update department Sales').prints();
  await pm('permissions set bob deny update department Sales').prints();
  await pm('permissions set bob unset read department Sales').prints();
  expect(await rows()).toMatchObject([{ ReadText: 'Not Set', UpdateText: 'Deny', DeleteText: 'Not Set' }]);
});

it.each([
  ['department Sales', 'metric', 7],
  ['individual ann', 'metric', 58],
  ['department Sales', 'department', 19],
  ['individual ann', 'dialog', 38],
  ['project Ferry', 'metrics', 16],
  ['department Sales', '25', 25],
])('on %s, %s is the child type %i', async (what, type, ChildType) => {
  expect(await pm(`permissions set bob allow read ${what} --child-type ${type} -o json`).row()).toMatchObject({
    ChildType,
  });
});

it('is shown in words where it is planned, and as numbers to programs', async () => {
  await pm('permissions set bob deny update department Sales').prints();
  const [one] = await rows();
  await pm(`permissions delete ${one?.ID} --confirm local:1 --yes`).prints();
  await pm('undo -n', { columns: 200 }).prints('Deny');
  expect(await pm('undo -n -o json').rows()).toContainEqual(
    expect.objectContaining({ Field: 'UpdateState', After: '2' }),
  );
});

it('unsets nothing where there is no row', async () => {
  const before = pm.dump();
  await pm('permissions set bob unset read department Sales').says('Nothing is set there.');
  expect(pm.dump()).toEqual(before);
});

it('rehearses', async () => {
  const before = pm.dump();
  await pm('permissions set bob allow read department Sales --dry-run').prints('ReadState');
  expect(pm.dump()).toEqual(before);
});

it.each([
  ['permissions set bob maybe read department Sales', 2, 'not allow, deny or unset'],
  ['permissions set bob allow fly department Sales', 2, 'is not an action'],
  [
    'permissions set bob allow read department Sales --child-type 99',
    2,
    'is not a child type',
    'organization, metric, dialog',
  ],
  [
    'permissions create --child-type 99 --department Sales --principal bob',
    7,
    '--child-type is "99"; allowed are null, organization, metric',
  ],
  ['permissions list --department Sales --child-type 99', 7, '--child-type is "99"; allowed are organization, metric'],
  ['permissions set bob allow read comment x', 2, 'rights are not given on comments'],
  ['permissions set nobody allow read department Sales', 6, 'nobody'],
])('refuses %s', async (line, exit, ...wanted) => {
  await pm.refuses(line, exit as number, ...wanted.map(String));
});

it('is a job, which pm undo takes back', async () => {
  await pm('permissions set bob allow read department Sales').says('Undo: pm undo ');
  await pm('permissions set bob deny read department Sales').says('Undo: pm undo ');
  await pm('undo').prints();
  expect(await rows()).toMatchObject([{ ReadText: 'Allow' }]);
  await pm('undo --yes').prints();
  expect(await rows()).toEqual([]);
});
