// A column of a file names records by a key: a column of the same file, of a file before it, or a field of records that are there.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

function sheet(lines: readonly string[], flags: string, file = 'people.csv'): string {
  writeFileSync(join(pm.home, file), `${lines.join('\n')}\n`);
  return `import individuals ${file} --yes ${flags}`;
}

const HEADING = 'EMPLOYEE_ID,UserName,FirstName,LastName,Email,Job title,Department,MANAGER_ID';

/** A row of this number, login and manager. */
const person = (number: string, login: string, manager: string): string =>
  `${number},${login},${login},Roe,${login}@example.org,Clerk,Sales,${manager}`;

const BY_NUMBER = '--ref MANAGER_ID=EMPLOYEE_ID';

const managerOf = async (login: string): Promise<unknown> => {
  const { PrimaryReportsTo } = await pm(`individuals get ${login} -o json`).row();
  return (await pm(`individuals get ${String(PrimaryReportsTo)} -o json`).row()).UserName;
};

const three = [person('100', 'ada', '100'), person('0101', 'bo', '100.0'), person('102', 'cy', '101')];

describe('a column with --ref names rows of the file', () => {
  it('as they are written or as numbers, and a row also names itself', async () => {
    await pm(sheet([HEADING, ...three], BY_NUMBER)).says('3 creates', 'MANAGER_ID → PrimaryReportsTo');
    expect([await managerOf('ada'), await managerOf('bo'), await managerOf('cy')]).toEqual(['ada', 'ada', 'bo']);
    await pm(sheet([HEADING, ...three], BY_NUMBER)).says('3 unchanged');
  });

  it('whatever the letters of the key, and the order of the rows', async () => {
    await pm(sheet([HEADING, person('4PO02', 'ada', '4po01'), person('4PO01', 'bo', '4PO01')], BY_NUMBER)).says(
      '2 creates',
    );
    expect(await managerOf('ada')).toBe('bo');
  });

  it('refuses a key that differs from two others only as a number', () =>
    pm.refuses(
      sheet([HEADING, person('42', 'ada', '42'), person('0042', 'bo', '0042'), person('7', 'cy', '42.0')], BY_NUMBER),
      7,
      'line 4',
      'lines 2 and 3',
    ));

  it('refuses a key of two rows where a row names it', async () => {
    const twins = [person('7', 'ada', '7'), person('8', 'bo', '8'), person('8', 'cy', '7')];
    await pm.refuses(
      sheet([HEADING, ...twins], BY_NUMBER),
      7,
      'column MANAGER_ID',
      'is the EMPLOYEE_ID of several rows',
      'lines 3 and 4',
    );
  });

  it('refuses a key that nobody has', () =>
    pm.refuses(
      sheet([HEADING, person('7', 'ada', '9')], BY_NUMBER),
      7,
      'column MANAGER_ID',
      'no row has this EMPLOYEE_ID',
      '"9"',
    ));
});

describe('a key that is a field', () => {
  it('finds people of the site, too', async () => {
    await pm('individuals update ann --user-defined1 0017').prints();
    const flags = '--map EMPLOYEE_ID=UserDefined1 --ref MANAGER_ID=EMPLOYEE_ID';
    await pm(sheet([HEADING, person('20', 'ada', '0017'), person('21', 'bo', '20')], flags)).says('2 creates');
    expect([await managerOf('ada'), await managerOf('bo')]).toEqual(['ann', 'ada']);
    await pm.refuses(
      sheet([HEADING, person('22', 'cy', '23')], flags),
      7,
      'no row has this EMPLOYEE_ID, nor has any individual',
    );
  });

  it.each(['17', '17.0', '017'])(
    'finds a person of the site whose key has other zeros in front: %s',
    async (number) => {
      await pm('individuals update ann --user-defined1 0017').prints();
      await pm(sheet([HEADING, person('20', 'ada', number)], '--ref MANAGER_ID=UserDefined1 --map EMPLOYEE_ID=')).says(
        '1 create',
      );
      expect(await managerOf('ada')).toBe('ann');
      await pm('individuals update bob --user-defined1 00017').prints();
      const several = sheet([HEADING, person('21', 'bo', number)], '--ref MANAGER_ID=UserDefined1 --map EMPLOYEE_ID=');
      await pm.refuses(several, 7, 'it is the UserDefined1 of several records');
    },
  );

  it('is refused where a row of the file and another record have it', async () => {
    await pm('individuals update ann --user-defined1 20').prints();
    const flags = '--map EMPLOYEE_ID=UserDefined1 --ref MANAGER_ID=EMPLOYEE_ID';
    await pm.refuses(sheet([HEADING, person('20', 'ada', '20')], flags), 7, 'it is the EMPLOYEE_ID of several records');
  });

  it('need not be a column of the file', async () => {
    await pm('departments update Sales --focus S-1').prints();
    const lines = ['UserName,Dept code', 'bob,S-1'];
    await pm(sheet(lines, "--ref 'Dept code=Focus'")).says('1 update', 'Dept code → PrimaryOrganizationID');
    expect((await pm('individuals get bob -o json').row()).PrimaryOrganizationName).toBe('Sales');
  });
});

