// Whatever is wrong with a table in text is told at once, with its line and column.
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BadFile, openInput } from '../../src/changes/files/index.ts';
import { faultsOf, fileOf, linesOf, open } from '../support/input-files.ts';

describe('a file that is not there', () => {
  it('is a fault of the command line', async () => {
    await expect(openInput('/nowhere/people.csv')).rejects.toMatchObject({
      code: 'usage',
      message: '/nowhere/people.csv cannot be read: there is no such file',
    });
  });

  it('nor is a folder', async () => {
    const folder = tmpdir();
    await expect(openInput(folder)).rejects.toMatchObject({
      code: 'usage',
      message: `${folder} cannot be read: it is a folder`,
    });
  });
});

describe('a file that somebody changes after it was looked at', () => {
  const ROWS = 'a,b\n1,2\n3,4\n';
  it.each([
    ['gets longer', (path: string) => appendFileSync(path, '5,6\n')],
    ['gets shorter', (path: string) => truncateSync(path, ROWS.length / 2)],
    ['gets other rows', (path: string) => writeFileSync(path, ROWS.replaceAll('1', '7'))],
  ])('and that %s is not taken for the file that it was', async (_, change) => {
    const path = fileOf('x.csv', ROWS);
    const input = await openInput(path);
    onTestFinished(() => input.close());
    change(path);
    await expect(linesOf(input)).rejects.toMatchObject({
      code: 'usage',
      message: `${path} was changed while it was read`,
    });
  });
});

describe('a table', () => {
  it.each([
    ['empty', '', ['line 1: is empty']],
    ['of blank lines', '\n\r\n\n', ['line 1: is empty']],
    ['of a mark only', '\uFEFF', ['line 1: is empty']],
    ['of a header only', 'a,b\n', ['line 1: is a header with no row below it']],
    ['of a header and blank rows', 'a,b\n,\n\n', ['line 1: is a header with no row below it']],
    ['of no names', ',,\n1,2,3\n', ['line 1: should be the header, but names no column']],
  ])('%s has nothing to read', async (_, content, faults) => {
    expect((await faultsOf('x.csv', content))[0]).toEqual(faults[0]);
  });

  it('that is cut inside a quote tells where the quote began', async () => {
    expect(await faultsOf('x.csv', 'Name,Note\nAnn,"a\nb"\n\nBob,"never\nends\n')).toEqual([
      'line 5, column Note: opens a quote that is never closed; the file may be cut off',
    ]);
  });

  it('that goes on behind a closing quote is read no further', async () => {
    expect(await faultsOf('x.csv', 'Name,Note\nAnn,x\nBob,"y"z\nCid\n')).toEqual([
      'line 3, column Note: continues after a closing quote; the rest of the file was not checked',
    ]);
  });

  it('tells each ragged row', async () => {
    expect(await faultsOf('x.csv', 'a,b,c\n1,2\n1,2,3\n"x\ny",2,3,4\n1\n')).toEqual([
      'line 2, column c: has 2 cells where the header has 3',
      'line 4: has 4 cells where the header has 3',
      'line 6, column b: has 1 cell where the header has 3',
    ]);
  });

  it('tells of headers that are there twice, after trimming and in any case, and of its rows as well', async () => {
    expect(await faultsOf('x.csv', 'Name, name ,City,CITY\n1,2,3,4\n1,2\n')).toEqual([
      'line 1, column name: is a header twice: columns 1 and 2',
      'line 1, column CITY: is a header twice: columns 3 and 4',
      'line 3, column City: has 2 cells where the header has 4',
    ]);
  });

  it('tells of values in a column without a name, once', async () => {
    expect(await faultsOf('x.csv', 'a,,b\n1,,2\n1,x,2\n1,y,2\n')).toEqual([
      'line 3, column 2: is in a column without a name',
    ]);
  });

  it('tells of a cell over 1 MiB, and takes one of just that', async () => {
    const most = 'x'.repeat(1 << 20);
    expect(await faultsOf('x.csv', `a,b\n1,${most}\n`)).toEqual([]);
    expect(await faultsOf('x.csv', `a,b\n1,${most}x\n1,2\n${most}y,2\n`)).toEqual([
      'line 2, column b: holds more than 1 MiB',
      'line 4, column a: holds more than 1 MiB',
    ]);
  });

  it('tells the lines with bytes that are no characters, together with all else', async () => {
    const bytes = Buffer.from('Name,City\nÅsa,Zürich\nBj\xf6rn,x\nÉva,y\n1\n', 'latin1');
    const good = Buffer.from('Name,City\nÅsa,Zürich\n');
    const rest = Buffer.concat([
      Buffer.from('Bj'),
      Buffer.from([0xf6]),
      Buffer.from('rn,x\nÉva,y\n1\nx,'),
      Buffer.from([0xc3]),
    ]);
    expect(await faultsOf('x.csv', bytes)).toEqual(['line 5, column City: has 1 cell where the header has 2']);
    expect(await faultsOf('x.csv', Buffer.concat([good, rest]))).toEqual([
      'line 3: holds bytes that are not utf-8',
      'line 5, column City: has 1 cell where the header has 2',
      'line 6: holds bytes that are not utf-8',
    ]);
    const beside = Buffer.concat([
      Buffer.from('Name,City\nJosé,Zürich\n'),
      Buffer.from('Jos\xe9,Z\xfcrich\n', 'latin1'),
    ]);
    expect(await faultsOf('x.csv', beside)).toEqual(['line 3: holds bytes that are not utf-8']);
    expect(await faultsOf('x.csv', bytes, { encoding: 'utf-8' })).toEqual([
      'line 2: holds bytes that are not utf-8',
      'line 3: holds bytes that are not utf-8',
      'line 4: holds bytes that are not utf-8',
      'line 5, column City: has 1 cell where the header has 2',
    ]);
  });

  it('in UTF-16 that is cut inside a character says so', async () => {
    const bytes = Buffer.from('\uFEFFName\nAnn\nBob', 'utf16le');
    expect(await faultsOf('x.csv', bytes.subarray(0, -1))).toEqual(['line 3: holds bytes that are not utf-16le']);
  });

  it('tells the first thousand faults, and how many there are', async () => {
    const rows = Array.from({ length: 2500 }, () => '1');
    const error: unknown = await open('x.csv', `a,b\n${rows.join('\n')}\n1,2\n`)
      .then(async (input) => {
        for await (const _ of input.rows());
      })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BadFile);
    expect(error).toMatchObject({ total: 2500, exit: 7, code: 'invalid' });
    expect(error instanceof BadFile && error.found.length).toBe(1000);
  });

  it('shows values clean and short', async () => {
    const error: unknown = await open('x.csv', `a\u001b[31m,a\u001b[31m\n${'long '.repeat(50)}\u0007\n`).catch(
      (thrown: unknown) => thrown,
    );
    const shown = error instanceof BadFile ? error.found.map(({ value }) => value ?? '') : [];
    expect(shown.length).toBe(2);
    expect(shown.filter((value) => value.length > 80 || /\p{Cc}/u.test(value))).toEqual([]);
  });
});

