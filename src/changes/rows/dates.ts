// Dates as spreadsheets write them. One that can be read in two ways is never guessed.
import type { Kind } from '../../contract/field.ts';

/** In which order a date of three numbers is written. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd';

/** A date in the contract's spelling, or why it is none. */
export type ReadDate = { readonly iso: string } | { readonly refused: string; readonly hint: string };

const DATE_KINDS: ReadonlySet<Kind> = new Set<Kind>(['date', 'day', 'stamp']);
const PARTS = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:[ T](\d{1,2}:\d{2}(?::\d{2})?))?$/;

export const isDateKind = (kind: Kind): boolean => DATE_KINDS.has(kind);

/** Reads `--date-format`: day, month and year in any order, as `dd/mm/yyyy`. Undefined for anything else. */
export function dateOrderOf(format: string): DateOrder | undefined {
  const letters = format
    .toLowerCase()
    .replace(/[^dmy]/g, '')
    .replace(/(.)\1+/g, '$1');
  return letters === 'dmy' || letters === 'mdy' || letters === 'ymd' ? letters : undefined;
}

/** Brings a date of three numbers into ISO form; a text of another form is handed on as it is. */
export function readDate(text: string, order: DateOrder | undefined): ReadDate {
  const [, first = '', mark = '', second = '', third = '', time = ''] = PARTS.exec(text.trim()) ?? [];
  if (first === '') return { iso: text };
  if (first.length < 3 && third.length < 3) return { refused: `is "${text}", whose year is cut short`, hint: WRITE };
  const readings = possibleOrders(first, mark, order).flatMap((one) => isoOf(one, first, second, third));
  const [only, other] = [...new Set(readings)];
  if (only === undefined) return { refused: `is "${text}", which no calendar shows`, hint: WRITE };
  if (other === undefined)
    return { iso: time === '' ? only : `${only}T${time.padStart(time.length < 6 ? 5 : 8, '0')}` };
  return {
    refused: `is "${text}", which can be ${only} or ${other}`,
    hint: `Say --date-format dd/mm/yyyy or mm/dd/yyyy. ${WRITE}`,
  };
}

const WRITE = 'A date such as 2026-03-31 is always understood.';

/** A year in front says the order by itself; points stand between day, month and year in that order alone. */
function possibleOrders(first: string, mark: string, order: DateOrder | undefined): readonly DateOrder[] {
  if (first.length > 2) return ['ymd'];
  if (order) return [order];
  return mark === '.' ? ['dmy'] : ['dmy', 'mdy'];
}

function isoOf(order: DateOrder, first: string, second: string, third: string): readonly string[] {
  const [year, month, day] =
    order === 'ymd' ? [first, second, third] : order === 'dmy' ? [third, second, first] : [third, first, second];
  if (year.length !== 4 || day.length > 2) return [];
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const instant = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(iso) ? [iso] : [];
}
