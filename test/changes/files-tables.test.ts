// CSV and TSV are read as they were meant, in whatever dialect they come.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openInput } from '../../src/changes/files/index.ts';
import { linesOf, open, recordsOf } from '../support/input-files.ts';

/** More than a call takes as arguments. */
const MANY = 130_000;

describe('the files of csv-spectrum', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('csv-spectrum'));
  // Its answer is of another telephone number.
  const odd = 'location_coordinates';
  const names = readdirSync(join(folder, 'csvs'))
    .map((name) => name.replace('.csv', ''))
    .filter((name) => name !== odd);

  it('are there', () => {
    expect(names.length).toBeGreaterThan(10);
  });

  it.each(names)('are read as its answers say: %s', async (name) => {
    const input = await open(`${name}.csv`, readFileSync(join(folder, 'csvs', `${name}.csv`)));
    expect(await recordsOf(input)).toEqual(JSON.parse(readFileSync(join(folder, 'json', `${name}.json`), 'utf8')));
  });
});

describe('a quote inside a cell', () => {
  it('that does not begin with one is text', async () => {
    const input = await open('x.csv', `Name,Size,City\npipe,5" by 3",Rome\n,"5"" pipe",Oslo\na"b"c,"",x\n`);
    expect(await linesOf(input)).toEqual([
      [2, 'pipe', '5" by 3"', 'Rome'],
      [3, '', '5" pipe', 'Oslo'],
      [4, 'a"b"c', '', 'x'],
    ]);
  });
});

describe('the delimiter', () => {
  it.each([',', ';', '\t', '|'])('%j is seen in the header and the first rows', async (delimiter) => {
    const text = [`Name${delimiter}City`, `Ann${delimiter}Rome`, `"B;o,b\t|"${delimiter}Oslo`].join('\n');
    const input = await open('people.csv', text);
    expect(input.dialect.delimiter).toBe(delimiter);
    expect(await linesOf(input)).toEqual([
      [2, 'Ann', 'Rome'],
      [3, 'B;o,b\t|', 'Oslo'],
    ]);
  });

  it('in quotes does not count', async () => {
    const input = await open('people.csv', '"Name, first, middle";City\n"a, b, c";Rome\n');
    expect(input.columns).toEqual(['Name, first, middle', 'City']);
  });

  it('is what the sep= line says, whatever else would be likelier', async () => {
    const input = await open('people.csv', 'sep=;\r\nName,x;City\r\nAnn,y;Rome\r\n');
    expect(input.dialect).toMatchObject({ delimiter: ';', sep: true });
    expect(input.columns).toEqual(['Name,x', 'City']);
    expect(await linesOf(input)).toEqual([[3, 'Ann,y', 'Rome']]);
  });

  it('can be told', async () => {
    const input = await open('people.csv', 'a,b;c\n1,2;3\n', { delimiter: ';' });
    expect(input.columns).toEqual(['a,b', 'c']);
  });

  it('is none where there is one column', async () => {
    expect(await linesOf(await open('people.csv', 'Name\nAnn\n"Bob"\n'))).toEqual([
      [2, 'Ann'],
      [3, 'Bob'],
    ]);
  });

  it('of a .tsv is the tab, also where commas are many', async () => {
    const input = await open('people.tsv', 'a,b,c\td\n1,2,3\t4\n');
    expect(input.columns).toEqual(['a,b,c', 'd']);
  });
});

