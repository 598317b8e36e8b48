// pm export: records as files that can be looked at, kept, compared and imported again.
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Command, Option } from 'commander';
import type { Form } from '../../changes/files/index.ts';
import type { Session } from '../../contract/call.ts';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import { resources } from '../../contract/index.ts';
import type { Resource } from '../../contract/resource.ts';
import { writeStream } from '../../files/output.ts';
import { canExport } from '../../sites/site-records.ts';
import { counted } from '../../text/thousands.ts';
import { actionOf, type Run, withAt, withoutChoosing } from '../command.ts';
import { type Context, ofOneState } from '../context.ts';
import { type ExportOptions, FORMS, hasRecords, writeRecords, writeWorkbook } from '../export/write-resource.ts';
import type { Write } from '../folders/write-folder.ts';
import { outputOf } from '../input/files.ts';
import { resourceCalled } from '../names.ts';
import { formToWrite } from '../output/file-form.ts';
import { noTextFor, outStream } from '../output/printing.ts';

interface Options {
  readonly dir?: string;
  readonly out?: string;
  readonly form?: Form;
  readonly excel?: boolean;
  readonly names?: boolean;
}

export function build(run: Run): Command {
  const command = new Command('export').description('Write records to files that can be imported again.');
  return withAt(withoutChoosing(command, ['--deleted'], (flag) => `pm <resource> list ${flag} … -o csv > <file>`))
    .argument('[resources...]', 'which ones; without any all of them')
    .option('--dir <folder>', 'the site as files for people and git; with --form a table for each resource')
    .option('--out <file>', 'one file for one resource, or people.xlsx with a sheet for each; without it stdout')
    .addOption(new Option('--form <form>', 'the form of the files (csv)').choices(FORMS))
    .option('--excel', 'for spreadsheets: with a byte order mark, and no text that would be run as a formula')
    .option('--names', 'names in place of IDs, to be read, compared, or imported on another site')
    .addHelpText('after', HELP)
    .action(actionOf(run, exportAll));
}

const HELP = `
--dir writes a file for each person, department and project, with names in place
of IDs, and lists beside them. It holds what can be declared: no comments and
dialogs, no deleted records, authors or times, which pm backup keeps. What is
written is the same each time, so that git shows what has changed. pm diff
<folder> and pm apply <folder> read it. More: pm help states

Without --dir texts are written as they are, so that an import reads the same: a
spreadsheet runs one that begins like a formula. For spreadsheets --excel guards
them; an import with --excel takes the guard away.`;

async function exportAll(context: Context, names: readonly string[], options: Options): Promise<number> {
  const { out, dir, form } = options;
  const wanted = names.length > 0 ? names.map((name) => exportable(resourceCalled(name))) : resources.filter(canExport);
  const how: ExportOptions = {
    form: form ?? (out === undefined ? undefined : formToWrite(out, FORMS, '--form')) ?? 'csv',
    excel: options.excel === true,
    deleted: deletedIn(context),
    named: options.names === true || dir !== undefined,
    besideOthers: dir !== undefined,
  };
  if (dir !== undefined) {
    if (form === undefined && names.length === 0) {
      refuseInTree(context, options);
      return (await import('../folders/write-folder.ts')).writeTree(context, dir);
    }
    if (how.form === 'xlsx')
      throw new ServiceError('usage', '--dir writes no Excel files', {
        hint: 'pm export --out site.xlsx writes one, with a sheet for each resource.',
      });
    return writeTables(context, wanted, dir, how);
  }
  const [only, ...more] = wanted;
  if (!only || (more.length > 0 && how.form !== 'xlsx'))
    throw new ServiceError('usage', 'several resources need a folder, or an Excel file', {
      hint: 'Say where: --dir <folder>, or --out <file>.xlsx',
    });
  const write = (stream: Writable): Promise<{ readonly rows: number; readonly sheets?: number }> =>
    ofOneState(context, (session) =>
      how.form === 'xlsx'
        ? writeWorkbook(session, wanted, stream, how, (resource, error) => leaveOut(context, wanted, resource, error))
        : writeRecords(session, only, stream, how),
    );
  if (out === undefined) {
    if (how.form === 'xlsx' && context.io.stdoutIsTerminal) throw noTextFor('--form xlsx');
    await printed(context, write);
    return 0;
  }
  const { rows, sheets = 1 } = await writeStream(outputOf(context, '--out', out), write);
  const what = more.length === 0 ? only.command : `records in ${sheets} sheets`;
  context.note(`${out}: ${rows} ${what}${notWritten(context)}`);
  return 0;
}

/** Several resources are written without those that the caller may not read. */
function leaveOut(context: Context, wanted: readonly Resource[], { command }: Resource, error: unknown): void {
  if (!(error instanceof ServiceError && error.exit === EXIT.forbidden) || wanted.length === 1) throw error;
  context.note(`Left out ${command}: ${error.message}`);
}

/** Writes to stdout; resolves when it has taken all of it. Throws the stream's own error. */
async function printed({ io }: Context, work: (stream: Writable) => Promise<unknown>): Promise<void> {
  const stream = outStream(io);
  const taken = finished(stream);
  taken.catch(() => undefined);
  await work(stream);
  stream.end();
  await taken;
}

/** Throws `usage` for what a tree does not hold. */
function refuseInTree({ settings }: Context, { excel, names }: Options): void {
  const flag = settings.deleted ? '--deleted' : excel ? '--excel' : names ? '--names' : undefined;
  if (flag === undefined) return;
  const hint =
    flag === '--deleted'
      ? 'A copy with deleted records: pm backup <profile> <file>. Tables with them: --form csv beside it.'
      : 'It is for tables: write --form csv beside it.';
  throw new ServiceError('usage', `--dir writes a site to be read and applied, and takes no ${flag}`, { hint });
}

function exportable(resource: Resource): Resource {
  if (canExport(resource)) return resource;
  throw new ServiceError('usage', `${resource.command} are not exported`, {
    hint: `pm ${resource.command} --help shows what can be done with them.`,
  });
}

function deletedIn({ settings }: Context): 0 | 2 {
  if (settings.deleted !== 1) return settings.deleted ?? 0;
  throw new ServiceError('usage', 'an export holds the live records, or all of them', {
    hint: 'Use --deleted include.',
  });
}

const notWritten = ({ settings }: Context): string => (settings.dryRun ? ' (dry run: nothing is written)' : '');

/** A table for each resource that has records. */
async function writeTables(
  context: Context,
  wanted: readonly Resource[],
  dir: string,
  how: ExportOptions,
): Promise<number> {
  const { fillFolder } = await import('../folders/write-folder.ts');
  let [rows, files] = [0, 0];
  const work = (write: Write) => async (session: Session) => {
    for (const resource of wanted) {
      try {
        if (!(await hasRecords(session, resource, how))) continue;
        const written = await write(`${resource.command}.${how.form}`, (output) =>
          writeStream(output, (stream) => writeRecords(session, resource, stream, how)),
        );
        rows += written.rows;
        files++;
      } catch (error) {
        leaveOut(context, wanted, resource, error);
      }
    }
  };
  await fillFolder(context, dir, (write) => ofOneState(context, work(write)));
  context.note(`${dir}: ${rows} records in ${counted(files, 'file')}${notWritten(context)}`);
  return 0;
}
