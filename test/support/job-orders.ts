// Commands on jobs in any order, with kills, beside other programs; and what must be true after each of them.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { deleteUnrunUndos, headsAround, unfinishedJob, withLock } from '../../src/changes/jobs/access.ts';
import {
  checkOutcomeKnown,
  checkUndoable,
  isConfirmed,
  isUndone,
  rowsDone,
  rowsUnknown,
  unfinishedUndo,
  youngerUndo,
} from '../../src/changes/jobs/state.ts';
import type { Change } from '../../src/changes/plan/change.ts';
import { checkPlan } from '../../src/changes/plan/plan-reader.ts';
import { planner } from '../../src/changes/plan/planner.ts';
import { checkForgettable, deleteJobs, withUndos } from '../../src/changes/run/forget.ts';
import { checkNotRollingBack, planJob, resumeJob, retryJob, runJob } from '../../src/changes/run/job.ts';
import type { OnError, RunOptions } from '../../src/changes/run/options.ts';
import { settleRow } from '../../src/changes/run/settle.ts';
import { reverseRows, rollBack, undoJob } from '../../src/changes/undo.ts';
import type { Session } from '../../src/contract/call.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { contract } from '../../src/contract/index.ts';
import type { JobHead, JobRow, JobStore, NewJob, PlannedRow } from '../../src/contract/jobs.ts';
import type { Row } from '../../src/contract/resource.ts';
import { gathered } from './job.ts';
import { DEAD, Died, mortal } from './mortal.ts';

/** The states of the table in pm help changes. */
export const STATES = [
  ...(['planning', 'planned', 'running', 'stopped', 'unknown', 'rolling back', 'ended', 'rows left'] as const),
  ...(['being undone', 'undone in part', 'undone'] as const),
] as const;
export const COMMANDS = ['resume', 'retry', 'undo', 'repeat', 'apply', 'settle', 'prune'] as const;
type State = (typeof STATES)[number];
type Command = (typeof COMMANDS)[number];
export type Cell = `${State}: ${Command}`;

const R = 'conflict';
const U = 'unknown_outcome';
const B = 'busy';
const ok = undefined;

/** What a command answers in a state: undefined where it is done, else the code of its refusal. */
const TABLE: Readonly<Record<State, Readonly<Record<Command, string | undefined>>>> = {
  planning: { resume: R, retry: R, undo: R, repeat: ok, apply: ok, settle: R, prune: ok },
  planned: { resume: R, retry: R, undo: R, repeat: ok, apply: ok, settle: R, prune: ok },
  running: { resume: B, retry: B, undo: B, repeat: B, apply: B, settle: B, prune: B },
  stopped: { resume: ok, retry: ok, undo: ok, repeat: ok, apply: R, settle: R, prune: ok },
  unknown: { resume: ok, retry: U, undo: U, repeat: U, apply: R, settle: ok, prune: U },
  'rolling back': { resume: ok, retry: R, undo: R, repeat: ok, apply: R, settle: R, prune: ok },
  ended: { resume: ok, retry: ok, undo: ok, repeat: ok, apply: R, settle: R, prune: ok },
  'rows left': { resume: ok, retry: ok, undo: ok, repeat: ok, apply: R, settle: R, prune: ok },
  'being undone': { resume: R, retry: R, undo: R, repeat: R, apply: R, settle: R, prune: R },
  'undone in part': { resume: R, retry: R, undo: ok, repeat: ok, apply: R, settle: R, prune: ok },
  undone: { resume: R, retry: R, undo: R, repeat: ok, apply: R, settle: R, prune: ok },
};

/** Where the commands act: the journal, the service as the program sees it, and as it is. */
export interface Ground {
  readonly session: Session;
  readonly jobs: JobStore;
  /** The engine behind it. */
  readonly engine: Session;
}

type Kind = 'create' | 'create twins' | 'create numbers' | 'update' | 'delete' | 'delete for good';
const KINDS: readonly Kind[] = ['create', 'create twins', 'create numbers', 'update', 'delete', 'delete for good'];

/** Among their rows may be one that is refused. */
const CAN_FAIL: readonly Kind[] = ['create', 'update'];

