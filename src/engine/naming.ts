// How a record is called in a sentence.
import type { Row } from '../contract/resource.ts';

/** `"Ann Lee" (0f8f…)`: a name, where the record has one, and its ID. */
export function nameOf(row: Row): string {
  const name = row.FullName ?? row.Name ?? row.Group ?? row.DateSpan ?? row.UserName;
  return typeof name === 'string' ? `"${name}" (${String(row.ID)})` : String(row.ID);
}
