// pm jobs prune: forgets jobs, the named ones or the old ones, each with its undos.
import { checkForgettable, deleteFreeJobs, deleteJobs, oldJobs, withUndos } from '../../changes/run/forget.ts';
import { jobNamed } from '../../changes/undo.ts';
import type { JobHead, JobStore } from '../../contract/jobs.ts';
import { isGuid } from '../../contract/kinds.ts';
import { confirmRequest } from '../changes/confirm.ts';
import { daysBefore } from '../changes/flags.ts';
import { checkSite, headsHere, withJobs } from '../changes/journal.ts';
import type { Context } from '../context.ts';
import { makeSmaller } from './history-prune.ts';
import type { JobFlags } from './jobs-verbs.ts';

/** Forgets the named jobs, or without names the old ones. Answers the exit code. */
export const prune = (context: Context, named: readonly string[], { journal, olderThan }: JobFlags): Promise<number> =>
  withJobs(context, journal, async (jobs) => {
    const isNamed = named.length > 0;
    const onDamaged = (): void => undefined;
    const heads = isNamed
      ? await jobs.heads(context.settings.jobProfile, { onDamaged })
      : await headsHere(context, jobs, { onDamaged });
    const ids = isNamed
      ? await namedIDs(context, heads, named)
      : oldJobs(heads, daysBefore(context.io.now(), '--older-than', olderThan));
    const count = context.settings.dryRun ? ids.length : await forget(jobs, heads, ids, isNamed);
    const verb = context.settings.dryRun ? 'Would forget' : 'Forgot';
    context.note(`${verb} ${count} ${count === 1 ? 'job' : 'jobs'}.`);
    if (count > 0 && !context.settings.dryRun && !context.settings.remote) await makeSmaller(context);
    return 0;
  });

/** Old jobs that another process has are left alone; a named one is refused. Answers how many are forgotten. */
async function forget(
  jobs: JobStore,
  heads: readonly JobHead[],
  ids: readonly string[],
  isNamed: boolean,
): Promise<number> {
  if (!isNamed) return deleteFreeJobs(jobs, heads, ids);
  await deleteJobs(jobs, ids);
  return ids.length;
}

/** A whole ID is not looked up, so that a damaged job can be named. */
async function namedIDs(
  context: Context,
  heads: readonly JobHead[],
  named: readonly string[],
): Promise<readonly string[]> {
  const ids = named.map((name) => (isGuid(name) ? name.toLowerCase() : jobNamed(heads, name).id));
  const all = heads.filter(({ id }) => ids.includes(id));
  if (!context.settings.remote) for (const head of all) await checkSite(context, await context.session(), head);
  for (const head of all) checkForgettable(heads, head, (id) => ids.includes(id));
  const waiting = all.filter(({ counts }) => (counts.pending ?? 0) > 0);
  if (waiting.length > 0 && !context.settings.dryRun) await confirmForgetting(context, waiting);
  return [...new Set([...ids, ...withUndos(heads, ids)])];
}

/** Throws `confirmation`. */
const confirmForgetting = (context: Context, waiting: readonly JobHead[]): Promise<void> => {
  const rows = waiting.reduce((sum, { counts }) => sum + (counts.pending ?? 0), 0);
  const what = `${rows} ${rows === 1 ? 'row waits' : 'rows wait'} to be run, and could not be resumed any more`;
  return confirmRequest(context, {
    question: `${what}. Forget them?`,
    needed: `forgetting a job that is not finished needs a confirmation: ${what}`,
    flags: '--yes',
    refused: 'nothing was forgotten',
  });
};
