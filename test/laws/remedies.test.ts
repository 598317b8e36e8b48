// Law: what a fault of a file says to do is typed as it is printed, and the fault is gone.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { company } from '../cli/company.ts';
import { textRow, workbookOf } from '../support/excel-file.ts';
import { type RunningCommand, usingPm } from '../support/pm.ts';
import { filesUnder, textOf } from './imports.ts';

interface Remedy {
  readonly of: string;
  /** The rows of the file; the header is the first one. */
  readonly rows: readonly string[];
  readonly encoding?: BufferEncoding;
  /** The words behind `pm import`, with the file; by default those of a table of individuals. */
  readonly command?: string;
  /** A part of the fault. */
  readonly fault: string;
  /** Words that the hint holds: flags are typed behind the command, or in place of `instead`. */
  readonly typed: string;
  /** What the blanks of a hint stand for: `<Field>`. */
  readonly blank?: readonly [string, string];
  readonly instead?: string;
  /** The sheet as the hint says to write it. */
  readonly mended?: readonly string[] | ((err: string) => readonly string[]);
}

const NEW = 'UserName,FirstName,LastName,Email,Title,Department,Manager';
const cleo = (department = 'Sales', manager = 'ann'): string =>
  `cleo,Cleo,Berg,cleo@example.org,Clerk,${department},${manager}`;
const INDIVIDUALS = 'individuals rows.csv';

