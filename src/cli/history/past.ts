// Moments as flags say them, and a site as it was at one: --at opens it in the place of the site as it is.
import { jobNamed } from '../../changes/undo.ts';
import type { Past, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Settings } from '../settings.ts';

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
  now: Date,
): Promise<Past> {
  const { local, me } = session ?? {};
  if (!local || !me)
    throw new ServiceError('usage', `--at does not work on ${profile}: a service does not show past records`, {
      hint: 'pm log shows what pm changed there, and pm undo takes it back.',
    });
  if (JOB.test(text))
    return local.past({ job: jobNamed(await local.jobs.heads(jobProfile, { site: me.site }), text).id });
  const at = Date.parse(momentOf('--at', text, now, ' Or the first digits of a job: pm jobs list'));
  if (at <= now.getTime()) return local.past({ at });
  throw new ServiceError('usage', `--at is "${text}", which is in the future`, {
    hint: 'To see it now, leave --at out.',
  });
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The value of a flag as ISO 8601: a date, a time, `yesterday` as it began here, or a relative time such as -7d. Throws `usage`. */
export function momentOf(flag: string, text: string, now: Date, otherwise = ''): string {
  const [, count, unit = ''] = /^-(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const daysAgo = ['today', 'yesterday'].indexOf(text.toLowerCase());
  if (daysAgo >= 0) return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).toISOString();
  const at = count === undefined ? Date.parse(text) : now.getTime() - Number(count) * (UNITS[unit] ?? 0);
  if (!Number.isNaN(at) && (count !== undefined || /^\d{4}-\d{2}-\d{2}/.test(text))) return new Date(at).toISOString();
  const day = /^\d{4}-\d{2}$/.test(text) ? `${text}-01` : '2026-11-01';
  throw new ServiceError('usage', `${flag} is "${text}"`, {
    hint: `Write a date as ${day}, yesterday, or -7d for a week ago.${otherwise}`,
  });
}
