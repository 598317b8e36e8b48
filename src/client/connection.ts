// The connection to one service: sends requests with their credentials, retries them, and limits their rate and number.
import { CONCURRENCY, type Credential } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { LIMITS, readBytes } from '../wire/gate.ts';
import type { Syntax } from '../wire/media.ts';
import { type Endpoint, endpointOf } from './endpoint.ts';
import { isPage } from './login-page.ts';
import { NoAnswer } from './no-answer.ts';
import { newCircuitBreaker, type RetryOptions, type RetryResult, retry } from './pace.ts';
import { type Exchange, exchangeOf, type Redact, redactor, type TryResult } from './redact.ts';
import { type Incoming, type Outgoing, openTransport, type Response, type TransportOptions } from './transport.ts';

export type { Response } from './transport.ts';

/** `timeout` limits one try; of a list, the time between two parts. */
export interface ClientOptions extends Omit<TransportOptions, 'connections'>, RetryOptions, RateOptions {
  /** The base URL; `/v4` at its end may be left out. */
  readonly url: string;
  /** The name of the profile, for the commands in hints. */
  readonly profile: string;
  /** The syntax of requests; answers are read in their own. */
  readonly wire: Syntax;
  readonly allowHttp?: boolean | undefined;
  /** The namespace of the service's XML; by default that of its answers. */
  readonly namespace?: string | undefined;
  /** Routes that replace the contract's, by `resource.operation.route`: `individual.list.plain`. */
  readonly routes?: Readonly<Record<string, string>> | undefined;
  /** Members that the contract does not know are not sent. */
  readonly dropUnknown?: boolean | undefined;
  /** The most requests at one time; without it their number adapts to the latency of the service. */
  readonly concurrency?: number | undefined;
  readonly newID: () => string;
  /** Watches a request that has room to be sent: its service, and the most tries. */
  readonly watch?: ((origin: string, most: number) => Attempts) | undefined;
  /** Takes every try, without its secrets. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** The tries of one request. */
export interface Attempts {
  begin(): void;
  /** The last one has ended. */
  end(): void;
}

/** The path is relative to the service's base. */
export interface Request extends Outgoing {
  readonly credential?: Credential | undefined;
  /** Secrets in the body. */
  readonly secrets?: readonly string[];
  /** A key of the record: requests with the same key run one after the other. */
  readonly record?: string | undefined;
  readonly repeatable: boolean;
  /** The path is relative to the origin. */
  readonly absolute?: boolean;
}

export interface Connection {
  readonly endpoint: Endpoint;
  readonly options: ClientOptions;
  /** Sends a request, with retries, and reads the whole response. Throws NoAnswer. */
  send(request: Request): Promise<RetryResult<Response>>;
  /** Sends a request, with retries; the caller reads the body of a successful response. Throws NoAnswer. */
  stream(request: Request): Promise<Incoming | Response>;
  /** Hides the secrets of this request, and every credential of this connection. */
  redact(request: Request): Redact;
  /** Hides a credential that is sent in a body. */
  hide(credential: Credential): void;
  close(): Promise<void>;
}

const MAX_ERROR_BYTES = 65_536;

export function openConnection(options: ClientOptions): Connection {
  const endpoint = endpointOf(options.url, options.allowHttp);
  const credentials = new Map<string, Credential>();
  const line: Line = {
    endpoint,
    options,
    transport: openTransport(endpoint, { ...options, connections: options.concurrency ?? CONCURRENCY.reads }),
    throttle: openThrottle(options.concurrency, options),
    breaker: newCircuitBreaker(options.timeout, options.now),
    redact: ({ secrets }) => redactor([...credentials.values()], secrets),
    hide: (credential) => void credentials.set(basic(credential), credential),
  };
  return {
    endpoint,
    options,
    redact: line.redact,
    hide: line.hide,
    send: (request) => run(line, request, readWhole),
    stream: async (request) => (await run<Incoming | Response>(line, request, readFailure)).response,
    close: () => line.transport.close(),
  };
}

/** All requests of a connection share it. */
interface Line extends Pick<Connection, 'endpoint' | 'options' | 'redact' | 'hide'> {
  readonly transport: ReturnType<typeof openTransport>;
  readonly throttle: ReturnType<typeof openThrottle>;
  readonly breaker: ReturnType<typeof newCircuitBreaker>;
}

type Read<T> = (incoming: Incoming) => Promise<T>;

/** Sends with retries, when there is room for the request. */
function run<T extends Incoming | Response>(line: Line, request: Request, read: Read<T>): Promise<RetryResult<T>> {
  const { endpoint, options, throttle } = line;
  return throttle.run({ key: request.record, writes: request.method !== 'GET' }, () => {
    const attempts = options.watch?.(endpoint.origin, options.retries + 1);
    const sendNext = (): Promise<T> => {
      attempts?.begin();
      return sendOnce(line, request, read);
    };
    return retry(sendNext, request, options).finally(() => attempts?.end());
  });
}

/** Sends once; `read` reads the response before the time limit. */
async function sendOnce<T extends Incoming | Response>(line: Line, request: Request, read: Read<T>): Promise<T> {
  const { endpoint, options, transport, throttle, breaker } = line;
  const outgoing = outgoingOf(endpoint, request);
  if (request.credential) line.hide(request.credential);
  await throttle.waitForRate();
  breaker.check();
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), options.timeout);
  const began = options.now();
  const report = (result: TryResult): void => {
    const milliseconds = options.now() - began;
    throttle.record(kindOf(request), result.status, milliseconds);
    const sender = { origin: endpoint.origin, login: request.credential?.login, milliseconds };
    options.onExchange?.(exchangeOf(outgoing, sender, result, line.redact(request)));
  };
  try {
    const response = await read(await transport.send(outgoing, timer.signal));
    breaker.succeeded();
    report(response);
    return response;
  } catch (error) {
    if (error instanceof NoAnswer) {
      if (error.late) breaker.timedOut(began);
      report({ failure: error.message });
    }
    throw error;
  } finally {
    clearTimeout(timeout);
  }
}

