// The turns in which many readers share the few connections for lists. A slow reader would keep one for long.
import { turnIn, type Waiting } from './pool.ts';

export interface TurnSizes {
  /** The most lists that are read at one time: by all, and by one reader. */
  readonly most: number;
  readonly mostOfOne: number;
  /** How long to wait for a turn, in milliseconds. */
  readonly waitMs: number;
  /**
   * A reader that has its pages for so long altogether, in milliseconds, loses its turn as soon as another one waits for it. Each
   * page gives a tenth of that back, so that only those lose it who read slower all the time.
   */
  readonly pageMs: number;
}

export interface Turn {
  /** The reader has a page. `lose` is called if it loses its turn before it comes back. */
  pause(lose: () => void): void;
  /** The reader has come back for the next page. */
  resume(): void;
  /** May be called again. */
  end(): void;
}

interface OpenTurn {
  readonly reader: string;
  /** Takes the turn from a slow reader; undefined of others. */
  lose: (() => void) | undefined;
}

/** Answers a function that waits for the next turn of a reader. It throws `overloaded` where that does not come in time. */
export function listTurns({ most, mostOfOne, waitMs, pageMs }: TurnSizes): (reader: string) => Promise<Turn> {
  const open = new Set<OpenTurn>();
  const waiting: Waiting<Turn>[] = [];
  const hasShareLeft = (reader: string): boolean =>
    [...open].filter((turn) => turn.reader === reader).length < mostOfOne;
  const mayBegin = (reader: string): boolean => open.size < most && hasShareLeft(reader);
  const close = (turn: OpenTurn): void => {
    open.delete(turn);
    const next = waiting.find(({ who }) => mayBegin(who));
    next?.go(begin(next.who));
  };
  const displaceSlow = (): void => {
    for (const { who } of [...waiting]) {
      const isInTheWay = ({ reader }: OpenTurn): boolean => reader === who || hasShareLeft(who);
      const slow = [...open].find((turn) => turn.lose && isInTheWay(turn));
      if (!slow) continue;
      slow.lose?.();
      close(slow);
    }
  };
  const begin = (reader: string): Turn => {
    const turn: OpenTurn = { reader, lose: undefined };
    open.add(turn);
    let timer: NodeJS.Timeout | undefined;
    let left = pageMs;
    let since = performance.now();
    const resume = (): void => {
      clearTimeout(timer);
      turn.lose = undefined;
      left = Math.min(pageMs, left - (performance.now() - since) + pageMs / 10);
    };
    return {
      pause(lose) {
        since = performance.now();
        timer = setTimeout(() => {
          turn.lose = lose;
          displaceSlow();
        }, left).unref();
      },
      resume,
      end() {
        resume();
        if (open.has(turn)) close(turn);
      },
    };
  };
  return async (reader) => {
    if (mayBegin(reader)) return begin(reader);
    const turn = turnIn(waiting, reader, waitMs);
    displaceSlow();
    return turn;
  };
}
