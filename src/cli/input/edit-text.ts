// A record as a text to edit: YAML of the members that can be set, with what each one means as a comment.
import { docOf, type Field } from '../../contract/field.ts';
import { guidsIn, RULES } from '../../contract/kinds.ts';
import { isImmutable } from '../../contract/record-address.ts';
import type { Resource, Value } from '../../contract/resource.ts';
import { type FieldFlag, fieldFlags } from '../names.ts';
import { inWords } from '../selectors/selectors.ts';

export type EditedField = Pick<FieldFlag, 'name' | 'field' | 'targets'>;

/** The members that are edited: no secrets, no bytes, and of a record that is there no owner that never changes. */
export function editedFields(resource: Resource, isNew: boolean): readonly EditedField[] {
  const flags = fieldFlags(resource).filter(
    ({ name, field }) => name !== 'ID' && field.kind !== 'bytes' && (isNew || !isImmutable(field)),
  );
  const names = [...new Set(flags.map(({ name }) => name))];
  return names.map((name) => {
    const own = flags.filter((flag) => flag.name === name);
    return { name, field: (own[0] as FieldFlag).field, targets: own.flatMap(({ targets }) => targets) };
  });
}

type Members = Readonly<Record<string, unknown>>;
/** Writes a value that names a record. */
type NameIt = (member: string, value: Value) => Value;

export async function textToEdit(
  heading: readonly string[],
  fields: readonly EditedField[],
  values: Members,
  nameIt: NameIt,
): Promise<string> {
  const { Document, Pair, Scalar } = await import('yaml');
  const document = new Document({});
  for (const one of fields) {
    const key = new Scalar(one.name);
    key.commentBefore = ` ${commentOf(one)}`;
    key.spaceBefore = true;
    document.add(new Pair(key, document.createNode(shown(one, values[one.name] as Value | undefined, nameIt))));
  }
  const lines = heading.map((line) => `# ${line}\n`).join('');
  const text = document.toString({ lineWidth: 0, nullStr: '' }).trimStart();
  return `${lines}\n${text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}`;
}

/** What it holds, what it may be, and whether it is needed, on one line. */
function commentOf({ field, targets }: EditedField): string {
  const { choices, kind, max, rule } = field;
  const form = choices
    ? `one of: ${Object.values(choices).map(wordOf).join(', ')}`
    : targets.length > 0
      ? `${inWords(targets)}, by name or ID`
      : kind === 'text'
        ? max && `at most ${max} characters`
        : (FORMS[kind] ?? RULES[kind].form);
  const need = rule === 'optional' ? '' : 'required';
  const rest = [need, form].filter(Boolean).join(', ');
  return [docOf(field), rest && `(${rest})`].filter(Boolean).join(' ').replaceAll('\n', ' ');
}

const FORMS: Readonly<Partial<Record<Field['kind'], string>>> = {
  boolean: 'true or false',
  ...{ date: 'as 2026-03-31', day: 'as 2026-03-31', stamp: 'as 2026-03-31' },
};

const wordOf = (word: string): string => word.toLowerCase().replaceAll(' ', '-');

function shown({ name, field, targets }: EditedField, value: Value | undefined, nameIt: NameIt): unknown {
  if (value === null || value === undefined) return null;
  if (field.choices) return wordOf(field.choices[Number(value)] ?? String(value));
  if (field.kind === 'guids') return guidsIn(value).map((id) => nameIt(name, String(id)));
  return targets.length > 0 ? nameIt(name, value) : value;
}

/** What stands in the text for each member, as it is written; or why it cannot be read. */
export type EditedText = { readonly members: ReadonlyMap<string, string> } | { readonly fault: string };

/** Every value is a text for now: its member says what it is, and 007 stays 007. */
export async function readEdited(text: string): Promise<EditedText> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { schema: 'failsafe' });
  const [error] = document.errors;
  if (error) return { fault: `this is no YAML: ${error.message}` };
  const value: unknown = document.toJS() ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: 'this holds no members: write Name: value on each line' };
  return { members: new Map(Object.entries(value).map(([name, one]) => [name, [one].flat().join(', ')])) };
}
