// A line on a terminal while a service is silent: what is waited for, for how long, and which try it is.
import type { Attempts } from '../client/connection.ts';
import { barStream, drawOnLastLine, isDrawing } from './output/printing.ts';
import type { Streams } from './streams.ts';

interface Clock {
  readonly now: () => number;
  /** Calls back again and again after so many milliseconds; answers what stops it. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
}

interface Waiting {
  readonly origin: string;
  readonly since: number;
  readonly most: number;
  tried: number;
}

const SECOND_MS = 1000;
const CLEAR = '\r\u001b[K';

/** Watches requests. After a second without an answer the line shows the oldest one; it is cleared when that has ended. */
export function waitingLine(io: Streams, { now, every }: Clock): (origin: string, most: number) => Attempts {
  const waiting = new Set<Waiting>();
  let release: (() => void) | undefined;
  let stop: (() => void) | undefined;
  const write = (text: string): void => void barStream(io).write(`${CLEAR}${text}`);
  const clear = (): void => {
    if (release) write('');
    release?.();
    release = undefined;
  };
  const show = (): void => {
    const [oldest] = waiting;
    if (!oldest || (isDrawing(io) && !release)) return;
    const seconds = Math.floor((now() - oldest.since) / SECOND_MS);
    clear();
    if (seconds < 1) return;
    release = drawOnLastLine(io, clear);
    write(lineOf(oldest, seconds).slice(0, io.columns - 1));
  };
  return (origin, most) => {
    const one: Waiting = { origin, since: now(), most, tried: 0 };
    waiting.add(one);
    stop ??= every(SECOND_MS, show);
    return {
      begin: () => void one.tried++,
      end: () => {
        if ([...waiting][0] === one) clear();
        waiting.delete(one);
        if (waiting.size > 0) return;
        stop?.();
        stop = undefined;
      },
    };
  };
}

const lineOf = ({ origin, tried, most }: Waiting, seconds: number): string =>
  `waiting for ${origin} ${seconds} s (try ${tried} of ${most})`;
