// Reads a sheet of an Excel file (XLSX) as a table: of each cell its value, and what it shows. What no cell shows for certain (an
// error, a formula without a value, digits that the sheet has lost, a value that several rows share) is a fault.

import { valueAt } from '../../text/once-per.ts';
import { counted, firstOf } from '../../text/thousands.ts';
import { BadFile, type FaultList, shownValue, wholeFault } from './bad-file.ts';
import { type Batches, type Cell, type FileFault, type Line, MOST_IN_MEMORY, type OpenOptions } from './input.ts';
import type { Source } from './source.ts';
import {
  BadSheet,
  type Book,
  type CellAt,
  cellAt,
  cellValue,
  type Format,
  formatReader,
  isTrue,
  LAST_COLUMN,
  lettersOf,
  type RawCell,
  rowNumber,
  unescaped,
} from './xlsx-cells.ts';
import { type ZipEntry, zipEntries } from './zip.ts';

/**
 * Opens an Excel file at the wanted sheet, by default the first that is not hidden. Throws `BadFile` where it is not an Excel file,
 * where any part of it cannot be read, where it has more than 256 MiB, packed or unpacked, or too many cells, or where it has no
 * such sheet, or only others hold anything. The value of a formula is the one that Excel saved with it; dates become ISO text.
 */
export async function openWorkbook(
  source: Source,
  { sheet: wanted, headerRow = 1, lastRow = Number.MAX_SAFE_INTEGER }: OpenOptions,
) {
  const { sheets, is1904, contentOf } = await workbookIn(source);
  const sheet = sheets.find(({ name, isHidden }) => (wanted === undefined ? !isHidden : name === wanted));
  if (!sheet) {
    const missing = wanted === undefined ? 'only hidden sheets' : `no sheet ${JSON.stringify(shownValue(wanted))}`;
    const named = sheets.map(({ name }) => shownValue(name)).join(', ');
    return stop(source, wholeFault(`has ${missing}`, `Its sheets are ${named}.`));
  }
  const content = await contentOf(sheet);
  const others: string[] = [];
  for (const other of sheets)
    if (other !== sheet && (await contentOf(other)).rows.length > 0)
      others.push(other.isHidden ? `${other.name} (hidden)` : other.name);
  const empty = `has an empty sheet ${JSON.stringify(shownValue(sheet.name))}; not read: ${others.join(', ')}`;
  if (content.rows.length === 0 && others.length > 0) stop(source, wholeFault(empty, NAME_SHEET));
  const isRead = ({ line }: { readonly line: number }): boolean => line >= headerRow && line <= lastRow;
  const [header, ...rows] = content.rows.filter(isRead);
  const names = (header?.cells ?? []).map((name, at) => `${lettersOf(at + 1)} ${shownValue(name ?? '')}`);
  const unseen = names.filter((name, at) => content.hiddenColumns.has(at + 1) && !name.endsWith(' '));
  const hidden = rows.map(({ line }) => line).filter((line) => content.hidden.has(line));
  const said = (what: string, which: readonly (string | number)[]): readonly string[] =>
    which.length > 0 ? [`read, though hidden: ${counted(which.length, what)} (${firstOf(which, MOST_HIDDEN)})`] : [];
  return {
    sheet: sheet.name,
    /** The other sheets that hold anything, in words: `Old (hidden)`. */
    others: wanted === undefined ? others : [],
    /** The numbers of its rows that are hidden, by a filter or by hand. */
    hidden,
    remarks: new Set([...said('row', hidden), ...said('column', unseen)]),
    is1904,
    /** The rows of the sheet that hold anything. Adds the faults of their cells. */
    lines(into: FaultList): Batches<Line> {
      for (const fault of content.faults.filter(isRead).slice(0, MOST_FAULTS)) into.add(fault);
      return linesOf(header ? [header, ...rows] : []);
    },
  };
}

/** The names of the sheets that hold anything and are not hidden. Throws as `openWorkbook`. */
export async function sheetNames(source: Source): Promise<readonly string[]> {
  const { sheets, contentOf } = await workbookIn(source);
  const names: string[] = [];
  for (const sheet of sheets) if (!sheet.isHidden && (await contentOf(sheet)).rows.length > 0) names.push(sheet.name);
  return names;
}

const [MOST_FAULTS, MOST_HIDDEN] = [1000, 20];
const NAME_SHEET = 'Say which sheet to read: --sheet <name>.';

interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** The name of its part of the archive. */
  readonly part: string;
}

interface SheetContent {
  /** The rows that hold anything, in their order. */
  readonly rows: readonly Line[];
  readonly hidden: ReadonlySet<number>;
  readonly hiddenColumns: ReadonlySet<number>;
  readonly faults: readonly FileFault[];
}

async function workbookIn(source: Source) {
  const entries = checkedEntries(source, await readWhole(source));
  const orBroken = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => stop(source, error instanceof BadSheet ? error.fault : brokenFile(error)));
  const { sheets, ...book } = await orBroken(readBook(entries));
  const contents = new Map<string, Promise<SheetContent>>();
  return {
    sheets,
    is1904: book.is1904,
    contentOf: ({ part }: Sheet): Promise<SheetContent> =>
      valueAt(contents, part, () => orBroken(readSheet(entries, part, book))),
  };
}

