// Writes Excel files (XLSX), row by row: a text is never run as a formula, dates are real ones, and pm reads all of it as it was.
import { ServiceError } from '../../contract/errors.ts';
import { type Field, type Fields, isDate, isOfDays } from '../../contract/field.ts';
import type { Value } from '../../contract/resource.ts';
import { chunks, firstOf } from '../../text/batches.ts';
import { widthOf } from '../../text/columns.ts';
import { dayNumber } from './day-numbers.ts';
import { LAST_COLUMN, LAST_ROW, lettersOf } from './xlsx-cells.ts';
import { zipWriter } from './zip.ts';

type Values = readonly (Value | undefined)[];

interface Sheet {
  /** At most 31 characters, none of them one of `[]:*?/\\`. */
  readonly name: string;
  readonly columns: readonly string[];
  /** The fields of columns: by them texts are dates. */
  readonly fields: Fields;
  /** Without it, no row names the columns. */
  readonly header?: boolean | undefined;
  readonly rows: AsyncIterable<Values>;
}

/** The widths of columns are fitted to so many rows. */
const FITTED = 200;
const AT_ONCE = 100;
const MOST_LINES = 10;
const MOST_IN_CELL = 32_767;
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const PANE = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';

/**
 * `sheet` answers the number of its rows, and begins to write when the first ones are read; it throws `usage` for what Excel cannot
 * hold. `end` writes what the sheets have in common.
 */
export function workbookWriter(send: (bytes: Buffer) => Promise<void>) {
  const zip = zipWriter(send);
  const names: string[] = [];
  const styles = stylesOf();
  return {
    async sheet({ name, columns, fields, header = true, rows }: Sheet): Promise<number> {
      if (columns.length > LAST_COLUMN) throw tooMuch(`${columns.length} columns`, `${LAST_COLUMN}`);
      const { first, all } = await firstOf(rows, FITTED);
      let line = 0;
      const rowOf = (values: Values, cell: (place: string, at: number) => string): string => {
        if (++line > LAST_ROW) throw tooMuch('more rows', `${LAST_ROW}, the names of the columns among them`);
        const cells = values.map((_, at) => cell(`${lettersOf(at + 1)}${line}`, at));
        return `<row r="${line}"${heightOf(values)}>${cells.join('')}</row>`;
      };
      const texts = async function* (): AsyncGenerator<string> {
        const widths = columns.map((column, at) =>
          columnOf(at, [column, ...first.map((row) => row[at])], fields[column], styles),
        );
        yield `${XML}<worksheet ${MAIN}><sheetViews><sheetView workbookViewId="0">${header ? PANE : ''}</sheetView></sheetViews>`;
        yield `${widths.length > 0 ? `<cols>${widths.join('')}</cols>` : ''}<sheetData>`;
        if (header) yield rowOf(columns, (place, at) => textCell(place, columns[at] ?? '', HEADER));
        const cellIn = (row: Values) => (place: string, at: number) =>
          cellOf(place, row[at], fields[columns[at] ?? ''], styles);
        for await (const some of chunks(all, AT_ONCE)) yield some.map((row) => rowOf(row, cellIn(row))).join('');
        yield '</sheetData></worksheet>';
      };
      names.push(name);
      await zip.part(`xl/worksheets/sheet${names.length}.xml`, texts());
      return line - (header ? 1 : 0);
    },
    async end(): Promise<void> {
      for (const [name, text] of Object.entries(commonParts(names, styles))) await zip.part(name, [XML + text]);
      await zip.end();
    },
  };
}

