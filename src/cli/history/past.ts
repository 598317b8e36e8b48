// Moments as flags say them, and a site as it was at one: --at opens it in the place of the site as it is.
import { jobNamed } from '../../changes/undo.ts';
import type { Past, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { RULES } from '../../contract/kinds.ts';
import type { Clock } from '../output/result.ts';
import type { Settings } from '../settings.ts';
import { dayCalled, relativeTime } from './relative-time.ts';

/** Not a date, whose year ends before a dash. */
const JOB = /^(?!\d{4}-)[0-9a-f][0-9a-f-]{3,35}$/i;

/**
 * Opens the site of a session as it was at a moment, written as for --at. The copy is gone once it is closed, or the process
 * has ended. Throws `usage` for a service, for what is no moment and for one to come, `not_found` and `ambiguous` for a job,
 * and as `Local.past`.
 */
export async function openPast(
  { profile, jobProfile }: Pick<Settings, 'profile' | 'jobProfile'>,
  session: Session | undefined,
  text: string,
  clock: Clock,
): Promise<Past> {
  const { local, me } = session ?? {};
  if (!local || !me)
    throw new ServiceError('usage', `--at does not work on ${profile}: a service does not show past records`, {
      hint: 'pm log shows what pm changed there, and pm undo takes it back.',
    });
  if (JOB.test(text))
    return local.past({ job: jobNamed(await local.jobs.heads(jobProfile, { site: me.site }), text).id });
  const at = Date.parse(momentOf('--at', text, clock, ' Or the first digits of a job: pm jobs list'));
  if (at <= clock.now.getTime()) return local.past({ at });
  throw new ServiceError('usage', `--at is "${text}", which is in the future`, {
    hint: 'To see it now, leave --at out.',
  });
}

/**
 * The value of a flag as ISO 8601: a date or a time as the clock shows it, `yesterday` as it began, or so long ago, such as -7d.
 * Throws `usage`.
 */
export function momentOf(flag: string, text: string, { now, zone }: Clock, otherwise = ''): string {
  const said = dayCalled(text, { now, zone }) ?? text.replace(' ', 'T');
  const moment = text.startsWith('-') ? relativeTime(text, now) : RULES.date.read(said, zone);
  if (typeof moment === 'string') return new Date(moment).toISOString();
  const day = /^\d{4}-\d{2}$/.test(text) ? `${text}-01` : '2026-11-01';
  throw new ServiceError('usage', `${flag} is "${text}", which is not a moment`, {
    hint: `Write a date as ${day}, yesterday, or -7d for a week ago.${otherwise}`,
  });
}