/** A record that a job is about. */
interface Subject {
  readonly name: string;
  /** Where it is there before. */
  readonly id?: string;
  /** Somebody else has changed it. */
  foreign: boolean;
}

interface Known {
  readonly id: string;
  readonly title: string;
  readonly kind: Kind;
  readonly subjects: readonly Subject[];
  readonly onError: OnError;
  /** The same command has made a later job of its rows. */
  isRepeated: boolean;
  /** The plan that was made, as a plan file keeps it. */
  readonly planned: readonly PlannedRow[];
}

const BEFORE = 'before';
const AFTER = 'after';
const FOREIGN = 'foreign';

/** Numbers from 0 to below 1, the same for one seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One sequence of commands. `cells` counts what was reached. Throws an error that tells the steps where something is wrong. */
export async function playOrders(ground: Ground, seed: number, cells: Map<Cell, number>): Promise<void> {
  const random = seeded(seed);
  const play = newPlay(ground, seed, random, cells);
  try {
    for (let step = 0; step < 12; step++) {
      await play.step();
      await play.check();
    }
    await play.end();
    await play.check();
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}\n${play.steps.join('\n')}`, { cause: error });
  }
}

function newPlay({ session, jobs, engine }: Ground, seed: number, random: () => number, cells: Map<Cell, number>) {
  const profile = `orders ${seed}`;
  const steps: string[] = [];
  const known: Known[] = [];
  let made = 0;
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const heads = (): Promise<readonly JobHead[]> => jobs.heads(profile);
  const optionsOf = (more: Partial<RunOptions> = {}): RunOptions => ({
    ...{ clock: () => new Date(), newID: randomUUID, owner: DEAD, concurrency: 2, unknownFor: 1e9 },
    rowsPerCommit: 1 + Math.floor(random() * 2),
    ...more,
  });
  /** Half of the programs die somewhere. */
  const program = () => (random() < 0.5 ? mortal(session, jobs, Math.floor(random() * 16)) : { session, jobs });

  const newHead = (title: string, onError: OnError, agreed: boolean) => ({
    ...{ id: randomUUID(), kind: 'import' as const, profile, site: session.me.site, caller: session.me.userName },
    ...{ title, created: new Date().toISOString(), settings: { onError, ...(agreed ? { agreed } : {}) } },
  });

  async function subjectsOf(kind: Kind, count: number): Promise<Subject[]> {
    const subjects: Subject[] = [];
    for (let i = 0; i < count; i++) {
      const name = `${seed} ${++made}`;
      const resource = kind === 'delete for good' ? contract.color : contract.accountability;
      const body =
        kind === 'delete for good'
          ? { SiteID: engine.me.site, Rank: 1, Name: name, Code: 'ff0000' }
          : { AncestorID: engine.me.id, Rank: 1, Name: name, Description: BEFORE };
      const isThere = kind === 'update' || kind === 'delete' || kind === 'delete for good';
      const row = isThere ? await engine.call(resource.operations.create, { body }) : undefined;
      subjects.push({ name, foreign: false, ...(row ? { id: String(row.ID) } : {}) });
    }
    return subjects;
  }

  async function changesFor(kind: Kind, subjects: readonly Subject[]): Promise<Change[]> {
    const { accountabilities, colors } = await records();
    return subjects.flatMap(({ name, id }): Change[] => {
      const found = (kind.endsWith('numbers') || kind.endsWith('good') ? colors : accountabilities).get(name) ?? [];
      const row = found.find(({ Deleted }) => Deleted !== true) ?? found[0];
      const body = { AncestorID: engine.me.id, Rank: 1, Name: name, Description: AFTER };
      if (kind === 'create numbers')
        return row
          ? []
          : [
              {
                resource: 'color',
                operation: 'create',
                body: { SiteID: engine.me.site, Rank: 1, Name: name, Code: '00ff00' },
              },
            ];
      if (kind === 'create' || kind === 'create twins')
        return row && row.Deleted !== true
          ? []
          : [
              {
                resource: 'accountability',
                operation: 'create',
                body,
                ...(kind === 'create' ? { key: ['AncestorID', 'Name'] } : {}),
              },
            ];
      if (!row) return [];
      const resource = kind === 'delete for good' ? 'color' : 'accountability';
      const own = { resource, id: String(row.ID ?? id), now: row };
      return [
        kind === 'update'
          ? { ...own, operation: 'update', patch: { Description: AFTER } }
          : { ...own, operation: 'delete' },
      ];
    });
  }

  /** The records of this sequence by their names; colors that are gone are not there. */
  async function records() {
    const byName = (rows: readonly Row[]) => {
      const found = new Map<string, Row[]>();
      for (const row of rows) found.set(String(row.Name), [...(found.get(String(row.Name)) ?? []), row]);
      return found;
    };
    const input = { by: 'individual', params: { individualid: engine.me.id }, query: { deleted: 2 } };
    return {
      accountabilities: byName(await gathered(engine.list(contract.accountability.operations.list, input))),
      colors: byName(
        await gathered(engine.list(contract.color.operations.list, { by: 'site', params: { siteid: engine.me.site } })),
      ),
    };
  }

  async function plan(kind: Kind, subjects: readonly Subject[], title: string, onError: OnError): Promise<void> {
    const agreed = random() < 0.85;
    const head = newHead(title, onError, agreed);
    const changes = await changesFor(kind, subjects);
    if (random() < (onError === 'rollback' ? 0.9 : 0.3) && CAN_FAIL.includes(kind))
      changes.splice(Math.floor(random() * 3), 0, {
        resource: 'accountability',
        operation: 'create',
        body: { AncestorID: engine.me.id, Rank: 1, Name: ' ', Description: 'x' },
      });
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
  function undoPart({ session, jobs }: Pick<Ground, 'session' | 'jobs'>, undo: NewJob): Promise<void> {
    const job = String(undo.undoes);
    return withLock(jobs, job, { owner: DEAD }, async (head) => {
      const all = await headsAround(jobs, head);
      checkUndoable(all, head);
      checkOutcomeKnown(head);
      await deleteUnrunUndos(jobs, all, head);
      const rows = await gathered(reverseRows(jobs, job, ({ number }) => number % 2 === 0));
      if (rows.length === 0) return;
      steps.push(`    ${rows.length} of its rows`);
      await planJob(jobs, undo, rows, DEAD);
      await runJob(session, jobs, undo.id, optionsOf());
    });
  }

  const commands: Readonly<Record<Command, (head: JobHead) => Promise<unknown>>> = {
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
      const run = program();
      const found = await unfinishedJob(
        run.jobs,
        newHead(job.title, job.onError, true),
        ({ title }) => title === job.title,
      );
      if (found) return commands.resume(found);
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
      const truth = row && (await truthOf(row));
      const outcome = truth?.isDone ? ({ state: 'done', id: truth.id } as const) : ({ state: 'pending' } as const);
      await settleRow(jobs, id, {
        number: row?.number ?? 1,
        outcome,
        caller: 'ada',
        dryRun: false,
        confirm: async () => undefined,
      });
    },
    async prune(head) {
      const all = await heads();
      checkForgettable(all, head, (id) => id === head.id);
      await deleteJobs(jobs, withUndos(all, [head.id]));
    },
  };

  /** What became of a row, looked up past the program. */
  async function truthOf(row: JobRow): Promise<{ isDone: boolean; id: string | undefined }> {
    const { accountabilities, colors } = await records();
    const all = [...(row.resource === 'color' ? colors : accountabilities).values()].flat();
    const { verb } = contract[row.resource as 'color'].operations[row.operation as 'create'];
    const name = row.body?.Name;
    if (verb === 'create') {
      const found = all.find(
        (one) => one.Name === name && one.Deleted !== true && !row.result?.existing?.includes(String(one.ID)),
      );
      return { isDone: found !== undefined, id: found && String(found.ID) };
    }
    const now = all.find((one) => String(one.ID).toLowerCase() === row.id?.toLowerCase());
    const isDeleted = !now || now.Deleted === true;
    if (row.operation === 'delete') return { isDone: isDeleted, id: undefined };
    if (row.operation === 'undelete') return { isDone: !isDeleted, id: undefined };
    return { isDone: now?.Description === row.patch?.Description, id: undefined };
  }

  async function edit(): Promise<void> {
    const job = pick(known.filter(({ kind, isRepeated }) => kind === 'update' && !isRepeated));
    const subject = pick(job?.subjects ?? []);
    if (!subject?.id) return;
    const { accountabilities } = await records();
    const [row] = accountabilities.get(subject.name) ?? [];
    if (!row || row.Deleted === true) return;
    subject.foreign = true;
    steps.push(`  edit ${subject.name}`);
    const { Deleted, DeletedByRef, ...rest } = row;
    await engine.call(contract.accountability.operations.update, {
      params: { id: subject.id },
      body: { ...rest, Description: FOREIGN },
    });
  }

  /** A row has failed on a service, and nothing is taken back so far. */
  const isRollingBack = (all: readonly JobHead[], { id, settings, counts: { failed = 0 } }: JobHead): boolean =>
    !session.local &&
    settings.onError === 'rollback' &&
    failed > 0 &&
    !all.some((undo) => undo.undoes === id && isConfirmed(undo));

  function stateOf(all: readonly JobHead[], head: JobHead): State {
    const { pending = 0, failed = 0, drifted = 0, skipped = 0, altered = 0, undone = 0 } = head.counts;
    if (head.state === 'planning') return 'planning';
    if (!isConfirmed(head)) return 'planned';
    if (unfinishedUndo(all, head)) return 'being undone';
    if (rowsUnknown(head) > 0) return 'unknown';
    if (isRollingBack(all, head) && rowsDone(head) > 0) return 'rolling back';
    if (pending > 0) return 'stopped';
    if (isUndone(head)) return 'undone';
    if (undone > 0) return 'undone in part';
    return failed + drifted + skipped + altered > 0 ? 'rows left' : 'ended';
  }

  /** Is this the undo of an undo of the job, at any depth, and not finished? */
  const isRedoUnfinished = (all: readonly JobHead[], undo: JobHead, job: JobHead): boolean =>
    undo.id !== job.id && rootOf(all, undo.id) === job.id && unfinishedUndo(all, undo) !== undefined;

  const isOver = (head: JobHead): boolean => isConfirmed(head) && (head.counts.pending ?? 0) + rowsUnknown(head) === 0;

  /** What the table says, with what depends on the job besides its state. */
  function expected(all: readonly JobHead[], head: JobHead, state: State, command: Command): string | undefined {
    const younger = youngerUndo(all, head) !== undefined;
    if (command === 'undo' && TABLE[state].undo === ok && (rowsDone(head) === 0 || younger)) return R;
    // Of two reasons to refuse, that it is to be rolled back is told first.
    if (command === 'undo' && state === 'unknown' && rowsDone(head) > 0 && isRollingBack(all, head)) return R;
    if (command === 'retry' && TABLE[state].retry === ok && younger) return R;
    // A process that still has a job behind its last row is in the way of no new one, unless it is to be rolled back.
    if (command === 'repeat' && state === 'running' && isOver(head) && stateOf(all, head) !== 'rolling back')
      return expected(all, head, stateOf(all, head), 'repeat');
    if (command === 'repeat' && TABLE[state].repeat === ok && all.some((undo) => isRedoUnfinished(all, undo, head)))
      return R;
    if (command === 'prune' && TABLE[state].prune === ok && head.undoes !== undefined) {
      const isAlone = all.some(({ id }) => id === head.undoes) || (head.counts.pending ?? 0) > 0;
      return isAlone ? R : ok;
    }
    return TABLE[state][command];
  }

  async function command(): Promise<void> {
    const all = await heads();
    const chosen = random() < 0.5 ? rarest(all) : anyOf(all);
    if (!chosen) return;
    const { name, head } = chosen;
    const isHeld = random() < 0.08;
    const state = isHeld ? 'running' : stateOf(all, head);
    const wanted = expected(all, head, state, name);
    steps.push(`  ${name} ${head.id.slice(0, 4)} (${state}, ${JSON.stringify(head.counts)})`);
    const other = { pid: process.ppid, host: hostname() };
    if (isHeld) await jobs.lock(head.id, other);
    const answer = await codeOf(() => commands[name](head));
    if (isHeld) await jobs.release(head.id, other);
    if (answer === 'died') return;
    // Of several reasons to refuse it, one is told.
    const isFine = answer === wanted || (wanted === B && answer !== undefined);
    if (!isFine)
      throw new Error(`${name} of a job that is ${state}: ${answer ?? 'done'}, and the table says ${wanted ?? 'done'}`);
    const cell: Cell = `${state}: ${name}`;
    cells.set(cell, (cells.get(cell) ?? 0) + 1);
  }

  interface Choice {
    readonly name: Command;
    readonly head: JobHead;
  }

  function anyOf(all: readonly JobHead[]): Choice | undefined {
    const name = pick(COMMANDS) ?? 'resume';
    const head = pick(all.filter(({ id, undoes }) => isChoosable(all, name, id, undoes)));
    return head && { name, head };
  }

  /** The command whose cell was reached least often so far, in all sequences. */
  function rarest(all: readonly JobHead[]): Choice | undefined {
    const choices = all.flatMap((head) =>
      COMMANDS.filter((name) => isChoosable(all, name, head.id, head.undoes)).map((name): Choice => ({ name, head })),
    );
    const reached = ({ name, head }: Choice): number => cells.get(`${stateOf(all, head)}: ${name}`) ?? 0;
    return choices.reduce<Choice | undefined>(
      (least, one) => (least && reached(least) <= reached(one) ? least : one),
      undefined,
    );
  }

  /** A repeat is a command with an input; what was done by a later job of the same command is not taken back and forth. */
  function isChoosable(all: readonly JobHead[], name: Command, id: string, undoes: string | undefined): boolean {
    const job = known.find((one) => one.id === rootOf(all, id));
    if (!job) return false;
    if (name === 'repeat') return undoes === undefined && !job.isRepeated && !hasOpenTwin(all, job);
    if (name === 'apply') return undoes === undefined;
    if (job.isRepeated) return (name === 'resume' || name === 'retry') && undoes === undefined;
    return true;
  }

  /** Is another job of the same command not finished, or an undo of it? A repeat is about that one first. */
  const hasOpenTwin = (all: readonly JobHead[], { id, title }: Known): boolean =>
    known.some(
      (twin) =>
        twin.id !== id &&
        twin.title === title &&
        all.some(
          (head) => rootOf(all, head.id) === twin.id && (!isOver(head) || stateOf(all, head) === 'rolling back'),
        ),
    );

  const rootOf = (all: readonly JobHead[], id: string): string => {
    const undoes = all.find((head) => head.id === id)?.undoes;
    return undoes === undefined ? id : rootOf(all, undoes);
  };

  async function codeOf(work: () => Promise<unknown>): Promise<string | undefined> {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (error instanceof Died) {
        steps.push('    died');
        // Its locks are those of this process, which lives on.
        for (const { id } of await heads()) await jobs.release(id, { pid: process.pid, host: hostname() });
        return 'died';
      }
      if (error instanceof ServiceError && error.code === 'not_found' && steps.at(-1)?.includes('settle')) return R;
      if (error instanceof ServiceError && [R, U, B].includes(error.code)) return error.code;
      throw error;
    }
  }

  async function finish(id: string): Promise<void> {
    const options = optionsOf({ unknownFor: 0 });
    await rollBack(session, jobs, await resumeJob(session, jobs, id, options), options);
  }

  return {
    steps,
    async step() {
      const turn = random();
      if (known.length === 0 || turn < 0.2) {
        const onError = random() < 0.3 ? 'rollback' : 'continue';
        const kind = pick(onError === 'rollback' && random() < 0.5 ? CAN_FAIL : KINDS) ?? 'create';
        const subjects = await subjectsOf(kind, 2 + Math.floor(random() * 3));
        await codeOf(() => plan(kind, subjects, `import ${++made}`, onError));
      } else if (turn < 0.25) await edit();
      else await command();
    },
    /** Everything that is not finished is finished. */
    async end() {
      for (const head of await heads()) {
        const state = stateOf(await heads(), head);
        if (state === 'planning' || state === 'planned') await jobs.delete([head.id]);
      }
      // Undos go first: their jobs wait for them.
      // What the first resume learns of the service, the second one needs; what it cannot find out is settled.
      for (const { id } of [...(await heads()), ...(await heads())]) {
        const now = await jobs.head(id);
        if (!now || stateOf(await heads(), now) === 'being undone' || now.counts.undone) continue;
        await finish(id);
        if (rowsUnknown((await jobs.head(id)) ?? now) > 0) await commands.settle(now);
      }
      for (const { id, counts } of await heads()) if (!counts.undone) await finish(id);
      const open = (await heads()).filter(({ state }) => state !== 'ended');
      if (open.length > 0) throw new Error(`not ended: ${JSON.stringify(open)}`);
    },
    async check() {
      const all = await heads();
      await checkUndoRows(jobs, all);
      const open = await openUndoRows(jobs, all);
      const { accountabilities, colors } = await records();
      for (const job of known.filter(({ id, isRepeated }) => !isRepeated && all.some((head) => head.id === id))) {
        for await (const row of jobs.rows(job.id)) {
          const name = String(row.body?.Name ?? job.subjects.find(({ id }) => id === row.id)?.name);
          const subject = job.subjects.find((one) => one.name === name);
          const found = (row.resource === 'color' ? colors : accountabilities).get(name) ?? [];
          if (subject) checkRecord(job, row, subject, found, open.has(`${job.id} ${row.number}`));
        }
      }
    },
  };
}

/** A row of an undo is done exactly where the row that it takes back is undone. */
async function checkUndoRows(jobs: JobStore, heads: readonly JobHead[]): Promise<void> {
  const taken = new Map<string, number>();
  for (const undo of heads.filter(({ undoes }) => undoes !== undefined))
    for await (const { undoes, state } of jobs.rows(undo.id))
      if (state === 'done') taken.set(`${undo.undoes} ${undoes}`, (taken.get(`${undo.undoes} ${undoes}`) ?? 0) + 1);
  for (const { id } of heads)
    for await (const { number, state } of jobs.rows(id)) {
      const times = taken.get(`${id} ${number}`) ?? 0;
      if (times !== (state === 'undone' ? 1 : 0))
        throw new Error(`row ${number} of ${id} is ${state}, and taken back by ${times} rows`);
    }
}

const isUnknown = ({ state }: JobRow): boolean => state === 'intent' || state === 'unknown';

/** The rows of which it is not known whether an undo has taken them back. */
async function openUndoRows(jobs: JobStore, heads: readonly JobHead[]): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  for (const undo of heads.filter(({ undoes }) => undoes !== undefined))
    for await (const row of jobs.rows(undo.id)) if (isUnknown(row)) open.add(`${undo.undoes} ${row.undoes}`);
  return open;
}

/** The record is as the state of its row says: nothing is lost, and nothing is there twice. */
function checkRecord(
  { kind }: Known,
  row: JobRow,
  subject: Subject,
  found: readonly Row[],
  isBeingUndone: boolean,
): void {
  const live = found.filter(({ Deleted }) => Deleted !== true);
  const isOpen = isUnknown(row) || isBeingUndone;
  const isDone = row.state === 'done' || row.state === 'altered';
  const say = (what: string): never => {
    throw new Error(`row ${row.number} (${kind} ${subject.name}) is ${row.state}, and ${what}`);
  };
  if (live.length > 1) say(`the record is there ${live.length} times`);
  if (kind === 'update') {
    const value = String(live[0]?.Description);
    const fitting = [
      ...(isDone || isOpen ? [AFTER] : []),
      ...(isDone && !isOpen ? [] : [BEFORE]),
      ...(subject.foreign ? [FOREIGN] : []),
    ];
    if (!fitting.includes(value)) say(`its value is ${value}`);
    return;
  }
  const isThere = live.length === 1;
  if (!isOpen && isThere !== (kind.startsWith('create') ? isDone : !isDone))
    say(isThere ? 'the record is there' : 'the record is missing');
}
