// The file of recorded requests: NDJSON, its first line names it, each other one is an exchange with a service.
import { ServiceError } from '../../contract/errors.ts';

/** The first line of a recording. */
export const FIRST_LINE = '{"pm":"recording","version":1}';

/** A request and its answer, as one line. */
export interface Recorded {
  readonly method: string;
  /** Below /v4, percent-coded. */
  readonly path: string;
  /** As it was sent, without `?`. */
  readonly query: string;
  /** As it was sent; null without one. */
  readonly body: string | null;
  /** Null without an answer: the connection ended. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** As it was read; null where it is not recorded. */
  readonly answer: string | null;
  /** The connection ended within the answer. */
  readonly broken?: true;
  /** Why the answer is not recorded. */
  readonly unread?: string;
}

/**
 * Reads a recording, or several of them in one text. `name` is the file's in messages. Throws `usage` for a line that is
 * none of a recording.
 */
export function readRecording(text: string, name: string): readonly Recorded[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (!isFirstLine(lines[0] ?? '')) throw noRecording(`${name} is no recording of pm`);
  return lines.flatMap((line, at) => (isFirstLine(line) ? [] : [exchangeIn(line, `${name}, line ${at + 1},`)]));
}

function isFirstLine(line: string): boolean {
  const read = parsed(line);
  if (read?.pm !== 'recording') return false;
  if (read.version === 1) return true;
  throw new ServiceError('usage', `the recording is of version ${String(read.version)}, and this pm reads version 1`, {
    hint: 'Use the pm that wrote it, or a newer one.',
  });
}

function exchangeIn(line: string, where: string): Recorded {
  const read = parsed(line);
  if (read && isRecorded(read)) return read;
  throw noRecording(`${where} is no recorded request`);
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

function isRecorded(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & Recorded {
  const { method, path, query, body, status, headers, answer } = value;
  return (
    [method, path, query].every((one) => typeof one === 'string') &&
    [body, answer].every(isTextOrNull) &&
    (status === null || (Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599)) &&
    typeof headers === 'object' &&
    headers !== null &&
    Object.values(headers).every((one) => typeof one === 'string')
  );
}

const noRecording = (what: string): ServiceError =>
  new ServiceError('usage', what, { hint: 'A recording is written by --record on any command: pm help remote' });
