// pm import --dir, and of a workbook: all files or sheets as one job, in the order of their references.
import { resolve } from 'node:path';
import type { InputFile } from '../../changes/files/index.ts';
import type { Change } from '../../changes/plan/change.ts';
import { projectedRecords } from '../../changes/rows/projected-records.ts';
import { type IntakeCounts, newCounts } from '../../changes/rows/reader.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Resource } from '../../contract/resource.ts';
import { keptMembers } from '../../files/image.ts';
import { restoringChanges } from '../../sites/restore.ts';
import { newSiteRecords, wholeSite } from '../../sites/site-records.ts';
import { oncePer } from '../../text/once-per.ts';
import { counted, spaced } from '../../text/thousands.ts';
import type { ImportFlags, RunFlags } from '../changes/flags.ts';
import { inputSource } from '../changes/journal.ts';
import { type FileCommand, runFileChanges } from '../changes/make-changes.ts';
import { type Counted, fileChanges, openFile, openRecords, shortenFaults } from '../changes/open-input.ts';
import type { Context } from '../context.ts';
import type { Entry } from '../export/folder.ts';
import { exportHash, FORMS } from '../export/write-resource.ts';
import { kebab } from '../names.ts';
import { formInName } from '../output/file-form.ts';
import { servedResource } from '../selectors/state-numbers.ts';
import { type FileWishes, folderFiles, type SiteFile, workbookFiles } from './input-files.ts';

type Flags = RunFlags & ImportFlags & FileWishes;

/** All files of a folder. Answers the exit code. Throws `BadFile` for malformed rows; nothing was changed then. */
export async function importFolder(context: Context, dir: string, flags: Flags): Promise<number> {
  checkFlags(flags, 'a folder');
  const files = await folderFiles(context, resolve(context.io.cwd, dir), flags);
  return importFiles(context, `import --dir ${dir}`, files, flags);
}

/** All sheets of a workbook. As `importFolder`. */
export async function importWorkbook(context: Context, file: string, flags: Flags): Promise<number> {
  checkFlags(flags, 'a workbook');
  const files = await workbookFiles(context, resolve(context.io.cwd, file), flags);
  return importFiles(context, `import ${file}`, files, flags);
}

async function importFiles(context: Context, title: string, all: readonly SiteFile[], flags: Flags): Promise<number> {
  const files = all.filter(({ entry }) => entry.rows !== 0);
  const session = await context.session();
  const allCounts: IntakeCounts[] = [];
  const sum = (of: keyof Counted): number => allCounts.reduce((all, counts) => all + counts[of], 0);
  const command: FileCommand = {
    kind: 'import',
    title,
    settings: {
      sources: files.map((file) => inputSource(context, file.resource, file.path, file.sha256, flagsFor(file, flags))),
    },
    counts: () => {
      const [clears, skipped, repeated, headers] = [sum('clears'), sum('skipped'), sum('repeated'), sum('headers')];
      return { clears, skipped, repeated, headers, trimmed: sum('trimmed'), unchanged: sum('unchanged') };
    },
  };
  const instead = isRestorable(all, flags) ? await newSiteRecords(session) : undefined;
  if (!instead) {
    const changes = changesOf(context, files, flags, allCounts);
    return runFileChanges(context, changes, command, flags);
  }
  const onFile = (name: string, counts: IntakeCounts): void => {
    context.note(fileSummary(name, counts));
    allCounts.push(counts);
  };
  const open = files.map((file) => ({
    ...file,
    open: () => openFile(context, file.path, flagsFor(file, flags), file.resource),
  }));
  const restored = restoringChanges({ session, files: open, instead, onFile });
  return runFileChanges(context, restored, command, { ...flags, onError: 'rollback' });
}

/** Do the files hold a whole site, with authors and times, and nothing else? Then a new site becomes that site. */
function isRestorable(files: readonly SiteFile[], { mode }: Flags): boolean {
  const there = new Set(files.map(({ resource }) => resource));
  const isWhole = files.every(({ entry }) => entry.whole) && wholeSite.every((resource) => there.has(resource));
  return (mode ?? 'upsert') === 'upsert' && isWhole;
}

