// The rows of an input file that were not done, in the file's own columns and dialect: mended, it can be imported again.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Cell, InputFile } from '../../changes/files/index.ts';
import { fileWriter, writtenDialect } from '../../changes/files/writer.ts';
import { bindColumns, TOLD } from '../../changes/rows/columns.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobStore } from '../../contract/jobs.ts';
import type { Context } from '../context.ts';
import { homeOf, makeHome } from '../home.ts';
import { LEFT, whyLeft } from './failures.ts';

/** Where the file of a job is written, unless somebody says otherwise. */
export const failedFile = ({ io }: Context, job: string, { dialect }: InputFile): string =>
  join(homeOf(io), 'reports', job, `failed.${writtenDialect(dialect).form}`);

export interface FileOfRows {
  readonly resource: string;
  readonly map: ReadonlyMap<string, string>;
}

/** Writes it; answers what its reader should know, and undefined where all rows were done. Throws `storage`. */
export async function writeFailed(
  jobs: JobStore,
  job: string,
  input: InputFile,
  { resource, map }: FileOfRows,
  path: string,
): Promise<readonly string[] | undefined> {
  const left = new Map<number, readonly [string, string]>();
  for await (const row of jobs.rows(job, { states: LEFT })) {
    const { message, hint } = whyLeft(row);
    if (row.line !== undefined) left.set(row.line, [message, hint]);
  }
  if (left.size === 0) return undefined;
  const columns = await columnsOf(input, left);
  const secret = secretColumns(resource, columns, map);
  const part = `${path}.${process.pid}.part`;
  try {
    makeHome(dirname(path));
    const notes = await writePart(part, input, columns, secret, left);
    await rename(part, path);
    return secret.size > 0 ? [...notes, `It holds no ${[...secret].join(', ')}: fill that in again.`] : notes;
  } catch (error) {
    await rm(part, { force: true });
    throw unwritable(path, error);
  }
}

/** Those of a table; else all that the rows left behind name. */
async function columnsOf(input: InputFile, left: ReadonlyMap<number, unknown>): Promise<readonly string[]> {
  const own = (name: string): boolean => !TOLD.includes(name);
  if (input.columns) return input.columns.filter(own);
  const names = new Set<string>();
  for await (const row of input.rows()) if (left.has(row.line)) for (const name of row.names) names.add(name);
  return [...names].filter(own);
}

/** A password stands in no report. */
function secretColumns(
  resource: string,
  columns: readonly string[],
  map: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const { bindings } = bindColumns(resourceNamed(resource), columns, map);
  return new Set(bindings.flatMap((one) => (one?.field.writeOnly ? [one.column] : [])));
}

async function writePart(
  path: string,
  input: InputFile,
  columns: readonly string[],
  secret: ReadonlySet<string>,
  left: ReadonlyMap<number, readonly [string, string]>,
): Promise<readonly string[]> {
  const stream = createWriteStream(path, { mode: 0o600 });
  const done = finished(stream);
  done.catch(() => undefined);
  const writer = await fileWriter(stream, input.dialect, [...columns, ...TOLD]);
  for await (const { line, names, cells } of input.rows()) {
    const why = left.get(line);
    if (!why) continue;
    const at = new Map(names.map((name, index) => [name, cells[index]]));
    const own = columns.map((name): Cell | undefined => (secret.has(name) ? undefined : at.get(name)));
    await writer.write([...own, String(line), ...why]);
  }
  const notes = await writer.end();
  stream.end();
  await done;
  return notes;
}

function unwritable(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  return new ServiceError(code === 'ENOSPC' ? 'disk_full' : 'storage', `${path} cannot be written: ${code}`, {
    hint: 'Name another file: pm jobs report <job> --out <file>',
    cause: error,
  });
}
