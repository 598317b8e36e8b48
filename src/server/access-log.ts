// The access log: one line of JSON for each request, without bodies, passwords, or the values of queries.
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Takes one line, without its end. */
export type Log = (line: string) => void;

export interface BatchedLog {
  readonly log: Log;
  /** Writes what is gathered. */
  flush(): void;
}

/** Hands on what one turn of the event loop has logged at once, its lines joined: to write costs more than to say. */
export function batchedLog(write: Log): BatchedLog {
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length === 0) return;
    const text = lines.join('\n');
    lines = [];
    write(text);
  };
  return {
    log(line) {
      if (lines.length === 0) setImmediate(flush);
      lines.push(line);
    },
    flush,
  };
}

const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 40;

interface AnsweredRequest {
  readonly at: Date;
  readonly milliseconds: number;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Set only for somebody who is known. */
  readonly user: string | undefined;
}

/** One request that was answered, and how long that took. */
export function logAnswer(log: Log, { at, milliseconds, request, reply, user }: AnsweredRequest): void {
  const [path = '', query = ''] = request.originalUrl.split(/\?(.*)/s);
  log(
    JSON.stringify({
      time: at.toISOString(),
      id: request.id,
      address: request.ip,
      user: user ?? null,
      method: request.method,
      path,
      query: namesIn(query),
      status: reply.statusCode,
      ms: Math.round(milliseconds * 10) / 10,
      // Whoever asked hung up, or the answer broke off.
      ...(reply.raw.writableFinished ? {} : { cut: true }),
    }),
  );
}

/** A failure that is ours, with where it happened. */
export function logDefect(log: Log, at: Date, id: string, error: unknown): void {
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? { cause: error.cause.message } : {};
  log(JSON.stringify({ time: at.toISOString(), id, error: told, ...cause }));
}

/** Bytes that never became a request. */
export function logUnreadable(log: Log, at: Date, address: string | undefined, status: number): void {
  log(JSON.stringify({ time: at.toISOString(), address: address ?? null, status }));
}

const namesIn = (query: string): readonly string[] =>
  query
    .split('&')
    .filter((part) => part.includes('='))
    .slice(0, MAX_NAMES)
    .map((part) => part.slice(0, Math.min(part.indexOf('='), MAX_NAME_LENGTH)));
