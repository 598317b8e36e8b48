// pm individuals show, departments show and projects show: all about one record on one page.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(async (one) => {
  await company(one);
  await one('tasks create --individual ann --name Oil --responsible ann').prints();
  await one('comments create --individual ann --body "Well done"').prints();
  await one('security-groups add-member Leaders ann').prints();
  await one('permissions set Leaders allow read,update department Labs').prints();
  await one('permissions set ann deny delete department Sales --child-type project').prints();
  await one('projects create --department Sales --name Paint --phase Planning').prints();
  await one('individuals update bob --primary-reports-to admin').prints();
  await one('individuals update bob --primary-reports-to ann').prints();
});

const page = (line: string) => pm(line, { columns: 100, env: { NO_COLOR: '1' } });
const object = (line: string) => pm(`${line} -o json`).row();

describe('the page of an individual', () => {
  it('says where it is, who is above and below, its lists, groups and rights, and what was changed last', async () => {
    const out = await page('individuals show ann').prints();
    const headings = out.split('\n').filter((line, at, all) => all[at - 1] === '' && line !== '');
    expect(headings).toEqual([
      'Departments',
      'Above, the nearest first',
      'Who reports to them',
      'Accountabilities',
      'Tasks',
      'Comments',
      'Security groups',
      'Rights it is given',
      'Last changes',
    ]);
    expect(out).toMatch(/^Ann Smith\nUserName +ann\n/);
    expect(out).toMatch(/^PrimaryReportsTo +admin Administrator$/m);
    expect(out).toMatch(/^Sales +Member +yes/m);
    expect(out).toMatch(/^Bob Stone +bob +Member +EMEA$/m);
    expect(out).toMatch(/^Labs +read, update +Leaders$/m);
    expect(out).toMatch(/^Sales +project +delete$/m);
  });

  it('marks who is above and deleted', async () => {
    await pm('individuals delete ann --yes').prints();
    const { Managers } = await object('individuals show bob');
    expect(Managers).toMatchObject([
      { UserName: 'ann', Deleted: true },
      { UserName: 'admin', Deleted: null },
    ]);
  });

  it('names people in what was changed, and no IDs', async () => {
    const { Changes } = await object('individuals show bob');
    expect(Changes).toContainEqual(
      expect.objectContaining({ Field: 'PrimaryReportsTo', Before: 'Ann Smith', After: 'admin Administrator' }),
    );
  });

  it('is one object for programs: empty sections are empty lists', async () => {
    const whole = await object('individuals show ann');
    expect(Object.keys(whole)).toEqual([
      ...['Record', 'Departments', 'Managers', 'Reports', 'Accountabilities', 'Scopes', 'Roles', 'Commitments'],
      ...[
        'Projects',
        'Tasks',
        'Metrics',
        'Dialogs',
        'Comments',
        'CoreValues',
        'Groups',
        'Rights',
        'Changes',
        'Refused',
      ],
    ]);
    expect(whole).toMatchObject({ Record: { UserName: 'ann' }, Dialogs: [], Refused: {} });
    expect(whole.Reports).toEqual([
      expect.objectContaining({ FullName: 'Bob Stone', UserName: 'bob', ID: expect.any(String) }),
    ]);
  });

  it('is chosen by sections', async () => {
    expect(Object.keys(await object('individuals show ann --fields reports,tasks'))).toEqual(['Reports', 'Tasks']);
    await pm(['individuals', 'show', 'ann', '--jmespath', 'Reports[].UserName', '-o', 'json']).prints('"bob"');
  });

  it('is markdown to paste', async () => {
    await pm('individuals show ann -o md').prints(
      '# Ann Smith\n\n| Field | Value |',
      '## Who reports to them\n\n| FullName | UserName | PrimaryTitle | PrimaryOrganizationName |',
    );
  });

  it('leaves out columns that no row fills', async () => {
    await page('individuals show ann').prints(
      /^Department +Title +Primary +ReportsTo$/m,
      /^On +About +Allowed +Denied +Through$/m,
    );
  });

  it('fits a narrow terminal', async () => {
    const out = await pm('individuals show ann', { columns: 40, env: { NO_COLOR: '1' } }).prints(
      'Bob Stone',
      'admin  create',
    );
    const [, ...sections] = out.split('\n\n');
    const lines = sections.join('\n').split('\n');
    expect(lines.filter((line) => line.length > 40 && !line.endsWith('use -o json or --fields'))).toEqual([]);
  });
});

describe('the pages of departments and projects', () => {
  it('show what is above, below and inside', async () => {
    const out = await page('departments show Sales').prints(/^Sales\nParentID +Local\n/);
    expect(out).toMatch(/^Departments below\n.*\n.*\nEMEA/m);
    expect(out).toMatch(/^Members\n.*\n.*\nAnn Smith/m);
    expect(out).toMatch(/^Projects\n.*\n.*\nPaint/m);
    expect(out).toMatch(/^Rights on it\n.*\n.*\nAnn Smith +project/m);
    await page('organizations show Local').prints(/^Local\n/);
  });

  it('show whose a project is', async () => {
    await page('projects show Paint').prints(/^Paint\nAncestorName +Sales\nPhase +Planning\n/, 'Last changes');
  });
});

describe('what cannot be shown', () => {
  it('is a record that is not there', () =>
    pm.refuses('individuals show nobody', 6, 'there is no individual "nobody"'));
  it('is a page as rows', () => pm.refuses('individuals show ann -o csv', 2, 'a page has sections, and no rows'));
  it('is a part of a drawn page', () => pm.refuses('individuals show ann --limit 1', 2, 'a page is shown whole'));
  it('is a section that does not exist', () =>
    pm.refuses('individuals show ann -o json --fields Report', 2, 'no field "Report"', 'Did you mean Reports?'));

  it('is what the caller has no right to see: the section says so', async () => {
    const { Refused, Rights } = await object('departments show Sales --as bob');
    expect([Rights, Refused]).toEqual([[], { Rights: expect.stringContaining('bob may not') }]);
    await page('departments show Sales --as bob').prints(/^Rights on it\nnot shown: bob may not/m);
    await page('individuals show ann --as bob').prints(/^Rights it is given\nnot shown: .*administrators alone$/m);
  });
});

describe('a deleted record', () => {
  it('is shown with --deleted', async () => {
    await pm('individuals delete bob --yes').prints();
    await pm('individuals show bob').fails(6, 'is deleted');
    await page('individuals show bob --deleted 2').prints(/^Deleted +yes$/m, 'Keep promises');
  });
});
