// Reads the input files of a job again: for the rows that were not done, and for the passwords that no journal keeps.
import { BadFile, type InputFile } from '../../changes/files/index.ts';
import { bindColumns } from '../../changes/rows/columns.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobHead, PlannedRow } from '../../contract/jobs.ts';
import { valueAt } from '../../text/once-per.ts';
import type { Context } from '../context.ts';
import { mapOf } from './flags.ts';
import { inputSources, type Source } from './journal.ts';
import { openFile } from './open-input.ts';
import type { RunExtras } from './running.ts';

/** The place of a row's file among the files of its job; 0 where the job has only one. */
export const indexOf = ({ source = 0 }: Pick<PlannedRow, 'source'>): number => source;

/** Works on an input file. Undefined for stdin, and for a file that cannot be read any more or has changed. */
export async function withSource<T>(
  context: Context,
  source: Source,
  work: (input: InputFile) => Promise<T>,
): Promise<T | undefined> {
  if (source.file === '-') return undefined;
  const opening = openFile(context, source.file, source.flags, resourceNamed(source.resource));
  const input = await opening.catch((error: unknown) => {
    if (error instanceof BadFile || (error instanceof ServiceError && error.code === 'usage')) return undefined;
    throw error;
  });
  try {
    return input && (await input.hash()) === source.sha256 ? await work(input) : undefined;
  } finally {
    await input?.close();
  }
}

type Secrets = Readonly<Record<string, unknown>>;

/** The passwords of the rows that are not done, read from their files. */
export async function secretsOfFiles(context: Context, head: JobHead): Promise<Pick<RunExtras, 'secretOf'>> {
  const jobs = await context.jobs();
  const lines = new Map<number, Set<number>>();
  for await (const row of jobs.rows(head.id)) {
    if (!row.secret || row.state === 'done') continue;
    valueAt(lines, indexOf(row), () => new Set()).add(row.secret.line);
  }
  if (lines.size === 0) return {};
  const secrets = new Map<number, ReadonlyMap<number, Secrets> | undefined>();
  for (const [index, source] of inputSources(head).entries()) {
    const wanted = lines.get(index);
    if (wanted) secrets.set(index, await withSource(context, source, (input) => secretsIn(input, source, wanted)));
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
