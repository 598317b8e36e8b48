// A database file and the wal beside it: one that a crash has left goes on, that of another file is refused.
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/engine/store/port.ts';
import { openSqlite } from '../../src/engine/store/sqlite/store.ts';
import { all, folder, ids, individual, keep, newFile, opened, optionsFor } from './store-fixture.ts';

const PARTS = ['', '-wal'];

/** The file and its wal as a crash would leave them now. */
function asAfterCrash(file: string): string {
  const copy = join(folder(), 'local.db');
  for (const part of PARTS) if (existsSync(file + part)) copyFileSync(file + part, copy + part);
  return copy;
}

const write = async (store: Store, from: number, count: number): Promise<void> => {
  for (let at = from; at < from + count; at++) await keep(store, { individual: [individual(`i${at}`)] });
};

/** Opens it, and answers how many individuals are there. */
async function individuals(file: string): Promise<number> {
  const store = await openSqlite(optionsFor(file));
  try {
    return (await ids(store, all('individual'))).length;
  } finally {
    await store.close();
  }
}

/** The database of so many transactions, closed. */
async function closedAfter(count: number): Promise<string> {
  const file = await newFile();
  const store = await openSqlite(optionsFor(file));
  await write(store, 0, count);
  await store.close();
  return file;
}

describe('the wal that a crash has left', () => {
  it.each([1, 3, 40])('goes on from its file after %i transactions', async (count) => {
    const file = await newFile();
    const store = await opened(file);
    await write(store, 0, count);
    expect(await individuals(asAfterCrash(file))).toBe(count);
  });

  it('goes on from a file into which a part of it was moved, and from one that holds all of it', async () => {
    const file = await newFile();
    const store = await opened(file);
    // More pages than SQLite lets stand in the wal.
    await write(store, 0, 600);
    expect(await individuals(asAfterCrash(file))).toBe(600);
    await write(store, 600, 2);
    expect(await individuals(asAfterCrash(file))).toBe(602);
  });
});

describe('the wal of another file', () => {
  it.each([
    ['an older copy of the database', 1, 12],
    ['a backup of some transactions before', 5, 12],
    ['another database with fewer transactions', 3, 8],
    ['another database with as many', 8, 0],
    ['another database with more', 30, 8],
  ])('is refused beside %s, and nothing is written', async (what, inBackup, more) => {
    const file = await newFile();
    let store = await openSqlite(optionsFor(file));
    await write(store, 0, inBackup);
    await store.close();
    const backup = asAfterCrash(what.startsWith('another') ? await closedAfter(inBackup) : file);
    store = await openSqlite(optionsFor(file));
    await write(store, 100, more);
    await store.close();
    store = await opened(file);
    await write(store, 200, 4);
    const crashed = asAfterCrash(file);
    copyFileSync(backup, crashed);
    const bytes = () => PARTS.map((part) => readFileSync(crashed + part, 'latin1'));
    const before = bytes();
    await expect(openSqlite(optionsFor(crashed))).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('has the write-ahead log of another file beside it'),
      hint: expect.stringContaining('-shm away'),
    });
    expect(bytes()).toEqual(before);
  });
});