it('names rows of a file before it in the same folder', async () => {
  mkdirSync(join(pm.home, 'hr'));
  const departments = ['DEPARTMENT_ID,DEPARTMENT_NAME,Parent,Rank', '60,IT,Local,7', '61,Lab,IT,1'];
  writeFileSync(join(pm.home, 'hr', 'departments.csv'), `${departments.join('\n')}\n`);
  const people = HEADING.replace('Department', 'DEPARTMENT_ID');
  writeFileSync(join(pm.home, 'hr', 'employees.csv'), `${people}\n${person('1', 'ada', '1').replace('Sales', '61')}\n`);
  const recipe = [
    'recipe: 1',
    'resource: individuals',
    'ref:',
    '  DEPARTMENT_ID: DEPARTMENT_ID',
    '  MANAGER_ID: EMPLOYEE_ID',
  ];
  writeFileSync(join(pm.home, 'hr', 'employees.pm'), `${recipe.join('\n')}\n`);
  writeFileSync(
    join(pm.home, 'hr', 'departments.pm'),
    'recipe: 1\nresource: departments\nref:\n  DEPARTMENT_ID: DEPARTMENT_ID\n',
  );
  await pm('apply hr --yes').says('3 creates');
  expect((await pm('individuals get ada -o json').row()).PrimaryOrganizationName).toBe('Lab');
});

describe('a --ref that cannot be followed is one fault', () => {
  it.each([
    ['Boss=EMPLOYEE_ID', 'column Boss should name records by EMPLOYEE_ID', 'but this column names no records'],
    ['MANAGER_ID=Personnel', 'which is neither a column of the file nor a field of these records'],
    ['LastName=EMPLOYEE_ID', 'but this column names no records', "--map 'LastName=<Field>'"],
  ])('%s', async (ref, ...wanted) => {
    await pm.refuses(sheet([HEADING, person('1', 'ada', 'ann')], `--ref ${ref} --ignore-unknown`), 7, ...wanted);
  });

  it('a column of codes whose field no word says', () =>
    pm.refuses(
      sheet([HEADING.replace('MANAGER_ID', 'MGR'), person('1', 'ada', '1')], '--ref MGR=EMPLOYEE_ID --ignore-unknown'),
      7,
      "--map 'MGR=<Field>' names the field that it fills",
    ));

  it('a malformed one is a fault of the command line', async () => {
    await pm.refuses(sheet([HEADING], '--ref MANAGER_ID='), 2, "Write --ref 'Column=Key'");
    await pm.refuses(sheet([HEADING], '--ref A=B --ref a=C'), 2, '--ref names the column a twice');
  });
});

it('a key is found also where the file has other faults', async () => {
  const { err } = await pm(
    sheet([HEADING.replace('UserName', 'Nickname'), ...three], `${BY_NUMBER} --ignore-unknown`),
  ).fails(7);
  expect(err).not.toContain('column MANAGER_ID');
});
