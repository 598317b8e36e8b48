// Progress on stderr: a bar on a terminal, otherwise a line now and then.
import type { Streams } from '../streams.ts';
import { sanitise } from './sanitise.ts';

const EVERY = 10_000;

export interface Progress {
  /** So many more are done; one where nothing is said. */
  tick(count?: number): void;
  done(): void;
}

interface ProgressOptions {
  readonly title: string;
  readonly total: number;
  /** Show nothing: `--quiet`, `--no-progress`. */
  readonly quiet: boolean;
}

/** Begins to show progress. Under CI, and where stderr is no terminal, one line every ten seconds. */
export function progress(io: Streams, { title, total, quiet }: ProgressOptions): Progress {
  if (quiet) return { tick: () => {}, done: () => {} };
  const asBar = io.stderrIsTerminal && !io.env.CI;
  return asBar ? bar(io, sanitise(title), total) : lines(io, sanitise(title), total);
}

/** The bar's library is loaded behind the work: a job that ends sooner shows no bar. */
function bar(io: Streams, title: string, total: number): Progress {
  let count = 0;
  let ended = false;
  let show = (_count: number): void => {};
  let stop = (): void => {};
  void import('cli-progress').then(({ default: { SingleBar } }) => {
    if (ended) return;
    const shown = new SingleBar({
      stream: io.stderr,
      format: `${title.replaceAll('{', '(')} [{bar}] {percentage}% {value}/{total}`,
      clearOnComplete: true,
      hideCursor: true,
      gracefulExit: false,
    });
    shown.start(total, count);
    show = (now) => shown.update(now);
    stop = () => shown.stop();
  });
  return {
    tick(more = 1) {
      count += more;
      show(count);
    },
    done() {
      ended = true;
      stop();
    },
  };
}

function lines(io: Streams, title: string, total: number): Progress {
  let count = 0;
  let last = io.now().getTime();
  let told = false;
  const tell = (): unknown => io.stderr.write(`${title}: ${count} of ${total}\n`);
  return {
    tick(more = 1) {
      count += more;
      const now = io.now().getTime();
      if (now - last < EVERY) return;
      last = now;
      told = true;
      tell();
    },
    done() {
      if (told) tell();
    },
  };
}
