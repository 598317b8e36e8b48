// What sorting and filtering compare: one key per value, by the kind of its field.
import type { Field } from '../../contract/field.ts';
import type { Value } from '../../contract/resource.ts';
import { compareKeys as compareTextKeys, textKey } from '../../text/text-key.ts';

export type Key = string | number | null;

/** Texts by NFKC in lower case (D16), dates as instants, days of the calendar as written (D13), false before true. */
export function keyOf(field: Field, value: Value | undefined): Key {
  if (value === null || value === undefined) return null;
  switch (field.kind) {
    case 'date':
    case 'stamp':
      return instant(field.floating ? wall(String(value)) : String(value));
    case 'day':
      return instant(wall(String(value)));
    case 'integer':
    case 'byte':
    case 'decimal':
    case 'boolean':
      return Number(value);
    case 'text':
    case 'guid':
    case 'guids':
    case 'bytes':
      return textKey(String(value));
  }
}

/** Below zero when `a` comes first. Both keys are of one field; neither is null. */
export function compareKeys(a: string | number, b: string | number): number {
  return typeof a === 'string' && typeof b === 'string' ? compareTextKeys(a, b) : Number(a) - Number(b);
}

/** A date-time as the calendar shows it, whatever its offset. */
const wall = (text: string): string => (text.includes('T') ? `${text.replace(/(Z|[+-]\d{2}:\d{2})$/i, '')}Z` : text);

function instant(text: string): number | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
