// pm import of an Excel file: texts and keys are what the cells show, numbers and days what they hold, and what a person does not
// see is said, and never deleted.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type BookParts, textRow, workbookOf } from '../support/excel-file.ts';
import { usingPm } from '../support/pm.ts';
import { company, individual } from './company.ts';

const pm = usingPm(async (run) => {
  await company(run);
  await run(individual('00042', 'Kim Lee', 'Sales', 'ann')).prints();
});

function sheet(name: string, rows: string, parts: BookParts = {}): void {
  writeFileSync(join(pm.home, name), workbookOf({ People: rows }, [], parts));
}

it('a key and a text are what the cell shows, and a day is the day', async () => {
  const cells = '<c s="3"><v>42</v></c><c s="4"><v>0.5</v></c><c s="5"><v>45443</v></c>';
  sheet('people.xlsx', `${textRow(1, ['UserName', 'UserDefined1', 'HireDate'])}<row r="2">${cells}</row>`, {
    formats: ['00000', '0%', 'dd.mm.yyyy'],
  });
  await pm('import individuals people.xlsx --yes').says('1 update');
  expect(await pm('individuals get 00042 -o json').row()).toMatchObject({
    UserDefined1: '50%',
    HireDate: expect.stringMatching(/^2024-05-31/),
  });
});

it('a number is what the cell holds, whatever it shows', async () => {
  const id = await pm('accountabilities get Keep --individual ann -o id').id();
  const row = `<row r="2"><c t="inlineStr"><is><t>${id}</t></is></c><c s="3"><v>1234</v></c></row>`;
  sheet('ranks.xlsx', textRow(1, ['ID', 'Rank']) + row, { formats: ['#,##0" th"'] });
  await pm('import accountabilities ranks.xlsx --yes').says('1 update');
  expect((await pm('accountabilities get Keep --individual ann -o json').row()).Rank).toBe(1234);
});

it.each(['leave', 'clear'])('a cell that shows an error changes nothing, with --blank %s', async (blank) => {
  const row = '<row r="2"><c t="inlineStr"><is><t>ann</t></is></c>\n<c t="e"><v>#N/A</v></c></row>';
  sheet('people.xlsx', textRow(1, ['UserName', 'PrimaryTitle']) + row);
  await pm.refuses(
    `import individuals people.xlsx --yes --blank ${blank}`,
    7,
    'line 2, column B shows an error: "#N/A"',
  );
});

it('hidden columns are said, with the widths of none and their names', async () => {
  const rows = textRow(1, ['UserName', '', 'UserDefined1', 'UserDefined2']) + textRow(2, ['ann', '', 'A', 'B']);
  const before = '<cols><col min="2" max="3" hidden="1"/><col min="4" max="16384" width="0"/></cols>';
  sheet('people.xlsx', rows, { before });
  const said = 'read, though hidden: 2 columns (C UserDefined1, D UserDefined2)';
  await pm('import individuals people.xlsx -n').says(said);
});

it('a sheet that is empty is said by its name, with the other sheets that hold something', async () => {
  const people = textRow(1, ['UserName', 'UserDefined1']) + textRow(2, ['ann', 'A']);
  writeFileSync(join(pm.home, 'people.xlsx'), workbookOf({ Sheet: '', Data: people }));
  await pm.refuses(
    'import individuals people.xlsx -n',
    7,
    'the file has an empty sheet "Sheet"; not read: Data',
    'Say which sheet to read: --sheet <name>.',
  );
  await pm('import individuals people.xlsx -n --sheet Data').says('1 update');
});

it.each(['hidden="1"', 'ht="0" customHeight="1"'])('rows of %s are said, and none is deleted', async (attributes) => {
  const hidden = textRow(2, ['ann']).replace('<row', `<row ${attributes}`);
  sheet('leavers.xlsx', textRow(1, ['UserName']) + hidden + textRow(3, ['bob']));
  await pm('import individuals leavers.xlsx -n').says('read, though hidden: 1 row (2)');
  await pm.refuses(
    'import individuals leavers.xlsx --mode delete --yes',
    7,
    'line 2 is hidden in the sheet, but its record would be deleted',
    'Show the row in Excel, or delete it from the sheet.',
  );
});
