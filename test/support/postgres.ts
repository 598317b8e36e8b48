// The PostgreSQL server of a file of tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { pmIn } from './pm.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

export * from './postgres-server.ts';

interface UsedServer {
  server(): PostgresServer;
  /** Makes a database that holds a new site, with one administrator, admin: all of a file hold the same one. Answers its address. */
  newSite(): Promise<string>;
}

/** The server of a file of tests, which begins before its first test and ends after its last one. */
export function usingPostgres(): UsedServer {
  let running: PostgresServer | undefined;
  let first: Promise<string> | undefined;
  const server = (): PostgresServer => {
    if (!running) throw new Error('the server has not begun');
    return running;
  };
  beforeAll(async () => {
    running = await startPostgres();
  });
  afterAll(() => running?.end());
  return {
    server,
    async newSite() {
      first ??= withSite(await server().newDatabase());
      return server().newDatabase(await first);
    },
  };
}

async function withSite(address: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'pm-postgres-home-'));
  await pmIn(() => home)('individuals list', { env: { PM_DATABASE: address } }).prints('admin');
  rmSync(home, { recursive: true });
  return address;
}
