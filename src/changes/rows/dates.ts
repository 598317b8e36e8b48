// Reads the dates of files: what can be read one way only is read, and all else by the form that is named for its column.
import { dateText } from '../files/day-numbers.ts';
import { plain, typed } from './column-synonyms.ts';

/** How dates are written: `dd/mm/yyyy`, `mmm d, yy`. `excel`: the numbers of days, as Excel counts them from 1900 on. */
export type DateForm = 'excel' | WrittenForm;

interface WrittenForm {
  readonly order: DateOrder;
  /** Stands between the numbers; undefined if the month is a name. */
  readonly mark: string | undefined;
  /** The year has two digits. */
  readonly isShort: boolean;
}

type DateOrder = (typeof ORDERS)[number];

const ORDERS = ['dmy', 'mdy', 'ymd'] as const;

/** By the letters and digits of the column, or by none for all other columns: the form, and the column as it was written. */
export type DateForms = ReadonlyMap<string, { readonly column: string; readonly form: DateForm }>;

export const formFor = (forms: DateForms | undefined, column: string): DateForm | undefined =>
  forms && forms.size > 0 ? (forms.get(plain(column)) ?? forms.get(''))?.form : undefined;

const OF_NUMBERS = /^(dd?|mm?|yy(?:yy)?)([./-])(dd?|mm?|yy(?:yy)?)\2(dd?|mm?|yy(?:yy)?)$/;
const OF_NAMES = /^(dd?|mmmm?|yy(?:yy)?)[ .,/-]{1,2}(dd?|mmmm?|yy(?:yy)?)[ .,/-]{1,2}(dd?|mmmm?|yy(?:yy)?)$/;

/** Reads one form: day, month and year in an order that is in use, or `excel`. Undefined for anything else. */
export function dateFormOf(format: string): DateForm | undefined {
  const written = format.trim().toLowerCase();
  if (written === 'excel') return written;
  const [, first, mark, ...others] = OF_NUMBERS.exec(written) ?? [];
  const parts = first === undefined ? (OF_NAMES.exec(written) ?? []).slice(1) : [first, ...others];
  const letters = parts.map((part) => part.slice(0, 1)).join('');
  const order = ORDERS.find((one) => one === letters);
  return order && { order, mark, isShort: !written.includes('yyyy') };
}

type ReadDate = { readonly iso: string } | Refused;

export interface Refused {
  readonly refused: string;
  readonly hint: string;
  readonly cause?: string;
}

const TIME = /^(.{6,30}?)(?:[ T]|, )(\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,7})?)?)(?: ?([AP])\.?M\.?)?$/i;
const NUMBERS = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})$/;
const WITH_NAME =
  /^(\p{L}{3,10}|\d{1,4}(?:st|nd|rd|th|er)?)[ .,/-]{1,2}(\p{L}{3,10}|\d{1,2}(?:st|nd|rd|th|er)?)[ .,/-]{1,2}(\d{1,4})$/iu;
const EIGHT_DIGITS = /^((?:19|20)\d\d)(\d\d)(\d\d)$/;
const DAY_NUMBER = /^\d{1,7}(?:\.\d{1,15})?$/;

/** The date in ISO form, by the form of its column; other text as it is. `seen` keeps a date for each order that a column shows. */
export function readDate(text: string, column: string, seen: Map<string, string>, form?: DateForm): ReadDate {
  const bare = text.trim();
  if (form === 'excel' && DAY_NUMBER.test(bare)) {
    const iso = dateText(Number(bare));
    return iso === undefined ? { refused: `is "${bare}", which is not the number of a day`, hint: DATE_HINT } : { iso };
  }
  const [, sinceEpoch] = MILLISECONDS.exec(bare) ?? [];
  if (sinceEpoch) return { iso: new Date(Number(sinceEpoch)).toISOString().replace(/(?:\.000)?Z$/, '+00:00') };
  const [, day = bare, time = '', half = ''] = TIME.exec(bare) ?? [];
  const parts = partsOf(day);
  if (!parts) return { iso: bare };
  const real = ordersOf(parts, undefined).filter((order) => isoOf(order, parts).length > 0);
  if (real.length === 1) seen.set(`${column} ${parts.mark} ${real[0]}`, bare);
  const read = readParts(parts, bare, form === 'excel' ? undefined : form, real);
  if ('refused' in read && read.cause === 'open') return { ...read, ...openAdvice(parts, real, column, seen) };
  if ('refused' in read || time === '') return read;
  const clock = clockOf(time, half.toLowerCase());
  if (clock === undefined) return { refused: `is "${bare}", which is not a time of day`, hint: DATE_HINT };
  return MIDNIGHT.test(clock) ? read : { iso: `${read.iso}T${clock}` };
}

