// The checksum of a line: SQLite's own integrity check does not see that a bit of a value has flipped.
import { crc32 } from 'node:zlib';
import type { Bound } from '../sql/statements.ts';

/** The CRC-32 of these values in this order. Each begins with its kind and length, so that nothing can move between two of them. */
export function checksum(...values: readonly Bound[]): number {
  let sum = 0;
  for (const value of values) {
    const text = String(value);
    sum = crc32(text, crc32(`${typeof value}${text.length}:`, sum));
  }
  return sum;
}
