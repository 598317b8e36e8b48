// A sheet of an Excel file is a table of texts, numbers, dates and blanks.
import { describe, expect, it } from 'vitest';
import { textRow, workbookOf, zipOf } from '../support/excel-file.ts';
import { faultsOf, linesOf, open } from '../support/input-files.ts';

const header = textRow(1, ['Name', 'Since', 'Seats', 'Active']);

describe('a sheet', () => {
  const values = [
    '<row r="2"><c r="A2" t="inlineStr"><is><t xml:space="preserve"> 00012 </t></is></c>',
    '<c r="B2" s="1"><v>45443</v></c><c r="C2"><v>1.5</v></c><c r="D2" t="b"><v>1</v></c></row>',
    '<row r="4"><c r="A4" t="str"><f>1&amp;2</f><v>12</v></c><c r="B4" s="2"><v>45443.395833333336</v></c>',
    '<c r="C4"><f>1+1</f><v>2</v></c></row>',
  ].join('');
  const book = workbookOf({ People: header + values, Other: textRow(1, ['x']) + textRow(2, ['y']) });

  it('gives texts as they are, dates without a zone, and what formulas came to', async () => {
    const input = await open('book.xlsx', book);
    expect(input.columns).toEqual(['Name', 'Since', 'Seats', 'Active']);
    expect(input.describe()).toBe('XLSX, sheet "People"');
    expect(await linesOf(input)).toEqual([
      [2, ' 00012 ', '2024-05-31', 1.5, true],
      [3, '', '', '', ''],
      [4, '12', '2024-05-31T09:30:00', 2, null],
    ]);
    expect(await linesOf(input)).toEqual(await linesOf(input));
  });

  it.each([
    [1, '1900-01-01'],
    [1.5, '1900-01-01T12:00:00'],
    [59, '1900-02-28'],
    // Excel shows this day, which a date refuses.
    [60, '1900-02-29'],
    [61, '1900-03-01'],
  ])('counts its days as Excel does: %s is %s', async (serial, day) => {
    const cells = `<row r="2"><c r="A2" s="1"><v>${serial}</v></c></row>`;
    expect(await linesOf(await open('book.xlsx', workbookOf({ People: textRow(1, ['Since']) + cells })))).toEqual([
      [2, day],
    ]);
  });

  it('is chosen by its name', async () => {
    expect(await linesOf(await open('book.xlsx', book, { sheet: 'Other' }))).toEqual([[2, 'y']]);
    await expect(open('book.xlsx', book, { sheet: 'Third' })).rejects.toMatchObject({
      found: [{ message: 'has no sheet "Third"', hint: 'Its sheets are People, Other.' }],
    });
  });
});

describe('a bad Excel file', () => {
  const row = textRow(2, ['Ann', 'x', 'y', 'z']);

  it('with nothing in its sheet says so', async () => {
    expect(await faultsOf('x.xlsx', workbookOf({ People: '' }))).toEqual([
      'line 1: is where the file should begin, but it is empty',
    ]);
    expect(await faultsOf('x.xlsx', workbookOf({ People: header }))).toEqual([
      'line 1: is a header with no row below it',
    ]);
  });

  it('with merged or double headers tells the values that have no name', async () => {
    const merged = textRow(1, ['Name', '', 'Seats', 'seats']);
    expect(await faultsOf('x.xlsx', workbookOf({ People: merged + row }))).toEqual([
      'line 1, column seats: is a header twice: columns 3 and 4',
      'line 2, column 2: stands in a column without a name',
    ]);
  });

  it('tells of formulas that failed or were never worked out, in the sheet that is read', async () => {
    const cells = [
      '<row r="3"><c r="A3" t="str"><f>""</f><v></v></c><c r="B3" s="1" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      '<c r="C3"><f>1+1</f></c><c r="D3"><f>1+1</f><v>2</v></c></row>',
    ].join('');
    const book = workbookOf({ Good: header + row, Bad: header + row + cells });
    expect(await faultsOf('x.xlsx', book)).toEqual([]);
    expect(await faultsOf('x.xlsx', book, { sheet: 'Bad' })).toEqual([
      'line 3, column B: holds a formula that failed',
      'line 3, column C: holds a formula that was never worked out',
    ]);
  });

  it('that unpacks to more than 256 MiB is not unpacked', async () => {
    const bomb = { name: 'xl/bomb.xml', content: 'x', said: 0x10000001 };
    expect(await faultsOf('x.xlsx', workbookOf({ People: header + row }, [bomb]))).toEqual([
      'line 1: begins an Excel file of more than 256 MiB, unpacked',
    ]);
  });

  it('that unpacks to more than it says is not unpacked either', async () => {
    const bomb = { name: 'xl/bomb.xml', content: Buffer.alloc(1 << 24), said: 10 };
    expect(await faultsOf('x.xlsx', workbookOf({ People: header + row }, [bomb]))).toEqual([
      expect.stringMatching(/^line 1: begins a broken Excel file: /),
    ]);
  });

  const FAR = 'stands so far out that the sheets would have more than 20 million cells';
  it.each([
    ['<row r="2"><c r="XFD1048576"><v>1</v></c></row>', `line 1048576, column XFD: ${FAR}`],
    ["<row r='2'><x:c s='>' r = 'XFD1048576' xmlns:x='y'><v>1</v></x:c></row>", `line 1048576, column XFD: ${FAR}`],
    ['<row r="9000000"/><row r="9000001"><c r="D9000001"/></row>', `line 9000000: ${FAR}`],
    [
      '<row r="2"><c r="A1e9"/></row>',
      'line 1: begins an Excel file with a cell at "A1e9", which is no place in a sheet',
    ],
    [
      '<row r="2"><c r="&#65;9"/></row>',
      'line 1: begins an Excel file with a cell at "&#65;9", which is no place in a sheet',
    ],
  ])('with %s is not laid out', async (cells, told) => {
    expect(await faultsOf('x.xlsx', workbookOf({ People: header + cells }))).toEqual([told]);
    expect(await faultsOf('x.xlsx', workbookOf({ People: header + row, Other: header + cells }))).toEqual([told]);
  });

  it('that is a ZIP of something else says so', async () => {
    expect(await faultsOf('x.xlsx', zipOf([{ name: 'letter.txt', content: 'Dear Ann' }]))).toEqual([
      'line 1: begins a ZIP archive that is no Excel file',
    ]);
  });

  it.each([10, 100, 400, 900])('that is cut %i bytes before its end says so', async (cut) => {
    const book = workbookOf({ People: header + row });
    expect(await faultsOf('x.xlsx', book.subarray(0, -cut))).toEqual([
      expect.stringMatching(/^line 1: begins a broken Excel file: /),
    ]);
  });

  it('with flipped bits never does worse than say so', async () => {
    const book = workbookOf({ People: header + row });
    for (let at = 4; at < book.length; at += 7) {
      const flipped = Buffer.from(book);
      flipped[at] = (flipped[at] ?? 0) ^ 0x41;
      const faults = await faultsOf('x.xlsx', flipped);
      expect(faults.length).toBeLessThan(10);
    }
  });
});
