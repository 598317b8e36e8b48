// Progress on stderr: a bar on a terminal, otherwise a line now and then.
import { sanitise } from '../../text/escape.ts';
import type { Streams } from '../streams.ts';
import { barStream, say } from './printing.ts';

const INTERVAL_MS = 10_000;

/** Streams on which a bar is shown: another line would be written over it. */
const withBar = new WeakSet<Pick<Streams, 'stderr'>>();
export const isShowingBar = (io: Pick<Streams, 'stderr'>): boolean => withBar.has(io);

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

/** The library loads while the work runs: a shorter job shows no bar. */
function bar(io: Streams, title: string, total: number, suffix: () => string): Progress {
  const begun = io.now().getTime();
  const payload = (count: number) => ({ rate: rateOf(count, io.now().getTime() - begun), suffix: suffix() });
  let count = 0;
  let ended = false;
  let expected = total;
  let show = (_count: number): void => {};
  let stop = (): void => {};
  void import('cli-progress').then(({ default: { SingleBar } }) => {
    if (ended) return;
    withBar.add(io);
    const shown = new SingleBar({
      stream: barStream(io),
      format: `${title.replaceAll('{', '(')} [{bar}] {percentage}% {value}/{total}{suffix}, {rate}/s, {eta_formatted} left`,
      clearOnComplete: true,
      hideCursor: true,
      gracefulExit: false,
    });
    shown.start(expected, count, payload(count));
    show = (now) => {
      shown.setTotal(expected);
      shown.update(now, payload(now));
    };
    stop = () => {
      shown.stop();
      withBar.delete(io);
    };
  });
  return {
    tick(more = 1) {
      count += more;
      show(count);
    },
    expect(now) {
      expected = now;
    },
    done() {
      ended = true;
      stop();
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
