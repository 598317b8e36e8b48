// The commands on jobs, as pm gives them, by programs of which half die somewhere.
import { randomUUID } from 'node:crypto';
import { deleteUnrunUndos, headsAround, unfinishedJob, withLock } from '../../../src/changes/jobs/access.ts';
import { checkOutcomeKnown, checkUndoable } from '../../../src/changes/jobs/state.ts';
import { checkPlan } from '../../../src/changes/plan/plan-reader.ts';
import { planner } from '../../../src/changes/plan/planner.ts';
import { checkForgettable, withLocks, withUndos } from '../../../src/changes/run/forget.ts';
import { checkNotRollingBack, planJob, resumeJob, retryJob, runJob } from '../../../src/changes/run/job.ts';
import type { OnError, RunOptions } from '../../../src/changes/run/options.ts';
import { settleRow } from '../../../src/changes/run/settle.ts';
import { reverseRows, rollBack, undoJob } from '../../../src/changes/undo.ts';
import type { Session } from '../../../src/contract/call.ts';
import type { JobHead, JobStore, NewJob, PlannedRow } from '../../../src/contract/jobs.ts';
import { gathered } from '../job.ts';
import { DEAD, mortal } from '../mortal.ts';
import { CAN_FAIL, changesFor, type Kind, type Known, refused, type Subject, truthOf } from './subjects.ts';
import type { Command } from './table.ts';

/** Where the commands act: the journal, the service as the program sees it, and as it is. */
export interface Ground {
  readonly session: Session;
  readonly jobs: JobStore;
  /** The engine behind it. */
  readonly engine: Session;
}

type Program = Pick<Ground, 'session' | 'jobs'>;

/** What the commands of one sequence share. */
export interface Sequence extends Ground {
  /** Under which its jobs are in the journal. */
  readonly profile: string;
  readonly random: () => number;
  readonly known: Known[];
  /** What was done so far, for who has to find out why something is wrong. */
  readonly steps: string[];
}

export interface Commands {
  readonly on: Readonly<Record<Command, (head: JobHead) => Promise<unknown>>>;
  /** Plans a new job of this kind, and mostly runs it. */
  plan(kind: Kind, subjects: readonly Subject[], title: string, onError: OnError): Promise<void>;
  /** Resumes a job by a program that does not die, and takes it back where that is due. */
  finish(id: string): Promise<void>;
}

