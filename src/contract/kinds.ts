// The values of each kind (D13), typed as in a body, or as text as in a flag, a cell or a path.
import { quoted } from '../text/escape.ts';
import { type Field, type Fields, isOfDays, type Kind } from './field.ts';
import type { Row, Value } from './resource.ts';
import type { Zone } from './zone.ts';

/** Why a value is refused: a sentence without its subject, the name of the field. */
export interface Refusal {
  readonly refused: string;
  readonly range?: true;
}

interface KindRules {
  /** The form in which people should write it, for help and hints. */
  readonly form: string;
  /** Checks a typed value, as in JSON; answers its canonical spelling. */
  check(value: unknown, zone?: Zone): Value | Refusal;
  /** Reads a value from text, as in XML, flags, cells and paths. */
  read(text: string, zone?: Zone): Value | Refusal;
  /** Do two canonical values mean the same? */
  same(a: Value, b: Value): boolean;
}

export const isRefusal = (answer: Value | Refusal): answer is Refusal => typeof answer === 'object' && answer !== null;

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(\.\d{1,7})?)?(Z|[+-]\d{2}:\d{2})?$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Characters that XML 1.0 cannot carry, and halves of surrogate pairs. */
const UNFIT =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const SHOWN = 40;
const MOST_GUIDS = 100;
const BETWEEN_GUIDS = /[\s,;]+/;
const GUIDS_FORM = 'a list of GUIDs';

/** Has this text the form of a GUID, in any case? */
export const isGuid = (text: string): boolean => GUID.test(text);

/** A GUID that stands in braces or without dashes, as the contract writes it. */
export const withDashes = (text: string): string =>
  text.length === 36
    ? text
    : text.replace(
        /^\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/i,
        '$1-$2-$3-$4-$5',
      );

/** The key by which IDs are compared: in lower case, integers as text. */
export const idKey = (id: unknown): string => String(id).toLowerCase();

export const sameID = (one: unknown, other: unknown): boolean => one === other || idKey(one) === idKey(other);

/** Does it look like a GUID, well-formed or not? Such a text is never a name. */
export const looksLikeGuid = (text: string): boolean => /^\{?[0-9a-f]{8}-[0-9a-z-]*\}?$|^[0-9a-f]{32}$/i.test(text);

/** Shows a refused value in a message, at most 40 characters of it. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return quoted(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}

const notA = (form: string, value: unknown): Refusal => ({ refused: `is ${quote(value)}, not ${form}` });

const readGuid = (value: string): Value | Refusal =>
  GUID.test(value) ? value.toLowerCase() : notA(RULES.guid.form, value);

/** GUIDs without repetitions, separated by spaces; null for none. */
function checkGuids(values: readonly unknown[]): Value | Refusal {
  const wrong = values.find((value) => typeof value !== 'string' || !GUID.test(value));
  if (wrong !== undefined) return notA(GUIDS_FORM, wrong);
  const unique = [...new Set(values.map((value) => String(value).toLowerCase()))];
  if (unique.length > MOST_GUIDS)
    return { refused: `names ${unique.length} records; the limit is ${MOST_GUIDS}`, range: true };
  return unique.length === 0 ? null : unique.join(' ');
}

/** GUIDs as a list: records hold them as one text, bodies as a list. */
export const guidsIn = (value: unknown): readonly unknown[] =>
  Array.isArray(value)
    ? value
    : String(value ?? '')
        .split(BETWEEN_GUIDS)
        .filter((one) => one !== '');

function checkText(value: string): Value | Refusal {
  const unfit = UNFIT.exec(value);
  if (!unfit) return value;
  const code = unfit[0].charCodeAt(0).toString(16).padStart(4, '0').toUpperCase();
  return { refused: `holds the character U+${code} at position ${unfit.index + 1}, which the service cannot carry` };
}

function checkWhole(value: number, low: number, high: number, form: string): Value | Refusal {
  if (!Number.isInteger(value)) return notA(form, value);
  if (value < low || value > high) return { refused: `is ${value}, outside ${low} to ${high}`, range: true };
  return value;
}

function wholeNumber(form: string, low: number, high: number): KindRules {
  return {
    form,
    check: (value) => (typeof value === 'number' ? checkWhole(value, low, high, form) : notA(form, value)),
    read: (text) => (INTEGER.test(text) ? checkWhole(Number(text), low, high, form) : notA(form, text)),
    same: Object.is,
  };
}

/** The decimals of .NET end near here. */
const LARGEST_DECIMAL = 7.9e28;

function checkDecimal(value: number, written: unknown): Value | Refusal {
  if (!Number.isFinite(value)) return notA(RULES.decimal.form, written);
  if (Math.abs(value) <= LARGEST_DECIMAL) return value;
  return { refused: `is ${String(written)}, outside ${-LARGEST_DECIMAL} to ${LARGEST_DECIMAL}`, range: true };
}

/** `Date` would move 2026-02-30 to March. */
const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const isBetween = (low: number, value: string, high: number): boolean => Number(value) >= low && Number(value) <= high;

const isDay = (year: string, month: string, dayOfMonth: string): boolean =>
  Number(year) > 0 && isBetween(1, month, 12) && isBetween(1, dayOfMonth, daysIn(Number(year), Number(month)));

const isOffset = (offset: string): boolean =>
  /^z$/i.test(offset) ||
  (Number(offset.slice(4)) < 60 && Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4)) <= 14 * 60);

