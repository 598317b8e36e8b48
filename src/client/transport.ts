// HTTP by undici: strict TLS, no redirects, no cookies, no cache. Packed answers are not asked for, but unpacked.
import type { Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool, request } from 'undici';
import type { Endpoint } from './endpoint.ts';
import { NoAnswer, noAnswerOf, PROXY_AWAY, PROXY_HUNG_UP } from './no-answer.ts';

export interface TransportOptions {
  /** PEM texts of the authorities that are trusted instead of the usual ones. */
  readonly ca?: string | undefined;
  readonly proxies?: { readonly [of in 'https' | 'http' | 'no']?: string | undefined } | undefined;
  /** Milliseconds without data after which a try fails. */
  readonly timeout: number;
  readonly connections: number;
}

export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | (string & {});
  /** Relative to the origin, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** An answer that was read. */
export interface Response {
  readonly status: number;
  /** By names in lower case; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

export interface Incoming extends Pick<Response, 'status' | 'headers'> {
  /** Throws NoAnswer if it ends too early. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Drops an unread body. */
  discard(): void;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECT_MS = 10_000;

export function openTransport(endpoint: Endpoint, options: TransportOptions) {
  const dispatcher = dispatcherFor(endpoint, options);
  return {
    /** Sends once. Throws NoAnswer. */
    async send({ method, path, headers, body }: Outgoing, signal: AbortSignal): Promise<Incoming> {
      try {
        const answer = await request(`${endpoint.origin}${path}`, {
          dispatcher,
          method: method as Dispatcher.HttpMethod,
          headers,
          ...(body === undefined ? {} : { body }),
          signal,
        });
        return incomingOf(answer, signal);
      } catch (error) {
        throw failureOf(error, signal);
      }
    },
    close: (): Promise<void> => dispatcher.destroy(),
  };
}

function dispatcherFor(endpoint: Endpoint, { ca, proxies = {}, timeout, connections }: TransportOptions): Dispatcher {
  // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
  const tls = { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) };
  const options = {
    connect: { ...tls, timeout: Math.min(MAX_CONNECT_MS, timeout) },
    connections,
    pipelining: 1,
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  // Loopback addresses bypass the proxy.
  if (endpoint.loopback) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    factory: pooled,
    requestTls: tls,
    proxyTls: { rejectUnauthorized: true },
    // An empty text keeps undici from reading the environment.
    httpProxy: proxies.http ?? '',
    httpsProxy: proxies.https ?? '',
    noProxy: proxies.no ?? '',
  });
}

/** undici dials a proxy that hangs up again and again, without an end: the way through it fails once, as any other. */
function pooled(origin: string | URL, options: object): Dispatcher {
  const { connect } = options as Pool.Options;
  if (typeof connect !== 'function') return new Pool(origin, options);
  const once: buildConnector.connector = (to, callback) =>
    connect(to, (...[error, socket]) => (error ? callback(refused(error), null) : callback(null, socket as Socket)));
  return new Pool(origin, { ...options, connect: once });
}

function refused(cause: Error): Error {
  const code = 'code' in cause ? String(cause.code) : '';
  const own = code === 'UND_ERR_SOCKET' ? PROXY_HUNG_UP : UNREACHED.test(code) ? PROXY_AWAY : undefined;
  return own ? Object.assign(new Error(cause.message, { cause }), { code: own }) : cause;
}

const UNREACHED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

function incomingOf({ statusCode, headers, body }: Dispatcher.ResponseData, signal: AbortSignal): Incoming {
  // A dropped body emits an error that nothing else handles.
  body.on('error', () => {});
  const { 'content-encoding': coding, ...others } = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]),
  );
  const unpacker = UNPACKERS.get(coding?.trim().toLowerCase() ?? '');
  const parts = read(body, signal);
  return {
    status: statusCode,
    headers: unpacker || coding === undefined ? others : { ...others, 'content-encoding': coding },
    body: unpacker ? unpacked(parts, unpacker()) : parts,
    discard: () => void body.destroy(),
  };
}

const UNPACKERS: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Unpacks as it is read: the limits of a body hold for the unpacked bytes. */
async function* unpacked(parts: AsyncIterable<Uint8Array>, unpacker: Duplex): AsyncGenerator<Uint8Array> {
  const source = Readable.from(parts);
  source.on('error', (error) => unpacker.destroy(error));
  source.pipe(unpacker);
  try {
    yield* unpacker;
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    throw new NoAnswer('its compressed answer is damaged or cut off', { left: true, cause: error });
  } finally {
    source.destroy();
    unpacker.destroy();
  }
}

async function* read(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw failureOf(error, signal);
  }
}

const failureOf = (cause: unknown, { aborted }: AbortSignal): NoAnswer =>
  aborted ? new NoAnswer('it did not answer in time', { left: true, late: true, cause }) : noAnswerOf(cause);
