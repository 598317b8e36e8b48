// Members that hold several IDs: one text in a record, a list wherever JSON is written.
import type { Fields } from './field.ts';
import { guidsIn } from './kinds.ts';

/** Answers a record with its several IDs as lists; undefined where no field of this shape holds several. */
export function listsIn(
  fields: Fields,
): ((row: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) | undefined {
  const names = Object.keys(fields).filter((name) => fields[name]?.kind === 'guids');
  if (names.length === 0) return undefined;
  return (row) => {
    const held = names.filter((name) => typeof row[name] === 'string');
    return held.length === 0 ? row : { ...row, ...Object.fromEntries(held.map((name) => [name, guidsIn(row[name])])) };
  };
}
