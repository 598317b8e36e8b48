// The table of pm help changes: which state a job is in, and what each command answers then.
import {
  isConfirmed,
  isUndone,
  rowsDone,
  rowsUnknown,
  unfinishedUndo,
  youngerUndo,
} from '../../../src/changes/jobs/state.ts';
import type { JobHead } from '../../../src/contract/jobs.ts';

export const STATES = [
  ...(['planning', 'planned', 'running', 'stopped', 'unknown', 'rolling back', 'ended', 'rows left'] as const),
  ...(['being undone', 'undone in part', 'undone'] as const),
] as const;
export const COMMANDS = ['resume', 'retry', 'undo', 'repeat', 'apply', 'settle', 'prune'] as const;
export type State = (typeof STATES)[number];
export type Command = (typeof COMMANDS)[number];
export type Cell = `${State}: ${Command}`;

/** The codes of refusals. */
export const R = 'conflict';
export const U = 'unknown_outcome';
export const B = 'busy';
const ok = undefined;
export type Answer = string | undefined;

/** What a command answers in a state: undefined where it is done, else the code of its refusal. */
const TABLE: Readonly<Record<State, Readonly<Record<Command, Answer>>>> = {
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

/** All jobs of the sequence, the newest first. */
export type Heads = readonly JobHead[];

export interface Table {
  stateOf(all: Heads, head: JobHead): State;
  /** What the table says, with what depends on the job besides its state. */
  expected(all: Heads, head: JobHead, state: State, command: Command): Answer;
}

/** The table as it is read for an embedded engine, which takes a job that failed back in its own transaction, or for a service. */
export function tableFor(kind: 'embedded' | 'service'): Table {
  /** A row has failed on a service, and nothing is taken back so far. */
  const isRollingBack = (all: Heads, { id, settings, counts: { failed = 0 } }: JobHead): boolean =>
    kind === 'service' &&
    settings.onError === 'rollback' &&
    failed > 0 &&
    !all.some((undo) => undo.undoes === id && isConfirmed(undo));

  function stateOf(all: Heads, head: JobHead): State {
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

  function expected(all: Heads, head: JobHead, state: State, command: Command): Answer {
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
    // An undo that never began explains nothing.
    if (command === 'prune' && TABLE[state].prune === ok && head.undoes !== undefined && isConfirmed(head)) {
      const isAlone = all.some(({ id }) => id === head.undoes) || (head.counts.pending ?? 0) > 0;
      return isAlone ? R : ok;
    }
    return TABLE[state][command];
  }

  return { stateOf, expected };
}

/** Is this the undo of an undo of the job, at any depth, and not finished? */
const isRedoUnfinished = (all: Heads, undo: JobHead, job: JobHead): boolean =>
  undo.id !== job.id && rootOf(all, undo.id) === job.id && unfinishedUndo(all, undo) !== undefined;

export const isOver = (head: JobHead): boolean =>
  isConfirmed(head) && (head.counts.pending ?? 0) + rowsUnknown(head) === 0;

/** The job at the top of a chain of undos. */
export function rootOf(all: Heads, id: string): string {
  const undoes = all.find((head) => head.id === id)?.undoes;
  return undoes === undefined ? id : rootOf(all, undoes);
}
