// Recipes: the flags by which a sheet was read, kept in a small file for the sheet of next month.
import { existsSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { Scalar } from 'yaml';
import { shownValue } from '../../changes/files/bad-file.ts';
import { BadFile, type FileFault, type InputFile } from '../../changes/files/index.ts';
import { plain } from '../../changes/rows/column-synonyms.ts';
import type { IntakeCounts } from '../../changes/rows/reader.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Resource } from '../../contract/resource.ts';
import { checkBy, type Zod } from '../../files/checked.ts';
import { writeOutput } from '../../files/output.ts';
import { didYouMean } from '../../text/spelling.ts';
import { IMPORT_OPTIONS, type ImportFlags, sidesOf, withImportFlags } from '../changes/flags.ts';
import { collectValues } from '../command.ts';
import type { Context } from '../context.ts';
import { outputOf, readBytes } from '../input/files.ts';
import { findResource, kebab, resourceCalled } from '../names.ts';
import { asTyped } from '../output/calling.ts';
import type { Streams } from '../streams.ts';

type Recipe = NonNullable<ImportFlags['recipe']>;
type Members = Readonly<Record<string, unknown>>;

const VERSION = '1';
/** In characters. */
const MOST = 1 << 16;
/**
 * Of what is not about the rows, a recipe keeps the site alone: profiles, addresses and folders are of one machine. The sheet of
 * next month has another last row, and what is deleted is decided anew.
 */
const KEPT: readonly Option[] = [
  ...IMPORT_OPTIONS.filter((option) => !['lastRow', 'missing'].includes(option.attributeName())),
  new Option('--site <site>'),
];
/** Every value is a text, as a command line has it: null, no and 00042 stay as they are. */
const PLAIN = { schema: 'failsafe', prettyErrors: false, lineWidth: 0 } as const;

/** Adds --save-recipe to a command, which takes a recipe in place of the resource: its flags join those that are typed. */
export const withRecipe = (command: Command, io: Streams): Command =>
  command
    .option('--save-recipe <file>', 'keep how this file is read for the next one: hr.pm')
    .hook('preAction', (_, called) => prepare(called, io));

const isRecipe = (file: string): boolean => extname(file).toLowerCase() === '.pm';

async function prepare(command: Command, io: Streams): Promise<void> {
  const [first = '', file] = command.args;
  const { saveRecipe: saved } = command.opts<{ readonly saveRecipe?: string }>();
  if (saved !== undefined && !isRecipe(saved))
    throw new ServiceError('usage', `--save-recipe ${saved} does not end in .pm`, { hint: '--save-recipe hr.pm' });
  if (saved !== undefined && existsSync(resolve(io.cwd, saved))) await readRecipe(io, saved);
  if (file === undefined) return;
  if (isRecipe(file))
    throw new ServiceError('usage', `${file} is a recipe, and holds no rows`, {
      hint: `Write it in place of the resource: pm ${command.name()} ${file} <file>`,
    });
  if (!isRecipe(first)) return;
  const members = await readRecipe(io, first);
  command.processedArgs[0] = members.resource;
  command.setOptionValue('recipe', { name: first, pairs: takeOver(command, members) });
}

/** Sets the options that were not typed; lists go on with what was typed. Answers the pairs of the recipe that stand. */
function takeOver(command: Command, members: Members): readonly string[] {
  return KEPT.flatMap((option) => {
    const [name, value] = [option.attributeName(), members[wordOf(option)]];
    const isTyped = command.getOptionValueSource(name) === 'cli';
    if (value === undefined || (isTyped && !hasPairs(option))) return [];
    const typed: readonly string[] = isTyped ? command.getOptionValue(name) : [];
    const instead = typed.map((pair) => sidesIn(option, pair));
    const kept = listOf(value).filter((pair) => {
      const [column, field] = sidesIn(option, pair);
      // A field that --map fills from another column this time is not filled from the recipe's.
      const isSame = (other: string): boolean => name === 'map' && plain(field) !== '' && plain(other) === plain(field);
      return !instead.some(([own, other]) => plain(own) === plain(column) || isSame(other));
    });
    command.setOptionValue(name, isList(option) ? [...kept, ...typed] : option.isBoolean() || value);
    return hasPairs(option) ? kept : [];
  });
}

/** The resource of a recipe that lies beside a file, and how that is read. Throws as `readRecipe`. */
export async function recipeBeside(io: Streams, file: string) {
  const members = await readRecipe(io, file);
  const command = withImportFlags(new Command());
  const recipe: Recipe = { name: file, pairs: takeOver(command, members) };
  const said = Object.entries(command.opts()).filter(([name]) => members[kebab(name)] !== undefined);
  const flags: ImportFlags = { ...Object.fromEntries(said), recipe };
  return { resource: resourceCalled(String(members.resource)), flags };
}

const wordOf = (option: Option): string => kebab(option.attributeName());
const isList = ({ parseArg }: Option): boolean => parseArg === collectValues;
/** A filter is one text, whatever signs it compares with. */
const hasPairs = (option: Option): boolean => isList(option) && !option.flags.endsWith('<filter>');

/** A text of --set may hold the sign, too. */
const sidesIn = ({ long }: Option, pair: string) => sidesOf(pair, long === '--set' ? pair.indexOf('=') : undefined);

/** The recipe, by the words of flags. Throws `usage` for a file that is none, and `BadFile` with all faults of one. */
async function readRecipe(io: Streams, name: string): Promise<Members> {
  const text = (await readBytes({ io }, 'the recipe', name)).toString('utf8');
  const { parseDocument, isMap, visit } = await import('yaml');
  const document = parseDocument(text.length > MOST ? '' : text, PLAIN);
  const pairs = isMap(document.contents) ? document.contents.items : [];
  const places = new Map(pairs.map(({ key }) => [String(key), (key as Scalar).range?.[0] ?? 0]));
  const faults: FileFault[] = [];
  const refuse = (place: number, message: string, hint = 'Correct it, or write it again with --save-recipe.'): void =>
    void faults.push({ line: text.slice(0, place).split('\n').length, message, hint });
  for (const { code, pos } of document.errors.slice(0, 1))
    refuse(pos[0], code === 'DUPLICATE_KEY' ? 'repeats a member' : 'is not well-formed YAML');
  // Aliases could multiply what the file holds.
  visit(document, { Alias: (_, { range }) => refuse(range?.[0] ?? 0, 'has an alias') });
  if (!places.has('recipe')) refuse(0, 'is not a recipe of pm', 'Name another file; --save-recipe writes recipes.');
  if (faults.length > 0) throw new BadFile(name, faults);
  const members: Members = { resource: undefined, ...document.toJS() };
  const known = ['recipe', 'resource', ...KEPT.map(wordOf)];
  for (const [word, value] of Object.entries(members)) {
    const option = KEPT.find((one) => wordOf(one) === word);
    const place = places.get(word) ?? 0;
    const fault = option && (await checkBy((z) => schemaOf(z, option)))(isList(option) ? listOf(value) : value);
    if (fault !== undefined) refuse(place, `${word}: ${fault}`);
    if (word === 'recipe' && value !== VERSION)
      refuse(place, `is of version ${shownValue(value)}, not of ${VERSION}`, 'Read it with the pm that wrote it.');
    if (word === 'resource' && !findResource((one) => one === value))
      refuse(place, 'names no resource of pm', 'Such as: resource: individuals');
    if (!known.includes(word))
      refuse(place, `has no use for ${word}`, didYouMean(word, known, `Recipes have ${known.join(', ')}.`));
  }
  if (faults.length > 0) throw new BadFile(name, faults);
  return members;
}

/** A list may be one text, or members: `Column: Field` is `Column=Field`. */
const listOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).map(([column, field]) => (typeof field === 'string' ? `${column}=${field}` : field))
    : ([value].flat() as readonly string[]);

