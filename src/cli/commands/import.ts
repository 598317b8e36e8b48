// pm import: the rows of a file become records, as one job.
import { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { type BulkCommand, runBulk } from '../changes/bulk.ts';
import { checkProfileNamed } from '../changes/confirm.ts';
import { writeFailed } from '../changes/failed-rows.ts';
import { type ImportFlags, type RunFlags, withImportFlags, withRunFlags } from '../changes/flags.ts';
import { inputSource } from '../changes/journal.ts';
import { fileChanges, nameOf, recordsOf, remarksOn, withInput } from '../changes/open-input.ts';
import { actionOf, type Run, withChange } from '../command.ts';
import type { Context } from '../context.ts';
import { resourceCalled } from '../names.ts';
import { servedResource } from '../selectors/state-numbers.ts';

type Options = RunFlags & ImportFlags & { readonly dir?: string };

export function build(run: Run): Command {
  const command = new Command('import').description('Make and change records by the rows of a file.');
  return withChange(withRunFlags(withImportFlags(command)), () => 'Leave the other rows out of the file.')
    .argument('[resource]', 'what the rows are: individuals, departments, …')
    .argument('[file]', 'CSV, TSV, JSON, NDJSON, YAML or Excel; - reads stdin')
    .option('--dir <folder>', 'all files of a folder that pm export --dir has written, as one job')
    .addHelpText('after', HELP)
    .action(actionOf(run, importGiven));
}

const HELP = `
Columns are fields: pm explain <resource>. A column that is not there and a
blank cell leave a field as it is, <null> makes it empty. More: pm help files`;

async function importGiven(
  context: Context,
  resource: string | undefined,
  file: string | undefined,
  { dir, ...flags }: Options,
): Promise<number> {
  if (resource !== undefined && file !== undefined && dir === undefined)
    return importFile(context, resource, file, flags);
  if (dir === undefined)
    throw new ServiceError('usage', `which ${resource === undefined ? 'records' : 'file'} should be imported?`, {
      hint: `pm import ${resource ?? '<resource>'} <file>, or a whole folder: pm import --dir <folder>`,
    });
  if (resource !== undefined)
    throw new ServiceError('usage', '--dir imports a whole folder', {
      hint: `For one file: pm import ${resource} <file>`,
    });
  return (await import('../import/whole-site.ts')).importFolder(context, dir, flags);
}

async function importFile(context: Context, name: string, file: string, flags: Options): Promise<number> {
  checkProfileNamed(context);
  const resource = resourceCalled(name);
  const session = await context.session();
  const served = await servedResource(context, session, resource);
  return withInput(context, file, flags, async (input) => {
    const { counts, changes } = await fileChanges(context, recordsOf(session), served, input, { file, flags });
    const bulk: BulkCommand = {
      kind: 'import',
      title: `${resource.command} import ${nameOf(file)}`,
      settings: { sources: [inputSource(context, resource, file, await input.hash(), flags)] },
      stdinUsed: file === '-',
      unchanged: () => counts.unchanged,
      trimmed: () => counts.trimmed,
      remarks: () => remarksOn(counts),
      writeFailed: (jobs, head) => writeFailed(context, jobs, head, input, { resource: resource.name, flags }),
    };
    return runBulk(context, session, changes(), bulk, flags);
  });
}
