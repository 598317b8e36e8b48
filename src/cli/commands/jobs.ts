// pm jobs: lists, shows, resumes, retries, settles, reports and forgets jobs.
import { Command, Option } from 'commander';
import { resumeDriftOption, withJournal } from '../changes/flags.ts';
import { actionOf, type Instead, type Run, withChange, withGlobals } from '../command.ts';
import type { Context } from '../context.ts';
import { prune } from './jobs-prune.ts';
import { settle } from './jobs-settle.ts';
import { type JobFlags, list, report, resume, retry, show } from './jobs-verbs.ts';

type Work = (context: Context, job: string, flags: JobFlags) => Promise<number>;

export function build(run: Run): Command {
  const group = new Command('jobs').description('What was changed: look at it, go on with it, try again.');
  group.usage('<verb> [job] [flags]');
  const bare = (name: string, doc: string): Command => withJournal(new Command(name).description(doc));
  const verb = (name: string, doc: string): Command => withGlobals(bare(name, doc));
  const changing = (name: string, doc: string, instead?: Instead): Command => withChange(bare(name, doc), instead);
  const named = (command: Command, work: Work): Command =>
    command.argument('<job>', 'the first digits of its ID').action(actionOf(run, work));
  group.addCommand(verb('list', 'List the jobs, the newest first.').action(actionOf(run, list)));
  group.addCommand(
    named(verb('show', 'Show one job; with --rows what became of each of its rows.'), show)
      .option('--rows', 'its rows, instead of the job')
      .addOption(new Option('--state <state>', 'only the rows in this state').choices(STATES)),
  );
  group.addCommand(
    withContinuation(named(changing('resume', 'Go on with a job that was interrupted.', wholeJob), resume)).option(
      '--settle-after <time>',
      'how long a request without an answer can still have an effect: 90s, 10m, 2h (10m)',
    ),
  );
  group.addCommand(withContinuation(named(changing('retry', 'Try the rows again that failed.', wholeJob), retry)));
  group.addCommand(
    named(changing('settle', 'Say what became of a row, where pm cannot find it out.', oneRow), settle)
      .requiredOption('--row <number>', 'the row, by its number')
      .option('--done', 'it was done')
      .option('--not-done', 'it was not done, and can be run')
      .option('--id <id>', 'the record that it made'),
  );
  group.addCommand(
    named(changing('report', 'Write what was not done, so that it can be imported again.', showRows), report).option(
      '--out <file>',
      'where to write it',
    ),
  );
  group.addCommand(
    changing('prune', 'Forget old jobs; they can then not be undone.')
      .argument('[jobs...]', 'these instead, whatever their age; a damaged one by its whole ID')
      .option('--older-than <days>', 'those that are older than so many days', '90d')
      .action(actionOf(run, prune)),
  );
  return group;
}

const oneRow: Instead = () => 'One row is settled at a time: --row <number>.';
const wholeJob: Instead = () => 'A job goes on with all of its rows.';
const showRows: Instead = (flag) => `pm jobs show <job> --rows ${flag} …`;

const STATES = ['pending', 'intent', 'done', 'altered', 'failed', 'unknown', 'skipped', 'drifted', 'undone'];

const withContinuation = (command: Command): Command =>
  command.addOption(resumeDriftOption()).option('--takeover', 'also where another process has the job');
