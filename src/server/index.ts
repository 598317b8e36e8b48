// The endpoint: the v4 interface over HTTP, answered by any back end.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Backend, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { NAMESPACE } from '../wire/codec.ts';
import { LIMITS } from '../wire/gate.ts';
import { negotiate } from '../wire/media.ts';
import { type Log, logAnswer, logDefect, logUnreadable } from './access-log.ts';
import { authenticate, hostCheck, inUrl, isLoopback } from './authenticate.ts';
import {
  checkTls,
  httpServer,
  type Limits,
  listening,
  refuseConnection,
  SERVER_LIMITS,
  type Tls,
} from './http-server.ts';
import { loginLimiter } from './login-limiter.ts';
import { answerLogin, answerOperation, type Call, cachedWriters, type Endpoint } from './operations.ts';
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
  readonly isReady?: () => Promise<boolean>;
  /** The namespace of XML; by default that of D23. */
  readonly namespace?: string;
  readonly limits?: Partial<Limits>;
}

export interface Served {
  /** `http://127.0.0.1:7470`. */
  readonly url: string;
  /** Finishes the open requests and takes no new ones. The back end stays open. */
  close(): Promise<void>;
}

/** Begins to serve. Throws `usage` for an address that cannot be listened on, or that needs TLS. */
export async function openServer(options: ServerOptions): Promise<Served> {
  const host = options.host ?? '127.0.0.1';
  if (!options.tls && !options.allowHttp && !isLoopback(host)) throw unencrypted(host);
  if (options.tls) checkTls(options.tls);
  const app = fastifyFor(options);
  let isClosing = false;
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done();
  });
  serveOn(app, options, host, async () => !isClosing && ((await options.isReady?.()) ?? true));
  const port = await listening(app, host, options.port ?? 0);
  return {
    url: `${options.tls ? 'https' : 'http'}://${inUrl(host)}:${port}`,
    close() {
      isClosing = true;
      return app.close();
    },
  };
}

const unencrypted = (host: string): ServiceError =>
  new ServiceError('usage', `on ${host} passwords would travel unencrypted`, {
    hint: 'Give a certificate with --tls-cert and --tls-key, or say --allow-http where something else encrypts.',
  });

/** All requests have one address in Fastify: routing.ts routes them. */
function fastifyFor({ trustProxy, clock, log, limits, tls }: ServerOptions): FastifyInstance {
  const isBehindProxy = trustProxy !== undefined && trustProxy.length > 0;
  // The connections of a proxy are those of many clients: it has to limit them itself.
  const ofAddress = isBehindProxy ? { connectionsOfAddress: Number.POSITIVE_INFINITY } : {};
  const all = { ...SERVER_LIMITS, ...ofAddress, ...limits };
  try {
    return Fastify({
      serverFactory: (handler) => httpServer(handler, all, tls),
      rewriteUrl: () => '/',
      bodyLimit: LIMITS.body,
      forceCloseConnections: 'idle',
      return503OnClosing: false,
      requestIdHeader: false,
      genReqId: () => crypto.randomUUID(),
      ...(isBehindProxy ? { trustProxy: [...trustProxy] } : {}),
      clientErrorHandler(error, socket) {
        const { remoteAddress } = socket;
        const status = refuseConnection(error.code, socket);
        if (status !== undefined) logUnreadable(log, clock(), remoteAddress, status);
      },
    });
  } catch (cause) {
    throw new ServiceError('usage', `--trust-proxy cannot be read: ${(trustProxy ?? []).join(', ')}`, {
      hint: 'Write addresses or ranges of them, such as 10.0.0.0/8.',
      cause,
    });
  }
}

const ALWAYS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // A page of another site cannot embed answers that the browser gets with a saved password.
  'cross-origin-resource-policy': 'same-origin',
};

function serveOn(app: FastifyInstance, options: ServerOptions, host: string, isReady: () => Promise<boolean>): void {
  const { backend, clock, log, namespace = NAMESPACE } = options;
  const limits = { ...SERVER_LIMITS, ...options.limits };
  const checkHost = hostCheck(host, options.allowHosts ?? []);
  const limiter = loginLimiter(clock, limits);
  const pages = pagesOf(isReady, namespace);
  const endpoint: Endpoint = { backend, limiter, namespace, writerFor: cachedWriters(namespace) };
  const calls = new WeakMap<FastifyRequest, Call>();
  const logError = (request: FastifyRequest, error: unknown): void => logDefect(log, clock(), request.id, error);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request, reply) => {
    const began = performance.now();
    let session: Session | undefined;
    // Unlike onResponse, this also covers answers that broke off.
    reply.raw.on('close', () => {
      const milliseconds = performance.now() - began;
      logAnswer(log, { at: clock(), milliseconds, request, reply, user: session?.me.userName });
    });
    reply.headers(ALWAYS).header('x-request-id', request.id);
    const { originalUrl, method, headers } = request;
    if (originalUrl.length > limits.address)
      throw new ServiceError(
        'invalid',
        `the address is longer than ${limits.address} characters, the most that is read`,
      );
    checkHost(request);
    const target = belowPrefix(originalUrl);
    if (target === undefined) return;
    reply.header('vary', 'Accept');
    if (method === 'OPTIONS') {
      calls.set(request, { kind: 'options', allow: allowedAt(target) });
      return;
    }
    if (isLogin(method, target)) {
      calls.set(request, { kind: 'login', media: negotiate(headers.accept) });
      return;
    }
    session = await authenticate(backend, limiter, request);
    const { operation, input } = operationAt(method, target, reply);
    calls.set(request, { kind: 'operation', media: negotiate(headers.accept), session, operation, input });
  });
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const call = calls.get(request);
    if (!call) return pages.answer(request, reply);
    if (call.kind === 'options') return answerOptions(reply, call.allow);
    if (call.kind === 'operation')
      return answerOperation(endpoint, call, request, reply, (error) => logError(request, error));
    return answerLogin(endpoint, call.media, request, reply);
  };
  app.route({ method: app.supportedMethods, url: '/', exposeHeadRoute: false, handler: answer });
  // Methods unknown to Fastify find no route.
  app.setNotFoundHandler(answer);
  app.setErrorHandler((error, request, reply) => {
    const instance = request.originalUrl.replace(/\?.*$/s, '');
    const asked = { instance, accept: request.headers.accept, namespace };
    const { status, headers, body, isOurFault } = problemAnswer(error, asked);
    if (isOurFault) logError(request, error);
    return reply.code(status).headers(headers).send(body);
  });
}
