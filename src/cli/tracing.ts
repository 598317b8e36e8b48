// What --trace and --curl show of the requests; the client has taken every secret out.
import { appendFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Exchange } from '../client/exchange.ts';
import { ServiceError } from '../contract/errors.ts';
import { sanitise, sanitiseLines } from './output/sanitise.ts';
import type { Settings } from './settings.ts';
import type { Streams } from './streams.ts';

/** Undefined where nobody wants to see anything. Throws `usage` for a file that cannot be written. */
export function observerFor({ trace, curl }: Settings, io: Streams): ((exchange: Exchange) => void) | undefined {
  if (trace === undefined && !curl) return undefined;
  const file = trace === undefined ? undefined : begun(resolve(io.cwd, trace));
  let last = '';
  return (exchange) => {
    if (file !== undefined) appendFileSync(file, traceOf(exchange));
    const line = curl ? curlOf(exchange) : last;
    if (line !== last) io.stderr.write(`${line}\n`);
    last = line;
  };
}

function begun(file: string): string {
  try {
    writeFileSync(file, '', { mode: 0o600 });
    return file;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new ServiceError('usage', `--trace ${file} cannot be written: ${code}`, { cause: error });
  }
}

/** A try in lines: `>` what was asked, `<` what was answered. */
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
