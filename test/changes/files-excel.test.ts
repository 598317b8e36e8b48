// A sheet of an Excel file is a table of texts, numbers, dates and blanks.
import { describe, expect, it } from 'vitest';
import { type BookParts, textRow, workbookOf, zipOf } from '../support/excel-file.ts';
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

describe('a cell', () => {
  const cell = (xml: string) => `${textRow(1, ['Text'])}<row r="2">${xml}</row>`;
  const only = async (xml: string, more: BookParts = {}) => {
    const [[, value] = []] = await linesOf(await open('x.xlsx', workbookOf({ People: cell(xml) }, [], more)));
    return value;
  };

  it.each([
    ['00000', 42, '00042', 42],
    ['"EMP"0000', 42, 'EMP0042', 42],
    ['0%', 0.5, '50%', 0.5],
    ['h:mm', 0.375, '9:00', 0.375],
    ['[h]:mm', 1.5, '36:00', 1.5],
    ['#,##0.00', 1234.5, '1,234.50', 1234.5],
    ['0.0" Std"', 42, '42.0 Std', 42],
    ['000-00-0000', 123456789, '123-45-6789', 123456789],
    ['[Red]0.0', 2.71, '2.7', 2.71],
    ['dd.mm.yyyy', 45443, '31.05.2024', '2024-05-31'],
    ['yyyy-mm-dd hh:mm', 45443.5, '2024-05-31 12:00', '2024-05-31T12:00:00'],
  ])(
    'of the format %s that holds %s shows %s, and is %s as a number or a date',
    async (format, holds, shown, value) => {
      expect(await only(`<c s="3"><v>${holds}</v></c>`, { formats: [format] })).toMatchObject({ shown, value });
    },
  );

  it.each([
    ['General', 42, 42],
    ['@', 42, 42],
    // What the format hides is not shown, and cannot be meant.
    [';;;', 42, 42],
    ['0', 42, 42],
    ['General', 0.30000000000000004, 0.3],
  ])('of the format %s that holds %s shows that', async (format, holds, value) => {
    expect(await only(`<c s="3"><v>${holds}</v></c>`, { formats: [format] })).toBe(value);
  });

  it.each([
    ['<c s="1"><v>43981</v></c>', '2024-05-31'],
    ['<c t="d"><v>2024-05-31</v></c>', '2024-05-31'],
  ])('%s is a day, where days are counted from 1904, too', async (xml, day) => {
    expect(await only(xml, { date1904: true })).toBe(day);
  });

  it('without a place stands behind the one before it, and elements may have a prefix', async () => {
    const prefixed =
      '<x:row xmlns:x="y"><x:c t="inlineStr"><x:is><x:t>Ann</x:t></x:is></x:c><x:c><x:v>1</x:v></x:c></x:row>';
    const book = workbookOf({ People: textRow(1, ['Name', 'Rank']) + prefixed });
    expect(await linesOf(await open('x.xlsx', book))).toEqual([[2, 'Ann', 1]]);
  });

  it('has a shared text without what says how it is spoken, and none where it names none', async () => {
    const content = '<sst><si><r><t>Ya</t></r><r><t>mada</t></r><rPh><t>ヤマダ</t></rPh></si></sst>';
    const rows = '<row r="2"><c t="s"><v>0</v></c><c t="s"/></row>';
    const book = workbookOf({ People: textRow(1, ['Name', 'Rank']) + rows }, [
      { name: 'xl/sharedStrings.xml', content },
    ]);
    expect(await linesOf(await open('x.xlsx', book))).toEqual([[2, 'Yamada', null]]);
  });

  it.each([
    ['<c r="A2" t="e"><v>#N/A</v></c>', 'shows an error'],
    ['<c t="e" r="A2"><v>#N/A</v></c>', 'shows an error'],
    ["<c r='A2'\n t='e'>\n<v>#REF!</v>\n</c>", 'shows an error'],
    ['<x:c xmlns:x="y" r="A2" t="e"><x:f>VLOOKUP(1)</x:f><x:v>#N/A</x:v></x:c>', 'holds a formula that failed'],
    ['<c r="A2"><v>1.2345678901234568E+16</v></c>', 'holds a number of more than 15 digits; Excel has lost the others'],
    ['<c r="A2"><v>-1234567890123456.5</v></c>', 'holds a number of more than 15 digits; Excel has lost the others'],
    ['<c r="A2" t="e"><v><![CDATA[#NUM!]]></v></c>', 'shows an error'],
    ['<c r="A2" t="&#101;" s="1"><v>#GETTING_DATA</v></c>', 'shows an error'],
    ['<!-- <c r="A2"/> --><c r="A2" t="e" vm="1"><v>#FIELD!</v></c>', 'shows an error'],
    ['<c r="A2" t="e" cm="1"><f t="array" ref="A2">FILTER(A1)</f><v>#CALC!</v></c>', 'holds a formula that failed'],
    ['<c r="A2" t="e" ><f ca="1"/><v>#SPILL!</v></c>', 'holds a formula that failed'],
    ['<c r="A2" t="e"/><c r="B2"><v>1</v></c>', 'shows an error'],
    ['<c r="A2"><f>1+1</f></c><c r="B2"><v>1</v></c>', 'holds a formula without a result'],
    ['<c r="A2" s="1"><v>0</v></c>', 'is not a date that Excel knows'],
    ['<c r="A2" s="1"><v>-1</v></c>', 'is not a date that Excel knows'],
    ['<c r="A2" s="1"><v>2958466</v></c>', 'is not a date that Excel knows'],
  ])('%s is a fault', async (xml, fault) => {
    const [first] = await faultsOf('x.xlsx', workbookOf({ People: cell(xml) }));
    expect(first).toContain(`line 2, column A: ${fault}`);
  });

  it.each([
    ['<c r="A2" t="b"><v>TRUE</v></c>', true],
    ['<c r="A2" t="b"><v>false</v></c>', false],
    ['<c r="A2" t="inlineStr"><is><t>a_x000D_\nb_x005F_x0041_</t></is></c>', 'a\r\nb_x0041_'],
    ['<c r="A2" t="str"><f>A1</f><v>x_x0009_y</v></c>', 'x\ty'],
  ])('%s is %j', async (xml, value) => {
    expect(await only(xml)).toBe(value);
  });

  it.each([
    ['<c r="A2" t="b"><v>2</v></c>', 'the value 2 of a cell is none of the type b'],
    ['<c r="A2" t="z"><v>2</v></c>', 'the value 2 of a cell is none of the type z'],
    ['<c r="A2"><v>1e400</v></c>', 'the number 1e400 is none'],
    ['<c r="A2" t="s"><v>-1</v></c>', 'it has no text of number -1'],
    ['<c r="A2"><v>1</v></c><c r="A2"><v>2</v></c>', 'it has the cell A2 twice'],
    ['<c r="A3"><v>1</v></c>', 'its row 2 has the cell A3'],
  ])('%s makes the file a broken one', async (xml, why) => {
    expect(await faultsOf('x.xlsx', workbookOf({ People: cell(xml) }))).toEqual([
      `line 1: is a broken Excel file: ${why}`,
    ]);
  });

  it('that is merged with those below is a fault, and one that is merged with those beside it is none', async () => {
    const people = textRow(1, ['Name', 'Manager']) + textRow(2, ['ann', 'kim']) + textRow(3, ['bob', '']);
    const merged = (ref: string) => workbookOf({ People: people }, [], { behind: `<mergeCell ref="${ref}"/>` });
    expect(await faultsOf('x.xlsx', merged('B2:B3'))).toEqual([
      'line 2, column B: holds one value for the rows 2 to 3, whose cells are merged',
    ]);
    expect(await faultsOf('x.xlsx', merged('B3:B9'))).toEqual([]);
    expect(await faultsOf('x.xlsx', merged('A1:B1'))).toEqual([]);
  });
});

