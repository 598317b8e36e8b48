// How a record is called in a sentence.
import type { Row, Value } from '../../contract/resource.ts';

/** `"Ann Lee" (0f8f…)`: a name, where the record has one, and its ID. */
export function nameOf(row: Row): string {
  const name = nameIn(row);
  return typeof name === 'string' ? `"${name}" (${String(row.ID)})` : String(row.ID);
}

/** `"Ann Lee"`; of a record without a name its ID. */
export function shortNameOf(row: Row): string {
  const name = nameIn(row);
  return typeof name === 'string' ? `"${name}"` : String(row.ID);
}

const nameIn = (row: Row): Value | undefined => row.FullName ?? row.Name ?? row.Group ?? row.DateSpan ?? row.UserName;
