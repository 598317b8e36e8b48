// Exit code 11: two records that differ, a dry run or a plan that would change something. It comes only where it is asked for.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const file = (title: string): string => {
  writeFileSync(join(pm.home, 'titles.csv'), `UserName,PrimaryTitle\nann,${title}\n`);
  return 'titles.csv';
};
const title = async () => String((await pm('individuals get ann -o json').row()).PrimaryTitle);

describe('two records', () => {
  it('are compared by what can be set, with names where people read', async () => {
    const rows = await pm('individuals diff ann bob -o json').rows();
    expect(rows).toContainEqual({ Field: 'UserName', One: 'ann', Other: 'bob' });
    expect(rows.map(({ Field }) => Field)).not.toContain('ID');
    expect(rows.map(({ Field }) => Field)).not.toContain('FullName');
    // An e-mail is one difference, though the service has it in two members.
    expect(rows.map(({ Field }) => Field).filter((name) => String(name).endsWith('Email'))).toEqual(['Email']);
    await pm('individuals update bob --primary-reports-to ann').prints();
    await pm('individuals diff ann bob -o md').prints('PrimaryReportsTo', 'Ann');
  });

  it('end with 11 where they differ, if that is asked for', async () => {
    await pm('individuals diff ann bob').prints('UserName');
    expect((await pm('individuals diff ann bob --exit-code')).exit).toBe(11);
    await pm('individuals diff ann ann --exit-code').says('They do not differ.');
    await pm('individuals diff ann nobody --exit-code').fails(6, 'nobody');
  });

  it('may be departments', async () => {
    expect(await pm('departments diff Sales Labs -o json').rows()).toContainEqual({
      ...{ Field: 'Name', One: 'Sales', Other: 'Labs' },
    });
  });
});

describe('a dry run', () => {
  it('ends with 11 where it would change something, and with 0 where not', async () => {
    const line = (name: string) => `import individuals ${name} --key UserName -n --exit-code`;
    expect((await pm(line(file('Chief')))).exit).toBe(11);
    expect((await pm(line(file(await title())))).exit).toBe(0);
    expect((await pm(line(file('Chief')).replace(' --exit-code', ''))).exit).toBe(0);
  });

  it('that would fail keeps the code of the failure', async () => {
    await pm(`import individuals ${file('x'.repeat(500))} --key UserName -n --exit-code`).fails(7);
  });

  it('is what the flag is for', async () => {
    await pm.refuses(`import individuals ${file('Chief')} --key UserName --exit-code --yes`, 2, 'Write -n beside it');
  });
});

describe('a plan', () => {
  it('that has changes ends with 11, and so does the dry run of applying it', async () => {
    const plan = (name: string) => `plan individuals ${name} --key UserName --out a.plan --overwrite --exit-code`;
    expect((await pm(plan(file(await title())))).exit).toBe(0);
    expect((await pm(plan(file('Chief')))).exit).toBe(11);
    expect((await pm('apply a.plan -n --exit-code')).exit).toBe(11);
    await pm('apply a.plan --yes').says('Undo');
  });
});
