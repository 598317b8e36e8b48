// About how much memory a record takes, without writing it out.
import type { Row } from '../../contract/resource.ts';

/** The length of the record's JSON, to within a few bytes per member. */
export function sizeOf(row: Row): number {
  let size = 2;
  for (const name in row) {
    const value = row[name];
    size += name.length + 6 + (typeof value === 'string' ? value.length : 6);
  }
  return size;
}
