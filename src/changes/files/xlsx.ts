// Reads a sheet of an Excel file (XLSX) as a table. Formulas that failed, or have no saved value, are faults.
import { type FaultList, ReadingStopped, shownValue } from './bad-file.ts';
import { type Batches, type Cell, type FileFault, type Line, MOST_IN_MEMORY } from './input.ts';
import type { Source } from './source.ts';
import { type ZipEntry, zipEntries } from './zip.ts';

interface Workbook {
  /** The name of the sheet that is read. */
  readonly sheet: string;
  /** The other sheets that hold anything. */
  readonly others: readonly string[];
  /** The rows of the sheet. Adds the faults of its formulas. */
  lines(faults: FaultList): Batches<Line>;
}

/**
 * Opens an Excel file at the wanted sheet, by default the first. Adds a fault and throws `ReadingStopped` where it is
 * no Excel file, where it has more than 256 MiB, packed or unpacked, or too many cells, or where it has no such sheet. The value of a
 * formula is the one that Excel saved with it; dates become ISO text without a zone.
 */
export async function openWorkbook(source: Source, wanted: string | undefined, faults: FaultList): Promise<Workbook> {
  const { entries, sheets } = await sheetsIn(source, faults);
  const names = sheets.map(({ sheet }) => sheet);
  const position = wanted === undefined ? 0 : names.indexOf(wanted);
  const found = sheets[position];
  if (!found) return stop(faults, missingSheet(wanted ?? '', names));
  const formulas = formulaFaults(entries, position);
  return {
    sheet: found.sheet,
    others: filled(sheets).filter((name) => name !== found.sheet),
    lines(into) {
      for (const fault of formulas) into.add(fault);
      return linesOf(found.data);
    },
  };
}

/** The names of the sheets that hold anything. Adds faults and throws as `openWorkbook`. */
export const sheetNames = async (source: Source, faults: FaultList): Promise<readonly string[]> =>
  filled((await sheetsIn(source, faults)).sheets);

interface Sheet {
  readonly sheet: string;
  readonly data: readonly (readonly unknown[])[];
}

const filled = (sheets: readonly Sheet[]): readonly string[] =>
  sheets.filter(({ data }) => data.some((row) => row.some((cell) => cell !== null))).map(({ sheet }) => sheet);

async function sheetsIn(
  source: Source,
  faults: FaultList,
): Promise<{ readonly entries: readonly ZipEntry[]; readonly sheets: readonly Sheet[] }> {
  const archive = await readWhole(source, faults);
  const entries = checkedEntries(archive, faults);
  const tooLargeSheet = sizeFault(entries);
  if (tooLargeSheet) stop(faults, tooLargeSheet);
  const { default: readWorkbook } = await import('read-excel-file/universal');
  const input = new Uint8Array(archive).buffer;
  const sheets = await readWorkbook(input, { trim: false }).catch((error: unknown) => stop(faults, brokenFile(error)));
  return { entries, sheets };
}

const missingSheet = (wanted: string, names: readonly string[]): FileFault => ({
  line: 1,
  message: `has no sheet ${JSON.stringify(shownValue(wanted))}`,
  hint: `Its sheets are ${names.map(shownValue).join(', ')}.`,
});

function stop(faults: FaultList, fault: FileFault): never {
  faults.add(fault);
  throw new ReadingStopped();
}

