// Writes the rows that a job has not done to files in the form of its input, to be corrected and imported again.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { Writable } from 'node:stream';
import type { Cell, InputFile } from '../../changes/files/index.ts';
import { fileWriter, writtenDialect } from '../../changes/files/row-writer.ts';
import { bindColumns, REPORT_COLUMNS } from '../../changes/rows/columns.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobHead, JobStore, RowState } from '../../contract/jobs.ts';
import { checkOutput, type Output, writeStream } from '../../files/output.ts';
import type { Context } from '../context.ts';
import { type Calling, callingOf } from '../output/calling.ts';
import { adviceOf } from '../output/next.ts';
import { homeOf, makeHome } from '../profiles/home.ts';
import { reasonOf } from './failures.ts';
import { mapOf } from './flags.ts';
import { hasFiles, inputSources, type Source } from './journal.ts';
import { nameOf } from './open-input.ts';
import { indexOf, withSource } from './source-files.ts';

/** Rows that were not done, and that a resumed run does not try again. What may have been done is not to be imported again. */
const NOT_DONE: readonly RowState[] = ['failed', 'drifted', 'skipped'];

/**
 * Writes the rows that were not done, file by file; `input` is the only input file, where it is open. Answers the files, and
 * the names of the inputs that are `gone`: they cannot be read any more, or have changed. Throws `usage` for one `output` and
 * rows of several files.
 */
export async function writeAllFailed(
  context: Context,
  head: JobHead,
  { output, input: open }: { readonly output?: Output | undefined; readonly input?: InputFile | undefined } = {},
) {
  const jobs = await context.jobs();
  const all = inputSources(head);
  const inputs = all.map(({ file }) => file);
  if (output) checkOutput(output, inputs);
  const indexes = new Set<number>();
  for await (const row of jobs.rows(head.id, { states: NOT_DONE })) indexes.add(indexOf(row));
  if (!output) deleteDone(context, head, indexes);
  const sources = [...all.entries()].filter(([index]) => indexes.has(index));
  if (output && sources.length > 1)
    throw new ServiceError('usage', `rows of ${sources.length} files were not done, and --out names one`, {
      hint: 'Leave --out out: each file then gets one of its own, and pm says where.',
    });
  const [files, gone]: [string[], string[]] = [[], []];
  for (const [index, source] of sources) {
    const write = (input: InputFile): Promise<readonly string[]> =>
      writeFailed(context, head, input, { ...source, index, output });
    const written = await (open ? write(open) : withSource(context, source, write));
    if (written) files.push(...written);
    else gone.push(nameOf(source.file));
  }
  return { files, gone };
}

interface FailedFile extends Pick<Source, 'resource' | 'flags'> {
  /** The place of the input among the files of the job. */
  readonly index: number;
  /** The file that the user named. */
  readonly output?: Output | undefined;
}

/**
 * Writes the rows of one input file that were not done; answers the files it has written, one or none. A file that
 * cannot be written is only noted, unless `output` was named.
 */
async function writeFailed(
  context: Context,
  head: JobHead,
  input: InputFile,
  { resource, flags, index, output }: FailedFile,
): Promise<readonly string[]> {
  const calling = callingOf(context.io, context.settings);
  try {
    const file = output ?? failedFile(context, head, index, input);
    const left = await reasonsByLine(await context.jobs(), head.id, index, calling);
    if (left.size === 0) return [];
    const columns = await columnsOf(input, left);
    const { bindings } = bindColumns(resourceNamed(resource), columns, mapOf(flags));
    // No file of pm holds a password.
    const secret = new Set(bindings.flatMap((one) => (one?.field.writeOnly ? [one.column] : [])));
    await writeStream(file, (stream) => writeRows(stream, input, columns, secret, left));
    if (secret.size > 0) context.note(`It holds no ${[...secret].join(', ')}: fill that in again.`);
    return [file.path];
  } catch (error) {
    if (output || !(error instanceof ServiceError)) throw error;
    context.note(`${error.message}; ${adviceOf(error, calling) ?? ''}`);
    return [];
  }
}

const folderOf = ({ io }: Context, { id }: JobHead): string => join(homeOf(io), 'reports', id);

/** Deletes what an earlier run has written of inputs whose rows are all done by now; `left` are the others. */
function deleteDone(context: Context, head: JobHead, left: ReadonlySet<number>): void {
  const folder = folderOf(context, head);
  if (context.settings.dryRun || !existsSync(folder)) return;
  const kept = new Set([...left].map((index) => nameFor(head, index)));
  for (const file of readdirSync(folder)) if (!kept.has(parse(file).name)) rmSync(join(folder, file));
}

/** A file in pm's own folder, made anew each time. */
function failedFile(context: Context, head: JobHead, source: number, { dialect }: InputFile): Output {
  const { settings } = context;
  const folder = folderOf(context, head);
  if (!settings.dryRun) makeHome(folder);
  const path = join(folder, `${nameFor(head, source)}.${writtenDialect(dialect).form}`);
  return { name: path, path, overwrite: true, dryRun: settings.dryRun };
}

/** A sheet, whose name may hold any sign, goes by its resource. */
function nameFor(head: JobHead, source: number): string {
  if (!hasFiles(head)) return 'failed';
  const { file = '', resource = '', flags } = inputSources(head)[source] ?? {};
  return flags?.sheet === undefined ? parse(file).name : resourceNamed(resource).command;
}

/** By line: the message and the hint of each row that was not done. */
type ReasonsByLine = ReadonlyMap<number, readonly [message: string, hint: string]>;

async function reasonsByLine(jobs: JobStore, job: string, index: number, calling: Calling): Promise<ReasonsByLine> {
  const left = new Map<number, readonly [string, string]>();
  for await (const row of jobs.rows(job, { states: NOT_DONE })) {
    const { message, hint } = reasonOf(row, calling);
    if (row.line !== undefined && indexOf(row) === index) left.set(row.line, [message, hint]);
  }
  return left;
}

/** The columns of a table; of other forms every name that the rows left behind have. */
async function columnsOf(input: InputFile, left: ReasonsByLine): Promise<readonly string[]> {
  const own = (name: string): boolean => !REPORT_COLUMNS.includes(name);
  if (input.columns) return input.columns.filter(own);
  const names = new Set<string>();
  for await (const row of input.rows()) if (left.has(row.line)) for (const name of row.names) names.add(name);
  return [...names].filter(own);
}

async function writeRows(
  stream: Writable,
  input: InputFile,
  columns: readonly string[],
  secret: ReadonlySet<string>,
  left: ReasonsByLine,
): Promise<void> {
  const writer = await fileWriter(stream, input.dialect, [...columns, ...REPORT_COLUMNS]);
  for await (const { line, names, cells } of input.rows()) {
    const why = left.get(line);
    if (!why) continue;
    const at = new Map(names.map((name, index) => [name, cells[index]]));
    const own = columns.map((name): Cell | undefined => (secret.has(name) ? undefined : at.get(name)));
    await writer.write([...own, String(line), ...why]);
  }
  await writer.end();
}
