// Members of security groups: the group is printed once, however many come or go, and also where nothing changes.
import { expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

it.each(['add-member', 'delete-member'])('%s prints the group once', async (verb) => {
  if (verb === 'delete-member') await pm('security-groups add-member Leaders ann bob').prints();
  expect(await pm(`security-groups ${verb} Leaders ann bob --fields Group`).prints()).toBe('Group\nLeaders\n');
  expect(await pm(`security-groups ${verb} Leaders ann bob -o json`).row()).toMatchObject({ Group: 'Leaders' });
  await pm(`security-groups ${verb} Leaders ann bob`).says(/^ann \S.* the group/);
});

it('a dry run prints who would come, and no group', async () => {
  const out = await pm('security-groups add-member Leaders ann bob -n').prints('ann', 'bob');
  expect(out).toMatch(/^Operation\tName/);
  expect(await pm('security-groups members Leaders -o id').prints()).toBe('');
  await pm('security-groups add-member Leaders ann').prints();
  expect(await pm('security-groups add-member Leaders ann -n -o json').rows()).toEqual([]);
  await pm('security-groups add-member Leaders ann -n').says('Nothing would change.');
});
