// The SQL of PostgreSQL where no server is installed: rights, and a story, on a PGlite in this process. Where one is
// installed, the story is left to the long run. It has one
// connection, so it shows nothing of several at once, and no command that reads beside its own transaction.
import { expect, it, vi } from 'vitest';
import { isLong } from '../support/long.ts';
import { isMissing } from '../support/needs.ts';
import { createOnPostgres, openOnPostgres } from '../support/on-postgres.ts';
import { newSite } from '../support/site.ts';

process.env.PM_TEST_STORE = 'pglite';
vi.mock(import('../../src/engine/store/sqlite/store.ts'), () => ({ openSqlite: openOnPostgres }));
vi.mock(import('../../src/engine/store/sqlite/file/create.ts'), async (original) => ({
  ...(await original()),
  createSqlite: createOnPostgres,
}));

it('is shown on PGlite', async () => {
  const { engine } = await newSite();
  expect(engine.store.version()).toBeUndefined();
});

// Each of them says what it is about.
await import('../engine/rights.test.ts');
if (isLong || isMissing('postgres')) await import('../stories/support.test.ts');
