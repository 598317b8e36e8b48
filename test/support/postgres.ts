// The PostgreSQL server of a file of tests.
import { afterAll, beforeAll } from 'vitest';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

export * from './postgres-server.ts';

/** The server of a file of tests, which begins before its first test and ends after its last one. */
export function usingPostgres(): { server(): PostgresServer } {
  let running: PostgresServer | undefined;
  beforeAll(async () => {
    running = await startPostgres();
  });
  afterAll(() => running?.end());
  return {
    server() {
      if (!running) throw new Error('the server has not begun');
      return running;
    },
  };
}
