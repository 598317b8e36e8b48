// --date-format for each column, and --null for the words that stand for none. Each hint is typed as it is printed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textRow, workbookOf } from '../support/excel-file.ts';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

/** The words of the command that imports these lines. */
function sheet(lines: readonly string[], ...flags: readonly string[]): readonly string[] {
  writeFileSync(join(pm.home, 'sheet.csv'), `${lines.join('\n')}\n`);
  return ['import', 'individuals', 'sheet.csv', '--yes', ...flags];
}

const ann = async () => pm('individuals get ann -o json').row();

describe('--date-format', () => {
  it('is one for each column, called as in the sheet, and one for all others', async () => {
    await pm('projects create --department EMEA --name Bridge --phase Planning').prints();
    writeFileSync(
      join(pm.home, 'projects.csv'),
      'Name,Start Date Actual,EndDateActual\nBridge,03/04/2024,03/04/2025\n',
    );
    const forms = ['--date-format', 'dd/mm/yyyy', '--date-format', 'start-date-actual=mm/dd/yyyy'];
    await pm(['import', 'projects', 'projects.csv', '--key', 'Name', '--yes', ...forms]).says('1 update');
    expect(await pm('projects get Bridge -o json').row()).toMatchObject({
      StartDateActual: '2024-03-04',
      EndDateActual: '2025-04-03',
    });
  });

  it.each([
    ['03/04/2024', '2024-04-03'],
    ['03-04-2024', '2024-04-03'],
    ['17-JUN-03', '2003-06-17'],
    ['"Jun 17, 03"', '2003-06-17'],
    ['17.06.03', '2003-06-17'],
    ['45292', '2024-01-01'],
  ])('is taken as the fault of %s says', async (text, day) => {
    const lines = ['UserName,HireDate', `ann,${text}`];
    const { err } = await pm.refuses(sheet(lines), 7, 'line 2, column HireDate');
    const [, form = ''] = /--date-format '(HireDate=[^']+)'/.exec(err) ?? [];
    await pm(sheet(lines, '--date-format', form)).says('1 update');
    expect(String((await ann()).HireDate)).toContain(day);
  });

  it('for a column that holds no dates is refused', async () => {
    const lines = ['UserName,HireDate', 'ann,31/12/2024'];
    await pm.refuses(sheet(lines, '--date-format', 'HierDate=dd/mm/yyyy'), 7, 'column HierDate has a date format');
    await pm.refuses(sheet(lines, '--date-format', 'UserName=dd/mm/yyyy'), 7, 'column UserName has a date format');
  });

  it('is said once for a column, in a form that can be used', async () => {
    const lines = ['UserName,HireDate', 'ann,31/12/2024'];
    const twice = ['--date-format', 'HireDate=dd/mm/yyyy', '--date-format', 'hire date=excel'];
    await pm.refuses(sheet(lines, ...twice), 2, '--date-format names two forms for hire date');
    await pm.refuses(sheet(lines, '--date-format', 'HireDate=dd/mm'), 2, '--date-format is', 'dd-mmm-yy', 'excel');
  });
});

describe('the numbers of days in a workbook', () => {
  const rows = `${textRow(1, ['UserName', 'HireDate'])}<row r="2"><c r="A2" t="inlineStr"><is><t>ann</t></is></c><c r="B2"><v>45292</v></c></row>`;
  const command = ['import', 'individuals', 'days.xlsx', '--yes', '--date-format', 'HireDate=excel'];

  it('are read from 1900 on', async () => {
    writeFileSync(join(pm.home, 'days.xlsx'), workbookOf({ People: rows }));
    await pm(command).says('1 update');
    expect(String((await ann()).HireDate)).toContain('2024-01-01');
  });

  it('that counts from 1904 are refused', async () => {
    writeFileSync(join(pm.home, 'days.xlsx'), workbookOf({ People: rows }, [], { date1904: true }));
    await pm.refuses(command, 7, 'counts its days from 1904', 'Format the days as dates there');
  });
});

