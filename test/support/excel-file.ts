// Excel files for tests, made by hand: a ZIP archive with the few parts that make a workbook.
import { crc32, deflateRawSync } from 'node:zlib';

export interface Part {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** What the archive says of the size, where that is a lie. */
  readonly said?: number;
}

/** A ZIP archive of those parts. */
export function zipOf(parts: readonly Part[]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const { name, content, said } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(said ?? bytes.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed]);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), shared, tail, Buffer.from(name)]));
    locals.push(local);
    at += local.length;
  }
  const list = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, list, end]);
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The formats of cells by their styles: 1 is a date, 2 a date with a time; those from 3 on are the codes of the test. */
const stylesOf = (codes: readonly string[]): string => {
  const escaped = codes.map((code) => code.replaceAll('&', '&amp;').replaceAll('"', '&quot;'));
  const formats = escaped.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('');
  const styles = codes.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('');
  const first = '<xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/>';
  return `<styleSheet ${MAIN}><numFmts>${formats}</numFmts><cellXfs>${first}${styles}</cellXfs></styleSheet>`;
};

export interface BookParts {
  /** Attributes of a sheet, by its name: `state="hidden"`. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly formats?: readonly string[];
  /** Stands before the rows of each sheet: `<cols>…</cols>`. */
  readonly before?: string;
  /** Stands behind the rows of each sheet. */
  readonly behind?: string;
  readonly date1904?: boolean;
}

/** A workbook of sheets, each with the XML of its rows. */
export function workbookOf(
  sheets: Readonly<Record<string, string>>,
  more: readonly Part[] = [],
  { attributes = {}, formats = [], before = '', behind = '', date1904 = false }: BookParts = {},
): Buffer {
  const names = Object.keys(sheets);
  const hasTexts = more.some(({ name }) => name === 'xl/sharedStrings.xml');
  const relation = (target: string, type: string, id: string): string =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relations = (inner: string): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`;
  return zipOf([
    {
      name: '[Content_Types].xml',
      content: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    },
    { name: '_rels/.rels', content: relations(relation('xl/workbook.xml', 'officeDocument', 'rId1')) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook ${MAIN} xmlns:r="${OFFICE}"><workbookPr date1904="${Number(date1904)}"/><sheets>${names
        .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" ${attributes[name] ?? ''} r:id="rId${at + 1}"/>`)
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations(
        names.map((_, at) => relation(`worksheets/sheet${at + 1}.xml`, 'worksheet', `rId${at + 1}`)).join('') +
          relation('styles.xml', 'styles', 'rId99') +
          (hasTexts ? relation('sharedStrings.xml', 'sharedStrings', 'rId98') : ''),
      ),
    },
    {
      name: 'xl/styles.xml',
      content: stylesOf(formats),
    },
    ...names.map((name, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      content: `<worksheet ${MAIN}>${before}<sheetData>${sheets[name]}</sheetData>${behind}</worksheet>`,
    })),
    ...more,
  ]);
}

/** The XML of a row of texts; an empty text is no cell. */
export function textRow(row: number, texts: readonly string[]): string {
  const cells = texts.map((text, at) =>
    text === ''
      ? ''
      : `<c r="${String.fromCharCode(65 + at)}${row}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`,
  );
  return `<row r="${row}">${cells.join('')}</row>`;
}
