// What is kept of an import, so that whoever goes on with it can read its file again.
import { resolve } from 'node:path';
import { BadFile, type InputFile } from '../../changes/files/index.ts';
import { bindColumns } from '../../changes/rows/columns.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobHead, JobStore } from '../../contract/jobs.ts';
import type { Resource } from '../../contract/resource.ts';
import type { Output } from '../../files/output.ts';
import type { Context } from '../context.ts';
import { callingOf } from '../output/calling.ts';
import { adviceOf } from '../output/next.ts';
import { failedFile, writeFailed } from './failed-file.ts';
import { type FileFlags, type IntakeFlags, mapOf } from './flags.ts';
import { openFile } from './input.ts';
import type { How } from './running.ts';

interface Source {
  readonly resource: string;
  readonly file: string;
  readonly sha256: string;
  readonly flags: FileFlags & Pick<IntakeFlags, 'map'>;
}

/** The settings of a job that a file was made into. */
export async function settingsOfFile(
  { io }: Context,
  resource: Resource,
  file: string,
  input: InputFile,
  flags: IntakeFlags,
): Promise<Readonly<Record<string, unknown>>> {
  const { form, encoding, delimiter, sheet, excel, map } = flags;
  const source: Source = {
    resource: resource.name,
    file: file === '-' ? '-' : resolve(io.cwd, file),
    sha256: await input.hash(),
    flags: JSON.parse(JSON.stringify({ form, encoding, delimiter, sheet, excel, map })),
  };
  return { source };
}

/** Works on the file of a job; undefined where the job has none, or it is not there any more as it was. */
export async function withFileOf<T>(
  context: Context,
  head: JobHead,
  work: (input: InputFile, source: Source) => Promise<T>,
): Promise<T | undefined> {
  const source = sourceOf(head);
  if (!source || source.file === '-') return undefined;
  let input: InputFile;
  try {
    input = await openFile(context, source.file, source.flags);
  } catch (error) {
    if (error instanceof BadFile || (error instanceof ServiceError && error.code === 'usage')) return undefined;
    throw error;
  }
  try {
    return (await input.hash()) === source.sha256 ? await work(input, source) : undefined;
  } finally {
    await input.close();
  }
}

export function sourceOf({ settings }: JobHead): Source | undefined {
  const { source } = settings;
  // Jobs are written by this file alone, and their lines have a checksum.
  return source === undefined ? undefined : (source as Source);
}

interface Leaving extends Pick<Source, 'resource' | 'flags'> {
  /** Where somebody wants it. */
  readonly output?: Output | undefined;
}

/** Writes what was not done into the file's own form; answers where. What cannot be written is told, and stops nothing, unless `output` was asked for. */
export async function leaveFailed(
  context: Context,
  jobs: JobStore,
  head: JobHead,
  input: InputFile,
  { resource, flags, output }: Leaving,
): Promise<string | undefined> {
  const calling = callingOf(context.io, context.settings);
  try {
    const file = output ?? failedFile(context, head.id, input);
    const notes = await writeFailed(jobs, head.id, input, { resource, map: mapOf(flags), output: file, calling });
    for (const note of notes ?? []) context.note(note);
    return notes && file.path;
  } catch (error) {
    if (output || !(error instanceof ServiceError)) throw error;
    context.note(`${error.message}; ${adviceOf(error, calling) ?? ''}`);
    return undefined;
  }
}

/** The passwords of the rows that still wait for one, read from the file that they stand in. */
export async function secretsOfFile(context: Context, jobs: JobStore, head: JobHead): Promise<Pick<How, 'secretOf'>> {
  const lines = new Set<number>();
  for await (const row of jobs.rows(head.id)) if (row.secret && row.state !== 'done') lines.add(row.secret.line);
  if (lines.size === 0) return {};
  const secrets = new Map<number, Readonly<Record<string, unknown>>>();
  await withFileOf(context, head, async (input, { resource, flags }) => {
    for await (const row of input.rows()) {
      if (!lines.has(row.line)) continue;
      const { bindings } = bindColumns(resourceNamed(resource), row.names, mapOf(flags));
      const members = bindings.flatMap((one, at) => (one?.field.writeOnly ? [[one.member, row.cells[at]]] : []));
      secrets.set(row.line, Object.fromEntries(members));
    }
  });
  return { secretOf: ({ line }) => (line === undefined ? undefined : secrets.get(line)) };
}
