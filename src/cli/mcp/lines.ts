// Runs command lines of pm for an agent: their output is caught, and their input is handed in.
import { Readable, Writable } from 'node:stream';
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
    const [data, notes] = [caught(), caught()];
    const streams: Streams = {
      ...io,
      ...{ stdin: Readable.from([stdin]), stdout: data.stream, stderr: notes.stream },
      ...{ stdinIsTerminal: false, stdoutIsTerminal: false, stderrIsTerminal: false },
    };
    const end = words.includes('--') ? words.indexOf('--') : words.length;
    const exit = await runLine([...words.slice(0, end), ...always, ...words.slice(end)], streams);
    return { exit, data: data.text(), notes: notes.text() };
  };
  return (line: Line): Promise<Outcome> => {
    const outcome = last.then(() => runNow(line));
    last = outcome.catch(() => undefined);
    return outcome;
  };
}

function caught() {
  const parts: Buffer[] = [];
  const stream = new Writable({
    write(part: Buffer | string, _encoding, done) {
      parts.push(Buffer.from(part));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(parts).toString('utf8') };
}
