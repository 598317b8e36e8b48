// All that writes to stdout and stderr: whatever pm prints, nothing in it can steer a terminal.
import { Writable } from 'node:stream';
import { ServiceError } from '../../contract/errors.ts';
import { escapeJson, sanitise, sanitiseLines } from '../../text/escape.ts';
import type { Streams } from '../streams.ts';
import { drawn as drawnIn } from './drawn.ts';
import { openSink, type Sink } from './sink.ts';

type Out = Pick<Streams, 'stdout' | 'stdoutIsTerminal'>;
type Err = Pick<Streams, 'stderr' | 'errorsAsJson'>;

/** Colors; nothing else that a terminal obeys. */
const KEPT = /(\u001b\[[\d;]{0,20}m)/;

/** A text with names that are harmless already, and with colors of pm. */
const painted = (text: string): string =>
  text
    .split(KEPT)
    .map((part, at) => (at % 2 === 0 ? sanitiseLines(part) : part))
    .join('');

/** Clears the last line of a stream, where a bar or the like is drawn there again and again. */
const drawn = new WeakMap<NodeJS.WritableStream, () => void>();

/** Begins to draw on the last line of stderr, which is cleared before other text and at the end. Answers the way to stop. */
export function drawOnLastLine({ stderr }: Err, clear: () => void): () => void {
  drawn.set(stderr, clear);
  process.once('exit', clear);
  return () => {
    drawn.delete(stderr);
    process.off('exit', clear);
  };
}

export const isDrawing = ({ stderr }: Err): boolean => drawn.has(stderr);

function writeBelow({ stderr }: Err, text: string): void {
  drawn.get(stderr)?.();
  stderr.write(text);
}

/** Writes one line about the work to stderr; for a program it is a note in an object. */
export function say(io: Err & Pick<Streams, 'env'>, line: string): void {
  if (io.errorsAsJson) sayObject(io, { note: line });
  else writeBelow(io, `${sanitise(line.replace(NOTED, (sign) => drawnIn(io.env, sign)))}\n`);
}

/** The signs of notes. */
const NOTED = /^\u25b2| \u2192 /g;

/** Writes one object to stderr, as a line of JSON. */
export const sayObject = ({ stderr }: Err, object: object): void =>
  void stderr.write(`${escapeJson(JSON.stringify(object))}\n`);

/** Writes lines with colors to stderr. */
export const sayPainted = (io: Err, lines: readonly string[]): void =>
  writeBelow(io, lines.map((line) => `${painted(line)}\n`).join(''));

/** Writes a text of several lines to stderr. */
export const sayText = (io: Err, text: string): void => writeBelow(io, `${sanitiseLines(text)}\n`);

/** Prints lines for people on stdout, also where that is no terminal: the reader may hand them to one. */
export const print = ({ stdout }: Out, lines: readonly string[]): void =>
  void stdout.write(lines.map((line) => `${sanitise(line)}\n`).join(''));

/** Prints lines with colors on stdout. */
export const printPainted = ({ stdout }: Out, lines: readonly string[]): void =>
  void stdout.write(lines.map((line) => `${painted(line)}\n`).join(''));

/** Prints a text of several lines on stdout. */
export const printText = ({ stdout, stdoutIsTerminal }: Out, text: string): void =>
  void stdout.write(stdoutIsTerminal ? sanitiseLines(text) : text);

/** Prints an answer on stdout: byte by byte, or as text on a terminal. A text ends with a line feed. */
export function printBytes(io: Out, bytes: Uint8Array, isText: boolean): void {
  if (bytes.byteLength === 0) return;
  const end = isText && bytes.at(-1) !== LINE_FEED ? '\n' : '';
  if (io.stdoutIsTerminal) printText(io, `${new TextDecoder().decode(bytes).replace(/\n$/, '')}\n`);
  else io.stdout.write(Buffer.concat([bytes, Buffer.from(end)]));
}

const LINE_FEED = 10;

/** stdout for records; `escapeText` are the escapes of their format, for a terminal. */
export const recordSink = (
  { stdout }: Out,
  terminal: boolean,
  escapeText: (text: string) => string = (text) => text,
): Sink => openSink(stdout, terminal ? (text) => painted(escapeText(text)) : undefined);

/** The error of an Excel file that would go to a terminal. */
export const noTextFor = (flag: string): ServiceError =>
  new ServiceError('usage', `${flag} writes an Excel file, which a terminal cannot show`, {
    hint: 'Send it to a file: > people.xlsx',
  });

/** stdout as a stream that ends without closing it. */
export function outStream({ stdout, stdoutIsTerminal }: Out): Writable {
  const decoder = new TextDecoder();
  const safe = (chunk: Buffer): string | Buffer =>
    stdoutIsTerminal ? sanitiseLines(decoder.decode(chunk, { stream: true })) : chunk;
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => void stdout.write(safe(chunk), (error) => done(error ?? null)),
  });
}

/** stderr for a bar, which moves the cursor; its texts are sanitised before. */
export const barStream = ({ stderr }: Err): NodeJS.WritableStream => stderr;

export const toStream = (io: Streams, stdout: Writable): Streams => ({ ...io, stdout, stdoutIsTerminal: false });

/** The same streams, with one of them leading nowhere. */
export const muted = (io: Streams, stream: 'stdout' | 'stderr'): Streams => ({
  ...io,
  [stream]: new Writable({ write: (_chunk, _encoding, done) => done() }),
});
