// The endpoint: the v4 interface over HTTP, answered by any back end, with its limits, the access log and errors.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Backend } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { NAMESPACE } from '../wire/codec.ts';
import { LIMITS } from '../wire/gate.ts';
import { negotiate } from '../wire/media.ts';
import { type Log, logAnswer, logDefect, logUnreadable } from './access-log.ts';
import { authenticate, hostCheck, inUrl, isLoopback } from './authenticate.ts';
import { proxiesIn } from './client-address.ts';
import {
  checkTls,
  ending,
  httpServer,
  type Limits,
  listening,
  refuseConnection,
  SERVER_LIMITS,
  type Tls,
} from './http-server.ts';
import { loginLimiter } from './login-limiter.ts';
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
import { problemAnswer } from './problem-answer.ts';
import { allowedAt, answerOptions, belowPrefix, isLogin, operationAt } from './routing.ts';

export interface ServerOptions {
  readonly backend: Backend;
  /** The address to listen on; by default 127.0.0.1. */
  readonly host?: string;
  /** By default a free port, as with 0. */
  readonly port?: number;
  readonly clock: () => Date;
  /** Takes the lines of the access log. */
  readonly log: Log;
  readonly tls?: Tls;
  /** Allows plain HTTP on an address that other machines reach. */
  readonly allowHttp?: boolean;
  /** Further names that the Host header may carry. */
  readonly allowHosts?: readonly string[];
  /** Addresses of proxies, as CIDR, whose X-Forwarded headers are trusted. */
  readonly trustProxy?: readonly string[];
  /** The namespace of XML; by default that of D23. */
  readonly namespace?: string;
  readonly limits?: Partial<Limits>;
  readonly isReady?: () => Promise<boolean>;
  /** For so long a server that is to end is not ready and still answers, so that a balancer sends others its requests. */
  readonly drainMs?: number;
}

export interface Served {
  /** `http://127.0.0.1:7470`. */
  readonly url: string;
  /** Drains, finishes the open requests and takes no new ones. The back end stays open. */
  close(): Promise<void>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The user name of an authenticated caller, for the access log. */
    userName: string | undefined;
    /** What a request below the prefix asks for, once its caller is authenticated. */
    call: Call | undefined;
  }
}

/** Begins to serve. Throws `usage` for an address that cannot be listened on, or that needs TLS. */
export async function openServer(options: ServerOptions): Promise<Served> {
  const { host = '127.0.0.1', port = 0, tls, allowHttp, drainMs = 0 } = options;
  if (!tls && !allowHttp && !isLoopback(host)) throw unencrypted(host);
  if (tls) checkTls(tls);
  const { app, announceEnd } = appFor(options);
  const url = `${tls ? 'https' : 'http'}://${inUrl(host)}:${await listening(app, host, port)}`;
  return {
    url,
    async close() {
      announceEnd();
      if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
      await ending(app.server);
      await app.close();
    },
  };
}

const unencrypted = (host: string): ServiceError =>
  new ServiceError('usage', `on ${host} passwords would travel unencrypted`, {
    hint: 'Give a certificate with --tls-cert and --tls-key, or say --allow-http where something else encrypts.',
  });

/** The web server, which does not listen yet. After `announceEnd` it is not ready, and each answer is the last one on its connection. */
export function appFor(options: ServerOptions): { readonly app: FastifyInstance; announceEnd(): void } {
  const { clock, log, namespace = NAMESPACE } = options;
  const app = fastifyFor(options);
  let isEnding = false;
  /** The latest answer on each connection. */
  const latest = new Map<Socket, ServerResponse>();
  const check = requestCheck(options);
  app.decorateRequest('userName', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const began = performance.now();
    // Unlike onResponse, this also covers answers that broke off.
    reply.raw.on('close', () => {
      logAnswer(log, { at: clock(), milliseconds: performance.now() - began, request, reply });
    });
    if (isEnding) reply.raw.shouldKeepAlive = false;
    if (!latest.has(request.socket)) request.socket.once('close', () => latest.delete(request.socket));
    latest.set(request.socket, reply.raw);
    reply.headers(ALWAYS).header('x-request-id', request.id);
    check(request);
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const logError: LogError = (request, error) => logDefect(log, clock(), request.id, error);
  app.setErrorHandler((error, request, reply) => {
    const instance = request.originalUrl.replace(/\?.*$/s, '');
    const asked = { instance, accept: request.headers.accept, namespace };
    const { status, headers, body, isOurFault } = problemAnswer(error, asked);
    if (isOurFault) logError(request, error);
    return reply.code(status).headers(headers).send(body);
  });
  answerCalls(app, options, async () => !isEnding && ((await options.isReady?.()) ?? true), logError);
  return {
    app,
    announceEnd() {
      isEnding = true;
      for (const response of latest.values()) response.shouldKeepAlive = false;
    },
  };
}

type LogError = (request: FastifyRequest, error: unknown) => void;

/**
 * A proxy keeps its connections for a minute at most, and must be the one that closes them: a request that it sends on a
 * connection that is being closed here would be lost.
 */
const BEHIND_PROXY: Partial<Limits> = { keepAliveMs: 75_000 };

/** All requests have one address in Fastify: routing.ts routes them. */
function fastifyFor({ trustProxy = [], clock, log, limits, tls }: ServerOptions): FastifyInstance {
  const isProxy = proxiesIn(trustProxy);
  const isBehindProxy = trustProxy.length > 0;
  const all = { ...SERVER_LIMITS, ...(isBehindProxy ? BEHIND_PROXY : {}), ...limits };
  return Fastify({
    serverFactory: (handler) => httpServer(handler, all, isProxy, tls),
    rewriteUrl: () => '/',
    bodyLimit: LIMITS.body,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    ...(isBehindProxy ? { trustProxy: isProxy } : {}),
    clientErrorHandler(error, socket) {
      const { remoteAddress } = socket;
      const status = refuseConnection(error.code, socket);
      if (status !== undefined) logUnreadable(log, clock(), remoteAddress, status);
    },
  });
}

const ALWAYS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // A page of another site cannot embed answers that the browser gets with a saved password.
  'cross-origin-resource-policy': 'same-origin',
};

/** The check of each request before it is answered. It throws `invalid`. */
function requestCheck(options: ServerOptions): (request: FastifyRequest) => void {
  const checkHost = hostCheck(options.host ?? '127.0.0.1', options.allowHosts ?? []);
  const longest = options.limits?.address ?? SERVER_LIMITS.address;
  return (request) => {
    if (request.originalUrl.length > longest)
      throw new ServiceError('invalid', `the address is longer than ${longest} characters, the most that is read`);
    checkHost(request);
  };
}

function answerCalls(
  app: FastifyInstance,
  options: ServerOptions,
  isReady: () => Promise<boolean>,
  logError: LogError,
): void {
  const { backend, clock, namespace = NAMESPACE } = options;
  const limiter = loginLimiter(clock, { ...SERVER_LIMITS, ...options.limits });
  const answerPage = pagesOf(isReady, namespace);
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
    if (!call) return answerPage(request, reply);
    if (call.kind === 'options') return answerOptions(reply, call.allow);
    if (call.kind === 'operation')
      return answerOperation(endpoint, call, request, reply, (error) => logError(request, error));
    return answerLogin(endpoint, call.media, request, reply);
  };
  app.route({ method: app.supportedMethods, url: '/', exposeHeadRoute: false, handler: answer });
  // Methods unknown to Fastify find no route.
  app.setNotFoundHandler(answer);
}
