// A person is found however mail programs, directories and lists of people write a name: in commands, and in the cells of files.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company, individual } from './company.ts';

const pm = usingPm(async (filling) => {
  await company(filling);
  await filling('individuals update ann --user-defined2 EMP0012').prints();
});

const FORMS = [
  'Ann Smith',
  'ann smith',
  'Ann  Smith',
  'Ann\u00a0Smith',
  'Smith, Ann',
  'SMITH,Ann',
  'Ann Smith (ann)',
  'Ann Smith (EMP0012)',
  'Ann Smith (ann@example.org)',
  'Smith, Ann (ann)',
  'CN=Ann Smith,OU=Yard,DC=example,DC=org',
  'cn=Smith\\, Ann,OU=Yard',
  'EXAMPLE\\ann',
  'Ann Smith <ann@example.org>',
  'mailto:ann@example.org',
  'ann@example.org',
  'Dr. Ann Smith',
  'Prof. Dr. Ann Smith',
  'Ms Smith, Ann',
];

const HEADING = 'UserName,FirstName,LastName,Email,Title,Department,Manager';

const sheet = (...rows: readonly string[]): void =>
  writeFileSync(join(pm.home, 'people.csv'), `${[HEADING, ...rows].join('\n')}\n`);

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

describe('a person of the site', () => {
  it.each(FORMS)('is named as %s by a command, and in a file', async (form) => {
    expect(await pm(['individuals', 'get', form, '-o', 'json']).row()).toMatchObject({ UserName: 'ann' });
    writeFileSync(join(pm.home, 'bob.csv'), `UserName,Manager\nbob,${quoted(form)}\n`);
    await pm('import individuals bob.csv --yes').says('1 unchanged');
  });

  it.each([
    ['Ann Smith (bob)', 'of whom the mark is another one'],
    ['Ann Smith (7)', 'of whom the mark is nobody'],
    ['Smith Ann', 'whose names are turned round without a comma'],
    ['Mr Ann', 'of whom a title leaves one word'],
    ['CN=Annie Smith,OU=Yard', 'whom the directory calls otherwise'],
  ])('is not meant by %s, %s', async (form) => {
    await pm.refuses(['individuals', 'get', form], 6, 'there is no individual');
  });

  it('of a name that several have is asked for', async () => {
    await pm(individual('ann2', 'Ann Smith', 'Sales', 'me')).prints();
    for (const form of ['Smith, Ann', 'Dr. Ann Smith'])
      await pm.refuses(['individuals', 'get', form], 7, 'fits 2 individuals');
    expect(await pm(['individuals', 'get', 'Smith, Ann (ann2)', '-o', 'json']).row()).toMatchObject({
      UserName: 'ann2',
    });
    sheet('cleo,Cleo,Berg,c@example.org,Clerk,Sales,"Smith, Ann"');
    await pm.refuses('import individuals people.csv --yes', 7, 'column Manager', 'fits 2 individuals');
  });
});

describe('a row of the same file', () => {
  it.each([...FORMS.filter((form) => !form.includes('EMP')), 'Ann Smith (P7)'])('is named as %s', async (written) => {
    const form = written.replaceAll('Ann', 'Zoe').replaceAll('ann', 'zoe').replaceAll('ANN', 'ZOE');
    const rows = [
      'zoe,Zoe,Smith,zoe@example.org,Chief,Sales,itself,P7',
      `yan,Yan,Roe,y@example.org,Clerk,Sales,${quoted(form)},`,
    ];
    writeFileSync(join(pm.home, 'people.csv'), `${[`${HEADING},UserDefined1`, ...rows].join('\n')}\n`);
    await pm('import individuals people.csv --yes').says('2 creates');
    const yan = await pm('individuals get yan -o json').row();
    expect(yan.PrimaryReportsTo).toBe((await pm('individuals get zoe -o json').row()).ID);
  });

  it('names itself by its own address', async () => {
    sheet('zoe,Zoe,Smith,zoe@example.org,Chief,Sales,mailto:zoe@example.org');
    await pm('import individuals people.csv --yes').says('1 create');
    const zoe = await pm('individuals get zoe -o json').row();
    expect(zoe.PrimaryReportsTo).toBe(zoe.ID);
  });

  it('and a person of the site that a form fits are both named, and nothing is done', async () => {
    sheet('zoe,Ann,Smith,zoe@example.org,Chief,Sales,itself', 'yan,Yan,Roe,y@example.org,Clerk,Sales,"Dr. Smith, Ann"');
    await pm.refuses(
      'import individuals people.csv --yes',
      7,
      'names row 2 of this file, and also a record of the site',
    );
  });
});

it('a department is found by its name whatever its blanks, and its words are not turned round', async () => {
  await pm('departments create --name "Dock Two" --rank 3 --parent Local').prints();
  sheet('zoe,Zoe,Smith,z@example.org,Chief,"Two, Dock",itself');
  await pm.refuses('import individuals people.csv --yes', 7, 'column Department', 'there is no department');
});

it('the person nearest to an unknown name is told, of the rows of the file or of the site', async () => {
  sheet(
    'zoe,Zoe,Quist,z@example.org,Chief,Sales,itself',
    'yan,Yan,Roe,y@example.org,Clerk,Sales,Zoe Quits',
    'xan,Xan,Roe,x@example.org,Clerk,Sales,Ann Smit',
  );
  const hints = ['Did you mean Zoe Quist (zoe), line 2?', 'Did you mean Ann Smith?'];
  await pm.refuses('import individuals people.csv --yes', 7, ...hints);
});

it('the person nearest to an unknown name may have no user name', async () => {
  const rows = ['FirstName,LastName,Manager', 'Zoe,Quist,itself', 'Yan,Roe,Zoe Quits'];
  writeFileSync(join(pm.home, 'people.csv'), `${rows.join('\n')}\n`);
  await pm.refuses('import individuals people.csv --yes', 7, 'Did you mean Zoe Quist, line 2?');
});

it('of many unknown names the first are compared', async () => {
  const rows = Array.from(
    { length: 80 },
    (_, at) => `p${at},P,Roe,p${at}@example.org,Clerk,Sales,Ann Smit${'h'.repeat(at % 2)}${at}`,
  );
  sheet(...rows);
  const { err } = await pm('import individuals people.csv --yes --errors json').fails(7);
  expect(err.match(/Did you mean/g)?.length).toBeLessThanOrEqual(100);
});
