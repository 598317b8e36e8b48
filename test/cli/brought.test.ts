// Files that people bring, each under test/fixtures/brought: what comes of it in the sample company, a value or a refusal at its
// line. The kinds that they stand for, with more of each: test/cli/sheets-of-others, leftovers, test/changes/files-excel.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';

const folder = fileURLToPath(new URL('../fixtures/brought', import.meta.url));

const pm = usingPm(async (pm) => {
  await pm('seed --sample small').says('');
  const person = '--first-name Ada --last-name Again --email rehire.one@example.com --primary-organization Production';
  const place = '--primary-title Fitter --primary-reports-to margaret.oyelaran';
  await pm(`individuals create --user-name rehire.one ${person} ${place}`).prints();
  await pm('individuals delete rehire.one --yes').prints();
});

const resourceOf = (file: string): string =>
  /groups/.test(file) ? 'security-groups' : /^(departments|map-of)/.test(file) ? 'departments' : 'individuals';

const importing = (file: string, flags: string): string =>
  `import ${resourceOf(file)} "${join(folder, file)}" --yes ${flags}`;

type Values = Readonly<{ [login: string]: Readonly<{ [field: string]: unknown }> }>;

const DAY = '2024-03-01';

/** The files that come in: with these flags, and what the records hold then. */
const READ: readonly (readonly [string, string, Values])[] = [
  [
    'zeros-by-format.xlsx',
    '--tz UTC',
    { 'c.one': { UserDefined1: '00042', HireDate: DAY }, 'c.two': { UserDefined1: '00042' } },
  ],
  ['zeros-key.xlsx', '--key UserDefined1', { 'sven.dahl2': { PrimaryTitle: 'Measurer', UserDefined1: '00042' } }],
  ['hidden-first-sheet.xlsx', '--tz UTC', { 'e.one': { LastName: 'One', HireDate: DAY } }],
  ['hidden-old-data.xlsx', '', { 'ylva.sandstrom': { PrimaryTitle: 'Title of today' } }],
  ['hidden-rows.xlsx', '', { 'f.left': { LastName: 'Leaver' }, 'f.stay': { LastName: 'Stays' } }],
  ['no-refs.xlsx', '', { 'ylva.sandstrom': { PrimaryTitle: 'Planner of materials' } }],
  [
    'formats.xlsx',
    '',
    {
      'ylva.sandstrom': {
        UserDefined1: 'EMP0042',
        UserDefined2: '50%',
        UserDefined3: '1,234.50 €',
        UserDefined4: '2024',
      },
      'haeun.seo': {
        UserDefined1: '9:00',
        UserDefined2: 'true',
        UserDefined3: '2024-03-01',
        UserDefined4: '2024-03-01T18:00:00',
      },
    },
  ],
  [
    'formats-of-regions.xlsx',
    '',
    {
      'ylva.sandstrom': { UserDefined1: '42' },
      'haeun.seo': { UserDefined1: '42.0 Std' },
      'klara.svoboda': { UserDefined1: 'Friday, March 01, 2024' },
      'milan.horvath': { UserDefined1: '42 €' },
      'oskar.lindgren': { UserDefined1: '1. März 2024' },
      'marta.kowalczyk': { UserDefined1: '42. Monat' },
      'fatou.diallo': { UserDefined1: '1008:00' },
      'kwame.asante': { UserDefined1: '01/03/2024' },
      'tiago.moreira': { UserDefined1: '42' },
    },
  ],
  ['order-of-sheets.xlsx', '--sheet Other', { 'haeun.seo': { PrimaryTitle: 'Fine' } }],
  [
    'chartsheet-last.xlsx',
    '',
    { 'ylva.sandstrom': { PrimaryTitle: 'Planner' }, 'haeun.seo': { PrimaryTitle: 'Seller' } },
  ],
  ['serial-general.xlsx', '--map "Hire date="', { 'b.two': { LastName: 'Two', HireDate: null } }],
  ['rehire-other-login.csv', '', { 'rehire.one2': { Email: 'rehire.one@example.com' } }],
  ['self-by-name.csv', '', { 'margaret.o3': { FullName: 'Margaret Oyelaran' } }],
  [
    'blank-row-between.csv',
    '',
    { 'ylva.sandstrom': { PrimaryTitle: 'Planner' }, 'haeun.seo': { PrimaryTitle: 'Seller' } },
  ],
  ['pandas-index.csv', '--ignore-unknown', { 'ylva.sandstrom': { PrimaryTitle: 'Planner' } }],
  ['header-line-break.csv', '', { 'ylva.sandstrom': { PrimaryTitle: 'Planner' } }],
  ['value-count.json', '', { 'ylva.sandstrom': { PrimaryTitle: 'Planner' }, 'haeun.seo': { PrimaryTitle: 'Seller' } }],
  [
    'scim-list.json',
    '--map id= --map manager.displayName=Manager --map manager.value= --ignore-unknown',
    { 'v.one': { FirstName: 'Ada', Email: 'v.one@example.com', PrimaryOrganizationName: 'Production' } },
  ],
  [
    'sets/scim-list.json',
    '--map id= --ref manager.value=id --map organization= --ignore-unknown --top usual --make departments --below site',
    {
      'bj@example.com': { LastName: 'Jens', PrimaryTitle: 'Tour guide', PrimaryOrganizationName: 'Tour Operations' },
      'js@example.com': { FirstName: 'Jon', Email: 'js@example.com' },
    },
  ],
  [
    'ms-date.json',
    '--tz UTC --map HireDate.DateTime=',
    { 'ylva.sandstrom': { HireDate: DAY }, 'haeun.seo': { HireDate: DAY }, 'klara.svoboda': { HireDate: DAY } },
  ],
  ['single-object.json', '', { 'ylva.sandstrom': { PrimaryTitle: 'Planner' } }],
  ['name-prefix.csv', '', { 412733: { LastName: 'One' }, 412734: { LastName: 'Two' } }],
  [
    'widths.csv',
    '',
    { 'w.two': { FirstName: '한글' }, 'w.five': { LastName: 'عَلِيّ' }, 'w.six': { LastName: '１２３' } },
  ],
];

