// pm import: the rows of a file become records, as one job.
import { statSync } from 'node:fs';
import { extname, parse, resolve } from 'node:path';
import { Command } from 'commander';
import { formByName } from '../../changes/files/index.ts';
import type { Change } from '../../changes/plan/change.ts';
import { memberFinder } from '../../changes/rows/columns.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed, resources } from '../../contract/index.ts';
import type { Resource } from '../../contract/resource.ts';
import { type ImportFlags, mapOf, type RunFlags, withImportFlags, withRunFlags } from '../changes/flags.ts';
import { inputSource } from '../changes/journal.ts';
import { runFileChanges } from '../changes/make-changes.ts';
import { fileChanges, nameOf, openRecords, withInput } from '../changes/open-input.ts';
import { actionOf, type Run, withChange } from '../command.ts';
import type { Context } from '../context.ts';
import { missingIn } from '../import/missing.ts';
import { withRecipe } from '../import/recipe.ts';
import { resourceCalled } from '../names.ts';
import { asTyped } from '../output/calling.ts';
import { servedResource } from '../selectors/state-numbers.ts';
import type { Streams } from '../streams.ts';

type Flags = RunFlags & ImportFlags;

export function build(run: Run, io: Streams): Command {
  const command = withRecipe(new Command('import').description('Make and change records by the rows of a file.'), io);
  return withChange(withRunFlags(withImportFlags(command)), () => 'Leave the other rows out of the file.')
    .argument('[resource|file]', 'what the rows are: individuals, …, or a recipe; or a file whose name says it')
    .argument('[file]', 'CSV, TSV, JSON, NDJSON, YAML or Excel; - reads stdin')
    .addHelpText('after', HELP)
    .action(actionOf(run, importGiven));
}

const HELP = `
Columns are fields: pm explain <resource>. A column that is not there and a
blank cell leave a field as it is, <null> makes it empty. More: pm help files
Who is there and not in the file: pm import people.csv -n --missing list
A whole folder or workbook, as one job: pm apply <folder>`;

async function importGiven(
  context: Context,
  first: string | undefined,
  file: string | undefined,
  flags: Flags,
): Promise<number> {
  if (first !== undefined && file !== undefined) return importFile(context, resourceCalled(first), file, flags);
  if (first !== undefined && isFileName(first)) return importNamed(context, first, flags);
  throw nothingNamed(context, first);
}

/** A spreadsheet saves "Unicode text" as .txt: its content says the form. */
const isFileName = (word: string): boolean => formByName(word) !== undefined || extname(word).toLowerCase() === '.txt';

function nothingNamed({ io }: Context, first: string | undefined): ServiceError {
  const isFolder = first !== undefined && statSync(resolve(io.cwd, first), { throwIfNoEntry: false })?.isDirectory();
  return new ServiceError('usage', `which ${first === undefined ? 'records' : 'file'} should be imported?`, {
    hint: isFolder
      ? `All files of the folder: pm apply ${asTyped(first, io)}`
      : `pm import ${first ?? '<resource>'} <file>, or a whole folder: pm apply <folder>`,
  });
}

/** A file with a name that says the resource of the rows. */
async function importNamed(context: Context, file: string, flags: Flags): Promise<number> {
  const { resourceOfName } = await import('../folders/flat-files.ts');
  const resource = resourceOfName(parse(file).name);
  if (resource) return importFile(context, resource, file, flags);
  const typed = asTyped(file, context.io);
  const all = formByName(file) === 'xlsx' ? `; all its sheets: pm apply ${typed}` : '';
  const open = { file, flags, resource: resourceNamed('individual') };
  const columns = await withInput(context, open, async (input) => input.columns ?? []);
  const known = (one: Resource): number => columns.filter(memberFinder(one, mapOf(flags))).length;
  const [best, next] = resources.toSorted((one, other) => known(other) - known(one));
  const isSure = best && next && known(best) > known(next) && known(best) * 2 > columns.length;
  const hint = `pm import ${isSure ? best.command : '<resource>'} ${typed}${all}`;
  throw new ServiceError('usage', `${file}: its name says no resource`, { hint });
}

/** The rows of one file, and what `withOthers` makes of their changes. Answers the exit code. */
export async function importFile(
  context: Context,
  resource: Resource,
  file: string,
  flags: Flags,
  withOthers = (changes: AsyncIterable<Change>): AsyncIterable<Change> => changes,
): Promise<number> {
  const served = await servedResource(context, resource);
  return withInput(context, { file, flags, resource: served }, async (input) => {
    const missing = await missingIn(context, served, nameOf(file), flags);
    const records = { ...(await openRecords(context)), named: missing?.named };
    const { counts, changes } = await fileChanges(context, records, served, input, { file, flags });
    const all = missing ? missing.behind(changes()) : changes();
    const command = {
      kind: 'import' as const,
      title: `${resource.command} import ${nameOf(file)}`,
      settings: { sources: [inputSource(context, resource, file, await input.hash(), flags)] },
      input,
      counts: () => counts,
      missing: missing?.rows,
    };
    return runFileChanges(context, withOthers(all), command, flags);
  });
}
