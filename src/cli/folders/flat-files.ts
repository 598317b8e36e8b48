// The tables of a folder, and the sheets of a workbook: the name of each says its resource, or the recipe beside it.
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { formByName, sheetsOf } from '../../changes/files/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Resource } from '../../contract/resource.ts';
import { fileHash } from '../../files/output.ts';
import type { ImportFlags } from '../changes/flags.ts';
import type { Context } from '../context.ts';
import { recipeBeside } from '../import/recipe.ts';
import { findResource } from '../names.ts';
import { recordsNamed } from '../usage/foreign-words.ts';

export interface FlatFile {
  readonly resource: Resource;
  /** For messages: `people.csv`, or `site.xlsx/People`. */
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  /** How it is read: by its recipe, and its sheet. */
  readonly flags: ImportFlags;
}

/** The tables among these files of a folder. Throws `usage` for names that say nothing, and for two files of one resource. */
export async function flatFiles(
  context: Context,
  folder: string,
  names: readonly string[],
  { ignoreUnknown = false }: { readonly ignoreUnknown?: boolean },
): Promise<readonly FlatFile[]> {
  const isRead = (name: string): boolean =>
    name !== OLD_MANIFEST && formByName(name) !== undefined && isFileIn(folder, name);
  const files: FlatFile[] = [];
  const unknown: string[] = [];
  for (const name of names.filter(isRead)) {
    const path = join(folder, name);
    const recipe = join(folder, `${parse(name).name}.pm`);
    const { resource: said, flags } = existsSync(recipe) ? await recipeBeside(context.io, recipe) : NO_RECIPE;
    const parts =
      formByName(name) === 'xlsx' && !said ? await sheetParts(path, name) : [{ name, word: parse(name).name }];
    const sha256 = await fileHash(path);
    for (const { word, sheet, name: shown } of parts) {
      const resource = said ?? resourceOfName(word);
      const own: ImportFlags = { onDeleted: 'undelete', ...flags, ...(sheet === undefined ? {} : { sheet }) };
      if (resource) files.push({ name: shown, resource, path, sha256, flags: own });
      else unknown.push(shown);
    }
  }
  if (unknown.length > 0 && !ignoreUnknown)
    throw new ServiceError('usage', `not the name of a resource: ${unknown.join(', ')}`, {
      hint: `${CALLED}; --ignore-unknown leaves the others out.`,
    });
  const isRecipe = (name: string): boolean => name.endsWith('.pm');
  const left = [...names.filter((name) => !isRead(name) && !isRecipe(name)), ...unknown];
  if (left.length > 0) context.note(`Left out: ${left.join(', ')}`);
  refuseTwice(files);
  return files;
}

/** The resource whose records a file or sheet of this name holds; undefined if the name says none. */
export function resourceOfName(name: string): Resource | undefined {
  const word = plain(name);
  const called = (one: string): Resource | undefined => findResource((known) => plain(known) === plain(one));
  return called(word) ?? called(recordsNamed(word) ?? '');
}

/** In lower case, without signs, and without the number in front that orders the files: `01 Departments`. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^\d+/, '');

/** Beside the tables of a site that an older pm exported. */
const OLD_MANIFEST = 'manifest.json';

const NO_RECIPE: { readonly resource?: Resource; readonly flags: ImportFlags } = { flags: {} };

/** The names in a folder. Hidden files, and those that Excel makes while a workbook is open, are none. Throws errors of the system. */
export const namesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => !/^(?:\.|~\$)/.test(name))
    .sort();

/** Is it an ordinary file right in the folder? Links are not followed: the maker of the folder chose their ends. */
const isFileIn = (folder: string, name: string): boolean =>
  lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile() ?? false;

export const CALLED = 'Name each file or sheet after its rows: departments.csv, individuals.csv, …';

interface Part {
  readonly name: string;
  readonly sheet?: string;
  /** The name that says the resource of the rows. */
  readonly word: string;
}

/** The sheets of a workbook; where none of them says its resource, the first sheet under the name of the file. */
async function sheetParts(path: string, name: string): Promise<readonly Part[]> {
  const sheets = await sheetsOf(path);
  if (!sheets.some(resourceOfName) && resourceOfName(parse(name).name)) return [{ name, word: parse(name).name }];
  return sheets.map((sheet) => ({ name: `${name}/${sheet}`, sheet, word: sheet }));
}

function refuseTwice(files: readonly FlatFile[]): void {
  for (const file of files) {
    const before = files.find(({ resource }) => resource === file.resource);
    if (before && before !== file)
      throw new ServiceError('usage', `${before.name} and ${file.name} both hold ${file.resource.command}`, {
        hint: 'Put their rows into one.',
      });
  }
}