function stop({ name }: Source, fault: FileFault): never {
  throw new BadFile(name, [fault]);
}

async function readWhole(source: Source): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of source.chunks()) {
    size += piece.length;
    if (size > MOST_IN_MEMORY) stop(source, tooLarge);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const tooLarge = wholeFault(
  'is larger than 256 MiB when it is unpacked',
  'Save the sheet as CSV: that may be of any length.',
);

/** The parts of the archive. Stops where it is not an Excel file, or a part is not of the size that the archive states. */
function checkedEntries(source: Source, archive: Buffer): readonly ZipEntry[] {
  const entries = orStop(source, () => zipEntries(archive));
  if (!entries.some(({ name }) => name.startsWith('xl/'))) stop(source, notExcel);
  if (entries.reduce((sum, { size }) => sum + size, 0) > MOST_IN_MEMORY) stop(source, tooLarge);
  for (const entry of entries) orStop(source, () => entry.bytes());
  return entries;
}

function orStop<T>(source: Source, work: () => T): T {
  try {
    return work();
  } catch (error) {
    return stop(source, brokenFile(error));
  }
}

const notExcel = wholeFault('is OpenDocument or a ZIP archive, not an Excel file', 'Save it as .xlsx or as CSV.');

const brokenFile = (error: unknown): FileFault =>
  wholeFault(
    `is a broken Excel file: ${shownValue(error instanceof Error ? error.message : error)}`,
    'Open it in Excel and save it again, or save the sheet as CSV.',
  );

const ROWS_PER_BATCH = 1000;

async function* linesOf(rows: readonly Line[]): AsyncGenerator<readonly Line[]> {
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  for (let at = 0; at < rows.length; at += ROWS_PER_BATCH)
    yield rows.slice(at, at + ROWS_PER_BATCH).map(({ line, cells }) => ({
      line,
      cells: Array.from({ length: width }, (_, column) => cells[column] ?? null),
    }));
}

type Attributes = Readonly<Record<string, string>>;

/** Called for the elements of a part, by their names without a prefix; `text` is the one before the end of the element. */
interface Visitor {
  open?(name: string, attributes: Attributes): void;
  close?(name: string, text: string): void;
}

/** Reads a part of the archive. Throws an `Error` where it is no XML in UTF-8. */
async function walk(part: Buffer, { open, close }: Visitor): Promise<void> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser();
  let text = '';
  const add = (more: string): void => {
    text += more;
  };
  parser.on('doctype', () => {
    throw new Error('a part has a DOCTYPE');
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('opentag', ({ name, attributes }) => {
    text = '';
    open?.(withoutPrefix(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    close?.(withoutPrefix(name), text);
    text = '';
  });
  parser.write(new TextDecoder('utf-8', { fatal: true }).decode(part)).close();
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);

function partNamed(entries: readonly ZipEntry[], wanted: string): Buffer {
  const entry = entries.find(({ name }) => name === wanted);
  if (!entry) throw new Error(`it has no part ${wanted}`);
  return entry.bytes();
}

async function readBook(entries: readonly ZipEntry[]): Promise<Book & { readonly sheets: readonly Sheet[] }> {
  const targets = new Map<string, { readonly part: string; readonly type: string }>();
  await walk(partNamed(entries, 'xl/_rels/workbook.xml.rels'), {
    open(name, { Id = '', Target = '', Type = '' }) {
      const part = Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`;
      if (name === 'Relationship') targets.set(Id, { part, type: Type.slice(Type.lastIndexOf('/') + 1) });
    },
  });
  let is1904 = false;
  const sheets: Sheet[] = [];
  await walk(partNamed(entries, 'xl/workbook.xml'), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = isTrue(attributes.date1904);
      if (name !== 'sheet') return;
      const [, id = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      const { part = '', type } = targets.get(id) ?? {};
      const isHidden = (attributes.state ?? 'visible') !== 'visible';
      // A sheet that is one chart has no cells.
      if (type !== 'chartsheet') sheets.push({ name: attributes.name ?? '', isHidden, part });
    },
  });
  const partOf = (wanted: string): Buffer | undefined => {
    const part = [...targets.values()].find(({ type }) => type === wanted)?.part;
    return part === undefined ? undefined : partNamed(entries, part);
  };
  return {
    is1904,
    sheets,
    texts: await textsIn(partOf('sharedStrings')),
    formats: await formatsIn(partOf('styles')),
  };
}

/** The texts that cells share, without their pronunciation. */
async function textsIn(part: Buffer | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  let text = '';
  let isSpoken = false;
  if (!part) return texts;
  await walk(part, {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') isSpoken = true;
    },
    close(name, piece) {
      if (name === 't' && !isSpoken) text += piece;
      if (name === 'rPh') isSpoken = false;
      if (name === 'si') texts.push(unescaped(text));
    },
  });
  return texts;
}

/** The format of each style of cells. */
async function formatsIn(part: Buffer | undefined): Promise<readonly Format[]> {
  const formats: Format[] = [];
  if (!part) return formats;
  const formatOf = await formatReader();
  const codes = new Map<string, string>();
  let isOfCells = false;
  await walk(part, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') codes.set(numFmtId, formatCode);
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'xf' && isOfCells) formats.push(formatOf(Number(numFmtId), codes.get(numFmtId)));
    },
    close(name) {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return formats;
}

/** The most cells of a sheet, blank ones included. */
const MOST_CELLS = 20_000_000;

async function readSheet(entries: readonly ZipEntry[], part: string, book: Book): Promise<SheetContent> {
  const rows: { readonly line: number; readonly cells: Cell[] }[] = [];
  const faults: FileFault[] = [];
  const [hidden, hiddenColumns] = [new Set<number>(), new Set<number>()];
  let [line, column, width, size] = [0, 0, 0, 0];
  let cells: Cell[] = [];
  let cell: RawCell | undefined;
  let [isInData, isSpoken] = [false, false];
  const spread: Spread[] = [];

  const finish = (raw: RawCell): void => {
    const { value, fault } = cellValue(raw, book);
    if (fault) faults.push({ line, column: lettersOf(column), ...fault });
    if (value === null || value === '') return;
    if ((cells[column - 1] ?? null) !== null) throw new Error(`it has the cell ${lettersOf(column)}${line} twice`);
    while (cells.length < column - 1) cells.push(null);
    cells[column - 1] = value;
    width = Math.max(width, column);
    size += String(value).length;
    if ((rows.length + 1) * width > MOST_CELLS) throw new BadSheet(tooFar(lettersOf(column), line));
    // A text that many cells share is small in the file.
    if (size > MOST_IN_MEMORY) throw new BadSheet(tooLarge);
  };

  await walk(partNamed(entries, part), {
    open(name, attributes) {
      if (name === 'sheetData') isInData = true;
      if (name === 'mergeCell') {
        const [from = '', to = from] = (attributes.ref ?? '').split(':');
        spread.push({ from: cellAt(from), to: cellAt(to) });
      }
      if (name === 'col' && (isTrue(attributes.hidden) || Number(attributes.width) === 0))
        for (let at = Number(attributes.min); at <= Math.min(Number(attributes.max), LAST_COLUMN); at++)
          hiddenColumns.add(at);
      if (!isInData) return;
      if (name === 'row') {
        line = attributes.r === undefined ? line + 1 : rowNumber(attributes.r);
        [column, cells] = [0, []];
        if (isTrue(attributes.hidden) || Number(attributes.ht) === 0) hidden.add(line);
      } else if (name === 'c') {
        const place = attributes.r === undefined ? { row: line, column: column + 1 } : cellAt(attributes.r);
        if (place.row !== line) throw new Error(`its row ${line} has the cell ${attributes.r}`);
        column = place.column;
        cell = { type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), text: undefined, isFormula: false };
      } else if (name === 'f' && cell) cell.isFormula = true;
      else if (name === 'rPh') isSpoken = true;
    },
    close(name, text) {
      if (name === 'sheetData') isInData = false;
      if (!isInData) return;
      if (name === 'rPh') isSpoken = false;
      if (cell && (name === 'v' || (name === 't' && !isSpoken))) cell.text = (cell.text ?? '') + text;
      if (name === 'c' && cell) {
        finish(cell);
        cell = undefined;
      }
      if (name === 'row' && cells.length > 0) rows.push({ line, cells });
    },
  });
  const ordered = rows.sort((one, other) => one.line - other.line);
  if (ordered.some((row, at) => row.line === ordered[at - 1]?.line)) throw new Error('it has a row twice');
  faults.push(...sharedValues(ordered, spread));
  return { rows: ordered, hidden, hiddenColumns, faults };
}

/** The faults of values that stand in a cell which is merged with those below: only the first row has the value. */
function sharedValues(rows: readonly Line[], spread: readonly Spread[]): readonly FileFault[] {
  const tall = spread.filter(({ from, to }) => to.row > from.row);
  if (tall.length === 0) return [];
  const byLine = new Map(rows.map((row) => [row.line, row]));
  return tall.flatMap(({ from, to }) => {
    const value = byLine.get(from.row)?.cells[from.column - 1] ?? null;
    if (value === null) return [];
    return {
      line: from.row,
      column: lettersOf(from.column),
      value: shownValue(value),
      message: `holds one value for the rows ${from.row} to ${to.row}, whose cells are merged`,
      hint: 'Unmerge the cells in Excel, and write the value into each row.',
    };
  });
}

/** Merged cells: the first has the value. */
type Spread = Record<'from' | 'to', CellAt>;

const tooFar = (column: string, line: number): FileFault => ({
  line,
  column,
  message: `is so far out that the sheet would have more than ${MOST_CELLS / 1_000_000} million cells`,
  hint: 'Delete the rows or columns out there in Excel and save it again, or save the sheet as CSV.',
});
