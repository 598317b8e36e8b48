// Is the same command at work already? Its unfinished job goes on, and of two with the same files one alone begins.
import { unfinishedJob } from '../../changes/jobs/access.ts';
import { rowsDone } from '../../changes/jobs/state.ts';
import type { Ui } from '../../changes/run-change.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JobHead, JobStore, NewJob } from '../../contract/jobs.ts';
import { counted, spaced } from '../../text/thousands.ts';
import type { Context } from '../context.ts';
import { inputSources, type JobSettings, jobCommand, otherService, shortID } from './journal.ts';

/**
 * The unfinished job of the same command with the same files. Throws as `unfinishedJob`, and `conflict` where the files or
 * the flags are others by now.
 */
export async function unfinishedOf(context: Context, job: NewJob): Promise<JobHead | undefined> {
  const isSame = (head: JobHead): boolean =>
    head.title === job.title && readsFileOf(head, job) && otherService(context, head) === undefined;
  const head = await unfinishedJob(await context.jobs(), job, isSame);
  if (!head) return undefined;
  if (head.caller !== job.caller || !doesTheSame(head, job)) throw notTheSame(context, head, job);
  context.note(`This command has begun before: job ${shortID(head.id)} goes on`);
  return head;
}

/** So many jobs at most begin while one is planned. */
const LATEST = 50;

/**
 * What to ask once the job is in the journal: it throws `conflict` where another one with the same files has begun since this
 * call and before it. Neither plan knows what the other one makes.
 */
export async function aloneCheck(context: Context, job: NewJob): Promise<Pick<Ui, 'begun'>> {
  if (inputSources(job).length === 0) return {};
  const latest = (store: JobStore): Promise<readonly JobHead[]> =>
    store.heads(job.profile, { site: job.site, limit: LATEST, onDamaged: () => undefined });
  const before = new Set((await latest(await context.jobs())).map(({ id }) => id));
  const begun = async (store: JobStore): Promise<void> => {
    const heads = await latest(store);
    const older = heads.slice(heads.findIndex(({ id }) => id === job.id) + 1);
    const isSame = (head: JobHead): boolean => head.undoes === undefined && readsSameFiles(head, job);
    const other = older.find((head) => !before.has(head.id) && isSame(head));
    if (!other) return;
    throw new ServiceError('conflict', `${other.title} has begun meanwhile: job ${shortID(other.id)}`, {
      hint: `Nothing was done here. To look at it: ${jobCommand(context, 'jobs show', other.id)}`,
    });
  };
  return { begun };
}

function notTheSame(context: Context, head: JobHead, { caller }: NewJob): ServiceError {
  const why = head.caller === caller ? 'with another content of the file, or with other flags' : `by ${head.caller}`;
  const done = rowsDone(head);
  const { pending = 0 } = head.counts;
  const back =
    done > 0
      ? `To take it back: ${jobCommand(context, 'undo', head.id)}`
      : `To forget it: ${jobCommand(context, 'jobs prune', head.id)}`;
  return new ServiceError(
    'conflict',
    `${head.title} has begun before, ${why}, and is not finished: ${counted(done, 'row')} ${done === 1 ? 'is' : 'are'} done, ${spaced(pending)} ${pending === 1 ? 'waits' : 'wait'}`,
    {
      hint: `To finish it first: ${jobCommand(context, 'jobs resume', head.id)}. ${back}`,
    },
  );
}

/** The files of a job. What comes from stdin is the same where its SHA-256 is. */
const filesOf = (job: JobSettings): readonly string[] =>
  inputSources(job).map(({ resource, file, sha256 }) => JSON.stringify([resource, file === '-' ? sha256 : file]));

/** Do two jobs read the same files? */
const readsSameFiles = (one: JobSettings, other: JobSettings): boolean =>
  inputSources(one).length > 0 && filesOf(one).join() === filesOf(other).join();

/** Does a job read any file of the other one? A folder may have lost files since, or got more. */
function readsFileOf(one: JobSettings, other: JobSettings): boolean {
  const files = new Set(filesOf(one));
  return filesOf(other).some((file) => files.has(file));
}

/** Do two jobs that read the same files make the same of them? */
function doesTheSame(one: JobSettings, other: JobSettings): boolean {
  const what = (job: JobSettings): string => {
    const { onError, onDrift } = job.settings;
    return JSON.stringify([inputSources(job).map(({ sha256, flags }) => [sha256, sorted(flags)]), onError, onDrift]);
  };
  return what(one) === what(other);
}

const sorted = (flags: object): readonly (readonly [string, unknown])[] =>
  Object.entries(flags).sort(([one], [other]) => (one < other ? -1 : 1));
