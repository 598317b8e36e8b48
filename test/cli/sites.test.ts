// Several sites in one file: how they are made, and who acts in which.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(async (fresh) => {
  await company(fresh);
  await fresh('sites create Second --admin sue').prints('Second');
});
const names = async (line: string): Promise<readonly unknown[]> =>
  (await pm(`${line} -o json`).rows()).map((row) => row.UserName ?? row.Name);

describe('a new site', () => {
  it('has its administrator, organization, periods and colors', async () => {
    expect(await names('individuals list --as sue')).toEqual(['sue']);
    expect(await names('departments list --as sue')).toEqual(['Second']);
    expect(await pm('periods list --as sue -o json').rows()).toHaveLength(4);
    expect(await names('colors list --as sue')).not.toEqual([]);
  });

  it('can be tried with -n', async () => {
    const before = pm.dump();
    await pm('sites create Third --admin tom -n').prints('Third');
    expect(pm.dump()).toEqual(before);
  });

  it('needs an administrator with a free user name', async () => {
    await pm.refuses('sites create Third', 2, '--admin <user name>');
    await pm.refuses('sites create Third --admin ann', 7, 'ann');
  });
});

describe('--site and --as', () => {
  it('choose the site and the individual', async () => {
    expect(await names('individuals list --site Second')).toEqual(['sue']);
    await pm('individuals get me --as sue --fields UserName').prints('sue');
  });

  it('let a global administrator act in any site', async () => {
    await pm('departments create --name Shop --rank 1 --parent Second --site Second').says('▲ local as admin');
    expect(await names('departments list --as sue')).toEqual(['Second', 'Shop']);
    await pm('sites update Second --comment new').prints('new');
    await pm('sites get Second -o json').prints('"Comment": "new"');
  });

  it('show others their own site only', async () => {
    await pm.refuses('individuals list --as sue --site Local', 6, 'there is no site "Local"');
    const ann = await pm('individuals get ann -o id').id();
    await pm.refuses(`individuals get ${ann} --as sue`, 6, ann);
    await pm.refuses('individuals get ann --as sue', 6, 'there is no individual "ann"');
    expect(await names('sites list --as sue')).toEqual(['Second']);
  });

  it('must name what is there', async () => {
    await pm.refuses('individuals list --as nobody', 6, 'no individual has the user name nobody');
    await pm.refuses('individuals list --site Nowhere', 6, 'there is no site "Nowhere"');
  });
});

describe('who may do what', () => {
  it('is refused with exit code 5 to those who are no administrators', async () => {
    await pm.refuses('colors create --rank 9 --name Gold --code ffd700 --as ann', 5, 'administrator');
    await pm.refuses('individuals update ann --is-admin --as ann', 5, 'administrator');
  });

  it('is refused with exit code 5 where the feature is off', async () => {
    await pm('sites update Local --feature-performance false').prints();
    await pm.refuses('commitments list --individual ann', 5, 'performance');
  });

  it('grows with grant-global', async () => {
    await pm.refuses('security-groups defaults --as ann', 5, 'global administrator');
    await pm('sites grant-global ann -o json').prints('"IsGlobalAdmin": true');
    await pm('security-groups defaults --as ann').prints();
    await pm('individuals list --as ann --site Second').prints('sue');
    await pm.refuses('sites grant-global nobody', 6, 'there is no individual "nobody"');
  });
});
