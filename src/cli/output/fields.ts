// Field names as users write them, and the keys that sorting and filtering compare.
import { headingFor, meantAmong } from '../../changes/rows/column-synonyms.ts';
import { ServiceError } from '../../contract/errors.ts';
import { boolean, type Field, type Fields, integer, isWritable, text } from '../../contract/field.ts';
import { everyResource } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { fieldNamed } from '../../contract/validate.ts';
import type { Zone } from '../../contract/zone.ts';
import { didYouMean } from '../../text/spelling.ts';
import { compareKeys as compareTextKeys, textKey } from '../../text/text-key.ts';

/** The fields that an answer can hold. */
export const readable = (fields: Fields): string[] => Object.keys(fields).filter((name) => !fields[name]?.writeOnly);

/** The field of this name, in any case, or the one that sheets call so: Department, Manager. */
export const memberCalled = (fields: Fields, word: string): string | undefined =>
  fieldNamed(fields, word) ?? readable(fields).find((name) => textKey(headingFor(name)) === textKey(word));

/** The contract's spelling of a field's name. Throws `usage`; `where` is the flag, such as `--sort`. */
export function fieldCalled(fields: Fields, given: string, where: string): string {
  const name = memberCalled(fields, given.trim());
  if (name !== undefined) return name;
  throw new ServiceError('usage', `${where}: there is no field "${given.trim()}" here`, {
    hint: suggestion(fields, given),
  });
}

/** A hint for an unknown name. */
export function suggestion(fields: Fields, given: string): string {
  const names = readable(fields);
  const word = given.trim().toLowerCase();
  // PrimaryDepartment is no field, and Department is the heading of one.
  const meant = names.find(namesOwner(fields, word)) ?? meantAmong(names, word.replace(/^primary\s*/, ''));
  if (meant !== undefined) return `Did you mean ${meant}?`;
  return didYouMean(word, [...names, ...names.map(headingFor)], `The fields are ${names.join(', ')}.`);
}

/** Whether a field names records of the kind that the word is: department is AncestorID. */
const namesOwner = (fields: Fields, word: string) => (name: string) =>
  everyResource.some(
    (one) => `${word}s` === one.command && isWritable(fields[name] as Field) && fields[name]?.to?.includes(one.name),
  );

/** The fields, and those of members that only these records have: a service may have more than the contract (D11). */
export function withOthers(fields: Fields, rows: readonly Row[]): Fields {
  const others = new Map<string, Field>();
  for (const row of rows)
    for (const [name, value] of Object.entries(row))
      if (!Object.hasOwn(fields, name) && (others.get(name) ?? TEXT) === TEXT) others.set(name, fieldFor(value));
  return { ...fields, ...Object.fromEntries(others) };
}

const TEXT = text('optional');
const INTEGER = integer('optional');
const BOOLEAN = boolean('optional');

const fieldFor = (value: unknown): Field =>
  typeof value === 'boolean' ? BOOLEAN : Number.isSafeInteger(value) ? INTEGER : TEXT;

export type Key = string | number | null;

/** How dates are compared: as moments, or as days as they are written (D13). */
export type DateView = 'moment' | 'day';

/** Texts by NFKC in lower case (D16), dates by `view`, false before true. A day without a time begins in `zone`, or in UTC. */
export function keyOf(field: Field, value: Value | undefined, view: DateView = 'moment', zone?: Zone): Key {
  if (value === null || value === undefined) return null;
  switch (field.kind) {
    case 'date':
    case 'stamp':
    case 'day':
      return view === 'day' ? dateText(value).slice(0, DAY_LENGTH) : instant(dateText(value), zone);
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

const DAY_LENGTH = 10;

const SINCE_1970 = /^(\/Date\()?(-?\d{9,15})(?:[+-]\d{4}\)\/|\)\/)?$/;
/** So many milliseconds are in this century; a smaller number are seconds. */
const MILLISECONDS = 100_000_000_000;

/** A date in ISO 8601, also where a service writes `/Date(1709251200000)/`, or a number of seconds or milliseconds. */
function dateText(value: NonNullable<Value>): string {
  const [text, form, digits] = SINCE_1970.exec(String(value)) ?? [];
  if (text === undefined) return String(value);
  const isMilliseconds = form !== undefined || Math.abs(Number(digits)) >= MILLISECONDS;
  return new Date(Number(digits) * (isMilliseconds ? 1 : 1000)).toISOString();
}

function instant(text: string, zone: Zone | undefined): number | null {
  const midnight = `${text}T00:00:00`;
  const time = Date.parse(text.length === DAY_LENGTH && zone ? midnight + zone.offsetOf(midnight) : text);
  return Number.isNaN(time) ? null : time;
}
