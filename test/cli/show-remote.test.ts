// The pages of pm show on a remote service: what its lists tell, in few requests, and what it refuses.
import { beforeEach, describe, expect, it } from 'vitest';
import { individual } from './company.ts';
import { usingServedCompany } from './served-company.ts';

const requests: string[] = [];
const { pm, remote } = usingServedCompany(
  async (one) => {
    for (let count = 1; count <= 12; count++)
      await one(individual(`user${count}`, `User Nr${count}`, 'EMEA', 'ann')).prints();
    await one('projects create --department Sales --name Paint --phase Planning').prints();
  },
  (line) => void requests.push(line),
);

beforeEach(() => void requests.splice(0));

describe('a page of a remote service', () => {
  it.each(['individuals show ann', 'departments show Sales', 'projects show Paint'])(
    'shows what the embedded engine shows, but for groups, rights and history: %s',
    async (line) => {
      const { Groups, Rights, Changes, ...here } = await pm(`${line} -o json -p local`).row();
      const { Groups: _g, Rights: _r, Changes: _c, ...there } = await remote(`${line} -o json`).row();
      expect(there).toEqual(here);
    },
  );

  it('takes one list for a section, however many records that has', async () => {
    await remote('individuals show ann').prints('User Nr12');
    expect(requests.length).toBeLessThan(25);
  });

  it('has what pm itself changed there', async () => {
    await remote('individuals update ann --primary-title Boss').prints();
    const { Changes } = await remote('individuals show ann -o json').row();
    expect(Changes).toEqual([expect.objectContaining({ Who: 'admin', Field: 'PrimaryTitle', After: 'Boss' })]);
  });

  it('says of a section that the service refuses why it does', async () => {
    await pm('sites update Local --feature-performance false -p local').prints();
    await remote('individuals show ann').prints(/^Commitments of the period\nnot shown: .*performance/m, 'User Nr12');
  });
});
