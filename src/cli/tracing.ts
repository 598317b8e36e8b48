// What --trace and --curl show of the requests; the client has taken every secret out.
import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Exchange } from '../client/redact.ts';
import { beginOutput } from '../files/output.ts';
import { sanitise, sanitiseLines } from '../text/escape.ts';
import type { Settings } from './settings.ts';
import type { Streams } from './streams.ts';

/** The observer of requests; undefined without --trace and --curl. Throws `usage` for a file that cannot be written. */
export function observerFor(settings: Settings, io: Streams): ((exchange: Exchange) => void) | undefined {
  const { trace, curl } = settings;
  if (trace === undefined && !curl) return undefined;
  const file = trace === undefined ? undefined : openTrace(trace, settings, io);
  let last = '';
  return (exchange) => {
    if (file !== undefined) appendFileSync(file, traceOf(exchange));
    const line = curl ? curlOf(exchange) : last;
    if (line !== last) io.stderr.write(`${line}\n`);
    last = line;
  };
}

/** Is the file a device, such as a terminal or a pipe? It is written to directly. */
export const isStream = (file: string): boolean => /^\/(?:dev|proc)\//.test(file);

/** A command may open several clients; each appends to the same file. */
const OPENED = new WeakSet<Streams>();

function openTrace(file: string, { overwrite }: Settings, io: Streams): string {
  const path = resolve(io.cwd, file);
  if (!isStream(path) && !OPENED.has(io)) beginOutput({ name: `--trace ${file}`, path, overwrite });
  OPENED.add(io);
  return path;
}

/** One attempt in lines: `>` for the request, `<` for the answer. */
function traceOf(exchange: Exchange): string {
  const { method, url, login, headers, body, status, failure, milliseconds, answerHeaders, answer } = exchange;
  const lines = [
    `> ${method} ${url}${login === undefined ? '' : ` (as ${login})`}`,
    ...Object.entries(headers).map(([name, value]) => `> ${name}: ${value}`),
    ...(body === undefined ? [] : ['>', `> ${body}`]),
    `< ${status ?? `no answer: ${failure}`} (${milliseconds} ms)`,
    ...Object.entries(answerHeaders).map(([name, value]) => `< ${name}: ${value}`),
    ...(answer === undefined || answer === '' ? [] : ['<', `< ${answer}`]),
  ];
  return `${lines.map(sanitiseLines).join('\n')}\n\n`;
}

/** The same request as a curl command; the secret is the variable PM_PASSWORD. */
function curlOf({ method, url, login, headers, body }: Exchange): string {
  const parts = [
    'curl -sS',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(login === undefined ? [] : [`-u ${quoted(`${login}:`)}"$PM_PASSWORD"`]),
    ...Object.entries(headers)
      .filter(([name]) => name !== 'accept-encoding')
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quoted(body)}`]),
    quoted(url),
  ];
  return sanitise(parts.join(' '));
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
