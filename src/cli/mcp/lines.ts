// Runs command lines of pm for an agent: their output is caught, and their input is handed in.
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { RunLine } from '../command.ts';
import type { Streams } from '../streams.ts';

/** A command line, with its stdin. */
export interface Line {
  readonly words: readonly string[];
  readonly stdin?: string;
}

export interface Outcome {
  readonly exit: number;
  /** Of stdout. */
  readonly data: string;
  /** Of stderr. */
  readonly notes: string;
}

/** Runs lines one after another. `always`: flags of each, as the profile. */
export function lineRunner(runLine: RunLine, io: Streams, always: readonly string[]) {
  let last: Promise<unknown> = Promise.resolve();
  const runNow = async ({ words, stdin = '' }: Line): Promise<Outcome> => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const written = Promise.all([buffer(stdout), buffer(stderr)]);
    const streams: Streams = {
      ...io,
      stdin: Readable.from([stdin]),
      stdout,
      stderr,
      stdinIsTerminal: false,
      stdoutIsTerminal: false,
      stderrIsTerminal: false,
    };
    const end = words.includes('--') ? words.indexOf('--') : words.length;
    const exit = await runLine([...words.slice(0, end), ...always, ...words.slice(end)], streams);
    stdout.end();
    stderr.end();
    const [data, notes] = await written;
    return { exit, data: data.toString('utf8'), notes: notes.toString('utf8') };
  };
  return (line: Line): Promise<Outcome> => {
    const outcome = last.then(() => runNow(line));
    last = outcome.catch(() => undefined);
    return outcome;
  };
}
