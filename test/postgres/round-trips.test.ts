// How often a server is asked: each statement is a round trip, so a list must not ask for each of its records.
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { usingPostgres, whyNoPostgres } from '../support/postgres.ts';

const pm = usingPm();

describe.skipIf(whyNoPostgres)(`a command on PostgreSQL ${whyNoPostgres ?? ''}`, () => {
  const { server } = usingPostgres();

  it('asks for a list of people as often as for a part of it', async () => {
    const env = { PM_DATABASE: await server().newDatabase() };
    await pm('seed --sample small -y', { env });
    const asked = async (line: string): Promise<number> => {
      const query = vi.spyOn(pg.Client.prototype, 'query');
      await pm(line, { env }).prints('');
      const { length } = query.mock.calls;
      query.mockRestore();
      return length;
    };
    for (const list of ['individuals list', 'departments list', 'metrics list --individual admin']) {
      const few = await asked(`${list} --limit 2 -o json`);
      expect(few, list).toBeGreaterThan(0);
      expect(await asked(`${list} -o json`), list).toBeLessThan(few + 8);
    }
  });
});
