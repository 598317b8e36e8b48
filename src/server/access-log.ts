// The access log: one JSON line for each request, without bodies, passwords, or the values of queries.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeJson } from '../text/escape.ts';
import { keepingLatest } from '../text/once-per.ts';
import { stackInSources } from '../text/stack.ts';

/** Takes one line, without a line break. */
export type Log = (line: string) => void;

/** Joins the lines of one turn of the event loop into one write. */
export function batchedLog(write: Log) {
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length === 0) return;
    const text = lines.join('\n');
    lines = [];
    write(text);
  };
  return {
    log(line: string): void {
      if (lines.length === 0) setImmediate(flush);
      lines.push(line);
    },
    /** Writes the pending lines. */
    flush,
  };
}

const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 40;

export function logAnswer(log: Log, at: Date, took: number, request: FastifyRequest, reply: FastifyReply): void {
  const { originalUrl } = request;
  const mark = originalUrl.indexOf('?');
  const path = mark < 0 ? originalUrl : originalUrl.slice(0, mark);
  const query = mark < 0 ? '[]' : json(namesIn(originalUrl.slice(mark + 1)));
  const ms = Math.round(took * 10) / 10;
  // The client disconnected, or the answer broke off.
  const cut = reply.raw.writableFinished ? '' : ',"cut":true';
  // Put together by hand: as an object it would take longer to write than the record that was answered.
  const who = `"address":${json(request.ip)},"user":${json(request.userName ?? null)}`;
  const what = `"method":"${request.method}","path":${json(path)},"query":${query}`;
  log(
    escapeJson(
      `{"time":"${timeAt(at.getTime())}","id":"${request.id}",${who},${what},"status":${reply.statusCode},"ms":${ms}${cut}}`,
    ),
  );
}

const json = (value: unknown): string => JSON.stringify(value);

/** Many requests end in one millisecond. */
const timeAt = keepingLatest((instant: number) => new Date(instant).toISOString());

/** An internal error, with its stack. */
export function logDefect(log: Log, at: Date, id: string, error: unknown): void {
  const text = error instanceof Error ? stackInSources(error) : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? { cause: error.cause.message } : {};
  log(lineOf({ time: at.toISOString(), id, error: text, ...cause }));
}

/** A malformed request. */
export function logUnreadable(log: Log, at: Date, address: string | undefined, status: number): void {
  log(lineOf({ time: at.toISOString(), address: address ?? null, status }));
}

/** Such a line is read on terminals: JSON escapes the signs that are unsafe there. */
const lineOf = (members: object): string => escapeJson(JSON.stringify(members));

const namesIn = (query: string): readonly string[] =>
  query
    .split('&')
    .filter((part) => part.includes('='))
    .slice(0, MAX_NAMES)
    .map((part) => part.slice(0, Math.min(part.indexOf('='), MAX_NAME_LENGTH)));
