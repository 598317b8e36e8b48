// The journal of a command: the profile's, or one in the folder of --journal.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import type { JobStore } from '../../contract/jobs.ts';
import { systemCode } from '../../text/system-code.ts';
import type { Context } from '../context.ts';
import { callingOf, inShell, repeated } from '../output/calling.ts';

/** Runs `work` on the journal; closes it if it was opened here. Throws `usage`, `storage`. */
export async function withJobs<T>(
  context: Context,
  folder: string | undefined,
  work: (jobs: JobStore) => Promise<T>,
): Promise<T> {
  if (folder === undefined) return work(await context.jobs());
  if (!context.settings.remote) throw noOwnJournal();
  const journal = await openJournalIn(resolve(context.io.cwd, folder));
  try {
    return await work(journal);
  } finally {
    await journal.close();
  }
}

async function openJournalIn(folder: string) {
  const { openJournal } = await import('../../engine/store/journal/journal.ts');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const why = systemCode(error) ?? String(error);
    throw new ServiceError('storage', `--journal ${folder} cannot be made: ${why}`, { cause: error });
  }
  return openJournal(join(folder, 'journal.db'));
}

const noOwnJournal = (): ServiceError =>
  new ServiceError('usage', '--journal is for remote services: the embedded engine keeps its jobs in its own file', {
    hint: 'Leave --journal out.',
  });

const SHORT = 8;

/** The beginning of a job ID, which is enough to name the job. */
export const shortID = (id: string): string => id.slice(0, SHORT);

/** A command on a job that runs as printed, with the profile and journal of this command. */
export function jobCommand({ settings, io }: Context, words: string, id: string): string {
  const calling = callingOf(io, settings);
  const flags = repeated(calling, true).map((word) => inShell(word, calling.shell));
  return ['pm', words, shortID(id), ...flags].join(' ');
}
