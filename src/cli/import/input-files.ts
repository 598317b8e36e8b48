// The files of a folder, or the sheets of a workbook, that one import reads: the resource of each of them, and their order.
import { lstatSync, readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { formByName, sheetsOf } from '../../changes/files/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isWritable } from '../../contract/field.ts';
import type { Resource } from '../../contract/resource.ts';
import { systemCode } from '../../text/system-code.ts';
import type { Context } from '../context.ts';
import { type Entry, MANIFEST, type Manifest, manifestIn } from '../export/folder.ts';
import { fileHash } from '../export/write-resource.ts';
import { resourceCalled, targetResource } from '../names.ts';
import { resourceOfName } from './named-resource.ts';

export interface SiteFile {
  readonly resource: Resource;
  /** For messages: `people.csv`, or `site.xlsx/People`. */
  readonly name: string;
  readonly path: string;
  readonly sheet?: string;
  readonly sha256: string;
  /** Its entry in the manifest; without the number of rows where the file has changed since. */
  readonly entry: Partial<Entry>;
}

export interface FileWishes {
  /** A folder is read only as it was exported. */
  readonly strict?: boolean;
  /** Files and sheets with names that say no resource are left out. */
  readonly ignoreUnknown?: boolean;
}

/**
 * The files of a folder. Those of an export are as its manifest says; the names of others say their resource. Throws
 * `usage` for names that say nothing, `conflict` for an export that lacks files, and with `strict` for a changed one.
 */
export async function folderFiles(context: Context, folder: string, wishes: FileWishes): Promise<readonly SiteFile[]> {
  const names = namesIn(folder);
  const manifest = await manifestIn(folder);
  if (wishes.strict && !manifest) throw noExport(folder);
  const exported = manifest ? await exportedFiles(context, folder, manifest, wishes) : [];
  const others = names.filter((name) => !(manifest && (name === MANIFEST || Object.hasOwn(manifest.files, name))));
  const named = wishes.strict ? [] : await namedFiles(context, folder, others, wishes);
  if (exported.length + named.length === 0) throw noFiles(folder);
  return inOrderOfReference([...exported, ...named]);
}

/** The sheets of a workbook. Throws as `folderFiles`, and `BadFile`. */
export async function workbookFiles(context: Context, file: string, wishes: FileWishes): Promise<readonly SiteFile[]> {
  const { dir, base } = parse(file);
  const found = await namedFiles(context, dir, [base], wishes);
  if (found.length === 0) throw noFiles(file);
  return inOrderOfReference(found);
}

/** Hidden files, and those that Excel makes while a workbook is open, are none. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !/^(?:\.|~\$)/.test(name))
      .sort();
  } catch (error) {
    throw new ServiceError('usage', `--dir ${folder} cannot be read: ${systemCode(error) ?? 'unknown'}`, {
      hint: 'Name a folder. A single file: pm import <resource> <file>; a workbook: pm import <file>',
      cause: error,
    });
  }
}

const noExport = (folder: string): ServiceError =>
  new ServiceError('usage', `${folder} is no exported folder: it holds no ${MANIFEST} of pm`, {
    hint: 'pm export --dir <folder> makes one. Without --strict the names of the files say what they hold.',
  });

const noFiles = (place: string): ServiceError =>
  new ServiceError('usage', `${place} holds no rows that pm can read`, { hint: CALLED });

const CALLED = 'Call a file or a sheet as what its rows are: departments.csv, individuals.csv, …';

/** The files that the manifest names. A changed one is noted, and read like one that was made by hand. */
async function exportedFiles(
  context: Context,
  folder: string,
  { files }: Manifest,
  { strict = false }: FileWishes,
): Promise<readonly SiteFile[]> {
  const elsewhere = Object.keys(files).find((name) => !isFileIn(folder, name));
  if (elsewhere !== undefined)
    throw new ServiceError('invalid', `${folder} names ${elsewhere}, which is no file of that folder`, {
      hint: 'Links and other folders are not followed. Export the site anew.',
    });
  const found: SiteFile[] = [];
  const changed: string[] = [];
  const missing: string[] = [];
  for (const [name, entry] of Object.entries(files)) {
    const path = join(folder, name);
    const sha256 = await fileHash(path).catch(() => undefined);
    if (sha256 === undefined) missing.push(name);
    else if (sha256 !== entry.sha256) changed.push(name);
    const { rows, ...rest } = entry;
    const said = sha256 === entry.sha256 ? entry : rest;
    found.push({ resource: resourceCalled(entry.resource), name, path, sha256: sha256 ?? '', entry: said });
  }
  if (missing.length > 0 || (strict && changed.length > 0)) throw folderChanged(folder, strict ? changed : [], missing);
  if (changed.length > 0) context.note(`Changed since the export: ${changed.join(', ')}`);
  return found;
}

/** Is it an ordinary file right in the folder, or missing? The maker of the folder chose the name. */
function isFileIn(folder: string, name: string): boolean {
  if (/[/\\]/.test(name) || name === '.' || name === '..') return false;
  return lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile() ?? true;
}

function folderChanged(folder: string, changed: readonly string[], missing: readonly string[]): ServiceError {
  const what = [...changed.map((name) => `${name} has changed`), ...missing.map((name) => `${name} is missing`)];
  return new ServiceError('conflict', `${folder} is not as it was exported: ${what.join(', ')}`, {
    hint:
      missing.length > 0
        ? `Bring back what is missing, or delete ${MANIFEST}: then the names of the files say what they hold.`
        : 'Without --strict it is imported as it is.',
  });
}

/** Files that their names, or those of their sheets, tell apart. A note names those that cannot be read. */
async function namedFiles(
  context: Context,
  folder: string,
  names: readonly string[],
  { ignoreUnknown = false }: FileWishes,
): Promise<readonly SiteFile[]> {
  const isRead = (name: string): boolean => formByName(name) !== undefined && isFileIn(folder, name);
  const found: SiteFile[] = [];
  const unknown: string[] = [];
  for (const name of names.filter(isRead)) {
    const path = join(folder, name);
    const parts = formByName(name) === 'xlsx' ? await sheetParts(path, name) : [{ name, word: parse(name).name }];
    const sha256 = await fileHash(path);
    for (const { word, ...part } of parts) {
      const resource = resourceOfName(word);
      if (resource) found.push({ ...part, resource, path, sha256, entry: {} });
      else unknown.push(part.name);
    }
  }
  if (unknown.length > 0 && !ignoreUnknown) throw nameless(unknown);
  const left = [...names.filter((name) => !isRead(name)), ...unknown];
  if (left.length > 0) context.note(`Left out: ${left.join(', ')}`);
  return found;
}

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

const nameless = (names: readonly string[]): ServiceError =>
  new ServiceError('usage', `no name of a resource: ${names.join(', ')}`, {
    hint: `${CALLED}; --ignore-unknown leaves out what is called otherwise.`,
  });

/** Sorts files so that each comes after those with records that its own name. Throws `usage` for two of one resource. */
function inOrderOfReference(files: readonly SiteFile[]): readonly SiteFile[] {
  const byResource = new Map<Resource, SiteFile>();
  for (const file of files) {
    const before = byResource.get(file.resource);
    if (before) throw twice(before, file);
    byResource.set(file.resource, file);
  }
  const visited = new Set<Resource>();
  const ordered: SiteFile[] = [];
  const visit = (resource: Resource): void => {
    if (visited.has(resource)) return;
    visited.add(resource);
    for (const other of referencedBy(resource)) visit(other);
    const file = byResource.get(resource);
    if (file) ordered.push(file);
  };
  for (const resource of byResource.keys()) visit(resource);
  return ordered;
}

const twice = (one: SiteFile, other: SiteFile): ServiceError =>
  new ServiceError('usage', `${one.name} and ${other.name} both hold ${one.resource.command}`, {
    hint: 'Put their rows into one.',
  });

function referencedBy({ fields, name }: Resource): readonly Resource[] {
  const targets = Object.values(fields).flatMap((field) => (isWritable(field) ? (field.to ?? []) : []));
  const others = targets.filter((target) => target !== 'site' && target !== name);
  return others.map(targetResource);
}
