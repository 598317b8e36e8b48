// Finds the records that cells name by a key: a column of their file, a field of theirs, or both.
import { ServiceError } from '../../contract/errors.ts';
import type { Field } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import { isGone, singular } from '../../contract/resource.ts';
import { checkText } from '../../contract/validate.ts';
import { textKey } from '../../text/text-key.ts';
import type { Binding, RefKey } from './columns.ts';
import type { Records, RowDraft } from './row-draft.ts';

/** The keys of a text in a column of keys: the text itself, and its number. */
export const keyTexts = (column: string, text: string): readonly string[] =>
  writtenAs(text).map((word, at) => `${column}\u0000${at === 0 ? '' : '='}${textKey(word)}`);

/** The text itself, and its number: 0042 and 42.0 are 42. */
function writtenAs(text: string): readonly string[] {
  if (text === '') return [];
  return /^\d+(?:[.,]0+)?$/.test(text) ? [text, text.replace(/^0+(?=\d)/, '').split(/[.,]/)[0] ?? ''] : [text];
}

/** As it was before a spreadsheet took it for a number: with up to ten digits. */
const withZeros = (number: string): readonly string[] =>
  Array.from({ length: 10 }, (_, at) => number.padStart(at + 1, '0'));

/** Throws `not_found`, and `ambiguous` for a key of several records, such as that of the row `there` and one of the site. */
export async function idByKey(
  binding: Binding,
  by: RefKey,
  text: string,
  { find, projection, there }: Pick<Records, 'find' | 'projection'> & { readonly there: string | undefined },
  spellings = writtenAs(text),
): Promise<string> {
  const { targets } = binding;
  const planned = there ?? projection?.keyed(targets, by.column, text);
  const ids = new Set(planned === undefined ? [] : [planned]);
  for (const target of targets) {
    const member = by.members[target];
    const { name, fields } = resourceNamed(target === 'principal' ? 'individual' : target);
    for (const word of member === undefined ? [] : new Set(spellings)) {
      const read = checkText(fields[member as string] as Field, word);
      const rows = 'value' in read ? await find.byMembers(name, { [member as string]: read.value }) : [];
      for (const row of rows ?? []) if (!isGone(row)) ids.add(String(target === 'principal' ? row.UserID : row.ID));
    }
  }
  const [id, other] = ids;
  if (id !== undefined && other === undefined) return id;
  if (other !== undefined)
    throw new ServiceError('ambiguous', `it is the ${by.name} of several records: ${[...ids].join(', ')}`, {
      hint: ONE_KEY,
    });
  const [, number] = spellings.length === 2 ? spellings : [];
  if (number !== undefined) return idByKey(binding, by, text, { find, there }, withZeros(number));
  const words = targets.filter((target) => by.members[target]).map((target) => singular(resourceNamed(target)));
  const ofSite = words.length > 0 ? `, nor has any ${words.join(' or ')} of the site` : '';
  throw new ServiceError('not_found', `no row has this ${by.name}${ofSite}`, { hint: 'Correct it, or add the row.' });
}

export const severalWith = ({ name }: RefKey, rows: readonly RowDraft[]): string =>
  `is the ${name} of several rows of this file: lines ${rows.map(({ line }) => line).join(' and ')}`;

export const ONE_KEY = 'Give each row its own key.';
