// A job that the disk stops says how much of it is stored, and how to go on.
import { expect, it } from 'vitest';
import type { Session } from '../../src/contract/call.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { jobsOf } from '../support/job.ts';
import { refuses } from '../support/refuses.ts';
import { newSite } from '../support/site.ts';

const FULL = new ServiceError('disk_full', 'local.db has no room to grow', {
  hint: 'Nothing of this change was kept.',
});
const GONE = new ServiceError('unreachable', 'the database cannot be reached');

/** The session of a program that fails so behind so many transactions. */
function failingBehind({ local, ...session }: Session, transactions: number, error: ServiceError): Session {
  let left = transactions;
  if (!local) throw new Error('the engine is local');
  const { transaction, batch } = local;
  const unlessOver = async <T>(work: () => Promise<T>): Promise<T> => {
    if (left-- > 0) return work();
    throw error;
  };
  return {
    ...session,
    local: {
      ...local,
      transaction: (work, isKept) => unlessOver(() => transaction(work, isKept)),
      batch: (reads, work) => unlessOver(() => batch(reads, work)),
    },
  };
}

it.each([
  ['has no room', FULL, ['local.db has no room to grow. 1 200 of 1 205 rows are done', 'Make room first.']],
  ['has gone away', GONE, ['the database cannot be reached. 1 200 of 1 205 rows are done']],
] as const)(
  'where the database %s, names the rows that are done and the job to resume, which does the rest',
  async (_, error, words) => {
    const { ada } = await newSite();
    const creates = Array.from({ length: 1_205 }, (_, at) => ({
      resource: 'accountability',
      operation: 'create',
      body: { Rank: at, Name: `n${at}`, Description: 'x', AncestorID: ada.id },
    }));
    const { id } = await jobsOf(ada.session).plan(...creates);
    const { jobs } = jobsOf(ada.session);
    const failing = jobsOf(failingBehind(ada.session, 6, error), jobs).job(id);
    await refuses(failing.run({ rowsPerCommit: 200 })).with(error.code, ...words, `pm jobs resume ${id}`);
    expect((await jobsOf(ada.session).job(id).resume()).counts).toEqual({ done: 1_205 });
  },
);
