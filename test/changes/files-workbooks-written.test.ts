// What is written as an Excel file is read from it again, whatever the values are.
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workbookWriter } from '../../src/changes/files/xlsx-writer.ts';
import { zipEntries } from '../../src/changes/files/zip.ts';
import { boolean, date, day, decimal, type Fields, text } from '../../src/contract/field.ts';
import type { Value } from '../../src/contract/resource.ts';
import { open, recordsOf } from '../support/input-files.ts';

const FIELDS: Fields = {
  Text: text('optional'),
  Number: decimal('optional'),
  Flag: boolean('optional'),
  HireDate: date('optional', { floating: true }),
  Due: day('optional'),
  Updated: date('read-only'),
};

type Rows = Iterable<readonly Value[]>;

async function written(columns: readonly string[], rows: Rows, fields: Fields = FIELDS): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const book = workbookWriter(async (bytes) => void pieces.push(bytes));
  const each = async function* (): AsyncGenerator<readonly Value[]> {
    yield* rows;
  };
  await book.sheet({ name: 'Items', columns, fields, rows: each() });
  await book.end();
  return Buffer.concat(pieces);
}

const partOf = (bytes: Buffer, wanted: string): string =>
  zipEntries(bytes)
    .find(({ name }) => name.endsWith(wanted))
    ?.bytes()
    .toString() ?? '';

const sheetOf = async (member: string, value: Value): Promise<string> =>
  partOf(await written([member], [[value]]), 'sheet1.xml');

/** What is read of one column that was written with these values. */
async function readAgain(member: string, values: readonly Value[]): Promise<readonly Value[]> {
  const rows = values.map((value, at) => [`n${at}`, value]);
  const records = await recordsOf(await open('again.xlsx', await written(['N', member], rows)));
  expect(records.map(({ N }) => N)).toEqual(rows.map(([name]) => name));
  return records.map((record) => {
    const cell = record[member] ?? null;
    return typeof cell === 'object' && cell !== null ? cell.value : cell;
  });
}

async function comesBack(member: string, values: readonly Value[]): Promise<void> {
  expect(await readAgain(member, values)).toEqual(values);
}

describe('a text', () => {
  it.each([
    ...[
      '00042',
      '1/2',
      '=SUM(A1)',
      '+49 30 1234',
      '-',
      '@x',
      "'quoted",
      'true',
      '1e5',
      '2026-03-31',
      '12345678901234567890',
    ],
    ...[
      'line\nbreak',
      'both\r\nof them',
      '\ttab',
      '  blanks ',
      '<b>&amp;"</b>',
      'emoji 👩🏽‍🚀 日本',
      '\u0085\u2028\ufeff',
    ],
    ...['\u0000\u0001\u001f\ufffe\uffff', '\ud800', '_x0041_', '_x005F_x0041_', '_x005f_', 'x'.repeat(32_767)],
  ])('%j comes back', async (value) => {
    await comesBack('Text', [value]);
    expect(await sheetOf('Text', value)).toMatch(/<c r="A2" s="[23]" t="inlineStr">/);
  });

  it('of every naughty string comes back', async () => {
    const naughty = createRequire(import.meta.url)('big-list-of-naughty-strings/blns.json') as readonly string[];
    await comesBack(
      'Text',
      naughty.filter((value) => value !== ''),
    );
  });

  it('of any characters comes back', async () => {
    const unit = fc.constantFrom(...'_x0041F \r\n\t<&>"\'=\u0001\ufffe😀é');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit, minLength: 1, maxLength: 12 }), { minLength: 1 }), (values) =>
        comesBack('Text', values),
      ),
      { numRuns: 40, seed: 5 },
    );
  });

  it('that is empty is a blank cell, as none is', async () =>
    expect(await readAgain('Text', ['', null])).toEqual([null, null]));

  it('of more than 32,767 characters is refused', () =>
    expect(written(['Text'], [['a'], ['x'.repeat(32_768)]])).rejects.toThrow(
      'an Excel file cannot hold this: there are 32768 characters in the cell A3, and it has room for 32767 in a cell',
    ));
});

