// What the parts of a clone work on, and what they report.
import { ServiceError } from '../../../contract/errors.ts';
import type { Source, Target } from './sides.ts';
import type { CopiedTable } from './tables.ts';

/** What a clone reports while it runs. */
export interface Watch {
  /** A part of the work begins, of so many rows or indexes, of which so many were done before. */
  begin(title: string, total: number, done: number): void;
  /** So many more are done. */
  done(rows: number): void;
  /** Whether to stop: what is done by then stays. */
  readonly stopped?: AbortSignal | undefined;
}

/** A table and its rows. */
export interface Counted {
  readonly table: CopiedTable;
  readonly rows: number;
}

/** Both sides, once they are open. */
export interface Work {
  readonly source: Source;
  readonly target: Target;
  readonly watch: Watch;
  /** The tables whose rows get new numbers. */
  readonly renumbered: ReadonlySet<string>;
}

/** Throws `interrupted`. */
export function checkStopped({ stopped }: Watch): void {
  if (!stopped?.aborted) return;
  throw new ServiceError('interrupted', 'interrupted: what was copied stays, and is marked as not whole', {
    hint: 'Give the command again to go on.',
  });
}
