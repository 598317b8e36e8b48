// On a remote service, too: files that their names tell apart are one import, and a step may run twice.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingServedCompany } from './served-company.ts';

const { pm, remote } = usingServedCompany();

describe('a remote service', () => {
  it('takes a folder that was made by hand, as one job', async () => {
    mkdirSync(join(pm.home, 'made'));
    writeFileSync(join(pm.home, 'made', 'teams.csv'), 'Name,Parent,Rank\nHull,Local,7\nPaint,Hull,1\n');
    const header = 'Login,First name,Surname,E-mail,Job title,Team,Manager';
    writeFileSync(
      join(pm.home, 'made', 'people.csv'),
      `${header}\nina,Ina,Berg,ina@example.org,Painter,Paint,otto\notto,Otto,Dahl,otto@example.org,Head,Hull,itself\n`,
    );
    await remote('apply made -n').says('4 creates');
    await remote('apply made --yes').says('people.csv: Login → UserName', '4 creates');
    expect(await pm('individuals get ina -o json -p local').row()).toMatchObject({ PrimaryOrganizationName: 'Paint' });
    expect(await remote('apply made --yes -o json').row()).toMatchObject({ Job: null, Unchanged: 4 });
    await remote('undo --yes').prints();
    await pm('individuals get ina -p local').fails(6);
  });

  it('deletes and undeletes once, and says so the second time', async () => {
    const id = await remote(['individuals', 'get', 'bob\r', '-o', 'id']).id();
    await remote('individuals delete bob --yes').prints();
    await remote('individuals delete bob --yes').says('Deleted already: bob', 'Nothing was changed.');
    await remote(`individuals delete ${id} --yes`).says('Deleted already: bob');
    await remote('individuals undelete bob').prints();
    await remote('individuals undelete bob').says('Not deleted: bob', 'Nothing was changed.');
    await remote('individuals delete nobody --yes').fails(6);
  });
});