describe('a number', () => {
  it('comes back', () => comesBack('Number', [0, 42, -1.5, 0.1, 1e-7, 123456789012345, 255]));

  it('of more digits than Excel keeps is a text', async () => {
    expect(await readAgain('Number', [0.1 + 0.2, 1e21, 1234567890123456])).toEqual([
      '0.30000000000000004',
      '1e+21',
      '1234567890123456',
    ]);
  });

  it('and a truth are what they are', async () => {
    expect(await sheetOf('Number', 42)).toContain('<c r="A2"><v>42</v></c>');
    expect(await sheetOf('Flag', true)).toMatch(/<c r="A2" s="\d+" t="b"><v>1<\/v><\/c>/);
    await comesBack('Flag', [true, false, true]);
  });
});

describe('a date', () => {
  it('without a time is a day of Excel', async () => {
    await comesBack('HireDate', ['2003-12-17', '1900-03-01', '2024-02-29', '9999-12-31']);
    await comesBack('Due', ['2026-03-31']);
    expect(await sheetOf('HireDate', '2003-12-17')).toContain('<v>37972</v>');
  });

  it('with a time is a moment of Excel, which shows its zone', async () => {
    await comesBack('Updated', [
      '2026-03-31T09:30:00+00:00',
      '2026-03-31T23:59:59.999Z',
      '2026-03-31T00:00:00.5-11:30',
    ]);
    await comesBack('HireDate', ['2026-03-31T00:00:00+02:00']);
    const bytes = await written(['Updated'], [['2026-03-31T12:00:00+02:00']]);
    expect(partOf(bytes, 'sheet1.xml')).toContain('<v>46112.5</v>');
    expect(partOf(bytes, 'styles.xml')).toContain('formatCode="yyyy-mm-dd hh:mm:ss&quot;+02:00&quot;"');
  });

  it('of any moment comes back', async () => {
    const moment = fc
      .date({ min: new Date('1900-03-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
      .map((one) => one.toISOString());
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 200 }), (values) => comesBack('Updated', values)),
      { numRuns: 20, seed: 5 },
    );
  });

  it('that Excel has no number for is a text', async () => {
    const values = ['1900-02-28', '1899-12-31', '0001-01-01', '2026-03-31T09:30:00.1234567+00:00', '2026-02-30'];
    await comesBack('HireDate', values);
    for (const value of values) expect(await sheetOf('HireDate', value)).toContain(`>${value}</t>`);
  });

  it('is a text in a column that has no dates', async () =>
    expect(await sheetOf('Text', '2026-03-31')).toContain('>2026-03-31</t>'));
});

describe('a sheet', () => {
  it('has a bold header that stays in sight, and columns as wide as their texts', async () => {
    const bytes = await written(['Text', 'HireDate'], [['a text of some length', '2026-03-31']]);
    const sheet = partOf(bytes, 'sheet1.xml');
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(sheet).toContain('<col min="1" max="1" width="23"');
    expect(sheet).toContain('<c r="A1" s="1" t="inlineStr">');
    expect(partOf(bytes, 'styles.xml')).toContain('<font><b/>');
  });

  it('takes what is typed into a blank cell as a text, where the field is one', async () => {
    const bytes = await written(['Text'], []);
    expect(partOf(bytes, 'sheet1.xml')).toContain('style="2"');
    expect(partOf(bytes, 'styles.xml')).toMatch(/<cellXfs>(<xf[^>]*>){2}<xf numFmtId="49"/);
  });

  it('is the same bytes for the same rows', async () => {
    const rows = [['a', 1, true, '2026-03-31']];
    expect(await written(['Text', 'Number', 'Flag', 'HireDate'], rows)).toEqual(
      await written(['Text', 'Number', 'Flag', 'HireDate'], rows),
    );
  });

  it('of more than 16,384 columns is refused', () =>
    expect(written(Array.from({ length: 16_385 }, String), [])).rejects.toThrow('there are 16385 columns'));

  it('of more than 1,048,576 rows is refused', async () => {
    const rows = function* (): Generator<readonly Value[]> {
      for (let row = 0; row < 1_048_576; row++) yield [null];
    };
    await expect(written(['Text'], rows())).rejects.toThrow('there are more rows, and it has room for 1048576');
  }, 60_000);
});
