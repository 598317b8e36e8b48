// A faulty proxy in front of an endpoint: requests fail as they do in networks and proxies.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Handles one request. `forward` sends it to the endpoint. */
type FaultHandler = (response: ServerResponse, forward: () => Promise<Answer>) => Promise<void>;

const says =
  (status: number, isDone: boolean, type = 'application/json', body = ''): FaultHandler =>
  async (response, forward) => {
    if (isDone) await forward();
    response.writeHead(status, { 'content-type': type, 'retry-after': '0' }).end(body);
  };

const breaks = async (response: ServerResponse): Promise<void> => void response.socket?.destroy();

/** The faults by name. */
export const FAULTS = {
  'a reset before the request': breaks,
  'a reset after the request': async (response, forward) => {
    await forward();
    await breaks(response);
  },
  'a body that is cut': async (response, forward) => {
    const { status, headers, body } = await forward();
    const head = { 'content-type': headers['content-type'] as string, 'content-length': body.length };
    response.writeHead(status, head);
    response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy());
  },
  'a stall before the request': async () => undefined,
  'a stall after the request': async (_response, forward) => void (await forward()),
  'a 429': says(429, false),
  'a 503': says(503, false),
  'a 502 instead of the request': says(502, false),
  'a 502 after the request': says(502, true),
  'a 504 after the request': says(504, true),
  'a page of a portal': says(200, true, 'text/html', '<html>Please log in</html>'),
  'half of a JSON text': says(200, true, 'application/json', '{"ID": "1'),
  'something that is not HTTP': async (response, forward) => {
    await forward();
    response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n');
  },
} as const satisfies Record<string, FaultHandler>;

export type Fault = keyof typeof FAULTS;

export interface FaultyProxy {
  readonly url: string;
  /** The number of writing requests so far. */
  writes(): number;
  /** After so many more writes the next one goes wrong like this, and so does everything that follows if it `stays`. */
  fails(fault: Fault, after: number, stays?: boolean): void;
  /** All goes well again. */
  heals(): void;
  /** Forwards to another endpoint from now on. */
  leads(to: string): void;
  /** Resolves after this many more writes. */
  when(writes: number): Promise<void>;
  /** Stops and starts listening. */
  down(): Promise<void>;
  up(): Promise<void>;
}

export async function faultyProxy(to: string): Promise<FaultyProxy> {
  const agent = new Agent({ keepAlive: true });
  let target = new URL(to);
  let writes = 0;
  let plan: { readonly fault: Fault; readonly at: number; readonly stays: boolean } | undefined;
  const waiting = new Set<{ readonly at: number; wake(): void }>();

  const faultNow = (isWrite: boolean): Fault | undefined => {
    if (!plan || writes <= plan.at || !(isWrite || plan.stays)) return undefined;
    const { fault, stays } = plan;
    if (!stays) plan = undefined;
    return fault;
  };
  const server = createServer(async (incoming, response) => {
    const body = await whole(incoming);
    const isWrite = incoming.method !== 'GET';
    if (isWrite) writes++;
    for (const one of waiting) if (writes >= one.at && waiting.delete(one)) one.wake();
    const forward = (): Promise<Answer> => forwarded(agent, target, incoming, body);
    const fault = faultNow(isWrite);
    await (fault ? FAULTS[fault] : passes)(response, forward).catch(() => response.socket?.destroy());
  });
  const listen = (port: number): Promise<void> => new Promise((wake) => server.listen(port, '127.0.0.1', wake));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    writes: () => writes,
    fails: (fault, after, stays = false) => {
      plan = { fault, at: writes + after, stays };
    },
    heals: () => {
      plan = undefined;
    },
    leads: (other) => {
      target = new URL(other);
    },
    when: (more) => new Promise((wake) => waiting.add({ at: writes + more, wake })),
    down: () =>
      new Promise((gone) => {
        server.close(() => gone());
        server.closeAllConnections();
      }),
    up: () => listen(port),
  };
}

const passes: FaultHandler = async (response, forward) => {
  const { status, headers, body } = await forward();
  response.writeHead(status, headers as Record<string, string>).end(body);
};

async function whole(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function forwarded(agent: Agent, target: URL, { method, url, headers }: IncomingMessage, body: Buffer) {
  const { hostname, port, host } = target;
  return new Promise<Answer>((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path: url, headers: { ...headers, host } }, (answer) => {
      whole(answer).then(
        (said) => resolve({ status: answer.statusCode ?? 0, headers: plainOf(answer.headers), body: said }),
        reject,
      );
    });
    sent.on('error', reject).end(body);
  });
}

/** The body is forwarded whole, with a new framing. */
const plainOf = ({ 'transfer-encoding': _framing, connection: _connection, ...headers }: IncomingMessage['headers']) =>
  headers;
