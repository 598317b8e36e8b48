// A row that is twice in a file: the same values are one row, other values a fault.
import { describe, expect, it } from 'vitest';
import { take } from '../support/intake.ts';
import { newSite } from '../support/site.ts';

const PEOPLE = 'UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryOrganizationID,PrimaryReportsTo';
const person = (user: string, title: string, boss = 'ada'): string =>
  `${user},${user},Berg,${user}@example.org,${title},Sales,${boss}`;

describe('a row with the key of an earlier one', () => {
  it('and the same values is that row, and counted', async () => {
    const { ada } = await newSite();
    await ada.make('organization', { Name: 'Sales' });
    const lines = [
      PEOPLE,
      person('ina', 'Clerk'),
      person('otto', 'Clerk', 'ina'),
      person('ina', 'Clerk').replace('ina', ' ina '),
    ];
    const { changes, said, tally } = await take(ada, 'individual', lines);
    expect(said).toEqual([]);
    expect(changes.map(({ line }) => line)).toEqual([2, 3]);
    expect(tally).toMatchObject({ rows: 3, creates: 2, repeated: 1 });
  });

  it('and other values is a fault that names both lines', async () => {
    const { ada } = await newSite();
    await ada.make('organization', { Name: 'Sales' });
    const lines = [PEOPLE, person('ina', 'Clerk'), person('ina', 'Boss'), person('ina', 'Clerk')];
    const { said } = await take(ada, 'individual', lines);
    expect(said).toEqual(['line 3: has the same UserName as line 2, and other values']);
  });

  it('in another case is that row, where it says the same besides', async () => {
    const { ada } = await newSite();
    const { said, tally } = await take(ada, 'individual', ['UserName,Prefix', 'ada,Dr', 'ADA,Dr', 'Ada,Prof']);
    expect(said).toEqual(['line 4: has the same UserName as line 2, and other values']);
    expect(tally.repeated).toBe(1);
  });

  it.each(['delete', 'undelete'] as const)(
    'is that row where all are to %s, whatever it says besides',
    async (mode) => {
      const { ada } = await newSite();
      const lines = ['UserName,PrimaryTitle', 'ada,Chief', 'ADA ,Left in May'];
      const { said, tally } = await take(ada, 'individual', lines, { mode });
      expect(said).toEqual([]);
      expect(tally).toMatchObject({ rows: 2, repeated: 1 });
    },
  );

  it('is found in files of any length, too', async () => {
    const { ada } = await newSite();
    const lines = ['Name,Rank', 'Pilot,8', 'Pilot,8', 'Pilot,9'];
    const { said, tally } = await take(ada, 'phase', lines, { key: ['Name'] });
    expect(said).toEqual(['line 4: has the same Name as line 2, and other values']);
    expect(tally.repeated).toBe(1);
  });
});
