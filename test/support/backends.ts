// The back ends: the embedded engine, and a client on an endpoint over it in each media type.
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { ClientOptions } from '../../src/client/connection.ts';
import { type Client, openClient } from '../../src/client/index.ts';
import type { Backend, Credential, Session } from '../../src/contract/call.ts';
import { contract } from '../../src/contract/index.ts';
import { openServer, type Served } from '../../src/server/index.ts';
import { MEDIA_TYPES, type MediaType, syntaxOf } from '../../src/wire/media.ts';
import { answering, type Says } from './answering.ts';
import { cheapDerivations } from './derivations.ts';
import { newEngine, OWNER, type TestEngine } from './engine.ts';

/** Opens a session on a new site, as its administrator. */
export type Opens = () => Promise<Session>;

/** A back end, and what opens it for all tests of a `describe`. */
export type Answering = readonly [name: string, begin: () => Opens];

const BEGIN = new Date('2026-05-13T09:00:00Z');

export const ENGINE: Answering = [
  'the embedded engine',
  () => async () => (await anEngine()).backend.open({ user: OWNER }),
];

/** One endpoint for many tests, each of which puts a new engine behind it. */
export const REMOTES: readonly Answering[] = MEDIA_TYPES.map((media) => [
  `a client and a server in ${media}`,
  () => {
    let engine: TestEngine | undefined;
    const { client } = usingClient(media, () => {
      if (!engine) throw new Error('no engine is there yet');
      return engine.backend;
    });
    return async () => {
      engine = await anEngine();
      return client().open(await credentialOn(engine.backend));
    };
  },
]);

/** A client with this media type, on an endpoint over the current back end, whose answers may be others. */
export function usingClient(media: MediaType, backend: () => Backend, says?: Says): { client(): Client } {
  let parts: { client: Client; named: Server | undefined; served: Served } | undefined;
  cheapDerivations();
  beforeAll(async () => {
    const served = await openServer({ backend: following(backend), clock: () => BEGIN, log: () => undefined });
    const named = await (says
      ? answering(served.url, says)
      : SENT.includes(media)
        ? undefined
        : naming(served.url, media));
    const url = named ? `http://127.0.0.1:${(named.address() as AddressInfo).port}` : served.url;
    parts = { client: clientOn(url, { wire: syntaxOf(media) }), named, served };
  });
  afterAll(async () => {
    await parts?.client.close();
    parts?.named?.close().closeAllConnections();
    await parts?.served.close();
  });
  return {
    client() {
      if (!parts) throw new Error('the endpoint has not begun');
      return parts.client;
    },
  };
}

/** A client without retries, with repeatable IDs. */
export function clientOn(url: string, options: Partial<ClientOptions> = {}): Client {
  let made = 0;
  return openClient({
    ...{ url, profile: 'prod', wire: 'json', timeout: 20_000, retries: 0, concurrency: 4 },
    newID: () => `c0000000-0000-4000-8000-${String(++made).padStart(12, '0')}`,
    random: () => 1,
    pause: async () => undefined,
    now: () => Date.now(),
    ...options,
  });
}

/** A token of the administrator: checking a password is slow. */
export async function credentialOn(backend: Backend): Promise<Credential> {
  const own = await backend.open({ user: OWNER });
  const { Token } = await own.call(contract.token.operations.create, { body: { Kind: 'user' } });
  return { login: OWNER, password: `{UserToken}${String(Token)}` };
}

async function anEngine(): Promise<TestEngine> {
  const engine = await newEngine(BEGIN);
  onTestFinished(() => engine.end());
  return engine;
}

const following = (backend: () => Backend): Backend => ({
  open: (who, guard) => backend().open(who, guard),
  login: (credential, guard) => backend().login(credential, guard),
  close: async () => undefined,
});

/** What the client sends by itself: one media type for each syntax. */
const SENT: readonly MediaType[] = ['application/json', 'application/xml'];

/** A proxy that replaces the media types of requests by one that the client does not send. */
async function naming(url: string, media: MediaType): Promise<Server> {
  const agent = new Agent({ keepAlive: true });
  const { host, hostname, port } = new URL(url);
  const renamed = (type: string): string => type.replace(/^[^;]*/, media);
  const server = createServer((incoming, outgoing) => {
    const { accept, 'content-type': type, ...others } = incoming.headers;
    const headers = { ...others, host, accept: renamed(accept ?? ''), ...(type && { 'content-type': renamed(type) }) };
    const { method, url: path } = incoming;
    const sent = request({ agent, hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  server.on('close', () => agent.destroy());
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
