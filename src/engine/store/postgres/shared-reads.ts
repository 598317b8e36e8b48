// Quick reads of all who ask share a round trip: what is asked while others are under way goes in one piece, and the same
// statement once.
import type { Answers } from './answered.ts';
import type { Params, Result } from './connection.ts';
import { type Pool, withConnection } from './pool.ts';

/** Round trips at the same time. With more of them fewer statements would go together; with one each waited for the one before. */
const MOST_TRIPS = 2;

interface Asked {
  readonly sql: string;
  readonly params: Params;
  readonly answer: Promise<Result>;
  resolve(answer: Promise<Result>): void;
}

/** Answers reads that take the server no time, each outside of a transaction. */
export function sharedReads(pool: Pool): Answers {
  let waiting = new Map<string, Asked>();
  let trips = 0;
  const send = (): void => {
    if (waiting.size === 0 || trips === MOST_TRIPS) return;
    trips++;
    void trip().finally(() => {
      trips--;
      send();
    });
  };
  const trip = async (): Promise<void> => {
    const asking = withConnection(pool, async ({ ask }) => {
      // Not before there is a connection: until then more may come.
      const all = [...waiting.values()];
      waiting = new Map();
      await Promise.allSettled(
        all.map((one) => {
          const answer = ask(one.sql, one.params);
          one.resolve(answer);
          return answer;
        }),
      );
    });
    await asking.catch((error: unknown) => {
      for (const one of waiting.values()) one.resolve(Promise.reject(error));
      waiting = new Map();
    });
  };
  return {
    ask(sql, params = []) {
      const key = `${sql} ${JSON.stringify(params)}`;
      const same = waiting.get(key);
      if (same) return same.answer;
      const asked = newAsked(sql, params);
      // At the end of this turn of the event loop, in which others may ask, too.
      if (waiting.size === 0) setImmediate(send);
      waiting.set(key, asked);
      return asked.answer;
    },
  };
}

function newAsked(sql: string, params: Params): Asked {
  let resolve: Asked['resolve'] = () => undefined;
  const answer = new Promise<Result>((settle) => {
    resolve = settle;
  });
  return { sql, params, answer, resolve };
}
