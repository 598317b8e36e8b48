// Values from text: the parameters of paths and queries, flags, and cells.
import { textKey } from '../text/text-key.ts';
import { boolean, day, type Field, guid, integer, text } from './field.ts';
import { quote } from './kinds.ts';
import { type Address, isParam, paramName } from './operation.ts';
import type { Resource } from './resource.ts';
import { CHILD_TYPE_NAMES, childTypeNumber } from './rights.ts';
import { checkText, type TextRead } from './validate.ts';
import type { Zone } from './zone.ts';

/** 0 = not deleted, 1 = deleted, 2 = all (D4). */
export const DELETED: Field = integer('optional', { choices: { 0: 'exclude', 1: 'only', 2: 'include' } });

/** Every query parameter, by its name in lower case. */
export const QUERIES: Readonly<Record<string, Field>> = {
  deleted: DELETED,
  tz: text('optional', { doc: 'Time zone of the dates: an IANA zone, an offset, or a Windows zone name.' }),
  period: integer('optional', { doc: 'A period; without it the current one.', to: ['period'] }),
  ancestortype: integer('optional', {
    doc: 'Only those of one kind of ancestor.',
    choices: { 4: 'organization', 56: 'department', 15: 'project', 39: 'individual' },
  }),
  siteid: guid('optional', { doc: 'The site; needed only by global administrators.', to: ['site'] }),
  organizationid: guid('optional', { doc: 'Only those of one organization or department.', to: ['organization'] }),
  individualid: guid('optional', { doc: 'Only those of one individual.', to: ['individual'] }),
  ancestorid: guid('optional', {
    doc: 'Only those of one dialog, individual or project.',
    to: ['dialog', 'individual', 'project'],
  }),
  archiveid: guid('optional', { doc: 'Those that an archive keeps, instead of the current ones.', to: ['archive'] }),
  startdate: day('optional', { doc: 'The first day, as yyyy-mm-dd.' }),
  enddate: day('optional', { doc: 'The last day, as yyyy-mm-dd.' }),
  iscompletedstatus: boolean('optional', {
    doc: 'Only those of projects whose status says that they are done, or not.',
  }),
  isenddateactualset: boolean('optional', { doc: 'Only those of projects that have ended, or have not.' }),
  id: guid('optional', { doc: 'The organization, department or individual it is to look like.' }),
  basicroleid: guid('optional', { doc: 'Only those of one basic role.', to: ['basicRole'] }),
};

/** Path parameters that are no IDs, by their name in lower case. */
const WORDS: Readonly<Record<string, Field>> = {
  type: text('required', {
    pattern: /^(organization|department|individual)$/i,
    form: 'organization, department or individual',
    doc: 'Whose commitments: organization, department or individual.',
  }),
  metrictype: text('required', {
    pattern: /^(below|min|meets|exceeds|8020|8020dept)$/i,
    form: 'below, min, meets, exceeds, 8020 or 8020dept',
  }),
  startdate: day('required', { doc: 'The first day, as yyyy-mm-dd.' }),
  enddate: day('required', { doc: 'The last day, as yyyy-mm-dd.' }),
  childtype: integer('required', { doc: 'A type of child objects.' }),
};

export interface Param {
  readonly name: string;
  readonly field: Field;
  /** The resource of the segment before it; undefined for a plain word or number. */
  readonly target: string | undefined;
  /** It holds the ID of the record itself. */
  readonly own: boolean;
}

/** The parameters of an address: each names a record of the resource in the segment before it. */
export function paramsOf(
  resources: readonly Resource[],
  resource: Resource,
  many: boolean,
  address: Address,
): readonly Param[] {
  return address.segments.flatMap((segment, index): readonly Param[] => {
    if (!isParam(segment)) return [];
    const name = paramName(segment);
    const word = WORDS[name.toLowerCase()];
    if (word) return [{ name, field: word, target: undefined, own: false }];
    const own = !many && !resource.unstored && isOwn(resource, name);
    const behind = resources.find((one) => one.segments.includes(address.segments[index - 1]?.toLowerCase() ?? ''));
    const id = own ? resource.id : behind?.id;
    const field = id === 'integer' ? integer('required') : guid('required', behind ? { to: [behind.name] } : {});
    return [{ name, field, target: behind?.name, own }];
  });
}

/** `{id}` and `{<resource>id}` name the record itself; in lists they name an owner. */
const isOwn = (resource: Resource, name: string): boolean =>
  ['id', `${resource.name.toLowerCase()}id`].includes(name.toLowerCase());

/** Reads a value that names no other record. */
export function readWritten(field: Field, text: string, zone?: Zone): TextRead {
  if (field.choices) return choiceOf(field, field.choices, text);
  if (field.nullable)
    return textKey(text) === 'null' ? { value: null } : childTypeOf(text, `null, ${CHILD_TYPE_NAMES}`);
  return checkText(field, text, zone);
}

/** A number, or its word. */
function choiceOf({ anyNumber }: Field, choices: NonNullable<Field['choices']>, text: string): TextRead {
  if (anyNumber && /^\d{1,9}$/.test(text)) return { value: Number(text) };
  const words = Object.entries(choices);
  const found = words.find(
    ([number, word]) =>
      number === text || plain(word) === plain(text) || (plain(word) === 'notset' && plain(text) === 'unset'),
  );
  if (!found && anyNumber)
    return {
      refused: `is ${quote(text)}, whose number on this service is not known; known are ${listed(words)}`,
    };
  return found ? { value: Number(found[0]) } : { refused: `is ${quote(text)}; allowed are ${listed(words)}` };
}

const listed = (words: readonly (readonly [string, string])[]): string =>
  words.map(([number, word]) => `${number} (${word})`).join(', ') || 'none';

const plain = (word: string): string => textKey(word).replaceAll(/[ -]/g, '');

/** D20: a name or a number of the document. The service would store any other number as null. */
export function childTypeOf(text: string, allowed = CHILD_TYPE_NAMES): TextRead {
  const value = childTypeNumber(text);
  return value === undefined ? { refused: `is ${quote(text)}; allowed are ${allowed}` } : { value };
}
