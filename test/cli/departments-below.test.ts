// pm individuals list --department X --below: the people of a department and of all below it.
import { describe, expect, it } from 'vitest';
import { type Pm, usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { company, individual } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (one: Pm) => {
  await company(one);
  await one('departments create --name Team --rank 1 --parent EMEA').prints();
  await one(individual('cid', 'Cid Abel', 'Team', 'bob')).prints();
  await one('department-members create --department EMEA --individual ann --title Guest').prints();
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});

const BELOW = 'individuals list --department Sales --below --fields UserName --no-header';

it('lists each of them once, by last name', async () => {
  expect(await pm('individuals list --department Sales --fields UserName --no-header').prints()).toBe('ann\n');
  expect(await pm(BELOW).prints()).toBe('cid\nann\nbob\n');
  expect(await pm('individuals list --department Team --below --fields UserName --no-header').prints()).toBe('cid\n');
});

it('takes a filter, an order and a limit', async () => {
  expect(await pm(`${BELOW} --where "UserName != 'cid'" --sort=-UserName --limit 1`).prints()).toBe('bob\n');
});

it('is told of where a department has nobody itself', async () => {
  await pm('individuals list --department Labs').says('No individuals. --below lists those of the departments below');
  expect((await pm('individuals list --department Labs --below').says()).err).toBe('No individuals.\n');
});

it('needs a department', () => pm.refuses('individuals list --below', 2, '--below needs a department'));

describe('on a remote service', () => {
  servedAsProd(pm);

  it('lists the same', async () => {
    expect(await pm(`${BELOW} -p prod`, { env: { PM_PASSWORD: PASSWORD } }).prints()).toBe('cid\nann\nbob\n');
  });
});
