// pm log: the changes of the whole site, newest first.
import type { Command } from 'commander';
import { orNone, ServiceError } from '../../contract/errors.ts';
import { everyResource } from '../../contract/index.ts';
import { quoted } from '../../text/escape.ts';
import { didYouMean } from '../../text/spelling.ts';
import { jobCalled } from '../changes/journal.ts';
import { sessionOrOffline } from '../changes/offline.ts';
import { actionOf, type Run, reading } from '../command.ts';
import { type Context, clockOf, formatOf } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { type Author, authorOf, type HistoryLine, MEMBERS, NO_HISTORY, siteHistory } from '../history/lines.ts';
import { momentOf } from '../history/past.ts';
import { LOG_SHAPE, logRow, styleFor, WHOLE } from '../history/shown.ts';
import { resourceCalled } from '../names.ts';
import { drawn } from '../output/drawn.ts';
import { type Clock, isForPeople } from '../output/result.ts';

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
    .option('--since <when>', 'from then on: 2026-11-01, yesterday, -7d, -10min')
    .option('--until <when>', 'up to then, written in the same way')
    .option('--who <individual>', 'what this individual did')
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
const NOT_BY_NAME = 'Nothing fits --where. Who is a user name; --who takes a full name, too.';

async function log(context: Context, options: Options): Promise<number> {
  const { settings, io } = context;
  const clock = await clockOf(context);
  const at = options.since === undefined ? undefined : momentOf('--since', options.since, clock);
  const limit = settings.limit ?? DEFAULT_LIMIT;
  const session = await sessionOrOffline(context);
  const author = options.who === undefined ? undefined : await authorOf(session, options.who);
  // Throws where several begin so. One that is forgotten stands in lines alone.
  if (options.job !== undefined) await orNone(jobCalled(context, options.job), ['not_found']);
  const isWanted = filterOf(options, author, clock);
  // --where and --sort choose among the rows, for which all are needed; one more than is shown tells that there are more.
  const isFiltered =
    settings.where.length > 0 || settings.output === 'count' || [settings.sort, settings.groupBy].some(Boolean);
  const most = isFiltered ? ALL : limit + 1;
  const lines: HistoryLine[] = [];
  for await (const line of siteHistory(context, session, at, isWanted ? ALL : most))
    if ((!isWanted || isWanted(line)) && lines.push(line) >= most) break;
  if (lines.length === 0) await refuseUnknown(context, options, author);
  const style = await styleFor(context, session);
  const isRead = isForPeople(formatOf(context));
  // A filter looks at all of a text.
  const how = {
    most: isRead && !isFiltered ? MOST_READ : WHOLE.most,
    arrow: isRead ? drawn(io.env, '→') : WHOLE.arrow,
  };
  const rows = [];
  for (const line of settings.limit === undefined && !isFiltered ? lines.slice(0, limit) : lines)
    rows.push(await logRow(line, style, how));
  if (settings.remote) context.note(NO_HISTORY);
  const none = rows.length === 0 ? 'Nothing happened.' : isFiltered ? NOT_BY_NAME : undefined;
  await context.print({ shape: LOG_SHAPE, rows, none });
  if (settings.limit === undefined && lines.length > rows.length)
    context.note(`Only the newest ${limit} are shown; --limit shows more.`);
  return 0;
}

/** Throws for an individual, a job or a field that is not there: of those that are gone, lines alone tell. */
async function refuseUnknown(context: Context, { resource, field, job }: Options, author?: Author): Promise<void> {
  if (author?.unknown) throw author.unknown;
  if (job !== undefined) await jobCalled(context, job);
  const of = resource === undefined ? everyResource : [resourceCalled(resource)];
  const fields = [MEMBERS, ...of.flatMap((one) => Object.keys(one.fields))];
  if (field === undefined || fields.some((name) => name.toLowerCase() === field.toLowerCase())) return;
  throw new ServiceError(
    'usage',
    `--field is ${quoted(field)}, which is not a field of ${resource ?? 'any resource'}`,
    {
      hint: didYouMean(field, fields, `pm explain ${resource ?? '<resource>'} lists the fields.`),
    },
  );
}

/** Undefined if no flag chooses. Throws `usage` for a resource that is none. */
function filterOf(
  { until, resource, field, job }: Options,
  author: Author | undefined,
  clock: Clock,
): ((line: HistoryLine) => boolean) | undefined {
  if ([until, author, resource, field, job].every((one) => one === undefined)) return undefined;
  const end = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(momentOf('--until', until, clock));
  const wanted = resource === undefined ? undefined : resourceCalled(resource).name;
  const [user, name, id] = [author?.userName, field, job].map((one) => one?.trim().toLowerCase());
  return (line) =>
    Date.parse(line.at) <= end &&
    (user === undefined || line.who.toLowerCase() === user) &&
    (wanted === undefined || line.resource.name === wanted) &&
    (name === undefined || line.changes.some((one) => one.field.toLowerCase() === name)) &&
    (id === undefined || (id !== '' && line.job?.startsWith(id) === true));
}
