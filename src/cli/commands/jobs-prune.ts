// pm jobs prune: forgets jobs, the named ones or the old ones, each with its undos.
import {
  checkForgettable,
  deleteFreeJobs,
  deleteJobs,
  oldJobs,
  withLocks,
  withUndos,
} from '../../changes/run/forget.ts';
import { jobNamed } from '../../changes/undo.ts';
import type { JobHead, JobStore } from '../../contract/jobs.ts';
import { isGuid } from '../../contract/kinds.ts';
import { counted } from '../../text/thousands.ts';
import { confirmRequest } from '../changes/confirm.ts';
import { daysBefore } from '../changes/flags.ts';
import { checkSite, headsHere, withJobs } from '../changes/journal.ts';
import type { Context } from '../context.ts';
import { makeSmaller } from './history-prune.ts';
import type { JobFlags } from './jobs-verbs.ts';

/** Forgets the named jobs, or without names the old ones. Answers the exit code. */
export const prune = (context: Context, named: readonly string[], { journal, olderThan }: JobFlags): Promise<number> =>
  withJobs(context, journal, async (jobs) => {
    const { dryRun, remote } = context.settings;
    const count = await (named.length > 0 ? forgetNamed(context, jobs, named) : forgetOld(context, jobs, olderThan));
    context.note(`${dryRun ? 'Would forget' : 'Forgot'} ${counted(count, 'job')}.`);
    if (count > 0 && !dryRun && !remote) await makeSmaller(context);
    return 0;
  });

const onDamaged = (): void => undefined;

/** Leaves old jobs alone that another process has. Answers how many are forgotten. */
async function forgetOld(context: Context, jobs: JobStore, olderThan: string | undefined): Promise<number> {
  const heads = await headsHere(context, jobs, { onDamaged });
  const ids = oldJobs(heads, daysBefore(context.io.now(), '--older-than', olderThan));
  return context.settings.dryRun ? ids.length : deleteFreeJobs(jobs, heads, ids);
}

/** A whole ID is not looked up, so that a damaged job can be named. Answers how many are forgotten. */
async function forgetNamed(context: Context, jobs: JobStore, named: readonly string[]): Promise<number> {
  const { jobProfile, dryRun, remote } = context.settings;
  const known = await jobs.heads(jobProfile, { onDamaged });
  const ids = named.map((name) => (isGuid(name) ? name.toLowerCase() : jobNamed(known, name).id));
  const session = remote ? undefined : await context.session();
  const meant = known.filter(({ id }) => ids.includes(id));
  if (session) for (const head of meant) await checkSite(context, session, head);
  return withLocks(jobs, ids, async () => {
    const heads = await jobs.heads(jobProfile, { onDamaged });
    const all = heads.filter(({ id }) => ids.includes(id));
    for (const head of all) checkForgettable(heads, head, (id) => ids.includes(id));
    const waiting = all.filter(({ counts }) => (counts.pending ?? 0) > 0);
    if (waiting.length > 0 && !dryRun) await confirmForgetting(context, waiting);
    const forgotten = [...new Set([...ids, ...withUndos(heads, ids)])];
    if (!dryRun) await deleteJobs(jobs, forgotten);
    return forgotten.length;
  });
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
