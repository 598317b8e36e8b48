// pm import --dir: all files of an exported folder as one job, in the order of their references.
import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Change } from '../../changes/plan/change.ts';
import { projectedRecords } from '../../changes/rows/projected-records.ts';
import { type IntakeCounts, newCounts } from '../../changes/rows/reader.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isWritable } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Resource } from '../../contract/resource.ts';
import { restoringChanges } from '../../sites/restore.ts';
import { newSiteRecords } from '../../sites/site-records.ts';
import { type BulkCommand, runBulk } from '../changes/bulk.ts';
import { checkProfileNamed } from '../changes/confirm.ts';
import { writeAllFailed } from '../changes/failed-rows.ts';
import type { ImportFlags, RunFlags } from '../changes/flags.ts';
import { inputSource } from '../changes/journal.ts';
import {
  fileChanges,
  openFile,
  type Remarked,
  recordsOf,
  remarksOn,
  shortenFaults,
  spaced,
} from '../changes/open-input.ts';
import type { Context } from '../context.ts';
import { type Entry, readManifest } from '../export/folder.ts';
import { wholeSite } from '../export/whole-site.ts';
import { exportHash, fileHash, formOf } from '../export/write-resource.ts';
import { resourceCalled } from '../names.ts';
import { servedResource } from '../selectors/state-numbers.ts';
import { LEFT_OUT, portable } from './portable-rows.ts';

type Flags = RunFlags & ImportFlags;

/** Answers the exit code. Throws `BadFile` for malformed rows; nothing was changed then. */
export async function importFolder(context: Context, dir: string, flags: Flags): Promise<number> {
  checkProfileNamed(context);
  checkFlags(flags);
  const all = await siteFiles(resolve(context.io.cwd, dir));
  const files = all.filter(({ entry }) => entry.rows > 0);
  const session = await context.session();
  const allCounts: IntakeCounts[] = [];
  const sum = (of: 'unchanged' | keyof Remarked): number => allCounts.reduce((all, counts) => all + counts[of], 0);
  const bulk: BulkCommand = {
    kind: 'import',
    title: `import --dir ${dir}`,
    settings: {
      sources: files.map((file) => inputSource(context, file.resource, file.path, file.sha256, flagsFor(file, flags))),
    },
    stdinUsed: false,
    unchanged: () => sum('unchanged'),
    trimmed: () => sum('trimmed'),
    remarks: () => remarksOn({ clears: sum('clears'), skipped: sum('skipped'), trimmed: sum('trimmed') }),
    writeFailed: async (jobs, head) => (await writeAllFailed(context, jobs, head)).files,
  };
  const instead = isRestorable(all, flags) ? await newSiteRecords(session) : undefined;
  if (!instead) return runBulk(context, session, changesOf(context, session, files, flags, allCounts), bulk, flags);
  const onFile = (name: string, counts: IntakeCounts): void => {
    context.note(fileSummary(name, counts));
    allCounts.push(counts);
  };
  const open = files.map((file) => ({ ...file, open: () => openFile(context, file.path, flagsFor(file, flags)) }));
  const restored = restoringChanges({ session, files: open, instead, onFile });
  return runBulk(context, session, restored, bulk, { ...flags, onError: 'rollback' });
}

/** Do the files hold a whole site, with authors and times? Then a new site becomes that site. */
function isRestorable(files: readonly SiteFile[], { mode }: Flags): boolean {
  const there = new Set(files.filter(({ entry }) => entry.whole).map(({ resource }) => resource));
  return (mode ?? 'upsert') === 'upsert' && wholeSite.every((resource) => there.has(resource));
}

