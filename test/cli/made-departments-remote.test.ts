// --make departments, --ref and ranks on a remote service, whether it keeps the IDs of new records or gives them its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Backend } from '../../src/contract/call.ts';
import { ignoringIDs } from '../support/ignoring-ids.ts';
import { usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (one) => {
  await company(one);
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});
const remote = (line: string) => pm(`${line} -p prod`, { env: { PM_PASSWORD: PASSWORD } });

const ROWS = [
  'No,UserName,FirstName,LastName,Email,Title,Department,Manager No',
  '7,zoe,Zoe,Quist,z@example.org,Chief,Yard,007',
  '8,yan,Yan,Roe,y@example.org,Clerk,Yard/Dock,7.0',
];

describe.each<[string, (backend: Backend) => Backend]>([
  ['that keeps IDs', (backend) => backend],
  ['that gives its own', ignoringIDs],
])('a service %s', (_name, over) => {
  servedAsProd(pm, { over });

  it('gets the departments first, at the end of their lists, and one undo takes all back', async () => {
    writeFileSync(join(pm.home, 'people.csv'), `${ROWS.join('\n')}\n`);
    const line = 'import individuals people.csv --make departments --ref ManagerNo=No';
    await remote(`${line} -n`).says('4 creates');
    await remote(`${line} --yes`).says('4 creates');
    const yan = await pm('individuals get yan -o json -p local').row();
    const zoe = await pm('individuals get zoe -o json -p local').row();
    expect([yan.PrimaryOrganizationName, yan.PrimaryReportsTo, zoe.PrimaryReportsTo]).toEqual(['Dock', zoe.ID, zoe.ID]);
    const { DisplayRank } = await pm('departments get Dock -o json -p local').row();
    expect(DisplayRank).toBe('1.3.1');
    await remote(`${line} --yes`).says('2 unchanged');
    await remote('departments create --name Quay --parent Local').says('1 create');
    expect((await pm('departments get Quay -o json -p local').row()).DisplayRank).toBe('1.4');
    await remote('undo --yes').prints();
    await remote('undo --yes').prints();
    await pm('departments get Yard -p local').fails(6, 'is deleted');
  });
});
