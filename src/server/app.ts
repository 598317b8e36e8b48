// The web server without what it answers: its limits, the checks of every request, the access log and errors.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { ServiceError } from '../contract/errors.ts';
import { NAMESPACE } from '../wire/codec.ts';
import { LIMITS } from '../wire/gate.ts';
import { type Log, logAnswer, logDefect, logUnreadable } from './access-log.ts';
import { hostCheck, inUrl, isLoopback } from './authenticate.ts';
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
import { problemAnswer } from './problem-answer.ts';

export interface AppOptions {
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
  }
}

export interface App {
  readonly app: FastifyInstance;
  isClosing(): boolean;
  logError(request: FastifyRequest, error: unknown): void;
  /** Throws `usage` for an address that cannot be listened on. */
  listen(): Promise<Served>;
}

/**
 * A server that checks the host and the length of each address, logs each request and answers errors; handlers are to be
 * added. Throws `usage` for an address that needs TLS.
 */
export function openApp(options: AppOptions): App {
  const { host = '127.0.0.1', port = 0, tls, allowHttp, clock, log, drainMs = 0 } = options;
  if (!tls && !allowHttp && !isLoopback(host)) throw unencrypted(host);
  if (tls) checkTls(tls);
  const app = fastifyFor(options);
  let isClosing = false;
  app.decorateRequest('userName', undefined);
  /** The answers that are not sent yet. */
  const open = new Set<ServerResponse>();
  const check = requestCheck(options);
  app.addHook('onRequest', (request, reply, done) => {
    const began = performance.now();
    open.add(reply.raw);
    // Unlike onResponse, this also covers answers that broke off.
    reply.raw.on('close', () => {
      open.delete(reply.raw);
      logAnswer(log, { at: clock(), milliseconds: performance.now() - began, request, reply });
    });
    if (isClosing) reply.raw.shouldKeepAlive = false;
    reply.headers(ALWAYS).header('x-request-id', request.id);
    check(request);
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const logError: App['logError'] = (request, error) => logDefect(log, clock(), request.id, error);
  answerErrors(app, options.namespace ?? NAMESPACE, logError);
  return {
    app,
    isClosing: () => isClosing,
    logError,
    async listen() {
      const url = `${tls ? 'https' : 'http'}://${inUrl(host)}:${await listening(app, host, port)}`;
      const close = async (): Promise<void> => {
        isClosing = true;
        for (const response of open) response.shouldKeepAlive = false;
        if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
        await ending(app.server);
        await app.close();
      };
      return { url, close };
    },
  };
}

const unencrypted = (host: string): ServiceError =>
  new ServiceError('usage', `on ${host} passwords would travel unencrypted`, {
    hint: 'Give a certificate with --tls-cert and --tls-key, or say --allow-http where something else encrypts.',
  });

/**
 * A proxy keeps its connections for a minute at most, and must be the one that closes them: a request that it sends on a
 * connection that is being closed here would be lost.
 */
const BEHIND_PROXY: Partial<Limits> = { keepAliveMs: 75_000 };

/** All requests have one address in Fastify: routing.ts routes them. */
function fastifyFor({ trustProxy = [], clock, log, limits, tls }: AppOptions): FastifyInstance {
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
function requestCheck({ host = '127.0.0.1', allowHosts = [], limits }: AppOptions): (request: FastifyRequest) => void {
  const checkHost = hostCheck(host, allowHosts);
  const longest = limits?.address ?? SERVER_LIMITS.address;
  return (request) => {
    if (request.originalUrl.length > longest)
      throw new ServiceError('invalid', `the address is longer than ${longest} characters, the most that is read`);
    checkHost(request);
  };
}

function answerErrors(app: FastifyInstance, namespace: string, logError: App['logError']): void {
  app.setErrorHandler((error, request, reply) => {
    const instance = request.originalUrl.replace(/\?.*$/s, '');
    const asked = { instance, accept: request.headers.accept, namespace };
    const { status, headers, body, isOurFault } = problemAnswer(error, asked);
    if (isOurFault) logError(request, error);
    return reply.code(status).headers(headers).send(body);
  });
}