function checkFlags(flags: Flags): void {
  const alone = (['key', 'map', 'form', 'sheet', 'delimiter', 'encoding'] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (alone !== undefined) throw new ServiceError('usage', `--${alone} is for one file, not for a folder`);
  if (flags.mode === 'delete' || flags.mode === 'undelete')
    throw new ServiceError('usage', `--mode ${flags.mode} is for one file, not for a folder`);
}

const flagsFor = ({ entry: { excel } }: SiteFile, flags: Flags): Flags => ({ ...flags, ...(excel ? { excel } : {}) });

/** The changes of all files; prints a summary of each file after its last row. */
async function* changesOf(
  context: Context,
  session: Session,
  files: readonly SiteFile[],
  flags: Flags,
  allCounts: IntakeCounts[],
): AsyncGenerator<Change> {
  const records = projectedRecords(recordsOf(session), () => crypto.randomUUID());
  let isPartial = false;
  for (const [source, file] of files.entries()) {
    if (await isThere(session, file)) {
      allCounts.push({ ...newCounts(), rows: file.entry.rows, unchanged: file.entry.rows });
      context.note(fileSummary(file.name, allCounts.at(-1) ?? newCounts()));
      continue;
    }
    isPartial ||= file.entry.whole === true;
    if (file.resource.name === 'site') continue;
    const own = flagsFor(file, flags);
    const input = portable(await openFile(context, file.path, own), file.resource, file.entry);
    try {
      const served = await servedResource(context, session, file.resource);
      const { counts, changes } = await fileChanges(context, records, served, input, {
        file: file.name,
        flags: own,
        quiet: true,
      });
      for await (const change of changes()) yield { ...change, source };
      context.note(fileSummary(file.name, counts));
      allCounts.push(counts);
    } catch (error) {
      throw shortenFaults(context, file.name, error);
    } finally {
      await input.close();
    }
  }
  if (isPartial) context.note(LEFT_OUT);
}

/** Would the site export this very file? Then no row of it changes anything. */
async function isThere(session: Session, { resource, name, sha256, entry }: SiteFile): Promise<boolean> {
  const form = formOf(name);
  if (!session.local || !entry.whole || form === undefined) return false;
  const options = { form, excel: entry.excel === true, whole: true, deleted: entry.deleted ? 2 : 0 } as const;
  return (await exportHash(session, resource, options)) === sha256;
}

function fileSummary(name: string, { rows, creates, updates, undeletes, unchanged, skipped }: IntakeCounts): string {
  const many = (count: number, word: string): string => `${spaced(count)} ${word}${count === 1 ? '' : 's'}`;
  const parts = [
    creates > 0 ? many(creates, 'create') : '',
    updates > 0 ? many(updates, 'update') : '',
    undeletes > 0 ? many(undeletes, 'undelete') : '',
    unchanged > 0 ? `${spaced(unchanged)} unchanged` : '',
    skipped > 0 ? `${spaced(skipped)} skipped` : '',
  ];
  return [`${name}: ${many(rows, 'row')}`, ...parts.filter((part) => part !== '')].join(', ');
}

interface SiteFile {
  readonly resource: Resource;
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  readonly entry: Entry;
}

/**
 * The files of the folder. Throws `usage` for a folder that is no export, `invalid` for files that are elsewhere, `conflict`
 * for files that have changed.
 */
async function siteFiles(folder: string): Promise<readonly SiteFile[]> {
  const { files } = await readManifest(folder);
  const elsewhere = Object.keys(files).find((name) => !isFileIn(folder, name));
  if (elsewhere !== undefined)
    throw new ServiceError('invalid', `${folder} names ${elsewhere}, which is no file of that folder`, {
      hint: 'Links and other folders are not followed. Export the site anew.',
    });
  const found: SiteFile[] = [];
  const changed: string[] = [];
  for (const [name, entry] of Object.entries(files)) {
    const { resource, sha256 } = entry;
    const path = join(folder, name);
    const hash = await fileHash(path).catch(() => undefined);
    if (hash === undefined) changed.push(`${name} is missing`);
    else if (hash !== sha256) changed.push(`${name} has changed`);
    found.push({ resource: resourceCalled(resource), name, path, sha256, entry });
  }
  if (changed.length > 0) throw folderChanged(folder, changed);
  const order = inOrderOfReference(found.map(({ resource }) => resource));
  return [...found].sort((one, other) => order.indexOf(one.resource) - order.indexOf(other.resource));
}

/** Is it an ordinary file right in the folder, or missing? The maker of the folder chose the name. */
function isFileIn(folder: string, name: string): boolean {
  if (/[/\\]/.test(name) || name === '.' || name === '..') return false;
  return lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile() ?? true;
}

const folderChanged = (folder: string, changed: readonly string[]): ServiceError =>
  new ServiceError('conflict', `${folder} is not as it was exported: ${changed.join(', ')}`, {
    hint: 'Import a file that was changed by itself: pm import <resource> <file>. Or export once more.',
  });

/** Sorts resources so that each comes after those its records refer to; otherwise keeps the order. */
function inOrderOfReference(resources: readonly Resource[]): readonly Resource[] {
  const there = new Set(resources);
  const visited = new Set<Resource>();
  const ordered: Resource[] = [];
  const visit = (resource: Resource): void => {
    if (visited.has(resource)) return;
    visited.add(resource);
    for (const other of referencedBy(resource)) visit(other);
    if (there.has(resource)) ordered.push(resource);
  };
  for (const resource of resources) visit(resource);
  return ordered;
}

function referencedBy({ fields, name }: Resource): readonly Resource[] {
  const targets = Object.values(fields).flatMap((field) => (isWritable(field) ? (field.to ?? []) : []));
  const others = targets.filter((target) => target !== 'site' && target !== name);
  return others.map((target) => resourceNamed(target === 'principal' ? 'individual' : target));
}
