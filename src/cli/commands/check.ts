// pm check: all faults of a folder of files, each at its file and line, without a site.
import type { Command } from 'commander';
import { actionOf, type Run, reading } from '../command.ts';
import { withFolderFlags } from './apply.ts';

export const build = (run: Run): Command =>
  withFolderFlags(reading('check', 'Tell all faults of a folder of files, without a site.'))
    .argument('<folder>', 'a folder of files, or a workbook')
    .addHelpText('after', HELP)
    .action(
      actionOf(run, async (context, folder, flags) =>
        (await import('../folders/apply-folder.ts')).checkFolder(context, folder, flags),
      ),
    );

const HELP = `
The rules of the engine say what is wrong, on a site that is made for it and
goes again. A folder that names people or departments which only your site has:
pm apply <folder> -n`;
