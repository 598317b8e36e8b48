// Cells of an Excel file that would be read as blank and are not: formulas that failed, or were never worked out.
import { shownValue } from './bad-file.ts';
import type { FileFault } from './input.ts';
import type { ZipEntry } from './zip.ts';

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
