// The values of a record in the cells of a table: names for references, and times by the reader's clock.
import { type Field, isMoment, isOfDays } from '../../../contract/field.ts';
import type { Row, Value } from '../../../contract/resource.ts';
import type { Zone } from '../../../contract/zone.ts';
import type { Clock, OutputOptions, Records } from '../result.ts';

/** How the cells of a list, or of one record, are written. */
export interface CellStyle {
  readonly zone: Zone | undefined;
  /** With it, how long ago stands beside a time. */
  readonly now?: Date;
  /** Times to the minute, without the offset of the reader's zone: where there is no room for more. */
  readonly toMinute?: boolean;
  /** The text of false; blank in a list, where one looks for yes. */
  readonly no: string;
}

/** The cell of a member, not yet made safe for a terminal. */
interface Cell {
  readonly text: string;
  /** The ID of the record that the text names. */
  readonly id?: string;
}

export async function cellOf({ shape, nameOf }: Records, row: Row, member: string, style: CellStyle): Promise<Cell> {
  const value = row[member];
  const name = await nameOf?.(row, member);
  return name === undefined
    ? { text: cellText(shape.fields[member], value, style) }
    : { text: name, id: String(value) };
}

/** A reference that can be shown by a name is a text. */
export const isNamed = ({ shape, nameOf }: Records, member: string): boolean =>
  nameOf !== undefined && (shape.fields[member]?.to ?? []).length > 0;

/** Null is blank. */
function cellText(field: Field | undefined, value: Value | undefined, { zone, now, no, toMinute }: CellStyle): string {
  if (value === null || value === undefined) return '';
  if (value === false) return no;
  if (value === true) return 'yes';
  if (field && isOfDays(field)) return calendar(String(value));
  if (!isMoment(field)) return String(value);
  const time = zone && toMinute ? clock(String(value), zone).slice(0, MINUTES) : clock(String(value), zone);
  const ago = now ? agoIn(String(value), now) : '';
  return ago === '' ? time : `${time}  ${ago}`;
}

/** The word of a number, or a day or a time by the clock, among values of several fields; undefined for other values. */
export function valueInWords(field: Field | undefined, value: Value, clock: Clock | undefined): string | undefined {
  if (!field || value === null) return undefined;
  const isTime = clock && typeof value === 'string' && (isOfDays(field) || isMoment(field));
  return field.choices?.[Number(value)] ?? (isTime ? cellText(field, value, { zone: clock.zone, no: '' }) : undefined);
}

/** The length of `2026-11-21 09:12`. */
const MINUTES = 16;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/i;

/** As it was written (D13), without a time where it is midnight. */
function calendar(text: string): string {
  const midnight = /^(\d{4}-\d{2}-\d{2})T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d{2}:\d{2})?$/i.exec(text);
  return midnight?.[1] ?? clock(text);
}

function clock(text: string, zone?: Zone): string {
  if (!DATE_TIME.test(text)) return text;
  const shown = zone && !Number.isNaN(Date.parse(text)) ? zone.shift(text) : text;
  const [, day, time = '', offset = ''] = DATE_TIME.exec(shown) ?? [];
  return `${day} ${time.padEnd(8, ':00')} ${offset.replace(/z/i, '+00:00')}`.trimEnd();
}

/** A moment in a sentence, in the zone of who reads; with `now` how long ago: `2026-11-21 09:12:40 +01:00, 2 h ago`. */
export function momentInWords(moment: string, { zone, now }: Pick<Clock, 'zone'> & Partial<Clock>): string {
  const ago = now ? agoIn(moment, now).trim() : '';
  return `${clock(moment, zone)}${ago === '' ? '' : `, ${ago}`}`;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The largest unit first; months and years are those of the calendar on average. */
const UNITS: readonly (readonly [string, number])[] = [
  ['y', 365.25 * DAY],
  ['mo', 30.44 * DAY],
  ['d', DAY],
  ['h', 60 * MINUTE],
  ['min', MINUTE],
];
/** `59 min ago` takes ten cells: all of a column are as wide. */
const AGO = 10;

/** `2 h ago`, `in 3 d`; blank for a value that is no time. */
function agoIn(text: string, now: Date): string {
  const passed = now.getTime() - Date.parse(text);
  if (!DATE_TIME.test(text) || Number.isNaN(passed)) return '';
  const [unit, length] = UNITS.find(([, one]) => Math.abs(passed) >= one) ?? ['', 0];
  if (length === 0) return 'just now'.padEnd(AGO);
  const count = `${Math.floor(Math.abs(passed) / length)} ${unit}`;
  return (passed < 0 ? `in ${count}` : `${count} ago`).padEnd(AGO);
}

/** With `ago` where there is room for it. */
export const styleOf = ({ clock }: Pick<OutputOptions, 'clock'>, no: string, ago: boolean): CellStyle => ({
  zone: clock?.zone,
  ...(ago && clock ? { now: clock.now } : {}),
  no,
});
