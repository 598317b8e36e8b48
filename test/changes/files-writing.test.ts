// What is written in the dialect of a file is read from it again, whatever the texts hold.
import { createRequire } from 'node:module';
import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Cell, type Dialect, openInput } from '../../src/changes/files/index.ts';
import { fileWriter, type WriteOptions, writtenDialect } from '../../src/changes/files/row-writer.ts';
import { fileOf, recordsOf } from '../support/input-files.ts';

type Rows = readonly (readonly (Cell | undefined)[])[];

/** The bytes of a file with those rows. */
async function written(
  dialect: Dialect,
  columns: readonly string[],
  rows: Rows,
  options: WriteOptions = {},
): Promise<Buffer> {
  const stream = new PassThrough();
  const bytes = buffer(stream);
  const writer = await fileWriter(stream, dialect, columns, options);
  for (const row of rows) await writer.write(row);
  await writer.end();
  stream.end();
  return bytes;
}

/** What is read of a file in that dialect after it was written. */
async function readAgain(dialect: Dialect, columns: readonly string[], rows: Rows, options: WriteOptions = {}) {
  const bytes = await written(dialect, columns, rows, options);
  const input = await openInput(fileOf(`again.${dialect.form}`, bytes), options);
  onTestFinished(() => input.close());
  return { input, records: await recordsOf(input) };
}

const recordsFrom = (columns: readonly string[], rows: Rows) =>
  rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));

const csv: Dialect = { form: 'csv', encoding: 'utf-8', delimiter: ',', newline: 'LF' };
const DIALECTS: readonly Dialect[] = [
  csv,
  { form: 'csv', encoding: 'utf-8-bom', delimiter: ';', newline: 'CRLF' },
  { form: 'csv', encoding: 'utf-8-bom', delimiter: '|', newline: 'CR', sep: true },
  { form: 'tsv', encoding: 'utf-8', delimiter: '\t', newline: 'LF' },
  { form: 'json', encoding: 'utf-8' },
  { form: 'ndjson', encoding: 'utf-8' },
  { form: 'yaml', encoding: 'utf-8' },
];
const shown = (dialect: Dialect): string => Object.values(dialect).map(String).join(' ').replace('\t', 'tab');

describe.each(DIALECTS.map((dialect) => [shown(dialect), dialect] as const))('%s', (_, dialect) => {
  it('gives back the naughty strings', async () => {
    const naughty = createRequire(import.meta.url)('big-list-of-naughty-strings/blns.json') as readonly string[];
    expect(naughty.length).toBeGreaterThan(400);
    const rows = naughty.map((text, at) => [`n${at}`, text, `${text}\r\n"${text}"`]);
    const columns = ['N', 'Text', 'Twice'];
    expect((await readAgain(dialect, columns, rows)).records).toEqual(recordsFrom(columns, rows));
  });

  it('gives back any text', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.string({ unit: fc.constantFrom(...',;|\t\r\n"\'= \\#-:[]{}\u0085\u2028\uFEFF'), maxLength: 8 }),
    );
    const columns = ['N', '"Quoted"; one', 'sep=;'];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), async (pairs) => {
        const rows = pairs.map(([one, other], at) => [`n${at}`, one, other]);
        expect((await readAgain(dialect, columns, rows)).records).toEqual(recordsFrom(columns, rows));
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  it('is detected again, but for what it does not show', async () => {
    const { input } = await readAgain(dialect, ['a', 'b'], [['Åsa', 'x']]);
    expect(input.dialect).toEqual(dialect);
  });
});

describe('the forms with members', () => {
  it.each(['json', 'ndjson', 'yaml'] as const)('%s keeps kinds, and leaves out what is not there', async (form) => {
    const rows = [
      [1.5, true, null, undefined],
      ['00012', '1e5', 'null', 'true'],
    ];
    const { records } = await readAgain({ form, encoding: 'utf-8' }, ['a', 'b', 'c', 'd'], rows);
    expect(records).toEqual([
      { a: 1.5, b: true, c: null },
      { a: '00012', b: '1e5', c: 'null', d: 'true' },
    ]);
  });
});

describe('a file of another encoding', () => {
  it.each(['windows-1252', 'utf-16le', 'utf-16be', 'iso-8859-7'])(
    'is answered in UTF-8 with a mark, which wins over the flag that said %s',
    async (encoding) => {
      const dialect: Dialect = { ...csv, encoding, delimiter: ';', newline: 'CRLF' };
      const bytes = await written(dialect, ['Name'], [['Åsa'], ['Łukasz']]);
      expect(bytes.toString()).toBe('\uFEFFName\r\nÅsa\r\nŁukasz\r\n');
      const input = await openInput(fileOf('again.csv', bytes), { encoding });
      onTestFinished(() => input.close());
      expect(await recordsOf(input)).toEqual([{ Name: 'Åsa' }, { Name: 'Łukasz' }]);
    },
  );
});

describe('for a spreadsheet', () => {
  const texts = ['=1+1', '+1', '-1', '@x', '\tx', '\rx', "'x", "'=1", "''", 'plain', '', ' =1', "it's"];

  it('no text begins like a formula, and there is a mark', async () => {
    const bytes = await written(csv, ['=Name', 'N'], [...texts.map((text) => [text, -1])], { excel: true });
    expect(bytes.toString().startsWith("\uFEFF'=Name,N\n'=1+1,-1\n'+1,-1\n")).toBe(true);
    expect(bytes.toString()).toContain("\n\"'\rx\",-1\n''x,-1\n");
  });

  it('every text is had back in the same mode', async () => {
    const rows = texts.map((text) => ['n', text]);
    const { input, records } = await readAgain(csv, ['N', '=Name'], rows, { excel: true });
    expect(input.dialect.encoding).toBe('utf-8-bom');
    expect(records).toEqual(recordsFrom(['N', '=Name'], rows));
  });
});

describe('an Excel file', () => {
  it('is answered by a CSV that Excel reads', () => {
    expect(writtenDialect({ form: 'xlsx', encoding: 'utf-8', sheet: 'People' })).toEqual({
      form: 'csv',
      encoding: 'utf-8-bom',
      delimiter: ',',
      newline: 'CRLF',
    });
  });
});

it.each(['csv', 'xlsx'] as const)('%s: a stream that fails ends the writing with its error', async (form) => {
  const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('the disk is full')) });
  full.on('error', () => undefined);
  const write = async (): Promise<void> => {
    const writer = await fileWriter(full, form === 'csv' ? csv : { form, encoding: 'utf-8' }, ['Name']);
    for (let row = 0; row < 1000; row++) await writer.write(['x'.repeat(1000)]);
    await writer.end();
    await new Promise((resolve) => setImmediate(resolve));
    await writer.write(['x']);
  };
  await expect(write()).rejects.toThrow();
});
