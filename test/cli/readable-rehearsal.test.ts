// A rehearsal as people read it: a new record is one row, people have names, and the changes of others stand below.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const HEADER = 'UserName,FirstName,LastName,Email,Title,Department,Manager,HireDate';

function sheet(...lines: readonly string[]): void {
  writeFileSync(join(pm.home, 'people.csv'), `${[HEADER, ...lines].join('\n')}\n`);
}

const rehearsed = (flags = '', columns: number | undefined = 80) =>
  pm(`import individuals people.csv -n ${flags}`.trim(), { columns, env: { NO_COLOR: '1' } });

const NEW = [
  'eva.roe,Eva,Roe,eva@example.org,Keeper of all the many lights,EMEA,ann,2024-03-04',
  'ida.poe,Ida,Poe,ida@example.org,Clerk,Labs,eva.roe,2024-03-05',
];

describe('a rehearsal', () => {
  it('shows a new record in one row, with what tells most about it first', async () => {
    sheet(...NEW);
    const { err } = await rehearsed().says('2 creates');
    expect(err).not.toContain('Changes:');
    expect(await rehearsed().prints()).toMatchInlineSnapshot(`
      "Line  Name     UserName  Title           Organization  ReportsTo  Email
      ────  ───────  ────────  ──────────────  ────────────  ─────────  ──────────────
         2  Eva Roe  eva.roe   Keeper of all…  EMEA          Ann Smith  eva@example.o…
         3  Ida Poe  ida.poe   Clerk           Labs          Eva Roe    ida@example.o…
      Title, Email cut; HireDate left out: -o csv shows all
      "
    `);
  });

  it('shows the changes of others below, under the name of the person', async () => {
    sheet(...NEW, 'ann,,,,Head,,,', 'bob,,,,,Labs,,');
    await rehearsed().says('2 creates, 2 updates', 'Changes:');
    expect(await rehearsed().prints()).toMatchInlineSnapshot(`
      "Line  Name     UserName  Title           Organization  ReportsTo  Email
      ────  ───────  ────────  ──────────────  ────────────  ─────────  ──────────────
         2  Eva Roe  eva.roe   Keeper of all…  EMEA          Ann Smith  eva@example.o…
         3  Ida Poe  ida.poe   Clerk           Labs          Eva Roe    ida@example.o…
      Title, Email cut; HireDate left out: -o csv shows all
      Line  Operation  Name       Field                  Before  After  Resource
      ────  ─────────  ─────────  ─────────────────────  ──────  ─────  ───────────
         4  update     Ann Smith  PrimaryTitle           Member  Head   individuals
         5  update     Bob Stone  PrimaryOrganizationID  EMEA    Labs   individuals
      "
    `);
  });

  it('has all columns where there is room, but those that say nothing', async () => {
    sheet(...NEW);
    const [header = ''] = (await rehearsed('', 200).prints()).split('\n');
    expect(header.split(/ +/)).toEqual([
      'Line',
      'Name',
      'UserName',
      'Title',
      'Organization',
      'ReportsTo',
      'Email',
      'HireDate',
    ]);
  });

  it('of several files names the file, and has a table for each resource', async () => {
    sheet(...NEW);
    writeFileSync(join(pm.home, 'departments.csv'), 'Name,Parent,Rank\nOslo,Sales,3\n');
    const out = await pm('apply . -n', { columns: 80, env: { NO_COLOR: '1' } }).prints();
    expect(out).toMatch(/^File +Line +Name +Parent/m);
    expect(out).toMatch(/^departments\.csv +2 +Oslo +Sales/m);
    expect(out).toMatch(/^people\.csv +2 +Eva Roe/m);
  });

  it('is told field by field to programs, and to who asks for fields', async () => {
    sheet(...NEW);
    const rows = await rehearsed('-o json').rows();
    expect(rows).toContainEqual(expect.objectContaining({ Line: 2, Name: 'eva.roe', Field: 'LastName', After: 'Roe' }));
    await rehearsed('-o csv', undefined).prints('2,create,eva.roe,LastName,,Roe');
    await rehearsed('--fields Field,After').prints(/^LastName +Roe$/m);
  });

  it('of a plan is shown in the same way', async () => {
    sheet(...NEW, 'ann,,,,Head,,,');
    await pm('plan individuals people.csv --out people.plan').says('2 creates');
    const out = await pm('plan show people.plan', { columns: 80, env: { NO_COLOR: '1' } }).prints();
    expect(out).toMatch(/^ +2 +Eva Roe +eva\.roe/m);
    expect(out).toMatch(/update +Ann Smith +PrimaryTitle +Member +Head/);
    const asked = await pm(['plan', 'show', 'people.plan', '--where', "Field = 'LastName'", '-o', 'json']).row();
    expect(asked.Changes).toHaveLength(2);
  });
});
