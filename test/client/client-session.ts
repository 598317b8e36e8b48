// A client on a fake server; its waits take no time and are recorded.
import { onTestFinished } from 'vitest';
import type { ClientOptions } from '../../src/client/connection.ts';
import { type Client, openClient } from '../../src/client/index.ts';
import type { Session } from '../../src/contract/call.ts';
import { type FakeServer, fakeServer, json, ME } from '../support/fake-server.ts';

export const CREDENTIAL = { login: 'ann', password: 'Canary-secret-7' };

export interface Setup {
  readonly server: FakeServer;
  readonly client: Client;
  readonly session: Session;
  /** The milliseconds of every wait between two tries. */
  readonly waits: readonly number[];
}

export async function aServer(tls?: Parameters<typeof fakeServer>[0]): Promise<FakeServer> {
  const server = await fakeServer(tls);
  onTestFinished(() => server.close());
  return server;
}

/** A client without a session. */
export function aClient(url: string, options: Partial<ClientOptions> = {}): { client: Client; waits: number[] } {
  const waits: number[] = [];
  let made = 0;
  const client = openClient({
    url,
    profile: 'prod',
    wire: 'json',
    timeout: 20_000,
    retries: 3,
    concurrency: 4,
    newID: () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`,
    random: () => 1,
    pause: async (milliseconds) => void waits.push(milliseconds),
    now: () => 0,
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, waits };
}

/** An open session; `requests` begins after its first request. */
export async function aSession(options: Partial<ClientOptions> = {}): Promise<Setup> {
  const server = await aServer();
  const { client, waits } = aClient(server.url, options);
  server.does(json(ME));
  const session = await client.open(CREDENTIAL);
  (server.requests as unknown[]).length = 0;
  return { server, client, session, waits };
}

export async function rowsOf<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
