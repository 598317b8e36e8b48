// The endpoint: the v4 interface over HTTP, answered by any back end.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Backend, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { LIMITS } from '../wire/gate.ts';
import { type Log, logAnswer, logDefect, logUnreadable } from './access-log.ts';
import { hostCheck, inUrl, isLoopback, letIn, type Visit } from './authenticate.ts';
import { belowPrefix } from './destination.ts';
import { checkTls, httpServer, listening, refuseConnection, type Tls } from './http-server.ts';
import { type Limits, type LoginLimiter, loginLimiter, SERVER_LIMITS } from './limits.ts';
import { answerLogin, answerOperation, type Brought, loginIn } from './operations.ts';
import { type Pages, pagesOf } from './pages.ts';
import { problemAnswer } from './problem-answer.ts';

export interface ServerOptions {
  readonly backend: Backend;
  /** The address to listen on; 127.0.0.1 unless told. */
  readonly host?: string;
  /** 0, or none, takes a free port. */
  readonly port?: number;
  readonly clock: () => Date;
  /** Takes the lines of the access log. */
  readonly log: Log;
  readonly tls?: Tls;
  /** Passwords may travel unencrypted beyond this machine. */
  readonly allowHttp?: boolean;
  /** Names by which the endpoint may be called besides those of this machine. */
  readonly allowHosts?: readonly string[];
  /** Addresses of proxies, as CIDR, that are believed when they say for whom they ask. */
  readonly trustProxy?: readonly string[];
  readonly isReady?: () => Promise<boolean>;
  readonly limits?: Partial<Limits>;
}

export interface Served {
  /** `http://127.0.0.1:7470`. */
  readonly url: string;
  /** Takes no more requests, and finishes those that are in flight. The back end stays open. */
  close(): Promise<void>;
}

/** Begins to serve. Throws `usage` for an address that cannot be listened on, or not without TLS. */
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

/** Routing is our own, so Fastify is shown one address for all. */
function fastifyFor({ trustProxy, clock, log, limits, tls }: ServerOptions): FastifyInstance {
  const all = { ...SERVER_LIMITS, ...limits };
  try {
    return Fastify({
      serverFactory: (handler) => httpServer(handler, all, tls),
      rewriteUrl: () => '/',
      bodyLimit: LIMITS.body,
      forceCloseConnections: 'idle',
      return503OnClosing: false,
      requestIdHeader: false,
      genReqId: () => crypto.randomUUID(),
      ...(trustProxy && trustProxy.length > 0 ? { trustProxy: [...trustProxy] } : {}),
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
  // Pages of other sites, where a browser remembers the password, get nothing to look at.
  'cross-origin-resource-policy': 'same-origin',
};

function serveOn(app: FastifyInstance, options: ServerOptions, host: string, isReady: () => Promise<boolean>): void {
  const { backend, clock, log } = options;
  const limits = { ...SERVER_LIMITS, ...options.limits };
  const checkHost = hostCheck(host, options.allowHosts ?? []);
  const limiter = loginLimiter(clock, limits);
  const pages = pagesOf(isReady);
  const visits = new WeakMap<FastifyRequest, Visit>();
  const callers = new WeakMap<FastifyRequest, Session>();

  const broken = (request: FastifyRequest, error: unknown): void => logDefect(log, clock(), request.id, error);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request, reply) => {
    const begin = performance.now();
    // Fastify tells of answers that were finished, this one of those that broke off too.
    reply.raw.on('close', () => {
      const milliseconds = performance.now() - begin;
      logAnswer(log, { at: clock(), milliseconds, request, reply, user: callers.get(request)?.me.userName });
    });
    reply.headers(ALWAYS).header('x-request-id', request.id);
    const address = request.originalUrl;
    if (address.length > limits.address) throw new ServiceError('invalid', 'the address is longer than what is read');
    checkHost(request.headers.host);
    const target = belowPrefix(address);
    if (target === undefined) return;
    const known = (session: Session): unknown => callers.set(request, session);
    visits.set(request, await letIn({ backend, limiter }, { target, request, reply }, known));
  });
  const answer = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    answerVisit({ backend, limiter, pages, broken }, visits.get(request), request, reply);
  app.route({ method: app.supportedMethods, url: '/', exposeHeadRoute: false, handler: answer });
  // Methods that Fastify does not know find no route.
  app.setNotFoundHandler(answer);
  app.setErrorHandler((error, request, reply) => {
    const refusal = problemAnswer(error, request.originalUrl.replace(/\?.*$/s, ''), request.headers.accept);
    if (refusal.isOurFault) logDefect(log, clock(), request.id, error);
    return reply.code(refusal.status).headers(refusal.headers).send(refusal.body);
  });
}

interface Answering {
  readonly backend: Backend;
  readonly limiter: LoginLimiter;
  readonly pages: Pages;
  broken(request: FastifyRequest, error: unknown): void;
}

/** A request without a visit is for a page. */
async function answerVisit(
  { backend, limiter, pages, broken }: Answering,
  visit: Visit | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!visit) return pages.answer(request, reply);
  const brought = broughtBy(request);
  if (visit.kind === 'operation') return answerOperation(visit, brought, reply, (error) => broken(request, error));
  const credential = loginIn(brought);
  return limiter.run(credential.login, request.ip, () => answerLogin(backend, credential, visit.media, reply));
}

const broughtBy = ({ headers, body }: FastifyRequest): Brought => ({
  contentType: headers['content-type'],
  ifMatch: headers['if-match'],
  bytes: Buffer.isBuffer(body) ? body : undefined,
});
