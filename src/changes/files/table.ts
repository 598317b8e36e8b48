// Tables: the header, the cells of every row, and texts that must not be run as formulas.
import { type FaultList, shownValue, wholeFault } from './bad-file.ts';
import type { Batches, Cell, FileFault, FileRow, Line, OpenOptions } from './input.ts';
import { MOST_IN_CELL } from './input.ts';

interface Header {
  readonly line: number;
  /** The names of the columns that have one. */
  readonly columns: readonly string[];
  /** All of the header's cells, trimmed; blank where a column has no name. */
  readonly names: readonly string[];
}

/** The header in the first record of a table; its faults go to the list. */
export function readHeader(first: Line, faults: FaultList): Header {
  const names = first.cells.map((cell) => String(cell ?? '').trim());
  for (const fault of headerFaults(first.line, names)) faults.add(fault);
  return { line: first.line, names, columns: names.every(Boolean) ? names : names.filter(Boolean) };
}

function headerFaults(line: number, names: readonly string[]): FileFault[] {
  if (!names.some(Boolean)) return [{ line, message: 'should be the header, but names no column', hint: FURTHER_DOWN }];
  const earlier = new Map<string, number>();
  return names.flatMap((name, at) => {
    const key = name.toLowerCase();
    const before = earlier.get(key);
    if (before === undefined) earlier.set(key, at);
    if (name === '' || before === undefined) return [];
    return {
      line,
      column: name,
      message: `is a header twice: columns ${before + 1} and ${at + 1}`,
      hint: 'Give each column its own name, or delete one.',
    };
  });
}

export const FURTHER_DOWN = 'If the header is further down: --header-row <n>.';

/**
 * The rows below the header, to `lastRow`. Rows with more or fewer cells are faults and left out, as are cells over 1 MiB;
 * `shortRows` fills up those with fewer. Cells under a blank header are faults, unless `ignoreUnknown` leaves them out. Blank
 * rows are no rows.
 */
export async function* tableRows(
  batches: Batches<Line>,
  faults: FaultList,
  options: OpenOptions = {},
): AsyncGenerator<readonly FileRow[]> {
  const { lastRow = Number.MAX_SAFE_INTEGER } = options;
  let header: Header | undefined;
  let count = 0;
  let check: ((line: Line) => FileRow | undefined) | undefined;
  for await (const batch of batches) {
    const rows: FileRow[] = [];
    for (const line of batch) {
      if (!header || !check) {
        header = readHeader(line, faults);
        check = rowCheck(header, faults, options);
        continue;
      }
      if (isBlank(line.cells) || line.line > lastRow) continue;
      count++;
      const row = check(line);
      if (row) rows.push(row);
    }
    if (rows.length > 0) yield rows;
  }
  if (count === 0) faults.add(header ? { line: header.line, message: 'is a header with no row below it' } : EMPTY);
}

/** The fault of a file that holds nothing. */
export const EMPTY = wholeFault('is empty');

const isBlank = (cells: readonly Cell[]): boolean => cells.every((cell) => cell === '' || cell === null);

/** A check of one row after another: the row as it is handed over, or undefined and a fault. */
function rowCheck(
  { names, columns }: Header,
  faults: FaultList,
  { ignoreUnknown, shortRows }: OpenOptions,
): (line: Line) => FileRow | undefined {
  const isWhole = names.length === columns.length;
  const reported = new Set<number>();
  return ({ line, cells: written }) => {
    const cells = shortRows ? filledUp(written, names.length) : written;
    if (cells.length !== names.length) {
      faults.add(ragged(line, cells, names));
      return undefined;
    }
    const long = cells.findIndex(isTooLong);
    if (long >= 0) faults.add(overlong(line, names[long] || `${long + 1}`, cells[long]));
    else if (isWhole) return { line, names: columns, cells };
    const isNameless = (cell: Cell, at: number): boolean => !names[at] && cell !== '' && cell !== null;
    const nameless = isWhole || ignoreUnknown ? -1 : cells.findIndex(isNameless);
    if (nameless >= 0 && !reported.has(nameless)) {
      reported.add(nameless);
      faults.add(underBlank(line, nameless, cells[nameless]));
    }
    return long >= 0 ? undefined : { line, names: columns, cells: cells.filter((_, at) => names[at]) };
  };
}

const filledUp = (cells: readonly Cell[], width: number): readonly Cell[] =>
  cells.length < width ? [...cells, ...Array<Cell>(width - cells.length).fill('')] : cells;

/** The words of a row of sums at its beginning. */
const TOTALS = /^(?:grand |sub)?(?:total|sum|count|summe|gesamt|anzahl|somme|nombre)s?\b/i;

/** How to leave out a row of sums, where these are the cells of one. */
export function totalsHint(line: number, cells: readonly unknown[]): string | undefined {
  const first = String(cells.find((cell) => cell !== '' && cell !== null) ?? '').slice(0, 20);
  return TOTALS.test(first.trimStart()) ? `To leave out the sums below the table: --last-row ${line - 1}.` : undefined;
}

const isTooLong = (cell: Cell): boolean => typeof cell === 'string' && cell.length > MOST_IN_CELL;

function ragged(line: number, cells: readonly Cell[], names: readonly string[]): FileFault {
  const many = cells.length > names.length;
  const column = many ? {} : { column: names[cells.length] || `${cells.length + 1}` };
  return {
    line,
    ...column,
    value: shownValue(many ? cells[names.length] : cells.at(-1)),
    message: `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} where the header has ${names.length}`,
    hint: many
      ? 'Put quotes around a cell that holds the delimiter; take out delimiters too many at the end of the row.'
      : (totalsHint(line, cells) ??
        'If rows lack blank cells at their end: --short-rows. A cell with a line break needs quotes.'),
  };
}

/** The fault of a cell that is longer than any field. */
export const overlong = (line: number, column: string, cell: unknown): FileFault => ({
  line,
  column,
  value: shownValue(cell),
  message: 'holds more than 1 MiB',
  hint: 'No field takes that much; shorten it.',
});

const underBlank = (line: number, at: number, cell: unknown): FileFault => ({
  line,
  column: `${at + 1}`,
  value: shownValue(cell),
  message: 'is in a column without a name',
  hint: 'Name the column in the header (of merged cells only the first has the name), or leave such columns out: --ignore-unknown.',
});

const RUNS = /^[=+\-@\t\r']/;
const GUARDED = /^'[=+\-@\t\r']/;

/** A leading apostrophe for a text that a spreadsheet would take for a formula, and for one that begins with an apostrophe. */
export const guard = (text: string): string => (RUNS.test(text) ? `'${text}` : text);

/** The text as it was before `guard`. */
export const unguard = (text: string): string => (GUARDED.test(text) ? text.slice(1) : text);
