// pm log: the changes of the whole site, newest first.
import type { Command } from 'commander';
import { withJobs } from '../changes/journal.ts';
import { sessionOrOffline } from '../changes/offline.ts';
import { actionOf, type Run, reading } from '../command.ts';
import type { Context } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import {
  type HistoryLine,
  journalEntries,
  LOG_FIELDS,
  logRow,
  momentOf,
  NO_HISTORY,
  siteHistory,
} from '../history-lines.ts';
import { shapeFrom } from '../output/result.ts';

interface Options extends GlobalValues {
  readonly since?: string;
}

const SHAPE = shapeFrom('LogLine', LOG_FIELDS);

export function build(run: Run): Command {
  return reading('log', 'What happened to the whole site, the newest first.')
    .option('--since <when>', 'from then on: 2026-11-01, or -7d, -12h for so long ago')
    .option('--journal <folder>', 'the journal of a remote service in this folder')
    .addHelpText('after', '\nWithout --limit the newest 100 are shown.')
    .action(actionOf(run, log));
}

const DEFAULT_LIMIT = 100;
const ALL = 1_000_000;

async function log(context: Context, { since, journal }: Options): Promise<number> {
  const { settings, io } = context;
  const at = since === undefined ? undefined : momentOf('--since', since, io.now());
  const limit = settings.limit ?? DEFAULT_LIMIT;
  // A filter or another order needs all of them.
  const wanted = settings.where.length > 0 || settings.sort !== undefined ? ALL : limit + 1;
  const found = await withJobs(context, journal, async (jobs) => {
    const session = await sessionOrOffline(context, jobs);
    if (session.local) return siteHistory(session.find, session.local.history, at, wanted);
    const all: HistoryLine[] = [];
    for await (const one of journalEntries(jobs, settings.profile, session, { since: at }))
      if (all.push(one) >= wanted) break;
    return all;
  });
  if (settings.remote) context.note(NO_HISTORY);
  const isCut = settings.limit === undefined && wanted !== ALL && found.length > limit;
  const shown = isCut ? found.slice(0, limit) : found;
  await context.print({ shape: SHAPE, rows: shown.map(logRow) });
  if (isCut) context.note(`Only the newest ${limit} are shown; --limit shows more.`);
  if (found.length === 0) context.note('Nothing happened.');
  return 0;
}