/** The method and the path without IDs. */
const kindOf = ({ method, path }: Request): string =>
  `${method} ${path.replace(/\?.*$/s, '').replace(/\/[^/]*\d[^/]*/g, '/*')}`;

export const isGood = (status: number): boolean => status >= 200 && status < 300;

function outgoingOf(
  { origin, base }: Endpoint,
  { method, path, headers, body, credential, absolute }: Request,
): Outgoing {
  const fullPath = absolute ? path : `${base}${path}`;
  // The path is built of percent-coded parts; this is the last check that it stays on the host.
  if (new URL(`${origin}${fullPath}`).origin !== origin)
    throw new ServiceError('usage', 'the path leads to another host');
  return {
    method,
    path: fullPath,
    headers: { ...headers, 'accept-encoding': 'identity', ...(credential ? { authorization: basic(credential) } : {}) },
    body,
  };
}

const basic = ({ login, password }: Credential): string =>
  `Basic ${Buffer.from(`${login}:${password}`, 'utf8').toString('base64')}`;

async function readWhole(incoming: Incoming): Promise<Response> {
  const { status, headers } = incoming;
  return {
    status,
    headers,
    bytes: await (isGood(status) && !isPage(incoming) ? readRecordBody(incoming) : readErrorBody(incoming)),
  };
}

/** Leaves the body of a success unread, unless it is a page for people. */
const readFailure = async (incoming: Incoming): Promise<Incoming | Response> =>
  isGood(incoming.status) && !isPage(incoming) ? incoming : readWhole(incoming);

async function readRecordBody({ body }: Incoming): Promise<Uint8Array> {
  try {
    return await readBytes(body, LIMITS.record);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new NoAnswer(`its answer is larger than ${LIMITS.record} bytes`, { left: true, lasting: true, cause: error });
  }
}

/** Reads no more of an error than its beginning. */
async function readErrorBody({ body }: Incoming): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.byteLength;
    if (size >= MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, MAX_ERROR_BYTES);
}

interface Throttled {
  /** Works with the same key run one after the other. */
  readonly key?: string | undefined;
  readonly writes: boolean;
}

interface RateOptions extends Pick<RetryOptions, 'now' | 'pause'> {
  /** The most requests a second; unlimited by default. */
  readonly rate?: number | undefined;
}

