// A job that the disk stops says how much of it is stored, and how to go on.
import { expect, it } from 'vitest';
import type { Session } from '../../src/contract/call.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { jobsOf } from '../support/job.ts';
import { refuses } from '../support/refuses.ts';
import { newSite } from '../support/site.ts';

/** The session of a program whose disk is full behind so many transactions. */
function fullBehind({ local, ...session }: Session, transactions: number): Session {
  let left = transactions;
  if (!local) throw new Error('the engine is local');
  const { transaction, batch } = local;
  const unlessFull = async <T>(work: () => Promise<T>): Promise<T> => {
    if (left-- > 0) return work();
    throw new ServiceError('disk_full', 'local.db has no room to grow', { hint: 'Nothing of this change was kept.' });
  };
  return {
    ...session,
    local: {
      ...local,
      transaction: (work, isKept) => unlessFull(() => transaction(work, isKept)),
      batch: (reads, work) => unlessFull(() => batch(reads, work)),
    },
  };
}

it('names the rows that are done and the job to resume, and a resume does the rest', async () => {
  const { ada } = await newSite();
  const creates = Array.from({ length: 1_205 }, (_, at) => ({
    resource: 'accountability',
    operation: 'create',
    body: { Rank: at, Name: `n${at}`, Description: 'x', AncestorID: ada.id },
  }));
  const { id } = await jobsOf(ada.session).plan(...creates);
  const { jobs } = jobsOf(ada.session);
  const full = jobsOf(fullBehind(ada.session, 6), jobs).job(id);
  await refuses(full.run({ rowsPerCommit: 200 })).with(
    'disk_full',
    'local.db has no room to grow. 1 200 of 1 205 rows are done',
    'Make room first.',
    `pm jobs resume ${id}`,
  );
  expect((await jobsOf(ada.session).job(id).resume()).counts).toEqual({ done: 1_205 });
});