function commonParts(names: readonly string[], styles: Styles): Readonly<Record<string, string>> {
  const each = (text: (id: number, name: string) => string): string =>
    names.map((name, at) => text(at + 1, name)).join('');
  const type = (part: string, what: string): string =>
    `<Override PartName="/xl/${part}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${what}+xml"/>`;
  const to = (id: number, what: string, part: string): string =>
    `<Relationship Id="r${id}" Type="${OFFICE}/${what}" Target="${part}.xml"/>`;
  const relations = (text: string): string => `<Relationships xmlns="${PACKAGE}/relationships">${text}</Relationships>`;
  const sheets = each((id, name) => `<sheet name="${escaped(name)}" sheetId="${id}" r:id="r${id}"/>`);
  const rels = 'ContentType="application/vnd.openxmlformats-package.relationships+xml"';
  const types = type('workbook', 'sheet.main') + type('styles', 'styles');
  return {
    'xl/styles.xml': styles.xml(),
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      to(0, 'styles', 'styles') + each((id) => to(id, 'worksheet', `worksheets/sheet${id}`)),
    ),
    '_rels/.rels': relations(to(1, 'officeDocument', 'xl/workbook')),
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ${rels}/>${types}${each(
      (id) => type(`worksheets/sheet${id}`, 'worksheet'),
    )}</Types>`,
  };
}

type Styles = ReturnType<typeof stylesOf>;

/** The styles of cells by their numbers; those with a format of their own come as they are needed. */
function stylesOf() {
  const formats: string[] = [];
  return {
    of(format: string): number {
      const at = formats.indexOf(format);
      return FIRST_CELLS.length + (at < 0 ? formats.push(format) - 1 : at);
    },
    xml(): string {
      const codes = formats.map((format, at) => `<numFmt numFmtId="${200 + at}" formatCode="${escaped(format)}"/>`);
      const cells = [...FIRST_CELLS, ...formats.map((_, at) => `<xf numFmtId="${200 + at}" applyNumberFormat="1"/>`)];
      const numFmts = codes.length > 0 ? `<numFmts>${codes.join('')}</numFmts>` : '';
      return `<styleSheet ${MAIN}>${numFmts}${LOOKS}<cellXfs>${cells.join('')}</cellXfs></styleSheet>`;
    },
  };
}

const FONT = '<sz val="11"/><name val="Calibri"/>';
const FILLS = '<fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>';
const LOOKS =
  `<fonts><font>${FONT}</font><font><b/>${FONT}</font></fonts><fills>${FILLS}</fills>` +
  '<borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs>';
/** Of plain cells, the header, texts (format 49 is `@`), and texts of several lines. */
const FIRST_CELLS = [
  '<xf/>',
  '<xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/>',
  '<xf numFmtId="49" applyNumberFormat="1"/>',
  '<xf numFmtId="49" applyNumberFormat="1" applyAlignment="1"><alignment wrapText="1"/></xf>',
];
const [GENERAL, HEADER, TEXT, LINES] = [0, 1, 2, 3];
/** Other programs than Excel show 1 and 0 without it. */
const TRUTH = '"TRUE";"TRUE";"FALSE"';
const DAY = 'yyyy-mm-dd';
/** A moment shows its zone, since the number alone says none: `2026-03-31 09:30:00+02:00`. */
const momentFormat = (digits: number, zone: string): string =>
  `${DAY} hh:mm:ss${digits > 0 ? `.${'0'.repeat(digits)}` : ''}"${zone}"`;

/** What is typed below the last row is of the same kind: 00042 stays a text. */
function columnOf(at: number, values: Values, field: Field | undefined, { of }: Styles): string {
  const width = Math.max(8, ...values.map((value) => widthOf(String(value ?? ''))));
  const isPlain = !field || (NUMBERS.includes(field.kind) && !field.to);
  const style =
    !isPlain && isDate(field) ? of(isOfDays(field) ? DAY : momentFormat(0, '+00:00')) : isPlain ? GENERAL : TEXT;
  return `<col min="${at + 1}" max="${at + 1}" width="${Math.min(60, width) + 2}" style="${style}" customWidth="1"/>`;
}

const NUMBERS: readonly string[] = ['integer', 'byte', 'decimal', 'boolean'];

/** Programs fit the height of a row to its texts only when one of them is typed. */
function heightOf(values: Values): string {
  const lines = values.map((value) =>
    typeof value === 'string' && value.includes('\n') ? value.split('\n').length : 1,
  );
  const most = Math.min(MOST_LINES, Math.max(1, ...lines));
  return most > 1 ? ` ht="${15 * most}" customHeight="1"` : '';
}

function cellOf(place: string, value: Value | undefined, field: Field | undefined, styles: Styles): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return `<c r="${place}" s="${styles.of(TRUTH)}" t="b"><v>${value ? 1 : 0}</v></c>`;
  // Excel keeps 15 digits: a longer number is a text.
  if (typeof value === 'number' && Math.abs(value) < 1e15 && Number(value.toPrecision(15)) === value)
    return `<c r="${place}"><v>${value}</v></c>`;
  const text = String(value);
  const [, day, time = '', fraction = '', zone] = (field && isDate(field) && DATE.exec(text)) || [];
  const days = day === undefined ? undefined : dayNumber(day, time);
  if (days === undefined) return textCell(place, text, text.includes('\n') ? LINES : TEXT);
  const style = styles.of(zone === undefined ? DAY : momentFormat(fraction.length, zone));
  return `<c r="${place}" s="${style}"><v>${days}</v></c>`;
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2}(?:\.(\d{1,3}))?)(Z|[+-]\d{2}:\d{2}))?$/;

function textCell(place: string, text: string, style: number): string {
  if (text.length > MOST_IN_CELL)
    throw tooMuch(`${text.length} characters in the cell ${place}`, `${MOST_IN_CELL} in a cell`);
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML cannot hold are `_x0001_`, and a text that looks like that is `_x005F_x0001_`. */
const escaped = (text: string): string =>
  text
    .replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign)
    .replace(/_(?=x[0-9A-Fa-f]{4}_)|[\0-\x08\x0b-\x1f\ufffe\uffff]|\p{Cs}/gu, (char) => {
      return `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
    });

const tooMuch = (what: string, most: string): ServiceError =>
  new ServiceError('usage', `an Excel file cannot hold this: there are ${what}, and it has room for ${most}`, {
    hint: 'Write it as CSV or JSON: a .csv or .json file has room for it.',
  });
