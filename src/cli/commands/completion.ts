// pm completion: prints the script by which a shell completes pm, or puts it where the shell looks.
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command, Option } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { writeOutput } from '../../files/output.ts';
import { actionOf, changing, type Run } from '../command.ts';
import { MARK, SCRIPTS, SHELLS, type ShellName, scriptFileOf, shellNamed } from '../completion/scripts.ts';
import type { Context } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { printText } from '../output/printing.ts';
import { userFolder } from '../profiles/home.ts';
import type { Streams } from '../streams.ts';

export function build(run: Run, io: Streams): Command {
  const group = new Command('completion').description('Complete commands, flags and names with Tab.');
  group.usage('<verb> [flags]').addHelpText('after', HELP);
  for (const shell of SHELLS) {
    const print = new Command(shell).description(`Print the script for ${shell}.`);
    group.addCommand(print.action(() => printText(io, SCRIPTS[shell])));
  }
  return group.addCommand(
    changing('install', 'Put the script where the shell looks, and say where.')
      .addOption(new Option('--shell <shell>', 'for this shell; without it the one of $SHELL').choices(SHELLS))
      .action(actionOf(run, install)),
  );
}

const HELP = `
No file of the shell's own is changed: what has to be added to one is printed.
Names of records, jobs and profiles come from local files; those of a remote
service are not completed. The script for PowerShell is not tested.`;

type Options = GlobalValues & { readonly shell?: ShellName };

async function install(context: Context, { shell: named, overwrite = false }: Options): Promise<number> {
  const { io, settings } = context;
  const shell = named ?? shellNamed(io.env, process.platform);
  if (!shell)
    throw new ServiceError('usage', '$SHELL names no shell that pm completes', {
      hint: `Name it: --shell ${SHELLS.join('|')}`,
    });
  const { file, advice } = scriptFileOf(shell, io.env, io.env.HOME || userFolder());
  const there = contentOf(file);
  if (there === SCRIPTS[shell]) context.note(`${file} is there already.`);
  else {
    if (!settings.dryRun) mkdirSync(dirname(file), { recursive: true });
    const isOurs = there?.includes(MARK) === true;
    const output = { name: file, path: file, overwrite: overwrite || isOurs, dryRun: settings.dryRun, shared: true };
    await writeOutput(output, (draft) => draft.writeFile(SCRIPTS[shell]));
    context.note(`${settings.dryRun ? 'Would write' : 'Written'}: ${file}. It holds from the next ${shell} on.`);
  }
  if (advice !== undefined) context.note(advice);
  return 0;
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
