// The endpoint without a back end: it answers what was recorded. No login is checked.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../contract/errors.ts';
import { type AppOptions, openApp, type Served } from './app.ts';
import { isLoopback } from './authenticate.ts';
import { belowPrefix } from './routing.ts';

/** A request below /v4. */
export interface ReplayedRequest {
  readonly method: string;
  /** Below /v4, percent-coded. */
  readonly path: string;
  /** Without `?`. */
  readonly query: string;
  /** Null without one. */
  readonly body: string | null;
}

export interface ReplayedAnswer {
  /** Null: the connection ends without an answer. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The connection ends within the answer. */
  readonly broken: boolean;
}

/** `answerTo` throws ServiceError, which is answered as a problem. */
export interface ReplayOptions extends Pick<AppOptions, 'host' | 'port' | 'clock' | 'log' | 'tls'> {
  readonly answerTo: (request: ReplayedRequest) => ReplayedAnswer;
}

/** Begins to answer, to this machine alone. Throws `usage` for another address, and one that cannot be listened on. */
export async function openReplay({ answerTo, ...options }: ReplayOptions): Promise<Served> {
  const { host } = options;
  if (host !== undefined && !isLoopback(host))
    throw new ServiceError('usage', `a recording is replayed to this machine alone, and ${host} is another address`, {
      hint: 'Leave --host out: whoever asks is answered, without a login.',
    });
  const { app, listen } = openApp(options);
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    replied(reply, answerTo(requestIn(request)));
  app.route({ method: app.supportedMethods, url: '/', exposeHeadRoute: false, handler: answer });
  app.setNotFoundHandler(answer);
  return listen();
}

function requestIn({ method, originalUrl, body }: FastifyRequest): ReplayedRequest {
  const target = belowPrefix(originalUrl);
  if (target === undefined) throw new ServiceError('not_found', 'a replay answers below /v4 alone');
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  return { method, path, query, body: Buffer.isBuffer(body) ? body.toString('utf8') : null };
}

function replied(reply: FastifyReply, { status, headers, body, broken }: ReplayedAnswer): FastifyReply {
  if (status !== null && !broken) return reply.code(status).headers(headers).send(body);
  reply.hijack();
  if (status === null) reply.raw.destroy();
  else reply.raw.writeHead(status, headers).write(body, () => reply.raw.destroy());
  return reply;
}
