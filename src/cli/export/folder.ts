// A folder of exported files, and the manifest that says what is in it.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import { isState } from '../state-file.ts';
import { unwritable, type Written } from './write.ts';

interface Entry extends Written {
  readonly resource: string;
}

export interface Manifest {
  readonly pm: 'export';
  readonly version: 1;
  readonly site: string;
  readonly files: Readonly<Record<string, Entry>>;
}

const MANIFEST = 'manifest.json';

/** Makes the folder, or checks that it holds an export or nothing. Throws `usage`, `storage`. */
export async function openFolder(folder: string): Promise<Manifest | undefined> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.'));
    if (names.length === 0) return undefined;
    const manifest = names.includes(MANIFEST) ? manifestIn(await readFile(join(folder, MANIFEST), 'utf8')) : undefined;
    if (manifest) return manifest;
  } catch (error) {
    throw unwritable(folder, error);
  }
  throw new ServiceError('usage', `${folder} holds other files, and is no export`, {
    hint: 'Name an empty folder, or one that does not exist yet.',
  });
}

/** The manifest of an exported folder. Throws `usage` where it is none. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => '');
  const manifest = manifestIn(text);
  if (manifest) return manifest;
  throw new ServiceError('usage', `${folder} is no exported folder: it holds no ${MANIFEST} of pm`, {
    hint: 'pm export --dir <folder> makes one. A single file: pm import <resource> <file>',
  });
}

function manifestIn(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Whatever else it says was written here.
    return isState(value) && value.pm === 'export' && isState(value.files) ? (value as unknown as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

/** Files of resources that were not exported this time stay in it. Written last: what it says is there is there. */
export async function writeManifest(
  folder: string,
  site: string,
  before: Manifest | undefined,
  files: Readonly<Record<string, Entry>>,
): Promise<void> {
  const renewed = new Set(Object.values(files).map(({ resource }) => resource));
  const kept = Object.entries(before?.files ?? {}).filter(([, { resource }]) => !renewed.has(resource));
  const all = Object.entries({ ...Object.fromEntries(kept), ...files }).sort(([a], [b]) => (a < b ? -1 : 1));
  const manifest: Manifest = { pm: 'export', version: 1, site, files: Object.fromEntries(all) };
  const part = join(folder, `${MANIFEST}.${process.pid}.part`);
  try {
    await writeFile(part, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    await rename(part, join(folder, MANIFEST));
  } catch (error) {
    throw unwritable(join(folder, MANIFEST), error);
  }
}