const REMEDIES: readonly Remedy[] = [
  {
    of: 'a column that is no field',
    rows: ['UserName,Shoe size', 'ann,38'],
    fault: 'column Shoe size is not a field of individuals',
    typed: '--ignore-unknown',
  },
  {
    of: 'a column that is another field',
    rows: ['UserName,Called at work', 'ann,Ann'],
    fault: 'column Called at work is not a field of individuals',
    typed: "--map 'Called at work=<Field>'",
    blank: ['<Field>', 'FirstName'],
  },
  {
    of: 'a column to be left out',
    rows: ['UserName,Shoe size', 'ann,38'],
    fault: 'column Shoe size is not a field of individuals',
    typed: "--map 'Shoe size='",
  },
  {
    of: 'several columns that are no fields',
    rows: ['UserName,Shoe size,Hat size', 'ann,38,7'],
    fault: 'has 2 columns that are not fields of individuals',
    typed: '--ignore-unknown',
  },
  {
    of: 'two columns that may mean one field',
    rows: ['UserName,Supervisor,Boss', 'bob,ann,admin'],
    fault: 'may mean PrimaryReportsTo',
    typed: "--map 'Boss=PrimaryReportsTo' --map 'Supervisor='",
  },
  {
    of: 'a header that stands further down',
    rows: ['People of March', 'UserName', 'ann'],
    fault: 'is not a field of individuals',
    typed: '--header-row <n>',
    blank: ['<n>', '2'],
  },
  {
    of: 'a value below a heading that is blank',
    rows: ['UserName,', 'ann,7'],
    fault: 'is in a column without a name',
    typed: '--ignore-unknown',
  },
  {
    of: 'columns that new records need',
    rows: ['UserName', 'cleo'],
    fault: 'is new, and the file has no column for FirstName, LastName, Email, Department, Title, Manager',
    typed: 'Add columns FirstName, LastName, Email, Department, Title and Manager.',
    mended: [
      'UserName,FirstName,LastName,Email,Department,Title,Manager',
      'cleo,Cleo,Berg,c@example.org,Sales,Clerk,ann',
    ],
  },
  {
    of: 'a column that would hold one value',
    rows: ['UserName,FirstName,LastName,Email,Title,Department', 'cleo,Cleo,Berg,cleo@example.org,Clerk,Sales'],
    fault: 'is new, and the file has no column for Manager',
    typed: "--set 'Manager=<value>'",
    blank: ['<value>', 'ann'],
  },
  {
    of: 'user names that are made of names',
    rows: ['First name,Last name,Email,Title,Department,Manager', 'Cleo,Berg,cleo@example.org,Clerk,Sales,ann'],
    fault: 'has no column for UserName, which finds existing individuals',
    typed: "--set 'UserName={First name}.{Last name}'",
  },
  {
    of: 'user names of new rows beside another key',
    rows: ['First name,Last name,Email,Title,Department,Manager', 'Cleo,Berg,cleo@example.org,Clerk,Sales,ann'],
    command: 'individuals rows.csv --key Email',
    fault: 'is new, and the file has no column for UserName',
    typed: "--set 'UserName={First name}.{Last name}'",
  },
  {
    of: 'user names of cells that hold a whole name',
    rows: ['Who,Email,Title,Department,Manager', '"Berg, Cleo",cleo@example.org,Clerk,Sales,ann'],
    command: "individuals rows.csv --map 'Who=LastName, FirstName'",
    fault: 'has no column for UserName, which finds existing individuals',
    typed: "--set 'UserName={Who}'",
  },
  {
    of: 'a column of the key',
    rows: ['Email,Title', 'ann@example.org,Chief'],
    fault: 'has no column for UserName, which finds existing individuals',
    typed: '--key Email',
  },
  {
    of: 'new records of a kind that has no key',
    rows: ['Individual,Body', 'ann,Well done'],
    command: 'comments rows.csv',
    fault: 'has no column for ID, which finds existing comments',
    typed: '--mode create',
  },
  {
    of: 'an ID of another site',
    rows: ['UserName,Department', 'ann,f57e0000-0000-4000-8000-000000000001'],
    fault: 'no department of this site has this ID',
    typed: 'Write the name in place of the ID.',
    mended: ['UserName,Department', 'ann,Sales'],
  },
  {
    of: 'a row without its key',
    rows: ['UserName,Title', ',Chief'],
    fault: 'has no UserName, which finds its record',
    typed: 'Fill it in.',
    mended: ['UserName,Title', 'ann,Chief'],
  },
  {
    of: 'two rows of one key',
    rows: ['UserName,Title', 'ann,Chief', 'ann,Clerk'],
    fault: 'has the same UserName as line 2, and other values',
    typed: 'Leave one of the two rows out.',
    mended: ['UserName,Title', 'ann,Clerk'],
  },
  {
    of: 'a key that several records have',
    rows: ['Name,Description', 'Keep,Keep all'],
    command: 'accountabilities rows.csv --key Name',
    fault: 'fits 2 accountabilities by its Name',
    typed: 'a column ID, and --key ID',
    instead: 'accountabilities rows.csv --key ID',
    mended: (err) => ['ID,Description', `${/[0-9a-f-]{36}/.exec(err)?.[0]},Keep all`],
  },
  {
    of: 'a record that is deleted',
    rows: ['UserName,Title', 'gone,Chief'],
    fault: 'names a deleted individual: Gone Berg',
    typed: '--on-deleted undelete',
  },
  {
    of: 'a deleted record whose name is free',
    rows: ['Name,Parent,Rank', 'Quay,Sales,7'],
    command: 'departments rows.csv',
    fault: 'names a deleted department: Quay',
    typed: '--on-deleted new',
  },
  {
    of: 'a second department of a name',
    rows: ['Name,Parent,Rank', 'EMEA,Labs,7'],
    command: 'departments rows.csv',
    fault: 'is new, but there is a "EMEA" already',
    typed: '--key ParentID,Name',
  },
  {
    of: 'a department that moves',
    rows: ['Name,Parent,Rank', 'EMEA,Labs,7'],
    command: 'departments rows.csv',
    fault: 'is new, but there is a "EMEA" already',
    typed: '--key Name',
  },
  {
    of: 'a record that is there already',
    rows: ['UserName,Title', 'ann,Chief'],
    command: `${INDIVIDUALS} --mode create`,
    fault: 'exists already: the individual "Ann Smith"',
    typed: 'Leave --mode out to change it.',
    instead: INDIVIDUALS,
  },
  {
    of: 'a record that is not there',
    rows: [NEW, cleo()],
    command: `${INDIVIDUALS} --mode update`,
    fault: 'names no existing individual: UserName "cleo"',
    typed: 'To make it, leave --mode out.',
    instead: INDIVIDUALS,
  },
  {
    of: 'whom a person at the top reports to',
    rows: [NEW, cleo('Sales', '')],
    fault: 'column Manager is required',
    typed: 'write itself',
    mended: [NEW, cleo('Sales', 'itself')],
  },
  {
    of: 'people at the top, however the file says it',
    rows: [NEW, cleo('Sales', 'XX')],
    fault: 'column Manager does not name a person: "XX"',
    typed: '--top usual',
  },
  {
    of: 'people who are named by a number of another column',
    rows: [`Number,${NEW}`, `17,${cleo('Sales', '')}`, `18,${cleo('Sales', '17').replaceAll('cleo', 'dan')}`],
    command: `${INDIVIDUALS} --ignore-unknown --top usual`,
    fault: 'there is no individual "17"',
    typed: "--ref 'Manager=<column>'",
    blank: ['<column>', 'Number'],
  },
  {
    of: 'a department that is not there',
    rows: [NEW, cleo('Quarry')],
    fault: 'there is no department "Quarry"',
    typed: '--make departments',
    instead: `${INDIVIDUALS} --make departments --below Local`,
  },
  {
    of: 'a department whose name may be a path',
    rows: [NEW, cleo('IT/IS')],
    command: `${INDIVIDUALS} --make departments`,
    fault: 'can be one department, or a path',
    typed: '--make paths',
    instead: `${INDIVIDUALS} --make paths --below Local`,
  },
  {
    of: 'a place for new departments',
    rows: [NEW, cleo('Quarry')],
    command: `${INDIVIDUALS} --make departments`,
    fault: 'is new, and nothing says where it belongs',
    typed: "--below 'Local'",
  },
  {
    of: 'a word for none',
    rows: ['UserName,Hire date', 'ann,N/A'],
    fault: 'column Hire date is "N/A", not a date',
    typed: '--null usual',
  },
  {
    of: 'days that can be read two ways',
    rows: ['UserName,Hire date', 'ann,01/12/2019'],
    fault: 'column Hire date is "01/12/2019", which can be 2019-12-01 or 2019-01-12',
    typed: "--date-format 'Hire date=dd/mm/yyyy'",
  },
  {
    of: 'a day with a short year',
    rows: ['UserName,Hire date', 'ann,31.12.19'],
    fault: 'with a short year',
    typed: "--date-format 'Hire date=dd.mm.yy'",
  },
  {
    of: 'a date as a spreadsheet numbers it',
    rows: ['UserName,Hire date', 'ann,43831'],
    fault: 'a date as a spreadsheet numbers it',
    typed: "--date-format 'Hire date=excel'",
  },
  {
    of: 'a time without its zone',
    rows: ['UserName,Hire date', 'ann,2026-03-31 08:00'],
    fault: 'a date-time without an offset',
    typed: '--tz Europe/Berlin',
  },
  {
    of: 'a word for yes or no',
    rows: ['UserName,Admin', 'ann,perhaps'],
    fault: 'column Admin is "perhaps", not true or false',
    typed: 'yes or no',
    mended: ['UserName,Admin', 'ann,no'],
  },
  {
    of: 'a row that says that it is deleted in words of its own',
    rows: ['UserName,Title,Deleted', 'ann,Chief,perhaps'],
    fault: 'column Deleted is "perhaps"',
    typed: '--map Deleted=',
  },
  {
    of: 'a list with one record on each line',
    rows: ['{"UserName":"ann"}', '{"UserName":"bob"}'],
    command: `${INDIVIDUALS} --form json`,
    fault: 'holds a record on each line, not one list',
    typed: '--form ndjson',
    instead: `${INDIVIDUALS} --form ndjson`,
  },
  {
    of: 'a list among records on a line each',
    rows: ['[{"UserName":"ann"}]'],
    command: `${INDIVIDUALS} --form ndjson`,
    fault: 'holds a list, not a record on each line',
    typed: '--form json',
    instead: `${INDIVIDUALS} --form json`,
  },
  {
    of: 'rows that lack cells at their end',
    rows: ['UserName,Title,Suffix', 'ann,Head', 'bob,Clerk'],
    fault: 'has 2 cells where the header has 3',
    typed: '--short-rows',
  },
  {
    of: 'a row of sums below the table',
    rows: ['UserName,Title,Suffix', 'ann,Head,jr', 'Total,1'],
    fault: 'line 3, column Suffix has 2 cells',
    typed: '--last-row 2',
  },
  {
    of: 'a value for each row beside a column of the same field',
    rows: ['UserName,Title', 'ann,Head'],
    command: `${INDIVIDUALS} --set Title=Boss`,
    fault: 'column --set Title fills PrimaryTitle',
    typed: 'Leave --set Title out',
    instead: INDIVIDUALS,
  },
  {
    of: 'bytes of another encoding',
    rows: ['UserName,FirstName', 'ann,Ren\xe9'],
    encoding: 'latin1',
    command: `${INDIVIDUALS} --encoding utf-8`,
    fault: 'holds bytes that are not utf-8',
    typed: '--encoding windows-1252',
    instead: `${INDIVIDUALS} --encoding windows-1252`,
  },
  {
    of: 'a table that is said to be a workbook',
    rows: ['UserName', 'ann'],
    command: `${INDIVIDUALS} --form xlsx`,
    fault: 'is not an Excel file',
    typed: '--form csv',
    instead: `${INDIVIDUALS} --form csv`,
  },
  {
    of: 'a workbook whose first sheet is empty',
    rows: [workbookOf({ Sheet: '', Data: textRow(1, ['UserName']) + textRow(2, ['ann']) }).toString('latin1')],
    encoding: 'latin1',
    command: `${INDIVIDUALS} --form xlsx`,
    fault: 'has an empty sheet "Sheet"',
    typed: '--sheet <name>',
    blank: ['<name>', 'Data'],
  },
];

