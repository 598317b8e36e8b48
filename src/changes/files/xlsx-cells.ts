// A cell of an Excel file: its place, its value, and how it shows the value.
import { shownValue, wholeFault } from './bad-file.ts';
import { dateText } from './day-numbers.ts';
import type { Cell, FileFault } from './input.ts';

/** What the cells of all sheets are read by. */
export interface Book {
  /** The texts that cells share. */
  readonly texts: readonly string[];
  readonly formats: readonly Format[];
  /** Its days are counted from 1904. */
  readonly is1904: boolean;
}

/** Is the value of a cell, or of an attribute, true? */
export const isTrue = (text = ''): boolean => /^(1|true)$/i.test(text);

/** A text as it is shown: the file spells a character that XML cannot hold as `_x000D_`. */
export const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** How a cell shows a number. */
export interface Format {
  /** Does it show a day, or a moment? */
  readonly isDate: boolean;
  /** What is shown of a number; undefined if that depends on who looks, or is the number itself. */
  readonly show: ((value: number) => string) | undefined;
}

const PLAIN: Format = { isDate: false, show: undefined };

/** The formats that a file names by their number alone. Those of dates show as the reader's own country does. */
const BUILT_IN: Readonly<Record<number, string>> = {
  ...{ 0: 'General', 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00', 9: '0%', 10: '0.00%', 11: '0.00E+00' },
  ...{ 12: '# ?/?', 13: '# ??/??', 18: 'h:mm AM/PM', 19: 'h:mm:ss AM/PM', 20: 'h:mm', 21: 'h:mm:ss' },
  ...{ 37: '#,##0;-#,##0', 38: '#,##0;-#,##0', 39: '#,##0.00;-#,##0.00', 40: '#,##0.00;-#,##0.00' },
  ...{ 45: 'mm:ss', 46: '[h]:mm:ss', 47: 'mm:ss.0', 48: '##0.0E+0', 49: '@' },
};
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

/** Answers a function that reads a format by its number, and by its code where the file has one. */
export async function formatReader(): Promise<(id: number, code: string | undefined) => Format> {
  const { format, getFormatDateInfo } = await import('numfmt');
  return (id, written) => {
    const code = written ?? BUILT_IN[id];
    if (code === undefined) return isBuiltInDate(id) ? { isDate: true, show: undefined } : PLAIN;
    if (code === '@' || /^general$/i.test(code)) return PLAIN;
    const { year, month, day } = getFormatDateInfo(code);
    return { isDate: year || month || day, show: (value) => format(code, value, { throws: false }).trim() };
  };
}

/** A cell as the file spells it. */
export interface RawCell {
  readonly type: string;
  readonly style: number;
  text: string | undefined;
  isFormula: boolean;
}

interface CellValue {
  readonly value: Cell;
  readonly fault?: Pick<FileFault, 'message' | 'hint' | 'value'>;
}

const NO_VALUE: CellValue = { value: null };

/** The value of a cell, and what is wrong with it. Throws an `Error` for a value that is none of its type. */
export function cellValue({ type, style, text, isFormula }: RawCell, { texts, formats, is1904 }: Book): CellValue {
  if (type === 'e') return { value: text ?? '', fault: failed(text ?? '', isFormula) };
  if (text === undefined || (text === '' && type !== 'str'))
    return isFormula && type !== 'str' ? { value: null, fault: NEVER_WORKED_OUT } : NO_VALUE;
  if (type === 's') {
    const shared = texts[Number(text)];
    if (shared === undefined) throw new Error(`it has no text of number ${text}`);
    return { value: shared };
  }
  if (['str', 'inlineStr', 'd'].includes(type)) return { value: unescaped(text) };
  if (type === 'b' && /^(0|1|false|true)$/i.test(text)) return { value: isTrue(text) };
  if (type !== 'n') throw new Error(`the value ${text} of a cell is none of the type ${type}`);
  const number = Number(text);
  if (!Number.isFinite(number)) throw new Error(`the number ${text} is none`);
  return numberValue(number, formats[style] ?? PLAIN, is1904);
}

const DIGITS = 15;
/** A moment whose format says the zone: `2026-03-31 09:30:00+02:00`. */
const WITH_ZONE = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2}))$/;

function numberValue(number: number, { isDate, show }: Format, is1904: boolean): CellValue {
  if (isDate) {
    const value = dateText(is1904 ? number + DAYS_TO_1904 : number);
    if (value === undefined) return { value: number, fault: NO_DATE };
    const shown = show?.(number) ?? '';
    const [, day, time] = is1904 ? [] : (WITH_ZONE.exec(shown) ?? []);
    return { value: day === undefined ? formatted(value, shown) : `${day}T${time}` };
  }
  // Excel keeps 15 digits: those behind them are zeros, or come from the binary form of the decimal number.
  if (Math.abs(number) >= 10 ** DIGITS) return { value: number, fault: LOST_DIGITS };
  const value = Number(number.toPrecision(DIGITS));
  return { value: formatted(value, show?.(number)) };
}

/** A format that hides its numbers shows nothing that could be meant. */
const formatted = (value: string | number, shown = ''): Cell =>
  shown === '' || shown === String(value) ? value : { value, shown, toString: () => shown };

const failed = (value: string, isFormula: boolean) => ({
  value: shownValue(value),
  message: isFormula ? 'holds a formula that failed' : `shows an error`,
  hint: 'Correct it in Excel, or replace it by the value.',
});

const NEVER_WORKED_OUT = {
  message: 'holds a formula without a result',
  hint: 'Open the file in Excel and save it again.',
};

const LOST_DIGITS = {
  message: `holds a number of more than ${DIGITS} digits; Excel has lost the others`,
  hint: 'Format the column as text in Excel, and enter the number again.',
};

const NO_DATE = { message: 'is not a date that Excel knows', hint: 'Enter the date again in Excel.' };

const DAYS_TO_1904 = 1462;

/** Stops the reading of a workbook. */
export class BadSheet extends Error {
  readonly fault: FileFault;

  constructor(fault: FileFault) {
    super(fault.message);
    this.fault = fault;
  }
}

export interface CellAt {
  readonly row: number;
  readonly column: number;
}

export const LAST_ROW = 1_048_576;
export const LAST_COLUMN = 16_384;
const PLACE = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/;

/** Where a reference such as `B7` points. Throws `BadSheet` where that is no place in a sheet. */
export function cellAt(reference: string): CellAt {
  const [, letters = '', digits = ''] = PLACE.exec(reference) ?? [];
  const column = [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
  if (column === 0 || column > LAST_COLUMN) throw new BadSheet(noPlace(reference));
  return { row: rowNumber(digits, reference), column };
}

/** Throws `BadSheet` where that is no row of a sheet. */
export function rowNumber(digits: string, reference = digits): number {
  const row = /^\d{1,7}$/.test(digits) ? Number(digits) : 0;
  if (row === 0 || row > LAST_ROW) throw new BadSheet(noPlace(reference));
  return row;
}

/** 1 is `A`, 16384 is `XFD`. */
export const lettersOf = (column: number): string =>
  column === 0 ? '' : lettersOf(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26));

const noPlace = (reference: string): FileFault =>
  wholeFault(
    `is an Excel file with a cell at ${JSON.stringify(shownValue(reference))}, which is not a place in a sheet`,
    'Open it in Excel and save it again, or save the sheet as CSV.',
  );
