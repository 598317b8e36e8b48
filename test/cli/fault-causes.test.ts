// Faults of a file are told by their causes: each once, with its remedy, those of the most rows first.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const HEADER = 'UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryOrganizationID,PrimaryReportsTo';
const person = (at: number, department: string, boss: string): string =>
  `u${at},U${at},Berg,u${at}@example.org,Clerk,${department},${boss}`;

function people(...lines: readonly string[]): string {
  writeFileSync(join(pm.home, 'people.csv'), `${[HEADER, ...lines].join('\n')}\n`);
  return 'import individuals people.csv --yes';
}

describe('a cause', () => {
  it('is told once, with the number of its rows and the first lines', async () => {
    const many = Array.from({ length: 30 }, (_, at) => person(at, at === 7 ? 'Labs' : 'Production', 'ann'));
    const line = people(...many, person(90, 'Sale', 'ann'), person(91, 'Labs', 'zoe'), person(92, 'Labs', 'zoe'));
    const { err } = await pm.refuses(line, 7, 'people.csv (32 faults): the values are not allowed');
    expect(err.split('\n').filter((one) => one.startsWith('  column') || one.startsWith('  line'))).toEqual([
      '  column PrimaryOrganizationID cannot be used: there is no department "Production" (29 rows: 2, 3, 4 …)',
      '  column PrimaryReportsTo cannot be used: there is no individual "zoe" (2 rows: 33, 34)',
      '  line 32, column PrimaryOrganizationID cannot be used: there is no department "Sale"',
    ]);
    expect(err).toContain('pm departments list shows what is there.');
    expect(err).toContain('Did you mean Sales?');
  });

  it('keeps each of its rows in errors for programs', async () => {
    const line = people(...Array.from({ length: 30 }, (_, at) => person(at, 'Production', 'ann')));
    const { err } = await pm(`${line} --errors json`).fails(7);
    const last = err.trim().split('\n').at(-1) ?? '';
    expect((JSON.parse(last) as { readonly faults: readonly unknown[] }).faults).toHaveLength(30);
  });

  it('without a column is told of each of its rows, with what to add', async () => {
    writeFileSync(join(pm.home, 'colors.csv'), 'Name,Code\nSky,0000ff\nSea,00ffff\n');
    await pm.refuses(
      'import colors colors.csv --yes',
      7,
      '  a row is new, and the file has no column for Rank (2 rows: 2, 3)',
      'hint: Add a column Rank.',
    );
  });
});

describe('rows that the service refuses', () => {
  it('are told by their cause too, and each is in the file of failed rows', async () => {
    const lines = Array.from({ length: 25 }, (_, at) => `ann,Duty ${at},${at},Do it`);
    writeFileSync(join(pm.home, 'duties.csv'), `Individual,Name,Rank,Description\n${lines.join('\n')}\n`);
    const { err } = await pm('import accountabilities duties.csv --mode create --yes --as bob').fails(5);
    expect(err.match(/^error: .*/gm)).toEqual([expect.stringMatching(/^error: 25 rows \(2, 3, 4 …\): /)]);
    const [, file = ''] = /What was not done: (.*)/.exec(err) ?? [];
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(26);
    const told = await pm('import accountabilities duties.csv --mode create --yes --as bob --errors json').fails(5);
    expect(told.err.match(/^\{"code"/gm)).toHaveLength(20);
  });
});

describe('dates that can be read two ways', () => {
  it('are one cause, whatever the days, and leave room for the others', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `${person(at, 'Labs', 'ann')},0${1 + (at % 9)}/12/2019`);
    rows.push(`${person(90, 'Labs', '')},31/12/2019`);
    writeFileSync(join(pm.home, 'people.csv'), `${HEADER},HireDate\n${rows.join('\n')}\n`);
    await pm.refuses(
      'import individuals people.csv --yes',
      7,
      'people.csv (31 faults)',
      '  column HireDate is "01/12/2019", which can be 2019-12-01 or 2019-01-12 (30 such rows: 2, 3 "02/12/2019", 4 "03/12/2019" …)',
      '  line 32, column PrimaryReportsTo is required',
      "--date-format 'HireDate=dd/mm/yyyy' or 'HireDate=mm/dd/yyyy'",
    );
  });
});

describe('the remedy', () => {
  it('for a blank manager at the top is itself, which is understood', async () => {
    await pm.refuses(people(person(1, 'Labs', '')), 7, 'column PrimaryReportsTo is required', 'write itself.');
    await pm(people(person(1, 'Labs', 'itself'), person(2, 'Labs', 'u1'))).says('2 creates');
    const top = await pm('individuals get u1 -o json').row();
    expect(top.PrimaryReportsTo).toBe(top.ID);
  });

  it('for a parent that several rows are called by is a path', async () => {
    const lines = ['Name,Parent,Rank', 'North,Local,7', 'South,Local,8', 'Lab,North,1', 'Lab,South,1', 'Desk,Lab,1'];
    writeFileSync(join(pm.home, 'departments.csv'), `${lines.join('\n')}\n`);
    await pm.refuses(
      'import departments departments.csv --yes',
      7,
      'line 6, column Parent names several rows of this file: "Lab"',
      'hint: Give the path, such as North/Lab or South/Lab, or the ID.',
    );
  });

  it('for a manager who has a namesake in the file is the user name', async () => {
    const lines = ['u1,Eva,Berg,u1@example.org', 'u2,Eva,Berg,u2@example.org'].map((one) => `${one},Clerk,Labs,ann`);
    await pm.refuses(
      people(...lines, person(3, 'Labs', 'Eva Berg')),
      7,
      'line 4, column PrimaryReportsTo names several rows of this file: "Eva Berg"',
      'hint: Give the user name, such as u1 or u2, or the ID.',
    );
  });

  it('for such a manager is the e-mail in a file without user names, and it is understood', async () => {
    await pm(
      people(...[1, 2, 3].map((at) => person(at, 'Labs', 'ann').replace(`U${at}`, at === 3 ? 'Ina' : 'Eva'))),
    ).says();
    const withoutLogins = (boss: string): string => {
      const lines = [HEADER, person(1, 'Labs', 'ann'), person(2, 'Labs', 'ann'), person(3, 'Labs', boss)];
      const named = lines.map((one, at) => one.replace(/^[^,]*,/, '').replace(/^U\d/, at === 3 ? 'Ina' : 'Eva'));
      writeFileSync(join(pm.home, 'mails.csv'), `${named.join('\n')}\n`);
      return 'import individuals mails.csv --key Email --yes';
    };
    const hint = 'hint: Give the e-mail, such as u1@example.org or u2@example.org, or the ID.';
    await pm.refuses(withoutLogins('Eva Berg'), 7, 'names several rows of this file: "Eva Berg"', hint);
    await pm(withoutLogins('u2@example.org')).says('1 update');
  });

  it('is not asked of a manager where the rows are not matched yet: the one of the file may be the one of the site', async () => {
    writeFileSync(join(pm.home, 'mails.csv'), 'FirstName,LastName,Manager\nAnn,Smith,admin\nBob,Stone,Ann Smith\n');
    const { err } = await pm.refuses('import individuals mails.csv', 7, 'has no column for UserName');
    expect(err).not.toContain('and also a record of the site');
  });

  it('that asks what was meant says the name', async () => {
    writeFileSync(join(pm.home, 'titles.csv'), 'Who,Title\nan,Boss\n');
    await pm.refuses(
      'each titles.csv --yes -- individuals update {Who} --primary-title {Title}',
      7,
      'there is no individual "an"\nhint: Did you mean ann?',
    );
  });
});
