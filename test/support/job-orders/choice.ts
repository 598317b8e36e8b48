// Which command is given next, and on which job.
import type { JobHead } from '../../../src/contract/jobs.ts';
import type { Known } from './subjects.ts';
import { type Cell, COMMANDS, type Command, type Heads, isOver, rootOf, type Table } from './table.ts';

export interface Choice {
  readonly name: Command;
  readonly head: JobHead;
}

export interface Choices {
  /** Any command, on any job. */
  any(all: Heads): Choice | undefined;
  /** The command whose cell was reached least often so far, in all sequences. */
  rarest(all: Heads): Choice | undefined;
}

export const picked = <T>(all: readonly T[], random: () => number): T | undefined =>
  all[Math.floor(random() * all.length)];

export function choicesOf(
  { stateOf }: Table,
  known: readonly Known[],
  cells: ReadonlyMap<Cell, number>,
  random: () => number,
): Choices {
  /** A repeat is a command with an input; what was done by a later job of the same command is not taken back and forth. */
  function isChoosable(all: Heads, name: Command, { id, undoes }: JobHead): boolean {
    const job = known.find((one) => one.id === rootOf(all, id));
    if (!job) return false;
    if (name === 'repeat') return undoes === undefined && !job.isRepeated && !hasOpenTwin(all, job);
    if (name === 'apply') return undoes === undefined;
    if (job.isRepeated) return (name === 'resume' || name === 'retry') && undoes === undefined;
    return true;
  }

  /** Is another job of the same command not finished, or an undo of it? A repeat is about that one first. */
  function hasOpenTwin(all: Heads, { id, title }: Known): boolean {
    const twins = known.filter((twin) => twin.id !== id && twin.title === title).map((twin) => twin.id);
    return all.some(
      (head) => twins.includes(rootOf(all, head.id)) && (!isOver(head) || stateOf(all, head) === 'rolling back'),
    );
  }

  return {
    any(all) {
      const name = picked(COMMANDS, random) ?? 'resume';
      const fitting = all.filter((head) => isChoosable(all, name, head));
      const head = picked(fitting, random);
      return head && { name, head };
    },
    rarest(all) {
      const choices = all.flatMap((head) =>
        COMMANDS.filter((name) => isChoosable(all, name, head)).map((name): Choice => ({ name, head })),
      );
      const reached = ({ name, head }: Choice): number => cells.get(`${stateOf(all, head)}: ${name}`) ?? 0;
      return choices.reduce<Choice | undefined>(
        (least, one) => (least && reached(least) <= reached(one) ? least : one),
        undefined,
      );
    },
  };
}
