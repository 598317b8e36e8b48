// pm each: any command that changes records, once for each row of a file, as one job.
import { Command } from 'commander';
import { USUAL_NONE } from '../../changes/rows/cells.ts';
import { cellRules } from '../../changes/rows/reader.ts';
import { ServiceError } from '../../contract/errors.ts';
import { rowChanges, templateOf } from '../changes/each-row.ts';
import { dateFormsIn, type FileFlags, type RunFlags, withFileFlags, withRunFlags, wordsOf } from '../changes/flags.ts';
import { inputSource } from '../changes/journal.ts';
import { runFileChanges } from '../changes/make-changes.ts';
import { chosenRows, nameOf, noteFile, withInput } from '../changes/open-input.ts';
import { actionOf, type Run, withChange } from '../command.ts';
import type { Context } from '../context.ts';
import { asTyped } from '../output/calling.ts';

type Options = RunFlags & FileFlags;

export function build(run: Run): Command {
  const command = new Command('each').description('Any command that changes records, for each row of a file.');
  return withChange(withRunFlags(withFileFlags(command)), fromList)
    .usage('[flags] <file> -- <resource> <verb> [words with {Column}...]')
    .argument('<file>', 'CSV, TSV, JSON, NDJSON, YAML or Excel; - reads stdin')
    .argument('[words...]', 'the command after --; {Column} stands for the cell of the row')
    .addHelpText('after', HELP)
    .action(actionOf(run, each));
}

/** The hint to use the records of a list as rows. */
const fromList = (flag: string): string =>
  flag === '--deleted'
    ? 'pm <resource> list --deleted … -o csv | pm each - --form csv -- <resource> undelete {ID}'
    : `pm <resource> list ${flag} … -o csv | pm each - --form csv -- <resource> update {ID} --…`;

const HELP = `
A cell is never more than one word of the command: it cannot become a flag or a
second name. It is read as pm import reads it, and leaves the field where it is
blank. All rows are one job, which pm undo takes back.`;

async function each(context: Context, file: string, words: readonly string[], flags: Options): Promise<number> {
  if (words.length === 0)
    throw new ServiceError('usage', 'which command should run for each row?', {
      hint: `pm each ${asTyped(file, context.io)} -- individuals update {Email} --primary-title {Title}`,
    });
  const template = await templateOf(words);
  const { resource } = template;
  const quiet: Context = { ...context, settings: { ...context.settings, asks: false } };
  await context.session();
  return withInput(context, { file, flags, resource }, async (input) => {
    const rules = cellRules(input, {
      key: [],
      blank: 'leave',
      none: wordsOf(flags.null, USUAL_NONE),
      dates: dateFormsIn(flags),
      zone: await context.zone(),
    });
    const { chosen, noteLeft } = chosenRows(context, input, flags);
    let rows = 0;
    for await (const _row of chosen.rows()) rows++;
    noteFile(context, nameOf(file), input, rows);
    noteLeft();
    const command = {
      kind: 'each' as const,
      title: `each ${nameOf(file)}: ${words.join(' ')}`,
      settings: { sources: [inputSource(context, resource, file, await input.hash(), flags)] },
      input,
    };
    return runFileChanges(context, rowChanges(quiet, chosen, nameOf(file), { ...template, rules }), command, flags);
  });
}
