// Jobs that an older pm left: what was undone is undone, what was stopped can go on, and damage stays damage.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { JobHead, JobStore } from '../../src/contract/jobs.ts';
import { openSqlite } from '../../src/engine/store/sqlite/store.ts';
import { folder, older, optionsOf, query } from '../support/older-files.ts';
import { refuses } from '../support/refuses.ts';
import { journalAt } from './job-fixture.ts';

/** What is known of the jobs, the oldest first. */
const told = async (jobs: JobStore): Promise<readonly unknown[]> =>
  (await jobs.heads()).toReversed().map(({ kind, state, counts, undoneBy }: JobHead) => ({
    ...{ kind, state, counts },
    isUndone: undoneBy !== undefined,
  }));

const job = (kind: string, state: string, counts: object, isUndone = false) => ({ kind, state, counts, isUndone });

const journalOf = (): string => older('version-4/journal.sql', join(folder(), 'journal.db'));

it('a journal says of each job what became of it', async () => {
  expect(await told(await journalAt(journalOf()))).toEqual([
    job('import', 'ended', { done: 4 }),
    job('undo', 'ended', { undone: 4 }, true),
    job('undo', 'ended', { done: 4 }),
    job('import', 'ended', { undone: 4 }, true),
    job('undo', 'stopped', { pending: 2, done: 2 }),
    job('import', 'ended', { done: 4 }),
  ]);
});

it('a database does, too', async () => {
  const store = await openSqlite(optionsOf(older('version-4/local.sql')));
  onTestFinished(() => store.close());
  expect(await told(store.jobs)).toEqual([
    job('import', 'ended', { undone: 3 }, true),
    job('undo', 'ended', { done: 3 }),
    job('import', 'ended', { done: 3 }),
    job('undo', 'ended', { undone: 3 }, true),
    job('undo', 'ended', { done: 3 }),
    job('import', 'stopped', { pending: 3, done: 2 }),
    job('import', 'ended', { undone: 5 }, true),
    job('undo', 'stopped', { pending: 3, done: 2 }),
    job('import', 'ended', { undone: 3 }, true),
    job('undo', 'ended', { done: 2, drifted: 1 }),
  ]);
});

it('a damaged head stays damaged', async () => {
  const file = journalOf();
  query(file, `UPDATE job SET Title = 'another' WHERE Sequence = 6`);
  const jobs = await journalAt(file);
  await refuses(jobs.heads()).with('storage', 'its head');
  const damaged: string[] = [];
  expect(await jobs.heads(undefined, { onDamaged: (id) => void damaged.push(id) })).toHaveLength(5);
  expect(damaged).toEqual(['c0000000-0000-4000-8000-000000000006']);
});
