// Reads a value as people write it, in a flag or a cell: like `checkText`, and numbers that have a word by their word too.

import { textKey } from '../text/text-key.ts';
import { CHILD_TYPES } from './child-types.ts';
import type { Field } from './field.ts';
import { quote } from './kinds.ts';
import type { Value } from './resource.ts';
import { checkText } from './validate.ts';
import type { Zone } from './zone.ts';

type Written = { readonly value: Value } | { readonly refused: string };

/** A plain value, or why it is none; what names another record is not for this. */
export function readWritten(field: Field, text: string, zone?: Zone): Written {
  if (field.choices) return choiceOf(field.choices, text);
  if (field.nullable) return childTypeOf(text);
  return checkText(field, text, zone);
}

/** A number with a word: either is taken. */
function choiceOf(choices: NonNullable<Field['choices']>, text: string): Written {
  const words = Object.entries(choices);
  const found = words.find(
    ([number, word]) =>
      number === text || plain(word) === plain(text) || (plain(word) === 'notset' && plain(text) === 'unset'),
  );
  return found
    ? { value: Number(found[0]) }
    : { refused: `is ${quote(text)}; allowed are ${words.map(([number, word]) => `${number} (${word})`).join(', ')}` };
}

const plain = (word: string): string => textKey(word).replaceAll(/[ -]/g, '');

/** D20: names or the document's numbers; any other number would be stored as none, so it is refused here. */
function childTypeOf(text: string): Written {
  if (textKey(text) === 'null') return { value: null };
  const found = Object.entries(CHILD_TYPES).find(([number, name]) => number === text || name === textKey(text));
  const names = [...new Set(Object.values(CHILD_TYPES))].join(', ');
  return found ? { value: Number(found[0]) } : { refused: `is ${quote(text)}; allowed are null, ${names}` };
}