/** A moment as JSON of some programs has it, in milliseconds since 1970 in UTC; the offset behind them changes nothing. */
const MILLISECONDS = /^\/Date\((-?\d{1,14})(?:[+-]\d{4})?\)\/$/;

/** The three parts of a date in their order; a name of a month is its number by now. */
interface Parts {
  readonly first: string;
  readonly second: string;
  readonly third: string;
  /** Stands between numbers. */
  readonly mark: string;
  /** The place of the month, where it is a name. */
  readonly named?: 0 | 1;
}

function partsOf(day: string): Parts | undefined {
  const [, year = '', month = '', dayOfMonth = ''] = EIGHT_DIGITS.exec(day) ?? [];
  if (year !== '') {
    const parts = { first: year, second: month, third: dayOfMonth, mark: '' };
    return isoOf('ymd', parts).length > 0 ? parts : undefined;
  }
  const [, first, mark = '', second = '', third = ''] = NUMBERS.exec(day) ?? [];
  if (first !== undefined) return { first, second, third, mark };
  const [, one = '', other = '', last = ''] = WITH_NAME.exec(day) ?? [];
  const [month1, month2] = [monthOf(one), monthOf(other)];
  if ((month1 === '') === (month2 === '')) return undefined;
  return month1 === ''
    ? { first: digitsOf(one), second: month2, third: last, mark: '', named: 1 }
    : { first: month1, second: digitsOf(other), third: last, mark: '', named: 0 };
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** `real`: the orders in which it is a date without a form. */
function readParts(parts: Parts, text: string, form: WrittenForm | undefined, real: readonly DateOrder[]): ReadDate {
  const { first, mark, named } = parts;
  // A form with the name of a month says nothing of three numbers, which may be in another order.
  const said = named === undefined && form?.mark === undefined ? undefined : form;
  // With another mark, too, is read what can be read one way only, unless the form says another order.
  const isOdd = said !== undefined && named === undefined && first.length < 3 && mark !== said.mark;
  const orders = isOdd ? [...real, said.order] : ordersOf(parts, said);
  if (isShort(parts) && !(said?.isShort && orders.length > 0))
    return { refused: `is "${text}", with a short year`, hint: '', cause: 'open' };
  const [only, other] = [...new Set(orders.flatMap((order) => isoOf(order, parts)))];
  const hint = real[0] ? `Write it as ${isoOf(real[0], parts)}.` : DATE_HINT;
  if (only === undefined) return { refused: `is "${text}", which is not a real date`, hint };
  if (other === undefined) return { iso: only };
  if (isOdd) return { refused: `is "${text}", and --date-format says "${said.mark}"`, hint: DATE_HINT, cause: 'mark' };
  return { refused: `is "${text}", which can be ${only} or ${other}`, hint: '', cause: 'open' };
}

const isShort = ({ first, third }: Parts): boolean => first.length < 3 && third.length < 3;

/** A leading year shows the order, and so does the name of a month with a whole year; dots part day, month and year only. */
function ordersOf(parts: Parts, form: WrittenForm | undefined): readonly DateOrder[] {
  const { first, mark, named } = parts;
  if (named !== undefined) {
    const orders: readonly DateOrder[] = named === 0 ? ['mdy'] : ['dmy', 'ymd'];
    return isShort(parts) && form ? orders.filter((order) => order === form.order) : orders;
  }
  if (first.length > 2) return ['ymd'];
  if (form) return [form.order];
  return mark === '.' ? ['dmy'] : ['dmy', 'mdy'];
}

/** The date in ISO form, if it is on the calendar. Only a date without a whole year has one of two digits. */
function isoOf(order: DateOrder, parts: Parts): readonly string[] {
  const { first, second, third } = parts;
  const [year, month, day] =
    order === 'ymd' ? [first, second, third] : order === 'dmy' ? [third, second, first] : [third, first, second];
  const whole = isShort(parts) && year.length === 2 ? `${Number(year) < PIVOT ? 20 : 19}${year}` : year;
  if (whole.length !== 4 || day.length > 2) return [];
  const iso = `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const instant = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(iso) ? [iso] : [];
}

/** As in Excel: 29 is 2029, and 30 is 1930. */
const PIVOT = 30;

/** Databases and spreadsheets write a day so. */
const MIDNIGHT = /^00:00(?::00(?:\.0+)?)?$/;

/** The time in 24 hours; `half` is `a` or `p` where it is in 12. Undefined if no clock shows it. */
function clockOf(time: string, half: string): string | undefined {
  const hour = Number.parseInt(time, 10);
  if (half !== '' && (hour < 1 || hour > 12)) return undefined;
  const of24 = half === '' ? hour : (hour % 12) + (half === 'p' ? 12 : 0);
  return `${String(of24).padStart(2, '0')}${time.slice(time.indexOf(':'))}`;
}

/** The names of months in English, German and French, without the marks on their letters. */
const MONTHS: readonly string[] = [
  'jan january januar janner janv janvier',
  'feb february februar fev fevr fevrier',
  'mar march marz mrz mars',
  'apr april avr avril',
  'may mai',
  'jun june juni juin',
  'jul july juli juil juillet',
  'aug august aout',
  'sep sept september septembre',
  'oct october okt oktober octobre',
  'nov november novembre',
  'dec december dez dezember decembre',
];

const NUMBER_BY_MONTH: ReadonlyMap<string, string> = new Map(
  MONTHS.flatMap((names, at) => names.split(' ').map((name) => [name, String(at + 1)] as const)),
);

/** The number of the month that is called so, as a text; empty where none is. */
const monthOf = (name: string): string =>
  NUMBER_BY_MONTH.get(name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()) ?? '';

export const DATE_HINT = 'A date such as 2026-03-31 is always understood.';

/** The flag that says how the dates of a column are written, as it is typed. */
export const asked = (column: string, ...forms: readonly string[]): string =>
  `--date-format ${forms.map((form) => `'${typed(column)}=${form}'`).join(' or ')}`;

/** The forms that read this date, unless others of its column show that no form reads all of them. */
function openAdvice(parts: Parts, real: readonly DateOrder[], column: string, seen: Map<string, string>) {
  const { mark, named } = parts;
  const [year, century] = isShort(parts) ? ['yy', ': 00 to 29 is 2000 to 2029'] : ['yyyy', ''];
  const [day, month] = ['dmy', 'mdy'].map((order) => seen.get(`${column} ${mark} ${order}`));
  const free = real.filter((order) => !(order === 'dmy' ? month : day));
  const numbers = free.map((order) => (order === 'mdy' ? `mm${mark}dd${mark}${year}` : `dd${mark}mm${mark}${year}`));
  const forms = named === undefined ? numbers : [named === 0 ? 'mmm d, yy' : 'dd-mmm-yy'];
  const alike = `No form reads both "${day}" and "${month}": write one of the two such as 2026-03-31.`;
  if (forms.length === 0) return { hint: real.length === 0 ? DATE_HINT : alike, cause: 'alike' };
  return { hint: `Say ${asked(column, ...forms)}${century}. ${DATE_HINT}`, cause: `${year} ${mark}` };
}
