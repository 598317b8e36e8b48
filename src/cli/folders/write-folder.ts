// Writes the files of a site to a folder: those that are new or have changed; others only where --overwrite is given.
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import type { Resource } from '../../contract/resource.ts';
import { type Output, writeOutput } from '../../files/output.ts';
import { isTree, pathsIn } from '../../sites/state/tree-reader.ts';
import { type SiteFile, siteFiles } from '../../sites/state/tree-writer.ts';
import { collect } from '../../text/batches.ts';
import { systemCode } from '../../text/system-code.ts';
import { counted, firstOf } from '../../text/thousands.ts';
import { type Context, ofOneState } from '../context.ts';
import { outputOf } from '../input/files.ts';
import { asTyped } from '../output/calling.ts';

/** Writes the readable tree of the site. Throws `usage` for a folder that holds anything else, and where files would be lost. */
export async function writeTree(context: Context, dir: string): Promise<number> {
  const folder = folderFor(context, dir);
  const leftOut = (resource: Resource, error: unknown): void => {
    if (!(error instanceof ServiceError && error.exit === EXIT.forbidden)) throw error;
    context.note(`Left out ${resource.command}, and what else you may not read: ${error.message}`);
  };
  const files = await ofOneState(context, (session) => collect(siteFiles(session, leftOut)));
  const there = lstatSync(folder, { throwIfNoEntry: false }) ? pathsIn(folder) : [];
  const written = new Set(files.map(({ path }) => path));
  const stale = there.filter((path) => !written.has(path));
  const isNew = ({ path }: SiteFile): boolean => !there.includes(path);
  const changed = files.filter((file) => !isNew(file) && readFileSync(join(folder, file.path), 'utf8') !== file.text);
  const { dryRun, overwrite } = context.settings;
  if (!overwrite && !dryRun) refuseLoss(context, dir, [...changed.map(({ path }) => path), ...stale]);
  await fillFolder(context, dir, async (write) => {
    for (const { path, text } of [...files.filter(isNew), ...changed])
      await write(path, (output) => writeOutput(output, (draft) => draft.writeFile(text)));
  });
  for (const path of dryRun ? [] : stale) rmSync(join(folder, path));
  const parts = [
    `${counted(files.filter(isNew).length, 'file')} new`,
    `${changed.length} changed`,
    `${stale.length} of records that are gone ${dryRun ? 'to be deleted' : 'deleted'}`,
  ];
  const left = files.length - files.filter(isNew).length - changed.length;
  context.note(`${dir}: ${parts.join(', ')}, ${left} as they were${dryRun ? ' (dry run: nothing is written)' : ''}`);
  return 0;
}

function refuseLoss({ io }: Context, dir: string, paths: readonly string[]): void {
  if (paths.length === 0) return;
  throw new ServiceError(
    'usage',
    `${counted(paths.length, 'file')} of ${dir} would be replaced or deleted: ${firstOf(paths)}`,
    {
      hint: `Which values differ: pm diff ${asTyped(dir, io)}. To write all as the site spells it, without notes of yours: --overwrite`,
    },
  );
}

/** The absolute path of a folder that may be filled. Throws `usage`. */
function folderFor({ io }: Context, dir: string): string {
  const folder = resolve(io.cwd, dir);
  try {
    const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
    if (names.length === 0 || isTree(folder)) return folder;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return folder;
    throw unusable(dir, error);
  }
  throw new ServiceError('usage', `${dir} holds other files, not a site`, {
    hint: 'Name an empty folder, or one that does not exist yet.',
  });
}

const unusable = (dir: string, error: unknown): ServiceError =>
  new ServiceError('usage', `--dir ${dir} cannot be used: ${systemCode(error) ?? 'unknown'}`, {
    hint: 'Name an empty folder, or one that does not exist yet.',
    cause: error,
  });

export type Write = <R>(path: string, fill: (output: Output) => Promise<R>) => Promise<R>;

/** Lets `work` write files to a folder. Where it throws, those that are new go again, and so do new folders. */
export async function fillFolder<T>(context: Context, dir: string, work: (write: Write) => Promise<T>): Promise<T> {
  const [made, folders]: [string[], string[]] = [[], []];
  try {
    return await work((path, fill) => {
      const output = outputOf(context, '--dir', join(dir, path));
      const first = output.dryRun ? undefined : mkdirSync(dirname(output.path), { recursive: true, mode: 0o700 });
      if (first !== undefined) folders.push(first);
      if (!lstatSync(output.path, { throwIfNoEntry: false })) made.push(output.path);
      return fill(output);
    });
  } catch (error) {
    for (const path of made) rmSync(path, { force: true });
    for (const path of folders.reverse()) removeEmpty(path);
    throw systemCode(error) === undefined || error instanceof ServiceError ? error : unusable(dir, error);
  }
}

/** A folder that others have filled meanwhile stays. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {}
}
