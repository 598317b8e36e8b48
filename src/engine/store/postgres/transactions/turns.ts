// The turns of the transactions of one site. Those that wait share the transaction before theirs, and its commit: a piece that
// fails is rolled back alone.
import type { Connection } from '../connection.ts';
import type { Ground } from './ground.ts';
import { unsentRows } from './unsent.ts';

/** A transaction that has begun on a connection. */
export interface Begun {
  readonly connection: Connection;
  /** Of its commit marker. */
  readonly token: string;
}

/** A transaction that several pieces of work share, one after another. */
export interface Shared extends Ground, Begun {
  /** The site that it has locked; without one nothing else joins it. */
  readonly site: string | undefined;
  /** When it began, in milliseconds. */
  readonly began: number;
  /** How many pieces have begun in it. */
  pieces: number;
  hasChanged: boolean;
  /** Resolves when what was changed is durable; rejects where nothing of it is kept. */
  readonly ended: Promise<void>;
  end(): void;
  fail(error: unknown): void;
}

export function sharedOn(begun: Begun, site: string | undefined): Shared {
  let [end, fail] = [(): void => undefined, (_: unknown): void => undefined];
  const ended = new Promise<void>((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  // It may be that every piece has failed by itself.
  ended.catch(() => undefined);
  const unsent = unsentRows();
  return { ...begun, unsent, site, began: Date.now(), pieces: 1, hasChanged: false, ended, end, fail };
}

/** What waits for its turn holds no connection, which the work on other sites needs. */
export interface Turns {
  /** Waits for the turn; answers the transaction that is handed over with it. */
  take(site: string): Promise<Shared | undefined>;
  /** Does anything wait for this site? */
  isAwaited(site: string): boolean;
  /** Gives the turn to what waits longest, and the transaction where it goes on. */
  pass(site: string, shared?: Shared): void;
}

export function siteTurns(): Turns {
  /** What waits, by the sites whose turn is taken. */
  const waiting = new Map<string, ((shared: Shared | undefined) => void)[]>();
  return {
    take(site) {
      const line = waiting.get(site);
      if (line) return new Promise((resolve) => line.push(resolve));
      waiting.set(site, []);
      return Promise.resolve(undefined);
    },
    isAwaited: (site) => (waiting.get(site)?.length ?? 0) > 0,
    pass(site, shared) {
      const next = waiting.get(site)?.shift();
      if (next) next(shared);
      else waiting.delete(site);
    },
  };
}
