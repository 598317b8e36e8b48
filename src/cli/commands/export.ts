// pm export: records as files that can be looked at, kept, compared and imported again.
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Command, Option } from 'commander';
import type { Form } from '../../changes/files/index.ts';
import type { Session } from '../../contract/call.ts';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import { resources } from '../../contract/index.ts';
import type { Resource } from '../../contract/resource.ts';
import { checkOutput, writeStream } from '../../files/output.ts';
import { canExport, wholeSite } from '../../sites/site-records.ts';
import { actionOf, type Run, withAt, withoutChoosing } from '../command.ts';
import type { Context } from '../context.ts';
import { type Entry, fillNewFolder, manifestOf, writeManifest } from '../export/folder.ts';
import { type ExportOptions, FORMS, writeExport, writeRecords, writeWorkbook } from '../export/write-resource.ts';
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
    .option('--dir <folder>', 'a file for each resource, and a manifest')
    .option('--out <file>', 'one file for one resource, or people.xlsx with a sheet for each; without it stdout')
    .addOption(new Option('--form <form>', 'the form of the files (csv)').choices(FORMS))
    .option('--excel', 'for spreadsheets: with a byte order mark, and no text that would be run as a formula')
    .option('--names', 'names in place of IDs, to be read, compared, or imported on another site')
    .addHelpText('after', HELP)
    .action(actionOf(run, exportAll));
}

const HELP = `
With --dir the files hold all of a site: deleted records, authors and times,
too. Without it they hold live records, or with --deleted include all. No file
holds passwords or archives. More: pm help files

Texts are written as they are, so that an import reads the same: a spreadsheet
runs one that begins like a formula. For spreadsheets --excel guards them; an
import with --excel takes the guard away.`;

async function exportAll(context: Context, names: readonly string[], options: Options): Promise<number> {
  const { out } = options;
  const whole = options.dir !== undefined;
  const all = whole ? wholeSite : resources.filter(canExport);
  const wanted = names.length > 0 ? names.map((name) => exportable(resourceCalled(name), whole)) : all;
  const how: ExportOptions = {
    form: options.form ?? (out === undefined ? undefined : formToWrite(out, FORMS, '--form')) ?? 'csv',
    excel: options.excel === true,
    deleted: deletedIn(context, whole ? 2 : 0),
    whole,
    named: options.names === true,
  };
  if (whole && how.named)
    throw new ServiceError('usage', '--dir writes a whole site, with its IDs: it takes no --names', {
      hint: 'pm export <resource> --names --out <file> writes one resource.',
    });
  if (whole && how.form === 'xlsx')
    throw new ServiceError('usage', '--dir writes a whole site, and no Excel files', {
      hint: 'pm export --out site.xlsx writes one, with a sheet for each resource.',
    });
  if (options.dir !== undefined) return toFolder(context, wanted, options.dir, how);
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

/** Writes of others meanwhile are not seen; a remote service has no such reads. */
async function ofOneState<T>(context: Context, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await context.session();
  return session.local ? session.local.snapshot(work) : work(session);
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

function exportable(resource: Resource, whole: boolean): Resource {
  if (whole ? wholeSite.includes(resource) : canExport(resource)) return resource;
  throw new ServiceError('usage', `${resource.command} are not exported`, {
    hint: `pm ${resource.command} --help shows what can be done with them.`,
  });
}

function deletedIn({ settings }: Context, usual: 0 | 2): 0 | 2 {
  if (settings.deleted !== 1) return settings.deleted ?? usual;
  throw new ServiceError('usage', 'an export holds the live records, or all of them', {
    hint: 'Use --deleted include.',
  });
}

const notWritten = ({ settings }: Context): string => (settings.dryRun ? ' (dry run: nothing is written)' : '');

async function toFolder(
  context: Context,
  wanted: readonly Resource[],
  dir: string,
  how: ExportOptions,
): Promise<number> {
  const { settings, io } = context;
  const folder = resolve(io.cwd, dir);
  const before = await manifestOf(folder);
  const named = wanted.map((resource) => `${resource.command}.${how.form}`);
  if (before) for (const name of named) checkOutput(outputOf(context, '--dir', join(dir, name)));
  let refused = 0;
  const onRefused = (): void => void refused++;
  const write = async () => {
    const written = await ofOneState(context, (session) =>
      writeFiles(context, session, wanted, dir, { ...how, onRefused }),
    );
    if (!settings.dryRun) await writeManifest(folder, before, written);
    return written;
  };
  // An existing folder keeps its files: they may be of other resources, or were replaced whole.
  const files = before || settings.dryRun ? await write() : await fillNewFolder(folder, named, write);
  const rows = Object.values(files).reduce((sum, one) => sum + one.rows, 0);
  context.note(`${dir}: ${rows} records in ${Object.keys(files).length} files${notWritten(context)}`);
  if (refused > 0)
    context.note(`A new site will refuse ${refused} of them, for values that older rules let in: pm doctor`);
  return 0;
}

async function writeFiles(
  context: Context,
  session: Session,
  wanted: readonly Resource[],
  dir: string,
  how: ExportOptions,
): Promise<Readonly<Record<string, Entry>>> {
  const files: Record<string, Entry> = {};
  for (const resource of wanted) {
    const name = `${resource.command}.${how.form}`;
    const output = outputOf(context, '--dir', join(dir, name));
    try {
      files[name] = { resource: resource.command, ...(await writeExport(session, resource, output, how)) };
    } catch (error) {
      leaveOut(context, wanted, resource, error);
    }
  }
  return files;
}
