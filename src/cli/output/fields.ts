// Names of fields as people write them: any case, with a suggestion where one is unknown.
import { ServiceError } from '../../contract/errors.ts';
import type { Fields } from '../../contract/field.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { fieldNamed } from '../../contract/validate.ts';
import { nearest } from '../../text/spelling.ts';

/** Every field that an answer can hold. */
export const readable = (fields: Fields): string[] => Object.keys(fields).filter((name) => !fields[name]?.writeOnly);

/** The contract's spelling of a field's name. Throws `usage`; `where` says who asked: `--sort`. */
export function fieldCalled(fields: Fields, given: string, where: string): string {
  const name = fieldNamed(fields, given.trim());
  if (name !== undefined) return name;
  throw new ServiceError('usage', `${where}: there is no field "${given.trim()}" here`, {
    hint: suggestion(fields, given),
  });
}

/** What to write instead of an unknown name. */
export function suggestion(fields: Fields, given: string): string {
  const close = nearest(given.trim(), readable(fields));
  return close ? `Did you mean ${close}?` : `The fields are ${readable(fields).join(', ')}.`;
}

/** The record with these members only, in this order. */
export function pick(row: Row, names: readonly string[]): Row {
  const picked: Record<string, Value> = {};
  for (const name of names) picked[name] = row[name] ?? null;
  return picked;
}
