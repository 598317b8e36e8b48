// Opens the input file of a command and turns its rows into changes.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { byCause } from '../../changes/files/bad-file.ts';
import { BadFile, type InputFile, openInput } from '../../changes/files/index.ts';
import type { Change } from '../../changes/plan/change.ts';
import { USUAL_NONE, USUAL_TOP } from '../../changes/rows/cells.ts';
import { memberFinder } from '../../changes/rows/columns.ts';
import { intakeOf } from '../../changes/rows/intake.ts';
import { withMade } from '../../changes/rows/keys.ts';
import type { IntakeCounts } from '../../changes/rows/reader.ts';
import type { Records } from '../../changes/rows/row-draft.ts';
import { journaledRecords, type Made } from '../../changes/run/remote/id-map.ts';
import type { Session } from '../../contract/call.ts';
import type { JobHead } from '../../contract/jobs.ts';
import type { Resource } from '../../contract/resource.ts';
import { batchedRows } from '../../text/batches.ts';
import { defined } from '../../text/defined.ts';
import { counted, firstOf } from '../../text/thousands.ts';
import type { Context } from '../context.ts';
import { setColumns, withChosenRows, withSetColumns } from '../import/prepared-rows.ts';
import { noteMissing, saveRecipe } from '../import/recipe.ts';
import { journalFile } from '../profiles/home.ts';
import { type NearNames, resolve as resolveName } from '../selectors/selectors.ts';
import { positive, wordsIn } from '../settings.ts';
import { MAX_SHOWN } from './failures.ts';
import { dateFormsIn, type FileFlags, type ImportFlags, mapOf, refsOf, wordsOf } from './flags.ts';

/**
 * In percent of what is in use. Many rows leave much garbage, and V8 by itself lets three times as much pile up: an import of
 * 100,000 rows took 40 MiB more, and 2 % less time. V8 reads this each time when it has collected garbage.
 */
const MOST_GARBAGE = 130;

/** Opens a file of records of a resource as the flags say; `-` is stdin. Throws `usage`, `BadFile`. */
export function openFile({ io }: Context, file: string, flags: ImportFlags, resource: Resource): Promise<InputFile> {
  setFlagsFromString(`--heap-growing-percent=${MOST_GARBAGE}`);
  const { form, encoding, sheet, excel, ignoreUnknown, shortRows } = flags;
  const headerRow = flags.headerRow === undefined ? undefined : positive('--header-row', flags.headerRow);
  const lastRow = flags.lastRow === undefined ? undefined : positive('--last-row', flags.lastRow);
  const delimiter = flags.delimiter === '\\t' ? '\t' : flags.delimiter;
  const stdin = file === '-' ? Readable.from(io.stdin) : undefined;
  const memberOf = memberFinder(resource, mapOf(flags));
  const options = { form, encoding, delimiter, sheet, excel, ignoreUnknown, stdin, headerRow, lastRow, shortRows };
  return openInput(pathOf(io.cwd, file), { ...defined(options), isField: (one) => memberOf(one) !== undefined });
}

/** Opens a file, works on it, and closes it. Throws as `openFile` and `work`; `BadFile` only with its first faults. */
export async function withInput<T>(
  context: Context,
  { file, flags, resource }: Pick<Source, 'file' | 'flags'> & { readonly resource: Resource },
  work: (input: InputFile) => Promise<T>,
): Promise<T> {
  try {
    const input = await openFile(context, file, flags, resource);
    try {
      return await work(input);
    } finally {
      await input.close();
    }
  } catch (error) {
    throw shortenFaults(context, file, error);
  }
}

/** The first causes of the faults of a file. `--errors json` keeps the faults. */
export function shortenFaults(context: Context, file: string, error: unknown): unknown {
  if (!(error instanceof BadFile) || context.io.errorsAsJson) return error;
  return byCause(nameOf(file), error, MAX_SHOWN);
}