function readDateTime(value: string, zone?: Zone): Value | Refusal {
  const parts = DATE_TIME.exec(value);
  if (!parts) return notA(RULES.date.form, value);
  const [, year = '', month = '', dayOfMonth = '', hour, minute, second = '00', fraction = '', offset] = parts;
  const possible = isDay(year, month, dayOfMonth) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  if (!possible || (offset && !isOffset(offset)))
    return { refused: `is ${quote(value)}, which is not a real date and time` };
  if (!offset && !zone) return { refused: `is ${quote(value)}, a date-time without an offset such as +00:00` };
  const local = `${year}-${month}-${dayOfMonth}T${hour}:${minute}:${second}${fraction}`;
  return withinYears(local + (offset?.toUpperCase() ?? (zone as Zone).offsetOf(local)));
}

const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/** Dates of .NET begin and end with these years in UTC. */
function withinYears(date: string): Value | Refusal {
  const moment = Date.parse(date);
  if (moment >= FIRST_MOMENT && moment <= LAST_MOMENT) return date;
  return { refused: `is ${quote(date)}, outside the years 1 to 9999 in UTC`, range: true };
}

function readDateText(value: string, zone?: Zone): Value | Refusal {
  const parts = DATE.exec(value.trim());
  if (!parts) return readDateTime(value.trim(), zone);
  const [whole, year = '', month = '', dayOfMonth = ''] = parts;
  if (!isDay(year, month, dayOfMonth)) return { refused: `is ${quote(value)}, which is not a real date` };
  const local = `${whole}T00:00:00`;
  return withinYears(local + (zone?.offsetOf(local) ?? '+00:00'));
}

function readDay(value: string, zone?: Zone): Value | Refusal {
  if (value.trim() === '') return null;
  const parts = DATE.exec(value);
  if (!parts) return readDateTime(value, zone);
  const [, year = '', month = '', dayOfMonth = ''] = parts;
  return isDay(year, month, dayOfMonth) ? value : { refused: `is ${quote(value)}, which is not a real date` };
}

const textual = (form: string, read: KindRules['read'], same: KindRules['same'] = Object.is): KindRules => ({
  form,
  check: (value, zone) => (typeof value === 'string' ? read(value, zone) : notA(form, value)),
  read,
  same,
});

/** The key by which moments are compared: seconds have up to seven decimals, of which `Date` reads three. */
export function momentKey(value: Value): string {
  const text = String(value);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? text : `${moment} ${Number(/\.\d+/.exec(text)?.[0] ?? 0)}`;
}

const DATE_TIME_RULES: KindRules = {
  form: 'a date-time with an offset such as 2026-03-31T09:00:00+00:00',
  check: (value, zone) => (typeof value === 'string' ? readDateTime(value, zone) : notA('a date-time', value)),
  read: readDateText,
  same: (a, b) => a === b || momentKey(a) === momentKey(b),
};

export const RULES: Readonly<Record<Kind, KindRules>> = {
  guid: textual('a GUID such as 0f8fad5b-d9cb-469f-a165-70867728950e', readGuid, sameID),
  guids: {
    form: GUIDS_FORM,
    check: (value) =>
      Array.isArray(value) || typeof value === 'string' ? checkGuids(guidsIn(value)) : notA(GUIDS_FORM, value),
    read: (text) => checkGuids(guidsIn(text)),
    same: Object.is,
  },
  text: textual('a text', checkText),
  integer: wholeNumber('a whole number', -2_147_483_648, 2_147_483_647),
  byte: wholeNumber('a whole number from 0 to 255', 0, 255),
  decimal: {
    form: 'a number',
    check: (value) => (typeof value === 'number' ? checkDecimal(value, value) : notA('a number', value)),
    read: (text) => (DECIMAL.test(text) ? checkDecimal(Number(text), text) : notA('a number', text)),
    same: Object.is,
  },
  boolean: {
    form: 'true or false',
    check: (value) => (typeof value === 'boolean' ? value : notA('true or false', value)),
    read: (text) => (/^(true|1)$/i.test(text) ? true : /^(false|0)$/i.test(text) ? false : notA('true or false', text)),
    same: Object.is,
  },
  date: DATE_TIME_RULES,
  day: textual('a date such as 2026-03-31', readDay),
  stamp: DATE_TIME_RULES,
  bytes: textual('base64 text', (value) => (BASE64.test(value) ? value : notA('base64 text', value))),
};

/** As people write it, and as an import reads it again: a day alone, where its time is midnight in UTC. */
export const dayWritten = (field: Field, value: Value): Value =>
  isOfDays(field) && typeof value === 'string' ? value.replace(/^(\d{4}-\d{2}-\d{2})T00:00:00\+00:00$/, '$1') : value;

/** Writes the days of a record so; undefined if the fields have none. */
export function withDays(fields: Fields): ((row: Row) => Row) | undefined {
  const days = Object.entries(fields).filter(([, field]) => isOfDays(field));
  const written = (row: Row) => days.map(([name, field]) => [name, dayWritten(field, row[name] ?? null)]);
  return days.length === 0
    ? undefined
    : (row) => ({ ...row, ...Object.fromEntries(written(row).filter(([name]) => String(name) in row)) });
}

/** Turns the GUIDs of a record into lists; undefined if the fields have none. */
export function listsIn(
  fields: Fields,
): ((row: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) | undefined {
  const names = Object.keys(fields).filter((name) => fields[name]?.kind === 'guids');
  if (names.length === 0) return undefined;
  return (row) => {
    const filled = names.filter((name) => typeof row[name] === 'string');
    if (filled.length === 0) return row;
    return { ...row, ...Object.fromEntries(filled.map((name) => [name, guidsIn(row[name])])) };
  };
}
