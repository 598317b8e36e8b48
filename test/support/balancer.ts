// A balancer before several servers: it sends each request to one that said it is ready, one after another, and never sends
// one again.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export interface Balancer {
  readonly url: string;
  /** The servers that take requests now. */
  ready(): readonly string[];
  /** Resolves when these are all that take requests. */
  untilReady(...urls: readonly string[]): Promise<void>;
}

/** How often each server is asked whether it is ready. */
const ASK_MS = 100;

/** Balances between the servers at these URLs until the test ends. */
export async function balancerFor(...urls: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  let ready: readonly string[] = [];
  let turn = 0;
  const look = async (): Promise<void> => {
    const are = await Promise.all(urls.map(isReady));
    ready = urls.filter((_, i) => are[i]);
  };
  await look();
  const timer = setInterval(() => void look(), ASK_MS);
  const server = createServer((incoming, outgoing) => {
    const to = ready[turn++ % ready.length];
    if (to === undefined) outgoing.writeHead(503).end('no server is ready');
    else forward(to, agent, incoming, outgoing);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    clearInterval(timer);
    agent.destroy();
    server.close().closeAllConnections();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => ready,
    async untilReady(...wanted) {
      while (ready.join() !== urls.filter((url) => wanted.includes(url)).join()) await pause(ASK_MS / 2);
    },
  };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

function forward(to: string, agent: Agent, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url = '/', headers } = incoming;
  const sent = request(new URL(url, to), { agent, method, headers }, (answer) => {
    // What it says of its own connection is not about this one.
    const { connection: _, 'keep-alive': __, ...others } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, others);
    answer.pipe(outgoing);
  });
  sent.on('error', (error) => outgoing.writeHead(502).end(`${to}: ${error.message}`));
  incoming.pipe(sent);
}
