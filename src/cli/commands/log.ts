// pm log: the changes of the whole site, newest first.
import type { Command } from 'commander';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JobStore } from '../../contract/jobs.ts';
import { withJobs } from '../changes/journal.ts';
import { sessionOrOffline } from '../changes/offline.ts';
import { actionOf, type Run, reading } from '../command.ts';
import { type Context, formatOf, tableClock } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { journalEntries, NO_HISTORY } from '../history/journal.ts';
import { type HistoryLine, siteHistory } from '../history/lines.ts';
import { byName, LOG_SHAPE, logRow, momentOf, plainly, WHOLE } from '../history/shown.ts';
import { resourceCalled } from '../names.ts';
import { drawn } from '../output/drawn.ts';
import { isForPeople } from '../output/result.ts';

interface Options extends GlobalValues {
  readonly since?: string;
  readonly until?: string;
  readonly who?: string;
  readonly resource?: string;
  readonly field?: string;
  readonly job?: string;
}

export function build(run: Run): Command {
  return reading('log', 'What happened to the whole site, the newest first.')
    .option('--since <when>', 'from then on: 2026-11-01, or -7d, -12h for so long ago')
    .option('--until <when>', 'up to then, written in the same way')
    .option('--who <user name>', 'what this individual did')
    .option('--resource <name>', 'what happened to these: individuals, permissions')
    .option('--field <name>', 'changes of this field')
    .option('--job <id>', 'what this job changed')
    .option('--journal <folder>', 'the journal of a remote service in this folder')
    .addHelpText('after', '\nWithout --limit the newest 100 are shown.')
    .action(actionOf(run, log));
}

const DEFAULT_LIMIT = 100;
const ALL = 1_000_000;
/** Characters of the changes where people read: a creation has many values, which pm history shows. */
const MOST_READ = 120;

async function log(context: Context, options: Options): Promise<number> {
  const { settings, io } = context;
  const at = options.since === undefined ? undefined : momentOf('--since', options.since, io.now());
  const limit = settings.limit ?? DEFAULT_LIMIT;
  const isWanted = filterOf(options, io.now());
  // A filter or another order needs all of them.
  const isFiltered = settings.where.length > 0 || settings.sort !== undefined;
  const wanted = isFiltered || isWanted ? ALL : limit + 1;
  const { lines, shown } = await withJobs(context, options.journal, async (jobs) => {
    const session = await sessionOrOffline(context, jobs);
    const all = await linesOf(context, session, jobs, { at, wanted });
    const chosen = isWanted ? all.filter(isWanted) : all;
    // --where and --sort choose among the rows, for which all are needed.
    const lines = isFiltered ? chosen : chosen.slice(0, limit + 1);
    const rows = [];
    const format = formatOf(context);
    const isRead = isForPeople(format);
    const isNamed = isRead || format === 'csv';
    const style = isNamed ? byName((await namesOf())(session), await tableClock(context)) : plainly;
    const how = isRead ? { most: MOST_READ, arrow: drawn(context.io.env, '→') } : WHOLE;
    // One more than --limit has it said that there are more.
    const some = isFiltered ? ALL : settings.limit === undefined ? limit : limit + 1;
    for (const line of lines.slice(0, some)) rows.push(await logRow(line, style, how));
    return { lines, shown: rows };
  });
  if (settings.remote) context.note(NO_HISTORY);
  await context.print({ shape: LOG_SHAPE, rows: shown });
  if (settings.limit === undefined && lines.length > shown.length)
    context.note(`Only the newest ${limit} are shown; --limit shows more.`);
  if (lines.length === 0) context.note('Nothing happened.');
  return 0;
}

const namesOf = async () => (await import('../selectors/reference-names.ts')).referenceNames;

async function linesOf(
  { settings }: Context,
  session: Session,
  jobs: JobStore,
  { at, wanted }: { readonly at: string | undefined; readonly wanted: number },
): Promise<readonly HistoryLine[]> {
  if (session.local) return siteHistory(session, at, wanted);
  const all: HistoryLine[] = [];
  for await (const one of journalEntries(jobs, settings.jobProfile, session, { since: at }))
    if (all.push(one) >= wanted) break;
  return all;
}

/** Undefined where no flag chooses. Throws `usage` for a resource that is none, and for a job without an ID. */
function filterOf(
  { until, who, resource, field, job }: Options,
  now: Date,
): ((line: HistoryLine) => boolean) | undefined {
  if ([until, who, resource, field, job].every((one) => one === undefined)) return undefined;
  const end = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(momentOf('--until', until, now));
  if (job !== undefined && !/^[0-9a-f-]{4,36}$/i.test(job))
    throw new ServiceError('usage', `--job is "${job}"; write the first digits of its ID`, {
      next: { do: 'list-jobs' },
    });
  const wanted = resource === undefined ? undefined : resourceCalled(resource).name;
  const [user, name, id] = [who, field, job].map((one) => one?.toLowerCase());
  return (line) =>
    Date.parse(line.at) <= end &&
    (user === undefined || line.who.toLowerCase() === user) &&
    (wanted === undefined || line.resource.name === wanted) &&
    (name === undefined || line.changes.some((one) => one.field.toLowerCase() === name)) &&
    (id === undefined || line.job?.startsWith(id) === true);
}
