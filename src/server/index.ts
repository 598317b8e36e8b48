// The endpoint: the v4 interface over HTTP, answered by any back end, with its limits, the access log and errors.
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Backend, Credential, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { clean } from '../text/escape.ts';
import { keepingLatest } from '../text/once-per.ts';
import { NAMESPACE } from '../wire/codec.ts';
import { LIMITS } from '../wire/gate.ts';
import { negotiate } from '../wire/media.ts';
import { type Log, logAnswer, logDefect, logUnreadable } from './access-log.ts';
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
  /** Addresses of proxies, as CIDR: their X-Forwarded headers are trusted. */
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
    /** Of a request below the prefix, once its caller is authenticated. */
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
function appFor(options: ServerOptions): { readonly app: FastifyInstance; announceEnd(): void } {
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
    reply.raw.on('close', () => logAnswer(log, clock(), performance.now() - began, request, reply));
    if (isEnding) reply.raw.shouldKeepAlive = false;
    if (!latest.has(request.socket)) request.socket.once('close', () => latest.delete(request.socket));
    latest.set(request.socket, reply.raw);
    reply.headers(ALWAYS).header('x-request-id', request.id);
    check(request);
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => {
    const instance = request.originalUrl.replace(/\?.*$/s, '');
    const { accept } = request.headers;
    const { status, headers, body, isOurFault } = problemAnswer(error, instance, accept, namespace);
    if (isOurFault) logDefect(log, clock(), request.id, error);
    return reply.code(status).headers(headers).send(body);
  });
  answerCalls(app, options, async () => !isEnding && ((await options.isReady?.()) ?? true));
  return {
    app,
    announceEnd() {
      isEnding = true;
      for (const response of latest.values()) response.shouldKeepAlive = false;
    },
  };
}

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

function answerCalls(app: FastifyInstance, options: ServerOptions, isReady: () => Promise<boolean>): void {
  const { backend, clock, log, namespace = NAMESPACE } = options;
  const limiter = loginLimiter(clock, { ...SERVER_LIMITS, ...options.limits });
  const answerPage = pagesOf(isReady, namespace);
  const endpoint: Endpoint = {
    backend,
    limiter,
    namespace,
    writerFor: cachedWriters(namespace),
    whenToSend: sendingTogether(),
    logError: (request, error) => logDefect(log, clock(), request.id, error),
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
    const credential = credentialIn(request);
    const session = await backend.open(credential, limiter.guard(credential.login, request.ip));
    request.userName = session.me.userName;
    const { operation, input } = operationAt(method, target, reply);
    request.call = { kind: 'operation', media: negotiate(headers.accept), session, operation, input };
  });
  // Fastify sends the body that a promise brings.
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply | Sent> => {
    const { call } = request;
    if (!call) return answerPage(request, reply);
    if (call.kind === 'options') return answerOptions(reply, call.allow);
    if (call.kind === 'operation') return answerOperation(endpoint, call, request, reply);
    return answerLogin(endpoint, call.media, request, reply);
  };
  app.route({ method: app.supportedMethods, url: '/', exposeHeadRoute: false, handler: answer });
  // Methods unknown to Fastify find no route.
  app.setNotFoundHandler(answer);
}

const HOST = /^(\[[0-9a-f:.]+\]|[^\s:/@[\]]+)(?::\d{1,5})?$/i;
const BASIC = /^basic +([a-z0-9+/]+={0,2}) *$/i;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const WILDCARDS = ['0.0.0.0', '[::]'];

/** Is this an address of the loopback interface? */
const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/** An address in a URL: IPv6 is in brackets. */
const inUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/**
 * A check of the Host header against DNS rebinding: another site cannot call the endpoint under its own name.
 * HTTP/1.0 has no Host; every browser sends one. `bound` is the listening address, `more` holds further names. The
 * check throws `invalid`.
 */
function hostCheck(bound: string, more: readonly string[]): (request: FastifyRequest) => void {
  const own = inUrl(bound).toLowerCase();
  const names = new Set([...LOOPBACK, ...more.map((name) => inUrl(name).toLowerCase())]);
  if (!WILDCARDS.includes(own)) names.add(own);
  const isServed = keepingLatest((host: string) => names.has(HOST.exec(host)?.[1]?.toLowerCase() ?? ''));
  return ({ headers: { host }, raw }) => {
    if (host === undefined ? raw.httpVersion === '1.0' : isServed(host)) return;
    const what = host === undefined ? 'the request names no host' : `the host "${clean(host)}" is not served here`;
    throw new ServiceError('invalid', `${what}; the operator of the endpoint allows a name with --allow-host`);
  };
}

const lastSent = new WeakMap<Socket, { readonly header: string; readonly credential: Credential }>();

/** Most connections send the same header again and again: it is decoded once. */
function credentialIn({ headers: { authorization }, socket }: FastifyRequest): Credential {
  const last = lastSent.get(socket);
  if (last !== undefined && last.header === authorization) return last.credential;
  const credential = credentialOf(authorization);
  lastSent.set(socket, { header: authorization ?? '', credential });
  return credential;
}

/** The credential in the header. Throws `unauthorized` if it is missing or not HTTP Basic. */
function credentialOf(header: string | undefined): Credential {
  const bytes = Buffer.from(BASIC.exec(header ?? '')?.[1] ?? '', 'base64');
  const pair = isUtf8(bytes) ? bytes.toString('utf8') : '';
  const colon = pair.indexOf(':');
  if (colon >= 0) return { login: pair.slice(0, colon), password: pair.slice(colon + 1) };
  const what =
    header === undefined ? 'no user name and password were sent' : 'the Authorization header is not readable';
  throw new ServiceError('unauthorized', `${what}; HTTP Basic is asked for`, { next: { do: 'log-in' } });
}

interface OneRequest {
  readonly method: string;
  /** With the prefix and the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** Answers as the endpoint would answer the caller of the session. */
export async function answerOnce(
  session: Session,
  { method, path, headers, body }: OneRequest,
  options: Pick<ServerOptions, 'clock' | 'log'>,
) {
  const backend: Backend = {
    open: async () => session,
    login: () => Promise.reject(new ServiceError('unsupported', 'a login is asked of pm serve')),
    close: async () => undefined,
  };
  const { app } = appFor({ ...options, backend });
  try {
    const answer = await app.inject({
      method: method as 'GET',
      url: path,
      headers: { ...headers, authorization: ANYBODY },
      ...(body === undefined ? {} : { payload: Buffer.from(body) }),
    });
    const said = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
    return { status: answer.statusCode, headers: Object.fromEntries(said), bytes: answer.rawPayload };
  } finally {
    await app.close();
  }
}

/** Any credential will do, since the session is open already. */
const ANYBODY = `Basic ${Buffer.from(':').toString('base64')}`;
