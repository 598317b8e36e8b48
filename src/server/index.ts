// The endpoint: the v4 interface over HTTP, answered by any back end.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Backend, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { NAMESPACE } from '../wire/codec.ts';
import { negotiate } from '../wire/media.ts';
import { type App, type AppOptions, openApp, type Served } from './app.ts';
import { authenticate } from './authenticate.ts';
import { SERVER_LIMITS } from './http-server.ts';
import { type LoginLimiter, loginLimiter } from './login-limiter.ts';
import {
  answerLogin,
  answerOperation,
  type Call,
  cachedWriters,
  type Endpoint,
  type Sent,
  sendingTogether,
} from './operations.ts';
import { pagesOf } from './pages.ts';
import { allowedAt, answerOptions, belowPrefix, isLogin, operationAt } from './routing.ts';

export type { Served };

export interface ServerOptions extends AppOptions {
  readonly backend: Backend;
  readonly isReady?: () => Promise<boolean>;
  /** By default one that counts the failures of this process. */
  readonly limiter?: LoginLimiter;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What a request below the prefix asks for, once its caller is authenticated. */
    call: Call | undefined;
  }
}

/** Begins to serve. Throws `usage` for an address that cannot be listened on, or that needs TLS. */
export async function openServer(options: ServerOptions): Promise<Served> {
  const opened = openApp(options);
  serveOn(opened, options);
  return opened.listen();
}

function serveOn({ app, isClosing, logError }: App, options: ServerOptions): void {
  const { backend, clock, namespace = NAMESPACE } = options;
  const limiter = options.limiter ?? loginLimiter(clock, { ...SERVER_LIMITS, ...options.limits });
  const pages = pagesOf(async () => !isClosing() && ((await options.isReady?.()) ?? true), namespace);
  const endpoint: Endpoint = {
    ...{ backend, limiter, namespace },
    writerFor: cachedWriters(namespace),
    whenToSend: sendingTogether(),
  };

  app.decorateRequest('call', undefined);
  app.addHook('onRequest', async (request, reply) => {
    const { originalUrl, method, headers } = request;
    const target = belowPrefix(originalUrl);
    if (target === undefined) return;
    reply.header('vary', 'Accept');
    if (method === 'OPTIONS') {
      request.call = { kind: 'options', allow: allowedAt(target) };
      return;
    }
    if (isLogin(method, target)) {
      request.call = { kind: 'login', media: negotiate(headers.accept) };
      return;
    }
    const session = await authenticate(backend, limiter, request);
    request.userName = session.me.userName;
    const { operation, input } = operationAt(method, target, reply);
    request.call = { kind: 'operation', media: negotiate(headers.accept), session, operation, input };
  });
  // Fastify sends the body that a promise brings.
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply | Sent> => {
    const { call } = request;
    if (!call) return pages.answer(request, reply);
    if (call.kind === 'options') return answerOptions(reply, call.allow);
    if (call.kind === 'operation')
      return answerOperation(endpoint, call, request, reply, (error) => logError(request, error));
    return answerLogin(endpoint, call.media, request, reply);
  };
  app.route({ method: app.supportedMethods, url: '/', exposeHeadRoute: false, handler: answer });
  // Methods unknown to Fastify find no route.
  app.setNotFoundHandler(answer);
}

export interface OneRequest {
  readonly method: string;
  /** With the prefix and the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

export interface OneAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** Answers one request without a network, as the endpoint would answer the caller of the session. */
export async function answerOnce(
  session: Session,
  { method, path, headers, body }: OneRequest,
  options: Pick<AppOptions, 'clock' | 'log'>,
): Promise<OneAnswer> {
  const backend: Backend = {
    open: async () => session,
    login: () => Promise.reject(new ServiceError('unsupported', 'a login is asked of pm serve')),
    close: async () => undefined,
  };
  const opened = openApp(options);
  serveOn(opened, { ...options, backend });
  try {
    const answer = await opened.app.inject({
      method: method as 'GET',
      url: path,
      headers: { ...headers, authorization: ANYBODY },
      ...(body === undefined ? {} : { payload: Buffer.from(body) }),
    });
    const said = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
    return { status: answer.statusCode, headers: Object.fromEntries(said), bytes: answer.rawPayload };
  } finally {
    await opened.app.close();
  }
}

/** The session is open already: whose credential it is does not matter. */
const ANYBODY = `Basic ${Buffer.from(':').toString('base64')}`;