function checkFlags(flags: Flags, what: string): void {
  const alone = (
    ['key', 'map', 'set', 'rows', 'make', 'lastRow', 'form', 'sheet', 'delimiter', 'encoding', 'saveRecipe'] as const
  ).find((name) => flags[name] !== undefined);
  if (alone !== undefined) throw ofOne(`--${kebab(alone)}`, what);
  const { dateFormat: forms = [] } = flags;
  // A column that no file has is misspelled, and the form for all would be taken for its dates.
  if (forms.some((form) => form.includes('=')) && !forms.every((form) => form.includes('=')))
    throw ofOne('--date-format for one column beside one for all', what);
  if (flags.mode === 'delete' || flags.mode === 'undelete') throw ofOne(`--mode ${flags.mode}`, what);
}

const ofOne = (flag: string, what: string): ServiceError =>
  new ServiceError('usage', `${flag} is for one file, not for ${what}`, {
    hint: 'Say what the rows are: pm import <resource> <file>',
  });

const flagsFor = ({ sheet, entry: { excel } }: SiteFile, flags: Flags): Flags => ({
  ...flags,
  ...(excel ? { excel } : {}),
  ...(sheet === undefined ? {} : { sheet }),
});

/** The changes of all files; prints a summary of each file after its last row. */
async function* changesOf(
  context: Context,
  files: readonly SiteFile[],
  flags: Flags,
  allCounts: IntakeCounts[],
): AsyncGenerator<Change> {
  const session = await context.session();
  const records = projectedRecords(await openRecords(context), () => crypto.randomUUID());
  let isPartial = false;
  for (const [source, file] of files.entries()) {
    if (await isThere(session, file)) {
      const { rows = 0 } = file.entry;
      allCounts.push({ ...newCounts(), rows, unchanged: rows });
      context.note(fileSummary(file.name, allCounts.at(-1) ?? newCounts()));
      continue;
    }
    isPartial ||= file.entry.whole === true;
    if (file.entry.whole && file.resource.name === 'site') continue;
    const own = flagsFor(file, flags);
    const opened = await openFile(context, file.path, own, file.resource).catch((error: unknown) => {
      throw shortenFaults(context, file.name, error);
    });
    const input = portable(opened, file.resource, file.entry);
    try {
      const served = await servedResource(context, file.resource);
      const { counts, changes } = await fileChanges(context, records, served, input, {
        file: file.name,
        flags: own,
        quiet: true,
      });
      for await (const change of changes()) yield { ...change, source };
      context.note(fileSummary(file.name, counts, file.entry.resource === undefined ? `${input.describe()}, ` : ''));
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
  const form = formInName(name, FORMS);
  if (!session.local || !entry.whole || entry.rows === undefined || form === undefined) return false;
  const options = { form, excel: entry.excel === true, whole: true, deleted: entry.deleted ? 2 : 0 } as const;
  return (await exportHash(session, resource, options)) === sha256;
}

function fileSummary(
  name: string,
  { rows, creates, updates, undeletes, unchanged, skipped }: IntakeCounts,
  dialect = '',
): string {
  const parts = [
    creates > 0 ? counted(creates, 'create') : '',
    updates > 0 ? counted(updates, 'update') : '',
    undeletes > 0 ? counted(undeletes, 'undelete') : '',
    unchanged > 0 ? `${spaced(unchanged)} unchanged` : '',
    skipped > 0 ? `${spaced(skipped)} skipped` : '',
  ];
  return [`${name}: ${dialect}${counted(rows, 'row')}`, ...parts.filter((part) => part !== '')].join(', ');
}

/** What is said once of all files. */
const LEFT_OUT =
  'Authors, times, deleted records, members of groups and the site itself are left out: only a new site of the embedded engine takes them.';

/**
 * The file without authors, times, members of groups and unknown members. IDs go that mean nothing on another site: numbers
 * are each site's own, so that a row whose key two records have is refused and changes no other record of its number. Files
 * that hold nothing of this stay as they are.
 */
function portable(input: InputFile, resource: Resource, { whole, ownIDs }: Partial<Entry>): InputFile {
  if (!whole) return input;
  const isOwn = ownIDs || resource.id === 'integer';
  const kept = keptMembers(resource).filter((name) => (name === 'ID' ? isOwn : name !== 'Deleted'));
  const left = new Set([...kept, 'Others', 'Members']);
  // The rows of a table share one array of names.
  const portableNames = oncePer((names: readonly string[]) => names.filter((name) => !left.has(name)));
  return {
    ...input,
    columns: input.columns && portableNames(input.columns),
    async *rows() {
      for await (const row of input.rows()) {
        const cells = row.cells.filter((_, index) => !left.has(row.names[index] as string));
        yield { ...row, names: portableNames(row.names), cells };
      }
    },
  };
}
