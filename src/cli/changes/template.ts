// A command with placeholders, taken apart once: the values of a row are put into its words, and never become other words.
import { ServiceError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Resource } from '../../contract/resource.ts';
import { nearest } from '../../text/spelling.ts';
import type { Run } from '../command.ts';
import { camel, fieldFlags, kebab } from '../names.ts';
import { resourceCommand } from '../resource-command.ts';
import { resourceCalled } from '../selectors/resource-called.ts';
import { misunderstood } from '../usage-errors.ts';

export type Options = Readonly<Record<string, unknown>>;

export interface Template {
  readonly resource: Resource;
  readonly operation: Operation;
  readonly ids: readonly string[];
  readonly options: Options;
}

const VERBS = ['create', 'update', 'delete', 'undelete', 'special'];

/** Takes the words behind `--` apart. Throws `usage` for what is no command that changes records. */
export async function templateOf(words: readonly string[]): Promise<Template> {
  const [name = '', verb = '', ...rest] = words;
  const resource = resourceCalled(name);
  const operation = Object.values(resource.operations).find((one) => kebab(one.name) === verb);
  if (!operation?.writes || !VERBS.includes(operation.verb)) throw notForEach(resource, verb);
  const { ids, options } = await parsed(resource, name, verb, rest);
  checkFiles(resource, options);
  return { resource, operation, ids, options };
}

async function parsed(
  resource: Resource,
  name: string,
  verb: string,
  words: readonly string[],
): Promise<Pick<Template, 'ids' | 'options'>> {
  let options: Options = {};
  const run: Run = async (values) => {
    options = values as Options;
  };
  const group = await resourceCommand(resource, name, run, verb);
  const command = group.commands.find((one) => one.name() === verb);
  if (!command) throw notForEach(resource, verb);
  for (const one of [group, command])
    one
      .exitOverride((error) => {
        throw misunderstood(error, one);
      })
      .configureOutput({ writeErr: () => {} });
  // Whether a placeholder is true or false is known row by row.
  for (const option of command.options) if (option.optional) delete option.parseArg;
  await group.parseAsync([verb, ...words], { from: 'user' });
  return { ids: command.args, options };
}

const notForEach = (resource: Resource, verb: string): ServiceError =>
  new ServiceError('usage', `pm each runs commands that change records, and ${resource.command} ${verb} is none`, {
    hint: `Behind -- stands a command: -- ${resource.command} update {ID} --…`,
  });

/** No cell may say which file is read, or that stdin is. */
function checkFiles(resource: Resource, options: Options): void {
  const bytes = fieldFlags(resource).flatMap(({ field, flag }) => (field.kind === 'bytes' ? [flag] : []));
  for (const flag of ['from', 'new-password-file', ...bytes]) {
    if (!hasPlaceholder(options[camel(flag)])) continue;
    throw new ServiceError('usage', `--${flag} takes no column: a file's content would come from wherever a cell says`);
  }
  if (options.from === '-' || options.newPasswordStdin === true)
    throw new ServiceError('usage', 'stdin is read once, and not for each row', { hint: 'Put it into a file.' });
}

const PLACEHOLDER = /\{([^{}]+)\}/g;
const hasPlaceholder = (value: unknown): boolean => typeof value === 'string' && new RegExp(PLACEHOLDER).test(value);

/** The columns that a template names. */
function placeholdersIn({ ids, options }: Template): readonly string[] {
  const texts = [...ids, ...Object.values(options).flat()].filter((one) => typeof one === 'string');
  return [...new Set(texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '')))];
}

/** Throws `usage` for a placeholder that is no column, and for a template without any. */
export function checkPlaceholders(template: Template, columns: readonly string[]): void {
  const names = placeholdersIn(template);
  const unknown = names.find((name) => !columns.some((column) => isSame(column, name)));
  if (unknown !== undefined) {
    const close = nearest(unknown, columns);
    throw new ServiceError('usage', `the file has no column ${unknown}`, {
      hint: close ? `Did you mean {${close}}?` : `Its columns: ${columns.join(', ')}.`,
    });
  }
  if (names.length > 0) return;
  throw new ServiceError('usage', 'the command names no column, so each row would do the same', {
    hint: `Write a column in braces: {${columns[0] ?? 'Column'}}`,
  });
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The template with the values of one row. Throws `invalid` for a value that would mean something else. */
export function filled(template: Template, cellOf: (column: string) => string): Pick<Template, 'ids' | 'options'> {
  const fill = (text: string): string => text.replaceAll(PLACEHOLDER, (_all, name: string) => cellOf(name));
  const ids = template.ids.map((text) => {
    const value = fill(text);
    if (value !== text && (value.trim() === '' || value === '-'))
      throw new ServiceError(
        'invalid',
        `${text} is ${value.trim() === '' ? 'blank' : `"${value}"`}, which names nothing`,
      );
    return value;
  });
  const options = Object.entries(template.options).map(([name, value]) => [
    name,
    typeof value === 'string' ? fill(value) : Array.isArray(value) ? value.map((one) => filledIn(one, fill)) : value,
  ]);
  return { ids, options: Object.fromEntries(options) as Options };
}

const filledIn = (value: unknown, fill: (text: string) => string): unknown =>
  typeof value === 'string' ? fill(value) : value;
