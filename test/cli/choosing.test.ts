// Flags that choose among records choose what update, delete and undelete change; elsewhere they are refused.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const where = `--where "UserName = 'ann'"`;

describe('a filter on a command that changes something', () => {
  it.each([
    ['departments create --name X --limit 1', 'Leave --limit out'],
    ['individuals update ann --deleted 2 --last-name X', 'It changes undeleted ones only.'],
    [`security-groups add-member Readers ann ${where}`, '$(pm individuals list --where … -o id)'],
    [`each people.csv ${where} -- individuals delete {ID}`, '| pm each - --form csv -- <resource> update {ID}'],
    [`each people.csv -- individuals delete {ID} ${where}`, 'pm <resource> update --where …'],
    [`import individuals people.csv ${where}`, 'Leave the other rows out of the file.'],
    [`plan individuals people.csv --out x.plan ${where}`, 'Leave the other rows out of the file.'],
    [`export individuals ${where}`, 'pm <resource> list --where … -o csv'],
  ])('is refused: %s', async (line, way) => {
    writeFileSync(join(pm.home, 'people.csv'), 'ID,LastName\n1,X\n');
    await pm.refuses(line, 2, 'takes no --', way);
  });

  it('has a way that works', async () => {
    const stdin = await pm(`individuals list ${where} -o id`).prints();
    await pm('individuals delete - --yes', { stdin }).prints('ann');
    await pm.refuses('individuals get ann', 6, 'deleted');
    await pm('individuals get bob').prints('bob');
  });

  it('has a way that works for the rows of a file too', async () => {
    const stdin = await pm(`individuals list ${where} -o csv`).prints();
    await pm('each - --form csv --yes -- individuals update {ID} --primary-title Boss', { stdin }).says('1 update');
    expect((await pm('individuals get ann -o json').row()).PrimaryTitle).toBe('Boss');
  });

  it('is not listed in its help', async () => {
    expect(await pm('individuals create --help').prints('More: -n')).not.toMatch(/--(where|sort|limit|deleted)/);
    await pm('individuals list --help').prints('--where', '--sort', '--limit', '--deleted');
  });
});

describe('update, delete and undelete', () => {
  const titles = async (): Promise<unknown> =>
    Object.fromEntries((await pm('individuals list -o json').rows()).map((row) => [row.UserName, row.PrimaryTitle]));

  it('change what a filter chooses, and always ask', async () => {
    const line = `individuals update --primary-title Boss ${where}`;
    await pm.refuses(line, 12, '1 change needs a confirmation', '--yes');
    expect(await pm(`${line} -n -o json`).rows()).toMatchObject([{ After: 'Boss' }]);
    expect(await pm(`${line} --yes -o json`).rows()).toMatchObject([{ UserName: 'ann', PrimaryTitle: 'Boss' }]);
    expect(await titles()).toMatchObject({ ann: 'Boss', bob: 'Member' });
    await pm('undo --yes').prints();
    expect(await titles()).toMatchObject({ ann: 'Member', bob: 'Member' });
  });

  it('choose among the named records, in an order, up to a number', async () => {
    await pm('individuals update ann bob --primary-title Boss --sort -UserName --limit 1 --yes').prints('bob');
    expect(await titles()).toMatchObject({ ann: 'Member', bob: 'Boss' });
  });

  it('choose deleted records for an undelete, and live ones elsewhere', async () => {
    await pm(`individuals delete ${where} --yes`).prints('ann');
    await pm(`individuals update --primary-title Boss ${where} --yes`).says('Nothing was changed.');
    await pm(`individuals undelete ${where} --yes`).prints('ann');
    await pm('individuals get ann').prints('ann');
  });

  it('choose below an owner, and refuse a list that the service has not', async () => {
    await pm('accountabilities create --individual ann --name Sweep --rank 7 --description x').prints();
    await pm('accountabilities delete --individual ann --where "Name = \'Sweep\'" --yes').prints('Sweep');
    await pm.refuses('accountabilities delete --limit 1 --yes', 2, '--individual');
  });

  it('leave out no named record in silence', async () => {
    await pm(`individuals delete ${where} --yes`).prints('ann');
    await pm.refuses('individuals update ann bob --primary-title Boss --limit 2 --yes', 6, 'deleted');
  });

  it('change nothing where the filter is wrong', async () => {
    await pm.refuses("individuals delete --where 'Nothing = 1' --yes", 2, 'there is no field "Nothing"');
  });
});
