// How one value looks to people in a table.
import type { Field } from '../../../contract/field.ts';
import type { Value } from '../../../contract/resource.ts';
import type { Zone } from '../../../contract/zone.ts';

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/i;

/** The value as text, not yet made safe for a terminal. Null and false are blank. */
export function cellText(field: Field | undefined, value: Value | undefined, zone?: Zone): string {
  if (value === null || value === undefined || value === false) return '';
  if (value === true) return 'yes';
  if (field?.kind === 'day' || field?.floating) return calendar(String(value));
  if (field?.kind === 'date' || field?.kind === 'stamp') return clock(String(value), zone);
  return String(value);
}

/** As it was written (D13), without a time where it is midnight. */
function calendar(text: string): string {
  const midnight = /^(\d{4}-\d{2}-\d{2})T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d{2}:\d{2})?$/i.exec(text);
  return midnight?.[1] ?? clock(text);
}

function clock(text: string, zone?: Zone): string {
  if (!DATE_TIME.test(text)) return text;
  const [, day, time = '', offset = ''] = DATE_TIME.exec(shifted(text, zone)) ?? [];
  return `${day} ${time.padEnd(8, ':00')} ${offset.replace(/z/i, '+00:00')}`.trimEnd();
}

const shifted = (text: string, zone?: Zone): string =>
  zone && !Number.isNaN(Date.parse(text)) ? zone.shift(text) : text;
