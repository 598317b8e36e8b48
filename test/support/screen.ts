// A command in process as a person sees it: stdout and stderr on one screen, in the order in which they are written.
import { Readable, Writable } from 'node:stream';
import { main } from '../../src/cli/main.ts';
import type { Streams } from '../../src/cli/streams.ts';

/** What came of a command. */
export interface Seen {
  readonly screen: string;
  /** stdout alone, as a pipe hands it on. */
  readonly out: string;
  readonly exit: number;
}

/** Where a command runs. */
export interface Place extends Pick<Streams, 'env' | 'cwd' | 'now'> {
  /** The width of the terminal; undefined where all is written to a file or pipe. */
  readonly columns: number | undefined;
  readonly stdin?: string;
}

export async function seen(argv: readonly string[], { columns, stdin = '', ...place }: Place): Promise<Seen> {
  const [screen, out]: [Buffer[], Buffer[]] = [[], []];
  const exit = await main(argv, {
    ...place,
    stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]),
    stdout: writingTo(screen, out),
    stderr: writingTo(screen),
    stdinIsTerminal: false,
    stdoutIsTerminal: columns !== undefined,
    stderrIsTerminal: false,
    columns: columns ?? 80,
  });
  return { screen: textOf(screen), out: textOf(out), exit };
}

const writingTo = (...places: readonly Buffer[][]): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const place of places) place.push(chunk);
      done();
    },
  });

const textOf = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString('utf8');
