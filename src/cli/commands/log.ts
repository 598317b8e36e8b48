// pm log: the changes of the whole site, newest first.
import type { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { date } from '../../contract/field.ts';
import type { Row } from '../../contract/resource.ts';
import { withJobs } from '../changes/journal.ts';
import { actionOf, type Run, reading } from '../command.ts';
import type { Context } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { type HistoryLine, journalEntries, NO_HISTORY, siteHistory } from '../history-lines.ts';
import { shapeFrom, texts } from '../output/result.ts';

interface Options extends GlobalValues {
  readonly since?: string;
}

const SHAPE = shapeFrom('LogLine', {
  At: date('read-only'),
  ...texts('Who', 'What', 'Resource', 'ID', 'Fields'),
});

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
  const at = since === undefined ? undefined : momentOf(since, io.now());
  const session = await context.session();
  const limit = settings.limit ?? DEFAULT_LIMIT;
  // A filter or another order needs all of them.
  const wanted = settings.where.length > 0 || settings.sort !== undefined ? ALL : limit + 1;
  const found = session.local
    ? await siteHistory(session.find, session.local.history, at, wanted)
    : await withJobs(context, journal, async (jobs) => {
        const all: HistoryLine[] = [];
        for await (const one of journalEntries(jobs, settings.profile, session, { since: at }))
          if (all.push(one) >= wanted) break;
        return all;
      });
  if (!session.local) context.note(NO_HISTORY);
  const isCut = settings.limit === undefined && wanted !== ALL && found.length > limit;
  const shown = isCut ? found.slice(0, limit) : found;
  await context.print({ shape: SHAPE, rows: shown.map(rowFor) });
  if (isCut) context.note(`Only the newest ${limit} are shown; --limit shows more.`);
  if (found.length === 0) context.note('Nothing happened.');
  return 0;
}

const rowFor = ({ at, who, what, resource, id, changes }: HistoryLine): Row => ({
  At: at,
  Who: who,
  What: what,
  Resource: resource.command,
  ID: id,
  Fields: changes.map(({ field }) => field).join(' ') || null,
});

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A date, a time, or a relative time such as -7d. Throws `usage`. */
function momentOf(text: string, now: Date): string {
  const [, count, unit = ''] = /^-(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const at = count === undefined ? Date.parse(text) : now.getTime() - Number(count) * (UNITS[unit] ?? 0);
  if (!Number.isNaN(at) && (count !== undefined || /^\d{4}-\d{2}-\d{2}/.test(text))) return new Date(at).toISOString();
  throw new ServiceError('usage', `--since is "${text}"`, {
    hint: 'Write a date as 2026-11-01, or -7d for a week ago.',
  });
}