describe('--null', () => {
  const lines = ['UserName,PrimaryTitle,HireDate,Suffix', 'ann, n/a ,0000-00-00,-', 'bob,TBD,2024-01-31,x'];

  it('reads the usual words as blank cells, and says which they were', async () => {
    const { HireDate, PrimaryTitle } = await ann();
    const { err } = await pm(sheet(lines, '--null', 'usual')).says('read as blank');
    expect(err).toContain('read as blank: n/a (1 cell), 0000-00-00 (1 cell), - (1 cell)');
    expect(await ann()).toMatchObject({ HireDate, PrimaryTitle });
    expect((await pm('individuals get bob -o json').row()).PrimaryTitle).toBe('TBD');
  });

  it('reads the words that it names, beside the usual ones or alone', async () => {
    const own = ['UserName,PrimaryTitle,HireDate', 'ann,tbd,', 'bob,Not known,'];
    await pm(sheet(own, '--null', 'usual,TBD, not known')).says('tbd (1 cell), Not known (1 cell)', '2 unchanged');
    await pm(sheet(['UserName,HireDate', 'ann,-'], '--null', 'TBD')).fails(7, 'column HireDate');
  });

  it('empties the field where blank cells do', async () => {
    await pm(sheet(['UserName,Suffix', 'ann,jr'])).says('1 update');
    await pm(sheet(['UserName,Suffix', 'ann,NIL'], '--null', 'usual', '--blank', 'clear')).says('1 update');
    expect((await ann()).Suffix).toBeNull();
  });

  it('takes no part of a cell for none: it may be a name', async () => {
    const map = ['--map', 'Person=LastName, FirstName'];
    await pm(sheet(['UserName,Person', 'ann,"Smith, Na"'], '--null', 'usual', ...map)).says('1 update');
    expect((await ann()).FirstName).toBe('Na');
  });

  it('reads the days that stand for none, however they are written, and a note names them', async () => {
    const days = ['UserName,Hire date', 'ann,31.12.9999', 'bob,1/1/1900'];
    await pm(sheet(days, '--null', '9999-12-31,1900-01-01')).says('9999-12-31 (1 cell)', '2 unchanged');
    await pm(sheet(days)).says('a day, unless --null names it', 'Hire date 9999-12-31 (1 cell)', '2 updates');
    const mistyped = ['UserName,Hire date', 'ann,1826-05-01', 'bob,2019-05-01'];
    await pm(sheet(mistyped)).says('--null names it: Hire date 1826-05-01 (1 cell)', '2 updates');
  });

  it.each(['N/A', '-', 'XX', '(null)', 'NaN'])('is named where %s should be a record', async (word) => {
    const departments = ['UserName,Department', `ann,${word}`];
    await pm.refuses(sheet(departments), 7, 'column Department', '--null usual');
    await pm(sheet(departments, '--null', 'usual')).says('1 unchanged');
  });

  it.each(['#N/A', 'N/A', '--'])('is named where a fault says %s', async (word) => {
    const rows = [
      'UserName,HireDate,PrimaryTitle',
      `ann,${word === '#N/A' ? '' : word},${word === '#N/A' ? word : ''}`,
    ];
    await pm.refuses(sheet(rows), 7, '--null usual');
    await pm(sheet(rows, '--null', 'usual')).says('1 unchanged');
  });

  it.each([
    'N/A',
    'NA',
    'N/D',
    'XX',
    '-',
    '--',
    'none',
    'null',
    'nil',
    'n.a.',
    '0000-00-00',
    '1900-01-00',
    '#N/A',
    '(null)',
    '<NA>',
    'NaN',
    'NaT',
    'undefined',
  ])('has %s among its usual words, as the help says', async (word) => {
    expect((await pm('help files').prints()).replaceAll(/\s+/g, ' ')).toContain(`${word}`);
    await pm(sheet(['UserName,Suffix', `ann,${word}`], '--null', 'usual')).says('1 unchanged');
  });
});
