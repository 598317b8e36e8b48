// A folder of exported files and its manifest.
import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import { checkBy, parsedJson, type Zod } from '../../files/checked.ts';
import { writeOutput } from '../../files/output.ts';
import { systemCode } from '../../text/system-code.ts';
import { isState } from '../profiles/state-file.ts';
import type { Written } from './write-resource.ts';

export interface Entry extends Written {
  readonly resource: string;
}

export interface Manifest {
  readonly pm: 'export';
  readonly version: 2;
  readonly files: Readonly<Record<string, Entry>>;
}

export const MANIFEST = 'manifest.json';

/**
 * The manifest of a folder that holds an export; undefined for an empty or missing folder.
 * Throws `usage` if it holds anything else or is no folder, and `invalid` for a manifest that was edited.
 */
export async function manifestOf(folder: string): Promise<Manifest | undefined> {
  const names = (await namesIn(folder)).filter((name) => !name.startsWith('.'));
  if (names.length === 0) return undefined;
  const manifest = names.includes(MANIFEST) ? await manifestIn(folder) : undefined;
  if (manifest) return manifest;
  throw new ServiceError('usage', `${folder} holds other files, and is no export`, {
    hint: 'Name an empty folder, or one that does not exist yet.',
  });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw unusable(folder, error);
  }
}

/**
 * Makes the folder, and lets `work` fill it. If `work` throws, the files of these names and a new folder are deleted.
 * Throws `usage`.
 */
export async function fillNewFolder<T>(folder: string, names: readonly string[], work: () => Promise<T>): Promise<T> {
  const isNew = await makeFolder(folder);
  try {
    return await work();
  } catch (error) {
    for (const name of names) await rm(join(folder, name), { force: true });
    if (isNew) await rmdir(folder).catch(() => {});
    throw error;
  }
}

async function makeFolder(folder: string): Promise<boolean> {
  try {
    return (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
  } catch (error) {
    throw unusable(folder, error);
  }
}

const unusable = (folder: string, error: unknown): ServiceError =>
  new ServiceError('usage', `--dir ${folder} cannot be used: ${systemCode(error) ?? 'unknown'}`, {
    hint: 'Name an empty folder, or one that does not exist yet.',
    cause: error,
  });

/** The manifest of a folder; undefined where there is none of pm. Throws `invalid` for one that was edited. */
export async function manifestIn(folder: string): Promise<Manifest | undefined> {
  const file = join(folder, MANIFEST);
  const text = await readFile(file, 'utf8').catch(() => '');
  const value = parsedJson(text);
  if (!isState(value) || value.pm !== 'export') return undefined;
  const wrong = (await checkBy(manifest))(value);
  if (wrong === undefined) return value as unknown as Manifest;
  throw new ServiceError('invalid', `${file} is not as pm wrote it: ${wrong}`, { hint: 'Export the site anew.' });
}

const manifest = (z: Zod) => {
  const flag = z.optional(z.boolean());
  const entry = z.strictObject({
    resource: z.string(),
    rows: z.int(),
    sha256: z.string(),
    excel: flag,
    whole: flag,
    deleted: flag,
    ownIDs: flag,
  } satisfies Record<keyof Entry, unknown>);
  return z.strictObject({
    pm: z.literal('export'),
    version: z.literal(2),
    files: z.record(z.string(), entry),
  } satisfies Record<keyof Manifest, unknown>);
};

/** Keeps the files of resources that were not exported this time. Written last, so that all files in it exist. */
export async function writeManifest(
  folder: string,
  before: Manifest | undefined,
  files: Readonly<Record<string, Entry>>,
): Promise<void> {
  const renewed = new Set(Object.values(files).map(({ resource }) => resource));
  const kept = Object.entries(before?.files ?? {}).filter(([, { resource }]) => !renewed.has(resource));
  const all = Object.entries({ ...Object.fromEntries(kept), ...files }).sort(([a], [b]) => (a < b ? -1 : 1));
  const manifest: Manifest = { pm: 'export', version: 2, files: Object.fromEntries(all) };
  const path = join(folder, MANIFEST);
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeOutput({ name: path, path, overwrite: true }, (draft) => draft.writeFile(text));
}
