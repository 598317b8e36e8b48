// The vocabulary of the tests of jobs: plan, run, resume, retry, undo.
import { randomUUID } from 'node:crypto';
import type { Change } from '../../src/changes/plan/change.ts';
import { planner } from '../../src/changes/plan/planner.ts';
import type { Summary } from '../../src/changes/run/counts.ts';
import { planJob, resumeJob, retryJob } from '../../src/changes/run/job.ts';
import type { RunOptions } from '../../src/changes/run/options.ts';
import { runOrRollBack, undoJob } from '../../src/changes/undo.ts';
import type { Session } from '../../src/contract/call.ts';
import type { JobKind, JobRow, JobStore } from '../../src/contract/jobs.ts';
import { TODAY } from './site.ts';

export type Wanted = Partial<RunOptions>;

export interface TestJob {
  readonly id: string;
  readonly unchanged: number;
  run(options?: Wanted): Promise<Summary>;
  resume(options?: Wanted): Promise<Summary>;
  retry(options?: Wanted): Promise<Summary>;
  undo(options?: Wanted): Promise<Summary>;
  rows(): Promise<readonly JobRow[]>;
  /** The states of its rows, in their order. */
  states(): Promise<readonly string[]>;
}

/** Plans jobs of one session. */
export function jobsOf(session: Session, given?: JobStore) {
  const jobs = given ?? session.local?.jobs;
  if (!jobs) throw new Error('a remote session needs a journal');
  const options = (wanted: Wanted = {}): RunOptions => ({
    clock: () => new Date(TODAY),
    newID: randomUUID,
    ...wanted,
  });
  const known = (id: string, more: Pick<TestJob, 'unchanged' | 'run'>): TestJob => ({
    id,
    ...more,
    resume: (wanted) => resumeJob(session, jobs, id, options(wanted)),
    retry: (wanted) => retryJob(session, jobs, id, options(wanted)),
    undo: (wanted) => undoJob(session, jobs, id, head(session, 'undo'), options(wanted)),
    rows: () => gathered(jobs.rows(id)),
    states: async () => (await gathered(jobs.rows(id))).map(({ state }) => state),
  });
  return {
    jobs,
    /** An existing job. */
    job: (id: string): TestJob =>
      known(id, { unchanged: 0, run: (wanted) => runOrRollBack(session, jobs, id, options(wanted)) }),
    async plan(...drafts: readonly Change[]): Promise<TestJob> {
      const { planAll, unchanged, secrets } = planner(randomUUID);
      const job = head(session, 'import');
      await planJob(jobs, job, planAll(drafts));
      return known(job.id, {
        unchanged: unchanged(),
        run: (wanted) =>
          runOrRollBack(session, jobs, job.id, options({ secretOf: ({ number }) => secrets.get(number), ...wanted })),
      });
    },
  };
}

/** The head of a confirmed job. */
export function head(session: Session, kind: JobKind) {
  const { site, userName } = session.me;
  const id = randomUUID();
  return { id, kind, profile: 'test', site, caller: userName, title: kind, created: TODAY, settings: { agreed: true } };
}

export async function gathered<T>(rows: AsyncIterable<T> | Iterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
