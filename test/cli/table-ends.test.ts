// Where a table ends: rows that lack cells at their end, and rows of sums below it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textRow, workbookOf } from '../support/excel-file.ts';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

function sheet(lines: readonly string[], flags = '', form = 'csv'): string {
  writeFileSync(join(pm.home, `sheet.${form}`), `${lines.join('\n')}\n`);
  return `import individuals sheet.${form} --yes ${flags}`;
}

const person = async (name: string) => pm(`individuals get ${name} -o json`).row();

describe('rows that lack cells at their end', () => {
  const lines = ['UserName,Title,Suffix', 'ann,Head,x', 'bob,Boss', ',,'];

  it('are faults that name --short-rows, with which they are read', async () => {
    await pm.refuses(sheet(lines), 7, 'line 3, column Suffix has 2 cells where the header has 3', '--short-rows');
    await pm(sheet(lines, '--short-rows')).says('2 updates');
    expect(await person('bob')).toMatchObject({ PrimaryTitle: 'Boss', Suffix: null });
  });

  it('leave the field as it is, or make it empty with --blank clear', async () => {
    await pm(sheet(['UserName,Title,Suffix', 'bob,Boss,jr'])).says('1 update');
    await pm(sheet(lines, '--short-rows')).says('1 update', '1 unchanged');
    await pm(sheet(lines, '--short-rows --blank clear')).says('1 update');
    expect((await person('bob')).Suffix).toBeNull();
  });

  it('are read with tabs, too, but rows of more cells are not', async () => {
    const tabs = lines.map((line) => line.replaceAll(',', '\t'));
    await pm(sheet(tabs, '--short-rows', 'tsv')).says('2 updates');
    await pm.refuses(sheet([...lines, 'bob,Boss,x,y'], '--short-rows'), 7, 'line 5 has 4 cells where the header has 3');
  });

  it('are no rows with a delimiter too many, which is to be taken out', async () => {
    await pm.refuses(sheet(['UserName,Title', 'ann,Head,']), 7, 'take out delimiters too many at the end of the row');
    await pm(sheet(['UserName,Title', 'ann,Head'])).says('1 update');
  });
});

describe('--last-row', () => {
  const lines = ['UserName,Title', 'ann,Head', 'Total,1', '"broken'];

  it('leaves out what stands below, in CSV and TSV', async () => {
    await pm(sheet(['UserName,Title', 'ann,Head', 'Total', 'x,y,z'], '--last-row 2')).says('1 update');
    await pm(sheet(['UserName\tTitle', 'bob\tHead', 'Total'], '--last-row 2', 'tsv')).says('1 update');
  });

  it('leaves out the rows of a workbook, with the faults of their cells', async () => {
    const sum = '<row r="3"><c r="A3" t="e"><v>#REF!</v></c></row>';
    const rows = `${textRow(1, ['UserName', 'Title'])}${textRow(2, ['ann', 'Head'])}${sum}`;
    writeFileSync(join(pm.home, 'sums.xlsx'), workbookOf({ People: rows }));
    await pm.refuses('import individuals sums.xlsx --yes', 7, '#REF!');
    await pm('import individuals sums.xlsx --yes --last-row 2').says('1 update');
  });

  it.each([
    ['a short row', 'Total: 1'],
    ['a row of another width', 'Grand total,1'],
    ['a sum in German', 'Summe,1'],
  ])('is named by the fault of sums: %s', async (_what, last) => {
    const { err } = await pm.refuses(sheet([...lines.slice(0, 2), last]), 7, 'line 3');
    const [way = ''] = /--last-row \d+/.exec(err) ?? [];
    await pm(sheet([...lines.slice(0, 2), last], way)).says('1 update');
  });

  it('is named in a workbook, too, where a column that is left out has the word, and a recipe reads it', async () => {
    const cells = ['No.', 'UserName', 'Title'];
    const rows = `${textRow(1, cells)}${textRow(2, ['1', 'ann', 'Head'])}${textRow(4, ['Total', '1 employee', 'x'])}`;
    writeFileSync(join(pm.home, 'sums.xlsx'), workbookOf({ People: rows }));
    const flags = '--ignore-unknown --mode update --overwrite --save-recipe sums.pm';
    const { err } = await pm.refuses(`import individuals sums.xlsx --yes ${flags}`, 7, 'line 4');
    const [way = ''] = /--last-row \d+/.exec(err) ?? [];
    await pm(`import individuals sums.xlsx --yes ${flags} ${way}`).says('1 update');
    await pm.refuses('import sums.pm sums.xlsx --yes', 7, way);
  });

  it('is no part of a recipe: the sheet of next month has another one', async () => {
    await pm(sheet(lines.slice(0, 3), '--last-row 2 --short-rows --save-recipe hr.pm')).says('1 update');
    const recipe = readFileSync(join(pm.home, 'hr.pm'), 'utf8');
    expect([recipe.includes('short-rows'), recipe.includes('last-row')]).toEqual([true, false]);
  });

  it('is a number, and of a table', async () => {
    await pm.refuses(sheet(lines, '--last-row two'), 2, '--last-row');
    writeFileSync(join(pm.home, 'a.json'), '[{"UserName": "ann"}]');
    await pm.refuses('import individuals a.json --last-row 2', 2, 'only a table has a last row');
  });
});

describe('--header-row', () => {
  it('moves the line of the faults of the header', async () => {
    await pm.refuses(
      sheet(['Staff', '', 'UserName,Shoe'], '--header-row 3'),
      7,
      'line 3 is a header with no row below',
    );
    await pm.refuses(sheet(['Staff', 'Shoe,Title', 'x,y'], '--header-row 2 --ignore-unknown'), 7, 'line 2');
    const { err } = await pm.refuses(sheet(['Staff', 'UserName,Shoe', 'ann,43'], '--header-row 2'), 7, 'line 2');
    expect(err).not.toContain('line 1');
  });
});
