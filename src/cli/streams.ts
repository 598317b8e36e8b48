// The process as a command knows it. It is passed in, so that tests can replace it.
import { EventEmitter } from 'node:events';
import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';

export interface Streams {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: Output;
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

/** The used part of a stream that is written to. */
export interface Output extends Pick<NodeJS.EventEmitter, 'on' | 'off'> {
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
}

/** The form of errors, read before the command line is parsed. */
export const errorsAsJson = (argv: readonly string[], { env }: Pick<Streams, 'env'>): boolean =>
  (lastOf('--errors', argv) ?? env.PM_ERRORS) === 'json';

/** The last value of a flag among unparsed words. */
export function lastOf(flag: string, argv: readonly string[]): string | undefined {
  const at = argv.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  return argv[at] === flag ? argv[at + 1] : argv[at]?.slice(flag.length + 1);
}

const STDOUT = 1;
/** A pipe takes so many bytes before anybody reads it. */
const ROOM_OF_PIPE = 64 * 1024;

/**
 * Stdout of the process. To make Node's stream takes a tenth of a short command, so the first output is written without it.
 * Bytes that a pipe does not take at once, or that fail, are left to the stream. Its errors are emitted here. `done` is called
 * when all bytes so far are written.
 */
export function openStdout(): Output {
  const events = new EventEmitter();
  let room = roomOf(STDOUT);
  let stream: NodeJS.WriteStream | undefined;
  const opened = (): NodeJS.WriteStream => {
    stream ??= process.stdout.on('error', (error) => events.emit('error', error));
    return stream;
  };
  return Object.assign(events, {
    write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      const isShort = !stream && bytes.length <= room;
      room -= bytes.length;
      const rest = isShort ? unwritten(bytes) : bytes;
      if (stream || rest.length > 0) return opened().write(rest, done);
      if (done) process.nextTick(done);
      return true;
    },
  });
}

/** The bytes that can be written without a wait. */
function roomOf(descriptor: number): number {
  if (mayBeTerminal(descriptor)) return 0;
  return fstatSync(descriptor).isFile() ? Number.POSITIVE_INFINITY : ROOM_OF_PIPE;
}

/** Writes as much as can be written at once; answers the rest. */
function unwritten(bytes: Uint8Array): Uint8Array {
  try {
    return bytes.subarray(writeSync(STDOUT, bytes));
  } catch {
    return bytes;
  }
}

/**
 * A terminal is a device. Only Node's stream knows whether a device is one, and to make the stream of a pipe takes long, or
 * of the null device, which scripts put in the place of both.
 */
export function mayBeTerminal(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isCharacterDevice() && found.rdev !== statSync(devNull).rdev;
  } catch {
    return true;
  }
}

/** The same with other members. Copied by their descriptors: Node makes each stream when it is first touched. */
export const streamsWith = (io: Streams, other: Partial<Streams>): Streams => {
  const [own, others] = [io, other].map(Object.getOwnPropertyDescriptors);
  return Object.defineProperties({} as Streams, { ...own, ...others });
};
