// What a command knows of its process. It is passed in, so that tests can replace it.

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
  /** Aborts when the process is asked to end. Without a listener the process ends immediately. */
  readonly stopped?: AbortSignal;
  /** `--errors json`: a program reads stderr. Each of its lines is an object, and no question is asked. */
  readonly errorsAsJson?: boolean;
  readonly cwd: string;
}
