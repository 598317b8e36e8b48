// Writes the exchanges of a command to the file of --record, and opens files that grow while a command runs.
import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { endpointOf } from '../../client/endpoint.ts';
import type { Exchange } from '../../client/redact.ts';
import { beginOutput, isStream } from '../../files/output.ts';
import { say } from '../output/printing.ts';
import type { Remote } from '../profiles/profiles.ts';
import type { Settings } from '../settings.ts';
import type { Streams } from '../streams.ts';
import { FIRST_LINE, type Recorded } from './recording.ts';

/** Takes each exchange whose answer was read; undefined without --record. Throws `usage` for a file that cannot be written. */
export function recorderFor(
  remote: Remote,
  settings: Settings,
  io: Streams,
): ((exchange: Exchange) => void) | undefined {
  const { record, quiet } = settings;
  if (record === undefined) return undefined;
  const note = (line: string): void => {
    if (!quiet) say(io, line);
  };
  const { base } = endpointOf(remote.url, remote.allowHttp);
  const path = openGrowing('record', record, settings, io, () => {
    note(`${record} will hold personal data: requests and answers, without passwords and tokens.`);
    return `${FIRST_LINE}\n`;
  });
  return (exchange) => {
    const line = recordedOf(exchange, base);
    appendFileSync(path, `${JSON.stringify(line)}\n`);
    if (line.unread !== undefined) note(`The answer to ${line.method} ${line.path} is ${line.unread}: not recorded.`);
  };
}

const OPENED = new WeakMap<Streams, Set<string>>();

/**
 * Begins a file that grows, and answers its path. A command may open several clients: each appends to the same file,
 * which begins with what `first` answers. Throws `usage`.
 */
export function openGrowing(
  flag: 'trace' | 'record',
  file: string,
  { overwrite }: Settings,
  io: Streams,
  first: () => string = () => '',
): string {
  const path = resolve(io.cwd, file);
  const opened = OPENED.get(io) ?? new Set();
  OPENED.set(io, opened);
  if (opened.has(path)) return path;
  opened.add(path);
  if (!isStream(path)) beginOutput({ name: `--${flag} ${file}`, path, overwrite });
  appendFileSync(path, first());
  return path;
}

/** The headers that an answer is read by. */
const KEPT_HEADERS = ['content-type', 'etag'];

function recordedOf({ method, url, body, status, failure, ...answered }: Exchange, base: string): Recorded {
  // No URL is parsed: a part of it may be hidden.
  const [, path = url, query = ''] = /\/\/[^/]*(\/[^?]*)\??(.*)$/s.exec(url) ?? [];
  const { unread } = answered;
  const headers = Object.entries(answered.answerHeaders).filter(([name]) => KEPT_HEADERS.includes(name));
  return {
    method,
    path: path.startsWith(`${base}/`) ? path.slice(base.length) : path,
    query,
    body: body ?? null,
    status: status ?? null,
    headers: Object.fromEntries(headers),
    answer: unread === undefined ? (answered.answer ?? null) : null,
    ...(status !== undefined && failure !== undefined ? { broken: true } : {}),
    ...(unread === undefined ? {} : { unread }),
  };
}