describe('the encoding', () => {
  const text = 'Name;City\r\nÅsa;Zürich\r\nRené „x“ €;Köln\r\n';
  const rows = [
    [2, 'Åsa', 'Zürich'],
    [3, 'René „x“ €', 'Köln'],
  ];
  const latin = Buffer.from(text.replaceAll('„', '\x84').replaceAll('“', '\x93').replaceAll('€', '\x80'), 'latin1');
  const wide = Buffer.from(text, 'utf16le');
  const files: readonly (readonly [string, Buffer])[] = [
    ['utf-8', Buffer.from(text)],
    ['utf-8-bom', Buffer.from(`\uFEFF${text}`)],
    ['utf-16le', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['utf-16be', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['windows-1252', latin],
  ];

  it.each(files)('%s is detected', async (encoding, bytes) => {
    const input = await open('people.csv', bytes);
    expect(input.describe()).toBe(`${encoding}, ';', CRLF`);
    expect(input.columns).toEqual(['Name', 'City']);
    expect(await linesOf(input)).toEqual(rows);
  });

  it('of two bytes is detected without a mark', async () => {
    expect((await open('people.csv', wide)).dialect.encoding).toBe('utf-16le');
    expect((await open('people.csv', Buffer.from(wide).swap16())).dialect.encoding).toBe('utf-16be');
    expect(await linesOf(await open('people.csv', wide))).toEqual(rows);
  });

  it('of Cyrillic text is detected', async () => {
    const cyrillic =
      'Имя;Город;Должность\nАнна Иванова;Москва;Главный бухгалтер\nПетр Сидоров;Казань;Инженер по качеству\n';
    const bytes = Buffer.from(
      cyrillic.replace(/[А-я]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0x350)),
      'latin1',
    );
    const input = await open('people.csv', bytes);
    expect(input.dialect.encoding).toBe('windows-1251');
    expect((await linesOf(input))[0]).toEqual([2, 'Анна Иванова', 'Москва', 'Главный бухгалтер']);
  });

  it.each(['é', 'Ñ', 'Renée', 'Ærø\nØrsted', 'José Muñoz\nPeña', 'ÀÉÈÙ', 'señor ¿qué? ¡sí!', 'Größe ß ÄÖÜ'])(
    'of little Western text is windows-1252: %j',
    async (text) => {
      const input = await open('people.csv', Buffer.from(`Name\n${text}\n`, 'latin1'));
      expect(input.dialect.encoding).toBe('windows-1252');
    },
  );

  it('is seen where the first foreign byte comes late', async () => {
    const many = 'Ann;Rome\r\n'.repeat(50_000);
    const input = await open('people.csv', Buffer.concat([Buffer.from(`Name;City\r\n${many}`), latin.subarray(11)]));
    expect(input.dialect.encoding).toBe('windows-1252');
    expect((await linesOf(input)).at(-1)).toEqual([50_003, 'René „x“ €', 'Köln']);
  });

  it('may cut a character at any byte of a piece', async () => {
    for (let shift = 0; shift < 4; shift++) {
      const content = `Name\n${'x'.repeat(65_536 - 5 - 2 + shift)}😀é\n`;
      const input = await open('people.csv', content);
      expect(input.dialect.encoding).toBe('utf-8');
      expect((await linesOf(input))[0]?.[1]).toMatch(/x😀é$/u);
    }
  });

  it('can be told', async () => {
    const input = await open('people.csv', Buffer.from('Name\n\xc4\n', 'latin1'), { encoding: 'iso-8859-5' });
    expect(await linesOf(input)).toEqual([[2, 'Ф']]);
  });

  it('that nobody knows is refused', async () => {
    await expect(open('people.csv', 'Name\nAnn\n', { encoding: 'klingon' })).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('lines', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('end with %s, also inside quotes, and are counted right', async (name, end) => {
    const text = ['Name,Note', 'Ann,"one', 'two', '', 'three"', 'Bob,x', '', 'Cid,"', '"'].join(end);
    const input = await open('people.csv', text);
    expect(input.dialect.newline).toBe(name);
    expect(await linesOf(input)).toEqual([
      [2, 'Ann', `one${end}two${end}${end}three`],
      [6, 'Bob', 'x'],
      [8, 'Cid', end],
    ]);
  });

  it('are counted right across pieces of the file', async () => {
    const rows = Array.from({ length: 30_000 }, (_, at) => `${at},"a\r\nb"`);
    const lines = await linesOf(await open('people.csv', ['N,Note', ...rows].join('\r\n')));
    expect(lines.length).toBe(30_000);
    expect(lines.filter(([line, at]) => line !== 2 + 2 * Number(at))).toEqual([]);
  });

  it('that are blank are no rows', async () => {
    expect(await linesOf(await open('people.csv', 'a,b\n1,2\n,\n3,4\n,,,\n\n,\n'))).toEqual([
      [2, '1', '2'],
      [4, '3', '4'],
    ]);
  });

  it('that are blank may be very many', async () => {
    const lines = await linesOf(await open('people.csv', `a,b\n${',\n'.repeat(MANY)}1,2\n`));
    expect(lines).toEqual([[MANY + 2, '1', '2']]);
  });
});

describe('a table', () => {
  it('keeps every text as it is', async () => {
    expect(await linesOf(await open('x.csv', 'a,b,c\n00012, 1e5 ,"<null>"\n'))).toEqual([
      [2, '00012', ' 1e5 ', '<null>'],
    ]);
  });

  it('has trimmed headers, and none for blank columns at its side', async () => {
    const input = await open('x.csv', ' a ,b,,\n1,2,,\n');
    expect(input.columns).toEqual(['a', 'b']);
    expect(await linesOf(input)).toEqual([[2, '1', '2']]);
  });

  it('is the same when it is read again, and so is its hash', async () => {
    const input = await open('x.csv', 'a,b\n1,2\n3,4\n');
    expect(await linesOf(input)).toEqual(await linesOf(input));
    expect(await input.hash()).toBe('b9485148546419a0f6a85e8d708c923557c15d7f3c7d078ef1fa7f7c0f57d5a5');
  });

  it('may come through stdin, and is read twice all the same', async () => {
    const stdin = Readable.from([Buffer.from('a,b\n1,'), Buffer.from('2\n')]);
    const input = await openInput('-', { stdin });
    expect(await linesOf(input)).toEqual([[2, '1', '2']]);
    expect(await linesOf(input)).toEqual([[2, '1', '2']]);
    await input.close();
  });
});
