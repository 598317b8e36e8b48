// pm history prune: forgets old history of the site, and makes the file smaller.
import { Command } from 'commander';
import { counted } from '../../text/thousands.ts';
import { daysBefore } from '../changes/flags.ts';
import { choiceRefused, type Run, withChange } from '../command.ts';
import { type Context, checkLocal } from '../context.ts';
import { GLOBAL_FLAGS, type GlobalFlag, type GlobalValues, longName } from '../globals.ts';
import { camel } from '../names.ts';
import { bytes } from '../output/bytes.ts';
import { progress } from '../output/progress.ts';
import { databaseIn, homeOf } from '../profiles/home.ts';

interface Options extends GlobalValues {
  readonly olderThan?: string;
}

export function pruneCommand(run: Run): Command {
  return withChange(new Command('prune').description('Forget old history of the site (embedded engine only).'))
    .option('--older-than <days>', 'lines older than so many days: 365d')
    .addHelpText('after', HELP)
    .action((_options: Options, command: Command) => {
      // pm history has these flags too, and takes them before its verb does.
      const options = command.optsWithGlobals<Options>();
      checkNothingChosen(options);
      return run(options, (context) => prune(context, options));
    });
}

const HELP = `
What a job changed or deleted then can no longer be taken back: pm says of how
many jobs (-n says it before). What it made can. Kept is what cannot be known
otherwise: changes of a project's projected end, which dashboards count, and
the last image of what was deleted for good; and what came after a younger
line, as the past of a sample does. Jobs are forgotten by pm jobs prune. The
file becomes smaller; other processes go on meanwhile. pm doctor says since
when history is kept, and what room it takes.`;

/** Throws `usage`, as other commands that change do. */
function checkNothingChosen(options: Options): void {
  const chosen = GLOBAL_FLAGS.find((flag) => flag.group === 'choosing' && options[keyOf(flag)] !== undefined);
  if (chosen) throw choiceRefused(longName(chosen), 'pm history prune');
}

const keyOf = (flag: GlobalFlag) => camel(longName(flag).slice(2)) as keyof GlobalValues;

async function prune(context: Context, { olderThan }: Options): Promise<number> {
  checkLocal(context, 'history prune');
  const { settings, io } = context;
  const { local } = await context.session();
  const before = daysBefore(io.now(), '--older-than', olderThan);
  if (!local) throw new Error('the embedded engine is local');
  const { lines, jobs } = await local.history.countOld(before);
  const lost =
    jobs === 0
      ? ''
      : ` With them ${counted(jobs, 'job')} ${jobs === 1 ? 'loses' : 'lose'} the undo of what was changed or deleted.`;
  if (settings.dryRun) {
    context.note(`Would forget ${counted(lines, 'line')} of history.${lost}`);
    return 0;
  }
  const bar = progress(io, { title: 'Lines', total: lines, quiet: !settings.progress });
  let forgotten = 0;
  for await (const count of local.history.prune(before)) {
    forgotten += count;
    bar.tick(count);
  }
  bar.done();
  context.note(`Forgot ${counted(forgotten, 'line')} of history.${lost}`);
  if (forgotten > 0) await makeSmaller(context);
  return 0;
}

/** Gives the room of deleted rows back to the disk, and says how much. A database server does so itself. */
export async function makeSmaller(context: Context): Promise<void> {
  if (context.settings.database) return;
  const { DATABASE } = await import('../../engine/store/schema/versions.ts');
  const { compact } = await import('../../engine/store/file-size.ts');
  const file = databaseIn(homeOf(context.io));
  const pieces = compact(file, DATABASE);
  let step = await pieces.next();
  while (!step.done) step = await pieces.next();
  if (step.value > 0) context.note(`${file} is ${bytes(step.value)} smaller.`);
}