const pm = usingPm(async (filling) => {
  await company(filling);
  const gone = 'individuals create --user-name gone --first-name Gone --last-name Berg --email gone@example.org';
  await filling(`${gone} --primary-organization Sales --primary-title Clerk --primary-reports-to ann`).prints();
  await filling('individuals delete gone --yes').prints();
  await filling('departments create --name Quay --rank 3 --parent Sales').prints();
  await filling('departments delete Quay --yes').prints();
  await filling('departments create --name Abroad --yes').prints();
});

describe('the remedy of a fault', () => {
  it.each(REMEDIES)('works as it is typed: $of', async (one) => {
    const { rows, encoding, command = INDIVIDUALS, fault, typed, blank, instead, mended = rows } = one;
    const importing = (words: string, lines: readonly string[]): RunningCommand => {
      writeFileSync(join(pm.home, 'rows.csv'), `${lines.join('\n')}\n`, encoding);
      return pm(`import ${words} -n`);
    };
    const { err } = await importing(command, rows).fails(7);
    expect(err).toContain(fault);
    expect(err).toContain(typed);
    const flags = typed.startsWith('--') ? ` ${blank ? typed.replace(...blank) : typed}` : '';
    await importing(instead ?? `${command}${flags}`, typeof mended === 'function' ? mended(err) : mended).prints();
  });

  it('is typed here wherever the hint of a file names a flag', () => {
    const files = ['src/changes/files', 'src/changes/rows'].flatMap((room) => filesUnder(room));
    const spoken = files.map((file) => textOf(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/ .*$/gm, '')).join('\n');
    const named = new Set(spoken.match(/(?<=[\s'"`(])--[a-z][a-z-]*/g));
    const typed = new Set(REMEDIES.flatMap((one) => one.typed.match(/--[a-z][a-z-]*/g) ?? []));
    expect([...named].filter((flag) => !typed.has(flag))).toEqual([]);
  });
});