/** The path as the user wrote it where possible, for messages. */
const pathOf = (cwd: string, file: string): string =>
  file === '-' || cwd === process.cwd() ? file : resolve(cwd, file);

interface FileChanges {
  readonly counts: IntakeCounts;
  /** Throws `BadFile` after the last change, when the description of the file was printed. */
  changes(): AsyncIterable<Change>;
}

interface Source {
  readonly file: string;
  readonly flags: ImportFlags;
  /** The dialect of the file is not printed. */
  readonly quiet?: boolean;
}

/** How the rows of a file find the records of a session; those of a service by the IDs that it gave in earlier jobs, too. */
export async function openRecords(context: Context): Promise<Records> {
  const session = await context.session();
  const { io, settings } = context;
  // No journal is made for what only looks.
  if (session.local || !existsSync(journalFile(io, settings.journal))) return recordsOf(session);
  const { jobProfile, remote } = settings;
  const since = io.now().getTime() - SHOWN_LATE_MS;
  const isLate = ({ settings, created, ended = created }: JobHead): boolean =>
    settings.url === remote?.url && Date.parse(ended) >= since;
  const jobs = await context.jobs();
  const heads = await jobs.heads(jobProfile, { site: session.me.site, onDamaged: () => undefined });
  const { given, made } = await journaledRecords(jobs, heads, isLate);
  return { ...recordsOf(session, made), given };
}

/** Some services show new records only after a while, in milliseconds. */
const SHOWN_LATE_MS = 60_000;

/** For so many unknown names of a command the nearest one is looked for. */
const MOST_NEAR = 50;

/** The same of the embedded engine, which keeps IDs. */
export function recordsOf(session: Session, made?: Made): Records {
  const { me, readsAtOnce, local } = session;
  const near: NearNames = { left: MOST_NEAR, names: new Map() };
  const { find, together } = local?.gatheredFinder() ?? { find: session.find };
  const looking = { ...session, find: made && made.size > 0 ? withMade(find, made) : find };
  return {
    me,
    find: looking.find,
    readsAtOnce,
    resolve: (targets, text, isQuiet) =>
      resolveName(looking, text, { targets, deleted: 0, near: isQuiet ? { ...near, left: 0 } : near }),
    gathered: together && { together, forget: find.forget },
  };
}

/** The changes that the rows of an open file ask for. Throws `usage` for malformed flags. */
export async function fileChanges(
  context: Context,
  records: Records,
  resource: Resource,
  input: InputFile,
  { file, flags, quiet = false }: Source,
): Promise<FileChanges> {
  const name = nameOf(file);
  const sets = setColumns(resource, flags.set);
  // The row of the settings needs no ID: a site has one record of them.
  const widened = resource.name === 'siteSetting' ? [...sets, { column: 'ID', text: records.me.site }] : sets;
  const { chosen, noteLeft } = chosenRows(context, input, flags);
  const { counts, changes, warnings } = intakeOf(
    widened.length > 0 ? withSetColumns(chosen, widened, wordsOf(flags.null, USUAL_NONE)) : chosen,
    records,
    {
      resource,
      file: name,
      key: wordsIn(flags.key ?? ''),
      mode: flags.mode ?? 'upsert',
      refs: refsOf(flags),
      map: new Map([...mapOf(flags), ...sets.map(({ column, field }) => [column, field] as const)]),
      made: sets.flatMap(({ column, isLogin }) => (isLogin ? column : [])),
      ignoreUnknown: flags.ignoreUnknown,
      blank: flags.blank ?? 'leave',
      onDeleted: flags.onDeleted ?? 'error',
      dates: dateFormsIn(flags),
      none: wordsOf(flags.null, USUAL_NONE),
      top: wordsOf(flags.top, USUAL_TOP),
      make: flags.make,
      below: flags.below,
      split: flags.split,
      zone: await context.zone(),
      newID: () => crypto.randomUUID(),
    },
  );
  return {
    counts,
    changes: () =>
      batchedRows(async function* () {
        try {
          yield* changes();
        } catch (error) {
          if (flags.recipe && error instanceof BadFile) noteMissing(context, flags.recipe, input, error);
          throw error;
        } finally {
          if (!quiet) noteFile(context, name, input, counts.rows);
          noteColumns(context, quiet ? `${name}: ` : '  ', counts);
          noteLeft();
          if (flags.mode === 'undelete' && (input.columns?.length ?? 0) > 1) context.note(AS_THEY_WERE);
        }
        for (const line of warnings()) context.note(line);
        if (flags.saveRecipe !== undefined) await saveRecipe(context, resource, flags, counts);
      }),
  };
}

