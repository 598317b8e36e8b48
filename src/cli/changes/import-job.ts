// What a job needs of its input files later: their rows that were not done, and the passwords that no journal keeps.
import { BadFile, type InputFile } from '../../changes/files/index.ts';
import { bindColumns } from '../../changes/rows/columns.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobHead, JobStore, PlannedRow } from '../../contract/jobs.ts';
import { checkOutput, type Output } from '../../files/output.ts';
import type { Context } from '../context.ts';
import { callingOf } from '../output/calling.ts';
import { adviceOf } from '../output/next.ts';
import { LEFT } from './failures.ts';
import { mapOf } from './flags.ts';
import { failedFile, writeFailed } from './job-files.ts';
import { nameOf, openFile } from './open-input.ts';
import type { How } from './running.ts';
import { type Source, sourcesOf } from './sources.ts';

/** Which of the files a row is from; the only one where it does not say so. */
const indexOf = ({ source = 0 }: Pick<PlannedRow, 'source'>): number => source;

/** What was not done of each file that can still be read. */
export interface LeftBehind {
  /** Where it was written. */
  readonly files: readonly string[];
  /** Files that are not there any more as they were. */
  readonly gone: readonly string[];
}

/** Writes the rows that were not done, file by file. Throws `usage` where one `output` is to take those of several files. */
export async function leaveAllFailed(
  context: Context,
  jobs: JobStore,
  head: JobHead,
  output?: Output,
): Promise<LeftBehind> {
  const all = sourcesOf(head);
  const inputs = all.map(({ file }) => file);
  if (output) checkOutput(output, inputs);
  const indexes = new Set<number>();
  for await (const row of jobs.rows(head.id, { states: LEFT })) indexes.add(indexOf(row));
  const sources = [...all.entries()].filter(([index]) => indexes.has(index));
  if (output && sources.length > 1) throw severalLeft(sources.length);
  const [files, gone]: [string[], string[]] = [[], []];
  for (const [index, source] of sources) {
    const isRead = await withFile(context, source, async (input) => {
      files.push(...(await leaveFailed(context, jobs, head, input, { ...source, index, output })));
      return true;
    });
    if (!isRead) gone.push(nameOf(source.file));
  }
  return { files, gone };
}

const severalLeft = (count: number): ServiceError =>
  new ServiceError('usage', `rows of ${count} files were not done, and --out names one`, {
    hint: 'Leave --out out: each file then gets one of its own, and pm says where.',
  });

interface Leaving extends Pick<Source, 'resource' | 'flags'> {
  /** Of the job's files. */
  readonly index?: number;
  /** Where somebody wants it. */
  readonly output?: Output | undefined;
}

/** Writes what was not done into the file's own form; answers where. What cannot be written is told, and stops nothing, unless `output` was asked for. */
export async function leaveFailed(
  context: Context,
  jobs: JobStore,
  head: JobHead,
  input: InputFile,
  { resource, flags, index = 0, output }: Leaving,
): Promise<readonly string[]> {
  const calling = callingOf(context.io, context.settings);
  const isMeant = (row: PlannedRow): boolean => indexOf(row) === index;
  try {
    const file = output ?? failedFile(context, head, index, input);
    const left = { resource, map: mapOf(flags), output: file, calling, isMeant };
    const notes = await writeFailed(jobs, head.id, input, left);
    for (const note of notes ?? []) context.note(note);
    return notes ? [file.path] : [];
  } catch (error) {
    if (output || !(error instanceof ServiceError)) throw error;
    context.note(`${error.message}; ${adviceOf(error, calling) ?? ''}`);
    return [];
  }
}

/** Works on a file; undefined where it is not there any more as it was. */
async function withFile<T>(
  context: Context,
  source: Source,
  work: (input: InputFile) => Promise<T>,
): Promise<T | undefined> {
  if (source.file === '-') return undefined;
  let input: InputFile;
  try {
    input = await openFile(context, source.file, source.flags);
  } catch (error) {
    if (error instanceof BadFile || (error instanceof ServiceError && error.code === 'usage')) return undefined;
    throw error;
  }
  try {
    return (await input.hash()) === source.sha256 ? await work(input) : undefined;
  } finally {
    await input.close();
  }
}

type Secrets = Readonly<Record<string, unknown>>;

/** The passwords of the rows that still wait for one, read from the files that they stand in. */
export async function secretsOfFiles(context: Context, jobs: JobStore, head: JobHead): Promise<Pick<How, 'secretOf'>> {
  const lines = new Map<number, Set<number>>();
  for await (const row of jobs.rows(head.id)) {
    if (!row.secret || row.state === 'done') continue;
    lines.set(indexOf(row), (lines.get(indexOf(row)) ?? new Set()).add(row.secret.line));
  }
  if (lines.size === 0) return {};
  const secrets = new Map<number, ReadonlyMap<number, Secrets> | undefined>();
  for (const [index, source] of sourcesOf(head).entries()) {
    const wanted = lines.get(index);
    if (wanted) secrets.set(index, await withFile(context, source, (input) => secretsIn(input, source, wanted)));
  }
  return { secretOf: (row) => (row.line === undefined ? undefined : secrets.get(indexOf(row))?.get(row.line)) };
}

async function secretsIn(
  input: InputFile,
  { resource, flags }: Source,
  lines: ReadonlySet<number>,
): Promise<ReadonlyMap<number, Secrets>> {
  const secrets = new Map<number, Secrets>();
  for await (const row of input.rows()) {
    if (!lines.has(row.line)) continue;
    const { bindings } = bindColumns(resourceNamed(resource), row.names, mapOf(flags));
    const members = bindings.flatMap((one, at) => (one?.field.writeOnly ? [[one.member, row.cells[at]]] : []));
    secrets.set(row.line, Object.fromEntries(members));
  }
  return secrets;
}
