// The two databases of a clone, as it needs them.
import { ServiceError } from '../../../contract/errors.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { Steps } from '../sql/steps.ts';
import type { Unfinished } from './mark.ts';
import type { CopiedTable } from './tables.ts';

export interface Side {
  /** The file, or the address of the database, as people are shown it. */
  readonly place: string;
  readonly dialect: Dialect;
  read<T>(steps: () => Steps<T>): Promise<T>;
  close(): Promise<void>;
}

/** It answers from the data as it was when it was opened, whatever is written there meanwhile. */
export interface Source extends Side {
  /** Another text after every change of the data. */
  readonly state: string;
  /** Has it been changed since it was opened? */
  isChanged(): Promise<boolean>;
}

/** A database that is marked as a clone: nothing else opens it. */
export interface Target extends Side {
  /** Runs the steps as one transaction; they may be run again. */
  write<T>(steps: () => Steps<T>): Promise<T>;
  /** For full tables: adds indexes, and looks whether all records are there that others name. */
  readonly added: readonly (() => Steps<unknown>)[];
  /** Takes the mark away: from then on it is a database like any other. */
  unmark(): Promise<void>;
}

/** A place to clone to. Each call throws `storage` where it holds anything else than a clone that is not whole. */
export interface Destination {
  /** As a command names it. */
  readonly place: string;
  /** The clone that is under way there; undefined if none has begun. Makes nothing. */
  find(): Promise<Unfinished | undefined>;
  /** Deletes the clone that is under way there. */
  clear(): Promise<void>;
  /** Opens it. Of one that is not there yet, `begin` is the first step. */
  open(begin: () => Steps<void>): Promise<Target>;
}

/** A clone reports to it while it runs. */
export interface Watch {
  /** A part of the work begins, of so many rows or indexes, of which so many were done before. */
  begin(title: string, total: number, done: number): void;
  /** So many more are done. */
  done(rows: number): void;
  /** Whether to stop: all that is done by then stays. */
  readonly stopped?: AbortSignal | undefined;
}

export interface Counted {
  readonly table: CopiedTable;
  readonly rows: number;
}

/** Both sides, once they are open. */
export interface Work {
  readonly source: Source;
  readonly target: Target;
  readonly watch: Watch;
}

/** Throws `interrupted`. */
export function checkStopped({ stopped }: Watch): void {
  if (!stopped?.aborted) return;
  throw new ServiceError('interrupted', 'interrupted: what was copied stays, and is marked as not whole', {
    hint: 'Run the command again to go on.',
  });
}
