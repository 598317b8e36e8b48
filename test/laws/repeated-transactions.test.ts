// What pm does is the same where the database runs each transaction twice, and rolls its first run back.
import { expect, it, vi } from 'vitest';
import { isLong } from '../support/long.ts';
import { newSite } from '../support/site.ts';
import { runningTwice } from '../support/twice.ts';

vi.mock(import('../../src/engine/store/sqlite/store.ts'), async (original) => {
  const { openSqlite } = await original();
  return { openSqlite: async (options) => runningTwice(await openSqlite(options)) };
});

it('is shown by runs of which the first is rolled back', async () => {
  const { engine } = await newSite();
  let runs = 0;
  expect(await engine.store.transaction(async () => ++runs)).toBe(2);
  expect(await engine.store.transaction(async () => ++runs, 'once')).toBe(3);
});

// Each of them says what it is about.
await import('../changes/embedded-job.test.ts');
await import('../changes/awaited-rows.test.ts');
await import('../changes/run-change.test.ts');
await import('../changes/undo.test.ts');
await import('../changes/undo-unfinished.test.ts');
await import('../engine/transactions.test.ts');
await import('../engine/history.test.ts');
await import('./job-orders-engine.test.ts');
if (isLong) {
  await import('../stories/support.test.ts');
  await import('../stories/newcomer.test.ts');
  await import('../stories/administrator.test.ts');
}