async function readWhole(source: Source, faults: FaultList): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of source.chunks()) {
    size += piece.length;
    if (size > MOST_IN_MEMORY) stop(faults, tooLarge);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const tooLarge: FileFault = {
  line: 1,
  message: 'begins an Excel file of more than 256 MiB, unpacked',
  hint: 'Save the sheet as CSV: that may be of any length.',
};

/** The parts of the archive. Stops where it is no Excel file, or a part is not of the size that the archive states. */
function checkedEntries(archive: Buffer, faults: FaultList): readonly ZipEntry[] {
  const entries = orStop(() => zipEntries(archive), faults);
  if (!entries.some(({ name }) => name.startsWith('xl/'))) stop(faults, notExcel);
  if (entries.reduce((sum, { size }) => sum + size, 0) > MOST_IN_MEMORY) stop(faults, tooLarge);
  for (const entry of entries) orStop(() => entry.bytes(), faults);
  return entries;
}

function orStop<T>(work: () => T, faults: FaultList): T {
  try {
    return work();
  } catch (error) {
    return stop(faults, brokenFile(error));
  }
}

const notExcel: FileFault = {
  line: 1,
  message: 'begins a ZIP archive that is no Excel file',
  hint: 'Open it and see what it holds.',
};

const brokenFile = (error: unknown): FileFault => ({
  line: 1,
  message: `begins a broken Excel file: ${shownValue(error instanceof Error ? error.message : error)}`,
  hint: 'Open it in Excel and save it again, or save the sheet as CSV.',
});

const ROWS_PER_BATCH = 1000;

/** All rows, in batches, filled with null to the width of the widest. */
async function* linesOf(data: readonly (readonly unknown[])[]): AsyncGenerator<readonly Line[]> {
  const width = data.reduce((widest, row) => Math.max(widest, row.length), 0);
  for (let at = 0; at < data.length; at += ROWS_PER_BATCH) {
    yield data.slice(at, at + ROWS_PER_BATCH).map((row, index) => ({
      line: at + index + 1,
      cells: Array.from({ length: width }, (_, column) => cellOf(row[column])),
    }));
  }
}

function cellOf(value: unknown): Cell {
  if (value instanceof Date) return dateText(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** `2024-05-31`, or `2024-05-31T09:30:00` where it has a time; without a zone, since Excel has none. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  // Excel stores a time as a fraction of a day, which can be some milliseconds off: rounded to the second.
  const [day = '', time = ''] = asExcelCounts(Math.round(date.getTime() / 1000) * 1000).split('T');
  return time === '00:00:00' ? day : `${day}T${time}`;
}

const DAY = 86_400_000;
const LEAP_DAY = Date.UTC(1900, 1, 28);
const FIRST_DAY = Date.UTC(1899, 11, 31);

/** Excel counts a 29 February 1900, which did not exist: the days before it are read one too early, and it is no date. */
function asExcelCounts(moment: number): string {
  const isBefore = moment >= FIRST_DAY && moment < LEAP_DAY;
  const text = new Date(isBefore ? moment + DAY : moment).toISOString().slice(0, 19);
  return moment >= LEAP_DAY && moment < LEAP_DAY + DAY ? text.replace('02-28', '02-29') : text;
}

const SHEET = /<(?:\w+:)?sheet\b[^<>]*>/g;
const RELATION = /<(?:\w+:)?Relationship\b[^<>]*>/g;
/** A cell with a formula: its column, row and attributes, and the saved value. */
const FORMULA = /<c r="([A-Z]+)(\d+)"([^<>]*)><f\b[^<>]*?(?:\/>|>[^<]*<\/f>)(?:<v>([^<]*)<\/v>|<v\s*\/>)?<\/c>/g;
const MOST_FAULTS = 1000;

/**
 * The formulas that failed or have no saved value, in the sheet at that position of the workbook; at most 1,000. None
 * are found where the archive does not say which of its parts is that sheet.
 */
export function formulaFaults(entries: readonly ZipEntry[], position: number): readonly FileFault[] {
  const xml = sheetXml(entries, position);
  const faults: FileFault[] = [];
  for (const [, column = '', row, attributes = '', value = ''] of xml.matchAll(FORMULA)) {
    const failed = /\bt="e"/.test(attributes);
    if (!failed && (value !== '' || /\bt="str"/.test(attributes))) continue;
    faults.push({
      line: Number(row),
      column,
      ...(failed && { value: shownValue(value) }),
      message: failed ? 'holds a formula that failed' : 'holds a formula that was never worked out',
      hint: failed ? 'Mend it in Excel, or put the value in its place.' : 'Open the file in Excel and save it again.',
    });
    if (faults.length === MOST_FAULTS) break;
  }
  return faults;
}

/** The XML of the sheet at that position; empty where it is not found. */
function sheetXml(entries: readonly ZipEntry[], position: number): string {
  const text = (path: string): string =>
    entries
      .find(({ name }) => name === path)
      ?.bytes()
      .toString() ?? '';
  const [sheet = ''] = [...text('xl/workbook.xml').matchAll(SHEET)][position] ?? [];
  const id = attribute(sheet, 'r:id');
  const relations = [...text('xl/_rels/workbook.xml.rels').matchAll(RELATION)].map(([relation]) => relation);
  const target = attribute(relations.find((relation) => attribute(relation, 'Id') === id) ?? '', 'Target');
  return text(target.startsWith('/') ? target.slice(1) : `xl/${target}`);
}

const attribute = (tag: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

/** The most cells of all sheets together, blank ones included: one cell far out makes a table of billions. */
const MOST_CELLS = 20_000_000;

/** The attributes of a row or a cell, whatever its prefix. */
const PLACED = /<(?:\w+:)?(?:c|row)(?=\s)([^<]*)/g;
const REFERENCE = /\sr\s*=\s*["']([^"']*)["']/g;
/** A row has no column. */
const PLACE = /^([A-Z]{0,3})(\d{1,7})$/;

/** What is wrong where the sheets are too large to be laid out, or a place is none; undefined where nothing is. */
function sizeFault(entries: readonly ZipEntry[]): FileFault | undefined {
  let cells = 0;
  for (const entry of entries) {
    let [rows, columns] = [0, 0];
    for (const reference of referencesIn(entry.bytes().toString('latin1'))) {
      const [place, letters = '', digits = ''] = PLACE.exec(reference) ?? [];
      if (place === undefined) return noPlace(reference);
      rows = Math.max(rows, Number(digits));
      columns = Math.max(columns, columnOf(letters));
      if (cells + rows * columns > MOST_CELLS) return tooFar(letters, Number(digits));
    }
    cells += rows * columns;
  }
  return undefined;
}

function* referencesIn(xml: string): Generator<string> {
  for (const [, attributes = ''] of xml.matchAll(PLACED))
    for (const [, reference = ''] of attributes.matchAll(REFERENCE)) yield reference;
}

/** `A` is 1, `XFD` 16384. */
const columnOf = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

const tooFar = (column: string, line: number): FileFault => ({
  line,
  ...(column === '' ? {} : { column }),
  message: `stands so far out that the sheets would have more than ${MOST_CELLS / 1_000_000} million cells`,
  hint: 'Delete the rows or columns out there in Excel and save it again, or save the sheet as CSV.',
});

const noPlace = (reference: string): FileFault => ({
  line: 1,
  message: `begins an Excel file with a cell at ${JSON.stringify(shownValue(reference))}, which is no place in a sheet`,
  hint: 'Open it in Excel and save it again, or save the sheet as CSV.',
});
