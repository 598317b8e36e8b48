// Finds out how large the sheets of an Excel file would be: a single cell far out makes a table of billions.
import { shownValue } from './bad-file.ts';
import type { FileFault } from './input.ts';
import type { ZipEntry } from './zip.ts';

/** The most cells of all sheets together, blank ones included. */
const MOST_CELLS = 20_000_000;

/** The attributes of a row or a cell, whatever its prefix. */
const PLACED = /<(?:\w+:)?(?:c|row)(?=\s)([^<]*)/g;
const REFERENCE = /\sr\s*=\s*["']([^"']*)["']/g;
/** A row has no column. */
const PLACE = /^([A-Z]{0,3})(\d{1,7})$/;

/** What is wrong where the sheets are too large to be laid out, or a place is none; undefined where nothing is. */
export function sizeFault(entries: readonly ZipEntry[]): FileFault | undefined {
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
