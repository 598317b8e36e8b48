// The connection to one service: sends requests with their credential, as often and as many at once as it bears.
import type { Credential } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { LIMITS, readBytes } from '../wire/gate.ts';
import type { Syntax } from '../wire/media.ts';
import { type Endpoint, endpointOf } from './endpoint.ts';
import { NoAnswer } from './no-answer.ts';
import { type Exchange, exchangeOf, type Redact, redactor } from './redact.ts';
import { newCircuitBreaker, type RetryResult, retry } from './retry.ts';
import { openThrottle } from './throttle.ts';
import { type Incoming, type Outgoing, openTransport, type Proxies } from './transport.ts';

export interface Request {
  readonly method: string;
  /** From the service's base on, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly credential?: Credential | undefined;
  /** Secrets in the body. */
  readonly secrets?: readonly string[];
  /** The record it is about: there is never more than one request on it. */
  readonly record?: string | undefined;
  readonly repeatable: boolean;
  /** The path is one from the origin on. */
  readonly absolute?: boolean;
}

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

export interface Connection {
  readonly endpoint: Endpoint;
  readonly options: ClientOptions;
  /** Sends until it is answered, and reads the answer to its end. Throws NoAnswer. */
  send(request: Request): Promise<RetryResult<Response>>;
  /** Sends until it is answered; the body of a good answer is read by whoever asked. Throws NoAnswer. */
  stream(request: Request): Promise<Incoming | Response>;
  /** Takes out what is secret in this request, and every credential that this line has seen. */
  redact(request: Request): Redact;
  /** Has it seen, although it is no request's own: what is exchanged in a body. */
  hide(credential: Credential): void;
  close(): Promise<void>;
}

const MAX_ERROR_BYTES = 65_536;

export function openConnection(options: ClientOptions): Connection {
  const endpoint = endpointOf(options.url, options.allowHttp);
  const transport = openTransport(endpoint, { ...options, connections: options.concurrency });
  const throttle = openThrottle(options.concurrency, options);
  const silence = newCircuitBreaker(options.timeout, options.now);
  const seen = new Map<string, Credential>();
  const hide = (credential: Credential): void =>
    void seen.set(`${credential.login}:${credential.password}`, credential);
  const redact = ({ secrets }: Request): Redact => redactor([...seen.values()], secrets);

  /** One try; `take` reads the answer before the try is over. */
  const attempt = async <T extends Incoming | Response>(
    request: Request,
    take: (incoming: Incoming) => Promise<T>,
  ): Promise<T> => {
    const outgoing = outgoingOf(endpoint, request);
    if (request.credential) hide(request.credential);
    await throttle.waitForRate();
    silence.check();
    const timer = new AbortController();
    const clock = setTimeout(() => timer.abort(), options.timeout);
    const began = options.now();
    const tell = (told: {
      status?: number;
      failure?: string;
      headers?: Incoming['headers'];
      bytes?: Uint8Array;
    }): void => {
      throttle.record(told.status, options.now() - began);
      const login = request.credential?.login;
      const more = { origin: endpoint.origin, login, milliseconds: options.now() - began, ...told };
      options.onExchange?.(exchangeOf(outgoing, more, redact(request)));
    };
    try {
      const answer = await take(await transport.send(outgoing, timer.signal));
      silence.succeeded();
      tell({ status: answer.status, headers: answer.headers, ...('bytes' in answer ? { bytes: answer.bytes } : {}) });
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) {
        if (error.late) silence.timedOut(began);
        tell({ failure: error.message });
      }
      throw error;
    } finally {
      clearTimeout(clock);
    }
  };
  return {
    endpoint,
    options,
    redact,
    hide,
    send: (request) =>
      throttle.run(request.record, () => retry(() => attempt(request, readWhole), request.repeatable, options)),
    async stream(request) {
      const take = async (incoming: Incoming) => (isGood(incoming.status) ? incoming : readWhole(incoming));
      return throttle.run(request.record, async () => {
        const { response } = await retry(() => attempt<Incoming | Response>(request, take), true, options);
        return response;
      });
    },
    close: () => transport.close(),
  };
}

export const isGood = (status: number): boolean => status >= 200 && status < 300;

function outgoingOf(
  { origin, base }: Endpoint,
  { method, path, headers, body, credential, absolute }: Request,
): Outgoing {
  const whole = absolute ? path : `${base}${path}`;
  // A path is put together from percent-coded parts; this is the last look at where it leads.
  if (new URL(`${origin}${whole}`).origin !== origin) throw new ServiceError('usage', 'the path leads to another host');
  return {
    method,
    path: whole,
    headers: { ...headers, 'accept-encoding': 'identity', ...(credential ? { authorization: basic(credential) } : {}) },
    body,
  };
}

const basic = ({ login, password }: Credential): string =>
  `Basic ${Buffer.from(`${login}:${password}`, 'utf8').toString('base64')}`;

async function readWhole(incoming: Incoming): Promise<Response> {
  const { status, headers } = incoming;
  if (isGood(status)) return { status, headers, bytes: await readRecordBody(incoming) };
  return { status, headers, bytes: await readErrorBody(incoming) };
}

async function readRecordBody({ body }: Incoming): Promise<Uint8Array> {
  try {
    return await readBytes(body, LIMITS.record);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new NoAnswer(`its answer is larger than ${LIMITS.record} bytes`, { left: true, lasting: true, cause: error });
  }
}

/** What a server says of a failure; the rest of a long story is not waited for. */
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

export interface ClientOptions {
  /** The base URL; `/v4` at its end may be left out. */
  readonly url: string;
  /** What people call it, for the commands that hints name. */
  readonly profile: string;
  /** The syntax in which it is asked; answers are read in the one they are in. */
  readonly wire: Syntax;
  readonly allowHttp?: boolean | undefined;
  /** PEM texts of the authorities that are trusted instead of the usual ones. */
  readonly ca?: string | undefined;
  readonly proxies?: Proxies | undefined;
  /** The namespace of its XML; without it the one of its answers. */
  readonly namespace?: string | undefined;
  /** Whole routes instead of the contract's, by `resource.operation.route`: `individual.list.plain`. */
  readonly routes?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds of a try; of a list, milliseconds of silence. */
  readonly timeout: number;
  readonly retries: number;
  readonly concurrency: number;
  /** Requests a second, at most; without it as many as there are. */
  readonly rate?: number | undefined;
  readonly newID: () => string;
  readonly random: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
  /** Takes a sentence for people about something that is no error. */
  readonly note?: ((text: string) => void) | undefined;
  /** Sees every try; nothing in it is secret. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}