export function commandsOf({ session, jobs, engine, profile, random, known, steps }: Sequence): Commands {
  const optionsOf = (more: Partial<RunOptions> = {}): RunOptions => ({
    ...{ clock: () => new Date(), newID: randomUUID, owner: DEAD, concurrency: 2, unknownFor: 1e9 },
    rowsPerCommit: 1 + Math.floor(random() * 2),
    ...more,
  });
  const program = (): Program =>
    random() < 0.5 ? mortal(session, jobs, Math.floor(random() * 16)) : { session, jobs };
  const newHead = (title: string, onError: OnError, agreed: boolean) => ({
    ...{ id: randomUUID(), kind: 'import' as const, profile, site: session.me.site, caller: session.me.userName },
    ...{ title, created: new Date().toISOString(), settings: { onError, ...(agreed ? { agreed } : {}) } },
  });

  async function plan(kind: Kind, subjects: readonly Subject[], title: string, onError: OnError): Promise<void> {
    const agreed = random() < 0.85;
    const head = newHead(title, onError, agreed);
    const changes = await changesFor(engine, kind, subjects);
    if (random() < (onError === 'rollback' ? 0.9 : 0.3) && CAN_FAIL.includes(kind))
      changes.splice(Math.floor(random() * 3), 0, refused(engine));
    const rows = await gathered(planner(randomUUID).planAll(changes));
    if (rows.length === 0) return;
    known.push({ id: head.id, title, kind, subjects, onError, isRepeated: false, planned: rows });
    steps.push(`  run ${head.id.slice(0, 4)} ${title}: ${rows.length} × ${kind}, ${onError}`);
    await runPlan(head, rows, agreed);
  }

  async function runPlan(head: NewJob, rows: readonly PlannedRow[], agreed: boolean): Promise<void> {
    const run = program();
    await planJob(run.jobs, head, rows, DEAD);
    if (!agreed) return;
    const options = optionsOf();
    const summary = await runJob(run.session, run.jobs, head.id, options);
    // Some are killed behind the row that failed.
    if (random() < 0.4) await rollBack(run.session, run.jobs, summary, options);
  }

  /** As pm undo --where: of the rows only those of even numbers. */
  function undoPart(run: Program, undo: NewJob): Promise<void> {
    const job = String(undo.undoes);
    return withLock(run.jobs, job, { owner: DEAD }, async (head) => {
      const all = await headsAround(run.jobs, head);
      checkUndoable(all, head);
      checkOutcomeKnown(head);
      await deleteUnrunUndos(run.jobs, all, head);
      const rows = await gathered(reverseRows(run.jobs, job, { isChosen: async ({ number }) => number % 2 === 0 }));
      if (rows.length === 0) return;
      steps.push(`    ${rows.length} of its rows`);
      await planJob(run.jobs, undo, rows, DEAD);
      await runJob(run.session, run.jobs, undo.id, optionsOf());
    });
  }

  const on: Commands['on'] = {
    async resume({ id }) {
      const [run, options] = [program(), optionsOf(random() < 0.3 ? { unknownFor: 0 } : {})];
      await rollBack(run.session, run.jobs, await resumeJob(run.session, run.jobs, id, options), options);
    },
    async retry({ id }) {
      const [run, options] = [program(), optionsOf()];
      await rollBack(run.session, run.jobs, await retryJob(run.session, run.jobs, id, options), options);
    },
    async undo(head) {
      const run = program();
      await checkNotRollingBack(session, jobs, head);
      const { kind, settings, ...undo } = { ...newHead('undo', 'continue', true), title: `undo of ${head.title}` };
      if (random() < 0.6) await undoPart(run, { ...undo, settings, kind: 'undo', undoes: head.id });
      else await undoJob(run.session, run.jobs, head.id, { ...undo, settings }, optionsOf());
    },
    async repeat({ id }) {
      const job = known.find((one) => one.id === id);
      if (!job) return;
      const head = newHead(job.title, job.onError, true);
      const found = await unfinishedJob(program().jobs, head, ({ title }) => title === job.title);
      if (found) return on.resume(found);
      if (job.kind === 'create twins') return;
      for (const one of known) if (one.title === job.title) one.isRepeated = true;
      await plan(job.kind, job.subjects, job.title, job.onError);
    },
    /** The plan file of the job, once more. */
    async apply({ id }) {
      const job = known.find((one) => one.id === id);
      if (!job) return;
      const here = { profile, url: 'embedded', site: session.me.site };
      await checkPlan({ ...here, id }, here, jobs);
      await runPlan({ ...newHead(job.title, job.onError, true), id }, job.planned, true);
    },
    async settle({ id }) {
      const [row] = await gathered(jobs.rows(id, { states: ['intent', 'unknown'] }));
      const truth = row && (await truthOf(engine, row));
      const outcome = truth?.isDone ? ({ state: 'done', id: truth.id } as const) : ({ state: 'pending' } as const);
      const settled = { number: row?.number ?? 1, outcome, caller: 'ada', dryRun: false };
      await settleRow(jobs, id, { ...settled, confirm: async () => undefined });
    },
    async prune(head) {
      const all = await jobs.heads(profile);
      checkForgettable(all, head, (id) => id === head.id);
      const forgotten = withUndos(all, [head.id]);
      await withLocks(jobs, forgotten, () => jobs.delete(forgotten));
    },
  };

  async function finish(id: string): Promise<void> {
    const options = optionsOf({ unknownFor: 0 });
    await rollBack(session, jobs, await resumeJob(session, jobs, id, options), options);
  }

  return { on, plan, finish };
}
