// The savepoints of a transaction. One that ends before anything was sent in it is never made.
import type { Ground, On, State } from './ground.ts';

/**
 * The name of a savepoint. None comes twice: one that was sent behind a statement that fails is never made, and what is rolled
 * back to it must not meet an older one.
 */
export const newSavepoint = (): string => `savepoint_${++savepoints}`;
let savepoints = 0;

/** Keeps what was written in the last savepoint. Waits where a statement in it may have failed. */
export async function release({ connection, unsent }: Ground, mayHaveFailed: boolean): Promise<void> {
  const name = unsent.release();
  if (name === undefined) return;
  if (mayHaveFailed) await connection.exec(`RELEASE ${name}`);
  else connection.ahead(`RELEASE ${name}`);
}

/** Drops what was written in the last savepoint. */
export async function rollBackTo({ connection, unsent }: Ground): Promise<void> {
  const name = unsent.rollBack();
  if (name !== undefined) await connection.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
}

export interface Savepoints {
  open(): Promise<void>;
  /** Keeps what was written in the last one. Waits where a statement in it may have failed. */
  release(mayHaveFailed: boolean): Promise<void>;
  /** Drops what was written in the last one. */
  rollBack(): Promise<void>;
}

export const savepointsOn = (on: On, state: State, isPlain: boolean): Savepoints => ({
  open: () =>
    on(({ connection, unsent }) => {
      unsent.open(newSavepoint());
      if (isPlain) unsent.send(connection);
    }),
  release: (mayHaveFailed) => on((ground) => release(ground, mayHaveFailed)),
  /** Where it was never made, a statement before it has failed, and everything is lost. */
  async rollBack() {
    const { spoiled } = state;
    try {
      await on(rollBackTo);
    } catch (error) {
      state.failed ??= spoiled ?? error;
    }
  },
});