describe('what is hidden', () => {
  const people = textRow(1, ['Name']) + textRow(2, ['ann']) + textRow(3, ['bob']).replace('<row', '<row hidden="1"');

  it('as a sheet is not read unless it is named, and said', async () => {
    const book = workbookOf({ Old: people, People: people, Lists: people }, [], {
      attributes: { Old: 'state="veryHidden"', Lists: 'state="hidden"' },
    });
    const input = await open('x.xlsx', book);
    expect([input.dialect.sheet, input.others]).toEqual(['People', ['Old (hidden)', 'Lists (hidden)']]);
    expect((await open('x.xlsx', book, { sheet: 'Old' })).dialect.sheet).toBe('Old');
    const hidden = workbookOf({ Old: people }, [], { attributes: { Old: 'state="hidden"' } });
    expect(await faultsOf('x.xlsx', hidden)).toEqual(['line 1: has only hidden sheets']);
  });

  it('as a row is read, and said', async () => {
    expect((await open('x.xlsx', workbookOf({ People: people }))).hidden).toEqual([3]);
  });
});

describe('a bad Excel file', () => {
  const row = textRow(2, ['Ann', 'x', 'y', 'z']);

  it('with nothing in its sheet says so', async () => {
    expect(await faultsOf('x.xlsx', workbookOf({ People: '' }))).toEqual(['line 1: is empty']);
    expect(await faultsOf('x.xlsx', workbookOf({ People: header }))).toEqual([
      'line 1: is a header with no row below it',
    ]);
  });

  it('with merged or double headers tells the values that have no name', async () => {
    const merged = textRow(1, ['Name', '', 'Seats', 'seats']);
    expect(await faultsOf('x.xlsx', workbookOf({ People: merged + row }))).toEqual([
      'line 1, column seats: is a header twice: columns 3 and 4',
      'line 2, column 2: is in a column without a name',
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
      'line 3, column C: holds a formula without a result',
    ]);
  });

  it('that unpacks to more than 256 MiB is not unpacked', async () => {
    const bomb = { name: 'xl/bomb.xml', content: 'x', said: 0x10000001 };
    expect(await faultsOf('x.xlsx', workbookOf({ People: header + row }, [bomb]))).toEqual([
      'line 1: is larger than 256 MiB when it is unpacked',
    ]);
  });

  it('that unpacks to more than it says is not unpacked either', async () => {
    const bomb = { name: 'xl/bomb.xml', content: Buffer.alloc(1 << 24), said: 10 };
    expect(await faultsOf('x.xlsx', workbookOf({ People: header + row }, [bomb]))).toEqual([
      expect.stringMatching(/^line 1: is a broken Excel file: /),
    ]);
  });

  const alone = 'is in a column without a name';
  it.each([
    ['<row r="2"><c r="XFD2"><v>1</v></c></row>', `line 2, column 16384: ${alone}`],
    ['<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>', `line 1048576, column 16384: ${alone}`],
  ])('with a cell far out, %s, is not filled up to it', async (cells, told) => {
    expect(await faultsOf('x.xlsx', workbookOf({ People: header + cells }))).toEqual([told]);
  });

  const place = (reference: string) =>
    `line 1: is an Excel file with a cell at "${reference}", which is not a place in a sheet`;
  it.each([
    ['<row r="1048577"/>', place('1048577')],
    ['<row r="2"><c r="A1e9"/></row>', place('A1e9')],
    ['<row r="2"><c r="XFE2"/></row>', place('XFE2')],
    ['<row r="2"><c r="A2" t="s"><v>7</v></c></row>', 'line 1: is a broken Excel file: it has no text of number 7'],
    ['<row r="2"><c r="A2"><v>x</v></c></row>', 'line 1: is a broken Excel file: the number x is none'],
    [
      '<row r="2"/><row r="2"><c r="A2"><v>1</v></c></row><row r="2"><c r="B2"><v>1</v></c></row>',
      'line 1: is a broken Excel file: it has a row twice',
    ],
  ])('with %s is refused, in whatever sheet', async (cells, told) => {
    expect(await faultsOf('x.xlsx', workbookOf({ People: header + cells }))).toEqual([told]);
    expect(await faultsOf('x.xlsx', workbookOf({ People: header + row, Other: header + cells }))).toEqual([told]);
  });

  it('of a few wide rows and many short ones is not filled up', async () => {
    const short = Array.from({ length: 1_300 }, (_, at) => `<row r="${at + 3}"><c r="A${at + 3}"><v>1</v></c></row>`);
    const cells = `<row r="2"><c r="XFD2"><v>1</v></c></row>${short.join('')}`;
    expect(await faultsOf('x.xlsx', workbookOf({ People: header + cells }))).toEqual([
      'line 1221, column A: is so far out that the sheet would have more than 20 million cells',
    ]);
  });

  it('of which many cells share a long text is not unpacked', async () => {
    const texts = { name: 'xl/sharedStrings.xml', content: `<sst><si><t>${'x'.repeat(1 << 20)}</t></si></sst>` };
    const rows = Array.from({ length: 300 }, (_, at) => `<row r="${at + 2}"><c t="s"><v>0</v></c></row>`).join('');
    expect(await faultsOf('x.xlsx', workbookOf({ People: header + rows }, [texts]))).toEqual([
      'line 1: is larger than 256 MiB when it is unpacked',
    ]);
  });

  const SIZE = 1 << 21;
  it.each([
    ['cells', '<c r="A0"f'],
    ['formulas', '<c r="A1"><f '],
    ['blanks', '<c r="A1"><f/><v '],
    ['attributes', '<row a'],
    ['sheets', '<sheet '],
  ])('with megabytes of %s that are no XML is looked at once', async (_, piece) => {
    const cells = piece + piece.repeat(SIZE / piece.length);
    expect(await faultsOf('x.xlsx', workbookOf({ People: header + cells }))).toEqual([
      expect.stringMatching(/^line 1: is (?:a broken|larger|empty)/),
    ]);
  });

  it('with hundreds of thousands of attributes on a row is read', async () => {
    const attributes = Array.from({ length: 300_000 }, (_, at) => `a${at}=""`).join(' ');
    const cells = `<row r="2" ${attributes}><c r="A2"><v>1</v></c></row>`;
    expect(await faultsOf('x.xlsx', workbookOf({ People: header + cells }))).toEqual([]);
  });

  it('that is a ZIP of something else says so', async () => {
    expect(await faultsOf('x.xlsx', zipOf([{ name: 'letter.txt', content: 'Dear Ann' }]))).toEqual([
      'line 1: is OpenDocument or a ZIP archive, not an Excel file',
    ]);
  });

  it.each([10, 100, 400, 900])('that is cut %i bytes before its end says so', async (cut) => {
    const book = workbookOf({ People: header + row });
    expect(await faultsOf('x.xlsx', book.subarray(0, -cut))).toEqual([
      expect.stringMatching(/^line 1: is a broken Excel file: /),
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
