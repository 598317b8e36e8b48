// Progress on stderr: a bar on a terminal, otherwise a line now and then.
import type { SingleBar } from 'cli-progress';
import { sanitise } from '../../text/escape.ts';
import type { Streams } from '../streams.ts';
import { barStream, drawOnLastLine, say } from './printing.ts';

const INTERVAL_MS = 10_000;

/** Can a line on stderr be drawn again and again? Not where it is kept, or read by a program. */
export const redraws = ({ stderrIsTerminal, env, errorsAsJson = false }: Streams): boolean =>
  stderrIsTerminal && !env.CI && !errorsAsJson;

export interface Progress {
  /** Adds to the number of finished items; 1 by default. */
  tick(count?: number): void;
  /** Sets how many items there will be, where that was an estimate. */
  expect(total: number): void;
  done(): void;
}

interface ProgressOptions {
  readonly title: string;
  readonly total: number;
  /** Show nothing: `--quiet`, `--no-progress`. */
  readonly quiet: boolean;
  /** A suffix for the counts so far: `, 3 failed`. */
  readonly suffix?: () => string;
}

/** Begins to show progress. Under CI, and where stderr is no terminal, one line every ten seconds. */
export function progress(io: Streams, { title, total, quiet, suffix = () => '' }: ProgressOptions): Progress {
  if (quiet) return { tick: () => {}, expect: () => {}, done: () => {} };
  return redraws(io) ? bar(io, sanitise(title), total, suffix) : lines(io, title, total, suffix);
}

/** The library loads while the work runs: a shorter job shows no bar. A line that is written clears it until the next tick. */
function bar(io: Streams, title: string, total: number, suffix: () => string): Progress {
  const begun = io.now().getTime();
  const payload = () => ({ rate: rateOf(count, io.now().getTime() - begun), suffix: suffix() });
  let count = 0;
  let ended = false;
  let expected = total;
  let shown: SingleBar | undefined;
  let release: (() => void) | undefined;
  const clear = (): void => {
    release?.();
    release = undefined;
    shown?.stop();
  };
  const draw = (): void => {
    if (release) {
      shown?.setTotal(expected);
      shown?.update(count, payload());
    } else if (shown && !ended) {
      release = drawOnLastLine(io, clear);
      shown.start(expected, count, payload());
    }
  };
  void import('cli-progress').then((library) => {
    shown = new library.default.SingleBar({
      stream: barStream(io),
      format: `${title.replaceAll('{', '(')} [{bar}] {percentage}% {value}/{total}{suffix}, {rate}/s, {eta_formatted} left`,
      clearOnComplete: true,
      hideCursor: true,
      gracefulExit: false,
    });
    draw();
  });
  return {
    tick(more = 1) {
      count += more;
      draw();
    },
    expect(now) {
      expected = now;
    },
    done() {
      ended = true;
      clear();
    },
  };
}

/** The average rate so far, per second. */
const rateOf = (count: number, milliseconds: number): number => Math.round((count * 1000) / Math.max(1, milliseconds));

function lines(io: Streams, title: string, total: number, suffix: () => string): Progress {
  let count = 0;
  let expected = total;
  let last = io.now().getTime();
  let isBegun = false;
  const print = (): void => say(io, `${title}: ${count} of ${expected}${suffix()}`);
  return {
    tick(more = 1) {
      count += more;
      const now = io.now().getTime();
      if (now - last < INTERVAL_MS) return;
      last = now;
      isBegun = true;
      print();
    },
    expect(now) {
      expected = now;
    },
    done() {
      if (isBegun) print();
    },
  };
}
