// Opens an exported folder for import: its files in the order in which they can run, each as the manifest says it is.
import { join } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import type { Resource } from '../../contract/resource.ts';
import { readManifest } from '../export/folder.ts';
import { hashOf } from '../export/write-resource.ts';
import { resourceCalled } from '../selectors/resource-called.ts';
import { inOrderOfReference } from './order.ts';

export interface SiteFile {
  readonly resource: Resource;
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  readonly excel: boolean;
}

/** The files that hold rows. Throws `usage` for a folder that is no export, `conflict` for files that are not as exported. */
export async function filesOf(folder: string): Promise<readonly SiteFile[]> {
  const { files } = await readManifest(folder);
  const found: SiteFile[] = [];
  const changed: string[] = [];
  for (const [name, { resource, rows, sha256, excel }] of Object.entries(files)) {
    const path = join(folder, name);
    const hash = await hashOf(path).catch(() => undefined);
    if (hash === undefined) changed.push(`${name} is missing`);
    else if (hash !== sha256) changed.push(`${name} has changed`);
    if (rows > 0) found.push({ resource: resourceCalled(resource), name, path, sha256, excel: excel === true });
  }
  if (changed.length > 0) throw otherwise(folder, changed);
  const order = inOrderOfReference(found.map(({ resource }) => resource));
  return [...found].sort((one, other) => order.indexOf(one.resource) - order.indexOf(other.resource));
}

const otherwise = (folder: string, changed: readonly string[]): ServiceError =>
  new ServiceError('conflict', `${folder} is not as it was exported: ${changed.join(', ')}`, {
    hint: 'Import a file that was changed by itself: pm import <resource> <file>. Or export once more.',
  });