/** The files that are refused: with these flags, and what is said of them. */
const REFUSED: readonly (readonly [string, string, ...string[]])[] = [
  ['serial-general.xlsx', '', 'column Hire date is "45352", a date as a spreadsheet numbers it'],
  ['serial.csv', '', 'column Hire date is "45352", a date as a spreadsheet numbers it'],
  ['long-numbers.xlsx', '', 'line 2, column I holds a number of more than 15 digits'],
  ['hidden-rows-delete.xlsx', '--mode delete', 'line 2 is hidden in the sheet'],
  ['prefix-x.xlsx', '', 'line 3, column G holds a formula that failed: "#N/A"'],
  ['error-constant.xlsx', '', 'line 2, column B shows an error: "#N/A"'],
  ['error-to-be-cleared.xlsx', '--blank clear', 'line 2, column B shows an error: "#N/A"', 'line 3, column B'],
  ['attribute-order.xlsx', '', 'line 2, column B holds a formula that failed: "#DIV/0!"'],
  ['order-of-sheets.xlsx', '', 'line 2, column B holds a formula that failed'],
  ['empty-shared-string.xlsx', '', 'is a broken Excel file'],
  ['booleans.csv', '', 'line 5, column IsAdmin is "ja"'],
  ['truths.csv', '', 'line 6, column IsAdmin is "2"'],
  ['short-rows.csv', '', 'line 3, column Suffix has 2 cells where the header has 3', 'line 5'],
  ['sentinel-dates.csv', '', 'line 2', 'line 4', 'column Hire date is "N/A", not a date (2 such rows: 6, 7 "-")'],
  ['two-digit-years.csv', '', 'line 2, column Hire date', 'line 3, column Hire date', 'line 4'],
  ['last-first.csv', '', 'column Employee Name is not a field'],
  ['mononyms.csv', '', 'line 2, column LastName is required', 'line 3, column FirstName is required'],
  ['manager-forms.csv', '', 'line 2', 'line 6'],
  ['two-managers.csv', '', 'line 2, column Manager', 'line 3, column Manager', 'line 3, column Department'],
  ['rehire.csv', '', 'line 2 names a deleted individual: Ada Again'],
  ['two-departments.csv', '', 'line 3 has the same UserName as line 2'],
  ['top-tokens.csv', '', '(7 such rows: 3, 4 "xx"', 'line 2, column Manager is required', 'line 10, column Manager'],
  ['depth-cut.json', '', 'is "System.Object[]", which programs write where a value is missing'],
  ['map-of-teams.yaml', '', 'line 3, column members is not a field', "--map 'members=' leaves it out"],
  ['ms-date.json', '', 'column HireDate.DateTime is not a field', "--map 'HireDate.DateTime=' leaves it out"],
  ['scim-list.json', '', 'column id is "9067729b3d-94f1"', 'column manager.displayName may mean', '3 columns'],
  ['doubles.csv', '', 'line 2, column UserName holds the character U+00AD', 'line 4'],
  ['invisible-key.csv', '', 'line 2, column UserName holds the character U+00AD', 'line 4', 'line 5'],
  ['same-name.csv', '', 'line 3, column Manager names row 2 of this file, and also a record of the site'],
  ['departments-same-name.csv', '', 'there is a "Quality" already', 'line 3, column ParentID names row 2'],
  ['excel-leftovers.csv', '', '"#N/A", which programs write', '"4.90123E+13": a spreadsheet has cut'],
  ['pandas-index.csv', '', 'is in a column without a name'],
  ...readdirSync(join(folder, 'sets')).map((file) => [join('sets', file), '', 'column'] as const),
];

