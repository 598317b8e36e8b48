// The Node server under Fastify: plain or TLS, with its limits, address and port.
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../contract/errors.ts';
import { systemCode } from '../text/system-code.ts';
import { contentTypeOf } from '../wire/media.ts';
import { problemOf, writeProblem } from '../wire/problem.ts';
import { addressGroup } from './client-address.ts';

export const SERVER_LIMITS = {
  /** Bytes of the request line and all headers. */
  headers: 16 * 1024,
  /** Characters of the address with its query. */
  address: 8 * 1024,
  connections: 512,
  connectionsOfAddress: 128,
  /** Requests that wait on one connection for the answers to those before them. */
  requestsWaiting: 16,
  /** Milliseconds for the headers, for the whole request, and between two requests. */
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  /** Failed logins a minute: of one user from one address, and of one address. */
  loginsOfUser: 5,
  loginsOfAddress: 20,
  /** Failed logins of one user from all addresses. */
  loginsOfUserAnHour: 100,
};

export type Limits = Readonly<typeof SERVER_LIMITS>;

/** A certificate and its key, both as PEM. */
export interface Tls {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** Throws `usage` for an invalid certificate or key, and for a key of another certificate. */
export function checkTls(tls: Tls): void {
  try {
    createSecureContext(tls);
  } catch (cause) {
    throw new ServiceError('usage', 'the files of --tls-cert and --tls-key hold no certificate with its key', {
      hint: 'Both are PEM, and the key has no passphrase.',
      cause,
    });
  }
}

/** The interval at which Node checks for slow requests. */
const WATCH_MS = 1_000;

/** `isProxy`: does the address stand for many clients? Its connections are not limited. */
export function httpServer(
  handler: RequestListener,
  limits: Limits,
  isProxy: (address: string) => boolean,
  tls?: Tls,
): Server {
  const options = {
    maxHeaderSize: limits.headers,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(WATCH_MS, limits.headersMs),
    // hostCheck refuses a request without one, and says why.
    requireHostHeader: false,
  };
  const inTurn = oneByOne(handler, limits.requestsWaiting);
  const server = tls
    ? createSecure({ ...options, ...tls, handshakeTimeout: limits.headersMs }, inTurn)
    : createServer(options, inTurn);
  server.maxConnections = limits.connections;
  limitByAddress(server, limits.connectionsOfAddress, isProxy);
  server.timeout = limits.requestMs;
  // A client that stops reading is let go. One that waits for its answer is not, however long that takes.
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) socket.destroy();
  });
  return server;
}

/**
 * Handles the requests of one connection one after the other, and closes a connection on which more than `most` wait. A
 * request that waits has not begun: where its client leaves, Node 20 and 22 say so only of the answer that is being sent.
 */
function oneByOne(handler: RequestListener, most: number): RequestListener {
  // Made once for each connection: put into a collection and taken out again with each request, it would cost the collector
  // of garbage a sixth of a server's time.
  const connections = new WeakMap<Socket, { isBusy: boolean; readonly waiting: Parameters<RequestListener>[] }>();
  const handle = (...[request, response]: Parameters<RequestListener>): void => {
    const { socket } = request;
    const connection = connections.get(socket) ?? { isBusy: false, waiting: [] };
    if (!connections.has(socket)) connections.set(socket, connection);
    if (connection.isBusy) {
      if (connection.waiting.push([request, response]) > most) socket.destroy();
      return;
    }
    connection.isBusy = true;
    response.once('close', () => {
      connection.isBusy = false;
      const next = socket.writable ? connection.waiting.shift() : undefined;
      if (next) handle(...next);
    });
    handler(request, response);
  };
  return handle;
}

/** Drops the connections of one address beyond so many. */
function limitByAddress(server: Server, most: number, isProxy: (address: string) => boolean): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isProxy(remoteAddress)) return;
    const address = addressGroup(remoteAddress);
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count > most) socket.destroy();
  });
}

type Failure = readonly [status: number, detail: string];

const MALFORMED: Failure = [400, 'the request is not well-formed HTTP'];
const FAILURES: Readonly<Record<string, Failure>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers of the request are larger than what is read'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
};

/** Answers a malformed request and closes the connection. Returns the status; undefined if the client is gone. */
export function refuseConnection(code: string | undefined, socket: Socket): number | undefined {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const [status, detail] = FAILURES[code ?? ''] ?? MALFORMED;
  const body = writeProblem({ ...problemOf(new ServiceError('invalid', detail), ''), status }, 'application/json');
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${contentTypeOf('application/json')}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  return status;
}

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there already',
  EACCES: 'you may not listen there; ports below 1024 are often reserved',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this machine knows no such name',
};

/** Listens, and returns the port: for 0 a free one. Throws `usage`. */
export async function listening(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = systemCode(error) ?? String(error);
    throw new ServiceError('usage', `${host} port ${port} cannot be listened on: ${WHY[code] ?? code}`, {
      hint: 'Name another one with --host and --port; --port 0 takes a free port.',
      cause: error,
    });
  }
  return (app.server.address() as AddressInfo).port;
}

/** For so long a connection may send a request that its client began before it knew of the end. */
const LAST_REQUESTS_MS = 100;

/**
 * Stops to listen. Resolves when the connections can be closed on which nothing is asked: closed at once, some of them would
 * have a request that is not read yet.
 */
export async function ending(server: NetServer): Promise<void> {
  // The method of a web server would close these connections, too.
  NetServer.prototype.close.call(server);
  const count = await new Promise<number>((resolve) => server.getConnections((_error, found) => resolve(found)));
  if (count > 0) await new Promise((resolve) => setTimeout(resolve, LAST_REQUESTS_MS));
}
