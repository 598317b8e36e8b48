// When two values of a field are the same: as people see them, or as the key by which a record is found.
import { textKey } from '../text/text-key.ts';
import { type Field, isMoment, isOfDays } from './field.ts';
import { momentKey, RULES } from './kinds.ts';
import type { Value } from './resource.ts';

const OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/i;
const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})(?:T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/i;
const UTC = /^(?:Z|[+-]00:00)$/i;

/** Are both shown alike? Of a date that is shown as it was written the offset counts, too (D13). */
export const isShownAlike = ({ kind, floating }: Field, one: Value, other: Value): boolean =>
  RULES[kind].same(one, other) && (!floating || offsetOf(one) === offsetOf(other));

/** The offset of a date; UTC is +00:00, however it is spelled. */
export function offsetOf(date: Value): string | undefined {
  const offset = OFFSET.exec(String(date))?.[0];
  return offset !== undefined && UTC.test(offset) ? '+00:00' : offset;
}

/** Does the value of a record fit the one that it is looked for by? */
export const isFound = (field: Field | undefined, wanted: Value, value: Value): boolean =>
  foundKey(field, wanted) === foundKey(field, value);

/** The key by which a record is found: that of a text (D16), of a date as `dateKey` says, of any other moment the moment. */
export function foundKey(field: Field | undefined, value: Value): string {
  if (value === null) return NONE;
  if (typeof value !== 'string') return String(value);
  if (field && isOfDays(field)) return dateKey(field, value);
  if (isMoment(field)) return momentKey(value);
  return field?.kind === 'bytes' ? value : textKey(value);
}

/** No text holds it. */
const NONE = '\u0001';

/** Midnight of a date that is shown as it was written is its day, in every zone; any other date is a moment. */
export function dateKey(field: Field, date: string): string {
  const day = isOfDays(field) ? MIDNIGHT.exec(date)?.[1] : undefined;
  const moment = Date.parse(date);
  return day ?? (Number.isNaN(moment) ? date : String(moment));
}