function schemaOf(z: Zod, option: Option) {
  if (isList(option)) return z.array(z.string());
  if (option.isBoolean()) return z.literal('true');
  return option.argChoices ? z.enum(option.argChoices) : z.string();
}

/** Names the columns of a recipe that the faults of a file miss. */
export function noteMissing(context: Context, { name, pairs }: Recipe, { columns }: InputFile, { found }: BadFile) {
  const there = new Set(['', ...(columns ?? []).map(plain)]);
  const missed = new Set(found.map(({ column = '' }) => plain(column)).filter((column) => !there.has(column)));
  const said = pairs.filter((pair) => columns && missed.has(plain(sidesOf(pair)[0]))).map(shownValue);
  const way = `--map '<New>=${said[0]?.replace(/^.*=/, '')}'`;
  if (said.length > 0)
    context.note(`${name} has ${said.join(', ')}, but the file has no such column. If it has a new name: ${way}`);
}

/** Does --save-recipe: writes the flags of a file whose rows are all understood, and the columns that a synonym bound. */
export async function saveRecipe(context: Context, resource: Resource, flags: ImportFlags, { guessed }: IntakeCounts) {
  const { saveRecipe: file = '', map = [] } = flags;
  const all: Members = { ...flags, map: [...map, ...[...guessed].map((pair) => pair.join('='))] };
  const kept = KEPT.flatMap((option): readonly (readonly [string, unknown])[] => {
    const value = all[option.attributeName()];
    if (value === undefined || value === option.defaultValue) return [];
    return [[wordOf(option), isList(option) ? asMembers(option, value as readonly string[]) : String(value)]];
  });
  const { stringify } = await import('yaml');
  const text = stringify({ recipe: VERSION, resource: resource.command, ...Object.fromEntries(kept) }, PLAIN);
  const next = `pm import ${asTyped(basename(file), context.io)} <file>`;
  await writeOutput({ ...outputOf(context, '--save-recipe', file), dryRun: false }, (draft) =>
    draft.appendFile(`# How pm reads this sheet: ${next}. Flags beside it win. More: pm help files\n${text}`),
  );
  context.note(`How the file is read is kept in ${file}. The next one: ${next}`);
}

/** People read members more easily; a list stays one where two members would be one, or a text is for all columns. */
function asMembers(option: Option, list: readonly string[]): unknown {
  const pairs = new Map(list.map((pair) => sidesIn(option, pair)));
  return hasPairs(option) && pairs.size === list.length && !pairs.has('') ? Object.fromEntries(pairs) : list;
}
