// What is shown of a site in a file is shown of one on PostgreSQL, by the same tests.
import { expect, it, vi } from 'vitest';
import { isLong } from '../support/long.ts';
import { isMissing } from '../support/needs.ts';
import { createOnPostgres, openOnPostgres } from '../support/on-postgres.ts';
import { newSite } from '../support/site.ts';

vi.mock(import('../../src/engine/store/sqlite/store.ts'), () => ({ openSqlite: openOnPostgres }));
vi.mock(import('../../src/engine/store/sqlite/file/create.ts'), async (original) => ({
  ...(await original()),
  createSqlite: createOnPostgres,
}));

it('is shown on PostgreSQL', { tags: 'postgres' }, async () => {
  const { engine } = await newSite();
  expect(engine.store.version()).toBeUndefined();
});

// Each of them says what it is about.
if (!isMissing('postgres')) {
  await import('../engine/transactions.test.ts');
  await import('../engine/memberships.test.ts');
  await import('../engine/user-names.test.ts');
  await import('../engine/rights.test.ts');
  await import('../laws/job-orders-engine.test.ts');
  await import('../laws/consequences.test.ts');
}
if (!isMissing('postgres') && isLong) {
  await import('../engine/rights-matrix.test.ts');
  await import('../engine/rights-random.test.ts');
  await import('../engine/rights-lists-random.test.ts');
  await import('../laws/backend.test.ts');
  await import('../laws/rehearsal.test.ts');
  await import('../stories/newcomer.test.ts');
  await import('../stories/support.test.ts');
  await import('../stories/administrator.test.ts');
}
