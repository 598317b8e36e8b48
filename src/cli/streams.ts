// What a command knows of the process it runs in, handed in so that tests can stand in for it.

export interface Streams {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** The width of the terminal, in character cells. */
  readonly columns: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  now(): Date;
  /** Aborts when the process is asked to end; whoever does not listen is ended at once. */
  readonly stopped?: AbortSignal;
  readonly cwd: string;
}