describe('a file that people bring', () => {
  it.each(READ)('comes in with what it shows: %s %s', async (file, flags, wanted) => {
    await pm(importing(file, flags)).says('');
    for (const [login, values] of Object.entries(wanted))
      expect(await pm(['individuals', 'get', `name:${login}`, '-o', 'json']).row(), login).toMatchObject(values);
  });

  it.each(REFUSED)('is refused at its line: %s %s', async (file, flags, ...wanted) => {
    await pm.refuses(importing(file, flags), 7, ...wanted);
  });

  it('makes no record of a header that stands in it again', async () => {
    await pm(importing('header-again-groups.csv', '')).says('2 creates', 'the header again on 1 row');
    const groups = (await pm('security-groups list -o json').rows()).map(({ Group }) => Group);
    expect(groups).toEqual(expect.arrayContaining(['Carers', 'Writers']));
    expect(groups).not.toContain('Group');
  });

  it('is named above, each of them', () => {
    const named = new Set(['header-again-groups.csv', ...READ.map(([file]) => file), ...REFUSED.map(([file]) => file)]);
    const there = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    expect(there.map((file) => join(file.parentPath, file.name).slice(folder.length + 1)).sort()).toEqual(
      [...named].sort(),
    );
  });
});

it('a file that brings people back says that it stores nothing else of them, and how it would', async () => {
  await pm('individuals delete sven.dahl --yes').prints();
  writeFileSync(join(pm.home, 'back.csv'), 'UserName,Job title\nsven.dahl,Wanted\n');
  const back = `import individuals "${join(pm.home, 'back.csv')}" --yes`;
  await pm(`${back} --mode undelete -n`).says(
    'comes back as it was; to store the other columns, too: --on-deleted undelete',
  );
  await pm(`${back} --on-deleted undelete`).prints();
  await pm('individuals get sven.dahl --fields PrimaryTitle').prints('Wanted');
});
