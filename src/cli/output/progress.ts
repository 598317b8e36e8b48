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
  const pace = openPace();
  const payload = () => ({ pace: pace.inWords(expected), suffix: suffix() });
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
      format: `${title.replaceAll('{', '(')} [{bar}] {percentage}% {value}/{total}{suffix}{pace}`,
      clearOnComplete: true,
      hideCursor: true,
      gracefulExit: false,
    });
    draw();
  });
  return {
    tick(more = 1) {
      count += more;
      pace.at(io.now().getTime(), count);
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

/** The pace is that of the last seconds: much work is faster at first than later. */
const WINDOW_MS = 10_000;
const STEP_MS = 200;
/** Before so long, a pace says nothing. */
const LEAST_MS = 1_000;

type Mark = readonly [time: number, count: number];

/** The speed since the first count. The time before the first count is not known. */
function openPace() {
  let marks: readonly Mark[] = [];
  let latest: Mark = [0, 0];
  return {
    at(time: number, count: number): void {
      latest = [time, count];
      const newest = marks.length - 1;
      if (time - (marks[newest]?.[0] ?? 0) < STEP_MS) return;
      marks = [...marks.filter(([then], place) => place === newest || time - then <= WINDOW_MS), latest];
    },
    /** `, 864/s, 30 s left`; blank until it is known. */
    inWords(total: number): string {
      const [from, before] = marks[0] ?? latest;
      const [to, now] = latest;
      if (to - from < LEAST_MS || now === before) return '';
      const perSecond = ((now - before) * 1000) / (to - from);
      return `, ${Math.round(perSecond)}/s, ${inUnits(Math.max(0, total - now) / perSecond)} left`;
    },
  };
}

function inUnits(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function lines(io: Streams, title: string, total: number, suffix: () => string): Progress {
  let count = 0;
  let expected = total;
  let last = io.now().getTime();
  let shown: string | undefined;
  const print = (): void => {
    const line = `${title}: ${count} of ${expected}${suffix()}`;
    if (line !== shown) say(io, line);
    shown = line;
  };
  return {
    tick(more = 1) {
      count += more;
      const now = io.now().getTime();
      if (now - last < INTERVAL_MS) return;
      last = now;
      print();
    },
    expect(now) {
      expected = now;
    },
    done() {
      if (shown !== undefined) print();
    },
  };
}
