// After large commits a thread moves the wal of the database into its file; without it, SQLite does so within commits.
import { existsSync, statSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../src/engine/store/port.ts';
import type { CheckpointStart } from '../../src/engine/store/sqlite/checkpoints.ts';
import { connect } from '../../src/engine/store/sqlite/connection.ts';
import { openSqlite } from '../../src/engine/store/sqlite/store.ts';
import { startThread } from '../../src/files/thread.ts';
import { accountability, individual, newFile, opened, optionsFor, SITE } from './store-fixture.ts';

vi.mock('../../src/files/thread.ts', { spy: true });
const starting = vi.mocked(startThread);
afterEach(() => void starting.mockReset());

const PAGE = 4096;
/** SQLite checkpoints within the commit that makes the wal longer than this. */
const BY_SQLITE = 1000;
/** The thread moves a wal that is longer than this. In pages, too. */
const ENOUGH = 4000;
/** A commit waits for the thread where the wal is longer than 16,000 pages, and adds its own. */
const LONGEST = 18_000;

let last = 0;
/** Commits some so many pages of new records. */
const commit = (store: Store, pages: number): Promise<void> =>
  store.transaction(async (writer) => {
    const Description = 'x'.repeat(PAGE);
    if (!(await writer.get('individual', SITE, 'a'))) await writer.insert('individual', individual('a'));
    for (let page = 0; page < pages; page++)
      await writer.insert('accountability', { ...accountability(`${++last}`, 'a'), Description });
  });

/** Pages in the wal, and how many of them are in the file. */
function walOf(file: string): { readonly pages: number; readonly moved: number } {
  const connection = connect(file, 'read');
  const [, pages, moved] = connection.one('PRAGMA wal_checkpoint(NOOP)') ?? [];
  connection.close();
  return { pages: Number(pages), moved: Number(moved) };
}

const thread = (): Worker => starting.mock.results[0]?.value as Worker;

describe('large commits', () => {
  it('are moved into the file by one thread, when the wal holds enough of them', async () => {
    const file = await newFile();
    const store = await opened(file);
    for (let count = 0; count < 4; count++) await commit(store, 800);
    expect(walOf(file)).toMatchObject({ moved: 0 });
    await commit(store, 800);
    const { pages } = walOf(file);
    expect(pages).toBeGreaterThan(ENOUGH);
    await vi.waitFor(() => expect(walOf(file)).toEqual({ pages, moved: pages }));
    expect(starting).toHaveBeenCalledOnce();
  });

  it('stand in a wal that stays short', async () => {
    const file = await newFile();
    const store = await opened(file);
    let longest = 0;
    for (let count = 0; count < 30; count++) {
      await commit(store, 800);
      longest = Math.max(longest, statSync(`${file}-wal`).size);
    }
    expect(longest / PAGE).toBeLessThan(LONGEST);
  });

  it('are followed by small ones, which the same thread moves', async () => {
    const file = await newFile();
    const store = await opened(file);
    await commit(store, 300);
    for (let count = 0; walOf(file).moved === 0 && count < 1000; count++) await commit(store, 15);
    expect(walOf(file).pages).toBeLessThan(2 * ENOUGH);
    expect(starting).toHaveBeenCalledOnce();
  });

  it('are whole in the file when the store is closed, without a wal', async () => {
    const file = await newFile();
    const store = await openSqlite(optionsFor(file));
    await commit(store, 300);
    await store.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    expect(thread().threadId).toBe(-1);
    const again = await opened(file);
    expect(await again.get('accountability', SITE, `${last}`)).toMatchObject({ AncestorID: 'a' });
  });
});

it('small commits start no thread', async () => {
  const file = await newFile();
  const store = await opened(file);
  for (let count = 0; count < 100; count++) await commit(store, 15);
  expect(walOf(file).pages).toBeLessThan(BY_SQLITE);
  expect(starting).not.toHaveBeenCalled();
});

describe('SQLite checkpoints within commits', () => {
  it('where the system gives no thread', async () => {
    starting.mockReturnValue(undefined);
    const file = await newFile();
    const store = await opened(file);
    await commit(store, 300);
    expect(walOf(file).moved).toBe(0);
    await commit(store, BY_SQLITE);
    expect(walOf(file).moved).toBeGreaterThan(BY_SQLITE);
  });

  it('where the thread fails to start in a way that is thrown, and the commit stands', async () => {
    starting.mockImplementation(() => {
      throw new Error('no thread');
    });
    const file = await newFile();
    const store = await opened(file);
    await commit(store, 300);
    await commit(store, BY_SQLITE);
    expect(walOf(file).moved).toBeGreaterThan(BY_SQLITE);
  });

  it('where the thread has ended, since its file is not the one that was meant', async () => {
    const another = { identity: 'another' };
    starting.mockImplementationOnce((name, start) => startThread(name, { ...(start as CheckpointStart), ...another }));
    const file = await newFile();
    const store = await opened(file);
    await commit(store, 300);
    await new Promise((resolve) => thread().once('exit', resolve));
    await commit(store, ENOUGH);
    expect(walOf(file).moved).toBe(0);
    await commit(store, BY_SQLITE);
    expect(walOf(file).moved).toBeGreaterThan(ENOUGH);
  });
});
