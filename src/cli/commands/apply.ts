// pm apply: runs a plan, once; or makes a site as a folder of files declares it.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { formByName } from '../../changes/files/index.ts';
import { checkPlan, readPlanFile } from '../../changes/plan/plan-reader.ts';
import { ServiceError } from '../../contract/errors.ts';
import { announceCounts } from '../changes/confirm.ts';
import { type RunFlags, withRunFlags } from '../changes/flags.ts';
import { newJob, urlOf } from '../changes/journal.ts';
import { checkRunPrint, runPlanned } from '../changes/make-changes.ts';
import { actionOf, collectValues, type Run, withChange } from '../command.ts';
import type { Context } from '../context.ts';
import type { FolderFlags } from '../folders/folder-changes.ts';
import { kebab } from '../names.ts';

/** `isOwnChoice`: --on-error is typed. */
type Flags = RunFlags & FolderFlags & { readonly expect?: string; readonly isOwnChoice?: boolean };

export function build(run: Run): Command {
  const command = new Command('apply').description('Run a plan, or make the site as a folder declares it.');
  return withChange(
    withFolderFlags(withRunFlags(command)),
    () => 'A plan is run whole: leave the other rows out of its file, and plan again.',
  )
    .argument('<plan|folder>', 'the file of a plan; a folder of files, or a workbook')
    .option('--prune <resource>', 'delete its records that no file of the folder has; or all', collectValues)
    .option('--expect <hash>', 'run a plan only if this is its hash, which pm plan show prints')
    .addHelpText('after', HELP)
    .hook('preAction', (_, called) => {
      called.setOptionValue('isOwnChoice', called.getOptionValueSource('onError') === 'cli');
    })
    .action(actionOf(run, apply));
}

const HELP = `
A folder is what pm export --dir writes, or files of your own: people.csv, with
people.pm, its recipe, beside it. What it declares is made so; what it does not
name stays, unless --prune names the resource. Applied again, nothing changes.
First: pm check <folder>, pm diff <folder>, pm apply <folder> -n
More: pm help states`;

export const withFolderFlags = (command: Command): Command =>
  command
    .option('--only <name>', 'of a folder this record alone: klara.svoboda, departments/sales', collectValues)
    .option('--ignore-unknown', 'leave out files and columns of a folder that pm does not know, and name them');

async function apply(context: Context, file: string, flags: Flags): Promise<number> {
  const stats = statSync(resolve(context.io.cwd, file), { throwIfNoEntry: false });
  if (!stats)
    throw new ServiceError('usage', `there is no file or folder ${file}`, {
      hint: 'For a plan: pm import <resource> <file> -n --out q4.plan; for a folder: pm export --dir site',
    });
  const isPlan = !stats.isDirectory() && formByName(file) === undefined;
  if (!isPlan) return (await import('../folders/apply-folder.ts')).applyFolder(context, file, flags);
  const ofFolder = (['only', 'prune', 'ignoreUnknown'] as const).find((name) => flags[name] !== undefined);
  if (ofFolder !== undefined)
    throw new ServiceError('usage', `--${kebab(ofFolder)} is for a folder, and ${file} is a plan`, {
      hint: 'A plan is run whole: pm plan show <plan> says what it does.',
    });
  await checkRunPrint(context, ['File']);
  const { header, rows } = await readPlanFile(resolve(context.io.cwd, file));
  if (flags.expect !== undefined) checkHash(file, header.sha256, flags.expect);
  const session = await context.session();
  const { profile } = context.settings;
  await checkPlan(header, { profile, url: urlOf(context), site: session.me.site }, await context.jobs());
  const named = { kind: 'apply', title: `apply ${header.title.replace(/^apply /, '')}` } as const;
  const { onError = 'continue' } = flags.isOwnChoice ? flags : header;
  const job = { ...newJob(context, session, named, { ...flags, onError }), id: header.id };
  return runPlanned(context, session, flags, {
    job,
    rows: rows(),
    unchanged: () => header.unchanged,
    announce: ({ verbs }) => announceCounts(context, session, verbs),
  });
}

/** Throws `usage` where `expected` is no hash of a plan, and `conflict` where it is that of another one. */
function checkHash(file: string, hash: string, expected: string): void {
  if (!/^[0-9a-f]{64}$/i.test(expected))
    throw new ServiceError('usage', `--expect is "${expected}"; the hash of a plan has 64 hexadecimal digits`, {
      hint: `To see it: pm plan show ${file}`,
    });
  if (expected.toLowerCase() === hash) return;
  throw new ServiceError('conflict', `${file} is not the expected plan: its hash is ${hash}`, {
    hint: `Nothing was sent. To see what it does: pm plan show ${file}`,
  });
}
