// Reads a sheet of an Excel file (XLSX) as a table; formulas without a value are faults.
import { type FaultList, ReadingStopped, shownValue } from './bad-file.ts';
import { type Batches, type Cell, type FileFault, type Line, MOST_IN_MEMORY } from './input.ts';
import type { Source } from './source.ts';
import { type ZipEntry, zipEntries } from './zip.ts';

interface Workbook {
  /** The sheet that is read: the named one, else the first. */
  readonly sheet: string;
  lines(faults: FaultList): Batches<Line>;
}

/**
 * Opens an Excel file: the sheet of that name, else the first. What it is not goes to the faults, and the reading
 * stops: no Excel file, more than 256 MiB, unpacked or not, a sheet that is not there. Formulas give the
 * values that Excel saved with them, dates ISO text without a zone.
 */
export async function openWorkbook(source: Source, wanted: string | undefined, faults: FaultList): Promise<Workbook> {
  const archive = await readWhole(source, faults);
  const entries = soundEntries(archive, faults);
  const { default: readWorkbook } = await import('read-excel-file/universal');
  const input = new Uint8Array(archive).buffer;
  const sheets = await readWorkbook(input, { trim: false }).catch((error: unknown) => stop(faults, broken(error)));
  const names = sheets.map(({ sheet }) => sheet);
  const position = wanted === undefined ? 0 : names.indexOf(wanted);
  const found = sheets[position];
  if (!found) return stop(faults, noSheet(wanted ?? '', names));
  const formulas = formulaFaults(entries, position);
  return {
    sheet: found.sheet,
    lines(into) {
      for (const fault of formulas) into.add(fault);
      return linesOf(found.data);
    },
  };
}

const noSheet = (wanted: string, names: readonly string[]): FileFault => ({
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
    if (size > MOST_IN_MEMORY) stop(faults, tooMuch);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const tooMuch: FileFault = {
  line: 1,
  message: 'begins an Excel file of more than 256 MiB, unpacked',
  hint: 'Save the sheet as CSV: that may be of any length.',
};

/** The parts of the archive, which must be an Excel file and must unpack to what it says. */
function soundEntries(archive: Buffer, faults: FaultList): readonly ZipEntry[] {
  const entries = orStop(() => zipEntries(archive), faults);
  if (!entries.some(({ name }) => name.startsWith('xl/'))) stop(faults, strangeArchive);
  if (entries.reduce((sum, { size }) => sum + size, 0) > MOST_IN_MEMORY) stop(faults, tooMuch);
  for (const entry of entries) orStop(() => entry.bytes(), faults);
  return entries;
}

function orStop<T>(work: () => T, faults: FaultList): T {
  try {
    return work();
  } catch (error) {
    return stop(faults, broken(error));
  }
}

const strangeArchive: FileFault = {
  line: 1,
  message: 'begins a ZIP archive that is no Excel file',
  hint: 'Open it and see what it holds.',
};

const broken = (error: unknown): FileFault => ({
  line: 1,
  message: `begins a broken Excel file: ${shownValue(error instanceof Error ? error.message : error)}`,
  hint: 'Open it in Excel and save it again, or save the sheet as CSV.',
});

const AT_ONCE = 1000;

async function* linesOf(data: readonly (readonly unknown[])[]): AsyncGenerator<readonly Line[]> {
  const width = data.reduce((most, row) => Math.max(most, row.length), 0);
  for (let at = 0; at < data.length; at += AT_ONCE) {
    yield data.slice(at, at + AT_ONCE).map((row, index) => ({
      line: at + index + 1,
      cells: Array.from({ length: width }, (_, column) => cellOf(row[column])),
    }));
  }
}

function cellOf(value: unknown): Cell {
  if (value instanceof Date) return dateText(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** Excel knows no zones: `2024-05-31`, or `2024-05-31T09:30:00` where there is a time. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  // Times are fractions of days there, so that a second may end up a little off.
  const text = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().slice(0, 19);
  return text.endsWith('T00:00:00') ? text.slice(0, 10) : text;
}

const SHEET = /<(?:\w+:)?sheet\b[^<>]*>/g;
const RELATION = /<(?:\w+:)?Relationship\b[^<>]*>/g;
const FORMULA = /<c r="([A-Z]+)(\d+)"([^<>]*)><f\b[^<>]*?(?:\/>|>[^<]*<\/f>)(?:<v>([^<]*)<\/v>|<v\s*\/>)?<\/c>/g;
const MOST = 1000;

/**
 * The faults of the formulas in the sheet of that place in the workbook, at most 1,000. Where the parts of the
 * archive do not say which one it is, none are found.
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
    if (faults.length === MOST) break;
  }
  return faults;
}

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
