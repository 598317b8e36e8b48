// Files that a job leaves: its rows that were not done, as they came, and the plan that takes it back.
import { join, parse } from 'node:path';
import type { Writable } from 'node:stream';
import type { Cell, InputFile } from '../../changes/files/index.ts';
import { fileWriter, writtenDialect } from '../../changes/files/row-writer.ts';
import { writePlanFile } from '../../changes/plan/plan-file.ts';
import { bindColumns, TOLD } from '../../changes/rows/columns.ts';
import { reverseRows } from '../../changes/undo.ts';
import type { Session } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobHead, JobStore, PlannedRow } from '../../contract/jobs.ts';
import { type Output, writeStream } from '../../files/output.ts';
import type { Context } from '../context.ts';
import { outputOf } from '../input/files.ts';
import type { Calling } from '../output/calling.ts';
import { homeOf, makeHome } from '../profiles/home.ts';
import { LEFT, whyLeft } from './failures.ts';
import { fileOf } from './sources.ts';

/** Where it is written for a file of a job, unless somebody says otherwise: pm's own, made anew each time. */
export function failedFile({ io, settings }: Context, head: JobHead, source: number, { dialect }: InputFile): Output {
  const folder = join(homeOf(io), 'reports', head.id);
  if (!settings.dryRun) makeHome(folder);
  const name = parse(fileOf(head, { source }) ?? 'failed').name;
  const path = join(folder, `${name}.${writtenDialect(dialect).form}`);
  return { said: path, path, overwrite: true, dryRun: settings.dryRun };
}

interface FailedFile {
  /** The resource of its rows, and which fields its columns fill. */
  readonly resource: string;
  readonly map: ReadonlyMap<string, string>;
  readonly output: Output;
  readonly calling: Calling;
  /** Is it a row of this file? */
  isMeant(row: PlannedRow): boolean;
}

/** Writes it; answers what its reader should know, and undefined where all rows were done. Throws as `writeOutput`. */
export async function writeFailed(
  jobs: JobStore,
  job: string,
  input: InputFile,
  { resource, map, output, calling, isMeant }: FailedFile,
): Promise<readonly string[] | undefined> {
  const left = new Map<number, readonly [string, string]>();
  for await (const row of jobs.rows(job, { states: LEFT })) {
    const { message, hint } = whyLeft(row, calling);
    if (row.line !== undefined && isMeant(row)) left.set(row.line, [message, hint]);
  }
  if (left.size === 0) return undefined;
  const columns = await columnsOf(input, left);
  const secret = secretColumns(resource, columns, map);
  const notes = await writeStream(output, (stream) => writeRows(stream, input, columns, secret, left));
  return secret.size > 0 ? [...notes, `It holds no ${[...secret].join(', ')}: fill that in again.`] : notes;
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

async function writeRows(
  stream: Writable,
  input: InputFile,
  columns: readonly string[],
  secret: ReadonlySet<string>,
  left: ReadonlyMap<number, readonly [string, string]>,
): Promise<readonly string[]> {
  const writer = await fileWriter(stream, input.dialect, [...columns, ...TOLD]);
  for await (const { line, names, cells } of input.rows()) {
    const why = left.get(line);
    if (!why) continue;
    const at = new Map(names.map((name, index) => [name, cells[index]]));
    const own = columns.map((name): Cell | undefined => (secret.has(name) ? undefined : at.get(name)));
    await writer.write([...own, String(line), ...why]);
  }
  return writer.end();
}

/** The address of the service, as plans name it. */
export const urlOf = ({ settings }: Context): string => settings.remote?.url ?? 'embedded';

/** Writes it, and says how it is run. Throws as `writeOutput`. */
export async function writeUndo(
  context: Context,
  { me }: Session,
  jobs: JobStore,
  head: JobHead,
  file: string,
): Promise<void> {
  const plan = {
    ...{ id: crypto.randomUUID(), profile: head.profile, url: urlOf(context), site: me.site, caller: me.userName },
    ...{ created: context.io.now().toISOString(), title: `undo of ${head.title}` },
  };
  const { rows } = await writePlanFile(
    outputOf(context, '--undo-out', file),
    plan,
    reverseRows(jobs, head.id),
    () => 0,
  );
  context.note(`The way back, ${rows} changes: pm apply ${file}`);
}