describe('a file that is not what its name says', () => {
  const zip = Buffer.from('PK\x03\x04 and more', 'latin1');
  const ole = Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1');
  it.each([
    ['a web page', 'x.csv', '<!DOCTYPE html>\n<html><body>Log in</body></html>', 'is a web page or XML'],
    ['a web page', 'x.json', '  <html>', 'is a web page or XML'],
    ['an Excel file', 'x.csv', zip, 'is a ZIP archive, not CSV'],
    ['an old Excel file', 'x.xlsx', ole, 'is an old Excel file, or one with a password'],
    ['an old Excel file', 'x.csv', ole, 'is an old Excel file, or one with a password'],
    ['text', 'x.xlsx', 'a,b\n1,2\n', 'is not an Excel file'],
    ['something else in a ZIP', 'x.xlsx', zip, 'is a broken Excel file: its end is missing'],
    ['a picture', 'x.csv', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0', 'latin1'), 'is not text, so it is not CSV'],
    ['JSON', 'x.csv', '[\n {"a": 1}]', 'holds JSON, not CSV'],
    ['NDJSON', 'x.json', '{"a":1}\n{"a":2}\n', 'holds a record on each line, not one list'],
    ['a text', 'x.json', '"a"', 'holds no records'],
    ['a list', 'x.ndjson', '[{"a":1}]', 'holds a list, not a record on each line'],
  ])('%s is told from %s', async (_, name, content, message) => {
    expect(await faultsOf(name, content)).toEqual([`line 1: ${message}`]);
  });

  it('is read as what it is told to be, or as what it looks like where the name says nothing', async () => {
    expect(await faultsOf('x.txt', 'a;b\n1;2\n')).toEqual([]);
    expect((await open('x', '[{"a":1}]')).dialect.form).toBe('json');
    expect((await open('x', '{"a":1}\n{"a":2}\n')).dialect.form).toBe('ndjson');
    expect((await open('x', '{"value":[{"a":1}]}\n')).dialect.form).toBe('json');
    expect((await open('x', '- a: 1\n')).dialect.form).toBe('yaml');
    expect((await open('x', 'a\tb\n1\t2\n')).dialect.form).toBe('tsv');
    expect((await open('x.dat', 'a,b\n1,2\n')).dialect.form).toBe('csv');
    expect((await open('x.csv', '{"a":1}\n', { form: 'ndjson' })).dialect.form).toBe('ndjson');
  });
});