/** `concurrency`: the most requests in flight; without it their number adapts. */
export function openThrottle(concurrency: number | undefined, options?: RateOptions) {
  const width = newWidth(concurrency);
  const running = { all: 0, writes: 0 };
  const waiting: (() => void)[] = [];
  const queues = new Map<string, Promise<unknown>>();
  const isFull = (): boolean => running.all >= width.now().all;
  const limited = async <T>(writes: boolean, work: () => Promise<T>): Promise<T> => {
    while (isFull() || (writes && running.writes >= width.now().writes))
      await new Promise<void>((resolve) => waiting.push(resolve));
    running.all++;
    if (writes) running.writes++;
    try {
      return await work();
    } finally {
      running.all--;
      if (writes) running.writes--;
      for (const resume of waiting.splice(0)) resume();
    }
  };
  return {
    /** Runs the work when there is room. */
    run<T>({ key, writes }: Throttled, work: () => Promise<T>): Promise<T> {
      if (key === undefined) return limited(writes, work);
      const before = queues.get(key) ?? Promise.resolve();
      const result = before.then(() => limited(writes, work));
      const done = result
        .catch(() => undefined)
        .then(() => {
          if (queues.get(key) === done) queues.delete(key);
        });
      queues.set(key, done);
      return result;
    },
    /** Adapts to a response: the kind of its request, its status (undefined for none) and its milliseconds. */
    record(kind: string, status: number | undefined, milliseconds: number): void {
      const full = isFull() || running.writes >= width.now().writes;
      width.record({ kind, status, milliseconds, full });
    },
    /** Waits until the rate allows one more request. */
    waitForRate: rateLimiter(options),
  };
}

/** Spaces requests evenly, without bursts. */
function rateLimiter(options: RateOptions | undefined): () => Promise<void> {
  let nextStart = Number.NEGATIVE_INFINITY;
  return async () => {
    if (options?.rate === undefined) return;
    const now = options.now();
    const start = Math.max(now, nextStart);
    nextStart = start + 1000 / options.rate;
    if (start > now) await options.pause(start - now);
  };
}

interface Measured {
  /** Requests of one kind take about as long as each other. */
  readonly kind: string;
  /** Undefined without a response. */
  readonly status: number | undefined;
  readonly milliseconds: number;
  /** As many requests were in flight as may be: only then does the latency say anything about more of them. */
  readonly full: boolean;
}

export type Width = ReturnType<typeof newWidth>;

/** The average of the latest latencies of one kind, and the least that it has been, in milliseconds. */
interface Latency {
  readonly average: number;
  readonly least: number;
}

/** A response that takes this many times the average means that the service is overloaded. */
const SLOW_FACTOR = 5;
/** A faster response is never slow. */
const MIN_SLOW_MS = 500;
/** The latency stays while its average is at most this many times the least one, or so many milliseconds more. */
const STAYS_FACTOR = 1.5;
const STAYS_MS = 5;
const NEWEST_SHARE = 0.1;
const MAX_KINDS = 1000;

/**
 * How many requests may be in flight: one more while the latency stays, half when the service is overloaded. `fixed`: the
 * number that the user has set; the width begins there, and returns to it after an overload.
 */
export function newWidth(fixed?: number) {
  const most = fixed ?? CONCURRENCY.reads;
  const first = fixed ?? CONCURRENCY.first;
  const latencies = new Map<string, Latency>();
  let width: number = first;
  let good = 0;
  return {
    /** The most requests in flight, of all and of those that write. */
    now: () => ({ all: Math.floor(width), writes: Math.floor(Math.min(width, fixed ?? CONCURRENCY.writes)) }),
    record({ kind, status, milliseconds, full }: Measured): void {
      const before = latencies.get(kind);
      const latency = withNewest(before, milliseconds);
      if (latencies.size >= MAX_KINDS) latencies.clear();
      latencies.set(kind, latency);
      if (isOverloaded(status) || isSlow(before, milliseconds)) {
        width = Math.max(1, width / 2);
        good = 0;
        // How fast the service was before says no more how fast it can be.
        latencies.clear();
      } else if (full && (width < first || stays(latency)) && ++good >= width) {
        width = Math.min(most, width + 1);
        good = 0;
      }
    },
  };
}

const isOverloaded = (status: number | undefined): boolean => status === undefined || status === 429 || status === 503;

const isSlow = (before: Latency | undefined, milliseconds: number): boolean =>
  before !== undefined && milliseconds > MIN_SLOW_MS && milliseconds > before.average * SLOW_FACTOR;

const stays = ({ average, least }: Latency): boolean => average <= Math.max(least * STAYS_FACTOR, least + STAYS_MS);

function withNewest(before: Latency | undefined, milliseconds: number): Latency {
  if (!before) return { average: milliseconds, least: milliseconds };
  const average = before.average * (1 - NEWEST_SHARE) + milliseconds * NEWEST_SHARE;
  return { average, least: Math.min(before.least, average) };
}