const AS_THEY_WERE =
  '  comes back as it was; to store the other columns, too: --on-deleted undelete in place of --mode';

/** The rows that --rows reads, and how many it leaves out; noted once they are read. */
export function chosenRows(context: Context, input: InputFile, { rows }: FileFlags) {
  let left = 0;
  const onLeft = (): void => void left++;
  return {
    chosen: rows ? withChosenRows(input, rows, { now: context.io.now(), onLeft }) : input,
    noteLeft: (): void => void (left > 0 && context.note(`  left out by --rows: ${counted(left, 'row')}`)),
  };
}

/** Notes the form of a file, and its other sheets. */
export function noteFile(context: Context, name: string, input: InputFile, rows: number): void {
  context.note(`${name}: ${input.describe()}, ${counted(rows, 'row')}`);
  for (const remark of input.remarks()) context.note(`  ${remark}`);
  if (input.others.length > 0) context.note(`  not read: ${input.others.join(', ')} (--sheet names a sheet)`);
}

export const nameOf = (file: string): string => (file === '-' ? 'stdin' : file);

/** What is worth a remark: the counts of emptied fields, skipped and repeated rows, and trimmed cells. */
type Remarked = Pick<IntakeCounts, 'clears' | 'skipped' | 'repeated' | 'headers' | 'trimmed' | 'trimmedIn'>;

/** What a run over files counts. */
export type Counted = Remarked & Pick<IntakeCounts, 'unchanged'>;

/** These counts in words. */
export function remarksOn({ clears, skipped, repeated, headers, trimmed, trimmedIn }: Remarked): string {
  const parts = [
    clears > 0 ? `${clears} ${clears === 1 ? 'field' : 'fields'} made empty` : '',
    skipped > 0 ? `${skipped} skipped` : '',
    repeated > 0 ? `${repeated} ${repeated === 1 ? 'row' : 'rows'} twice in the file` : '',
    headers > 0 ? `the header again on ${counted(headers, 'row')}` : '',
    trimmed > 0 ? `${counted(trimmed, 'cell')} trimmed (${firstOf([...trimmedIn])})` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Says which columns were bound by a synonym, which were left out, and which words and values were read as others. */
function noteColumns(context: Context, lead: string, counts: IntakeCounts): void {
  const { readOnly, guessed, unknown } = counts;
  const meant = [...guessed].map(([column, name]) => `${column} → ${name}`);
  if (meant.length > 0) context.note(`${lead}${meant.join(', ')}`);
  for (const [how, words] of [
    ['read as blank', counts.nones],
    ['read as at the top', counts.tops],
    ['read as two parts', counts.splits],
    ['read as a day, unless --null names it', counts.endless],
    ['read of several values, the primary or the first', counts.several],
  ] as const) {
    const named = [...words].map(([word, cells]) => `${word} (${counted(cells, 'cell')})`);
    if (named.length > 0) context.note(`${lead}${how}: ${firstOf(named)}`);
  }
  if (unknown.size > 0) context.note(`${lead}left out, because it is not a field: ${firstOf([...unknown])}`);
  if (readOnly.size > 0)
    context.note(`Left out, since the service itself works out what it would fill: ${firstOf([...readOnly])}`);
}
