// A file that is deleted or replaced while it is open: nothing is kept in it any more, and the one that is there is opened.
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openJournal } from '../../src/engine/store/journal/journal.ts';
import type { Store } from '../../src/engine/store/port.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { refuses } from '../support/refuses.ts';
import { all, folder, ids, individual, keep, newFile, opened } from './store-fixture.ts';

const add = (store: Store, id: string) => keep(store, { individual: [individual(id)] });

/** An open database that holds Ann, and a copy of it from before. */
async function backedUp() {
  const file = await newFile();
  copyFileSync(file, `${file}.backup`);
  const store = await opened(file, { reopens: true });
  await add(store, 'ann');
  return { file, store, putBack: () => renameSync(`${file}.backup`, file) };
}

/** What a database holds by itself. */
function heldBy(file: string): readonly unknown[] {
  const database = openDatabase(file, { fileMustExist: true });
  try {
    return database.prepare('SELECT ID FROM individual ORDER BY ID').pluck().all();
  } finally {
    database.close();
  }
}

it('refuses to read and to write while the file is gone, in words', async () => {
  const { file, store } = await backedUp();
  rmSync(file);
  await refuses(add(store, 'bob')).with('replaced', 'was deleted or moved while it was open');
  await refuses(store.find(all('individual'))).with('replaced', file);
  await refuses(add(store, 'bob')).with('replaced', 'was deleted or moved while it was open');
  expect(existsSync(file)).toBe(false);
});

it('says once that another file is there, and goes on with that', async () => {
  const { file, store, putBack } = await backedUp();
  putBack();
  await refuses(add(store, 'bob')).with('replaced', 'was replaced by another file');
  await add(store, 'cid');
  expect(await ids(store, all('individual'))).toEqual(['cid']);
  await store.close();
  expect(heldBy(file)).toEqual(['cid']);
});

it('goes on with another file only where that is wanted', async () => {
  const file = await newFile();
  copyFileSync(file, `${file}.backup`);
  const store = await opened(file);
  await add(store, 'ann');
  renameSync(`${file}.backup`, file);
  for (let tries = 0; tries < 3; tries++)
    await refuses(add(store, 'bob')).with('replaced', 'was replaced by another file');
  await refuses(store.find(all('individual'))).with('replaced', 'was replaced by another file');
  await store.close();
  expect(heldBy(file)).toEqual([]);
});

it('reads what is there, too', async () => {
  const { store, putBack } = await backedUp();
  expect(await ids(store, all('individual'))).toEqual(['ann']);
  const version = store.version();
  await new Promise((resolve) => setImmediate(resolve));
  putBack();
  await refuses(store.find(all('individual'))).with('replaced', 'was replaced by another file');
  expect(await store.find(all('individual'))).toEqual([]);
  expect(store.version()).not.toBe(version);
});

it('goes on with the same file when that is put back', async () => {
  const { file, store } = await backedUp();
  renameSync(file, `${file}.away`);
  await refuses(add(store, 'bob')).with('replaced', 'deleted or moved');
  renameSync(`${file}.away`, file);
  await add(store, 'cid');
  expect(await ids(store, all('individual', { ordered: true }))).toEqual(['ann', 'cid']);
});

it('commits no transaction that began before, though others go on meanwhile', async () => {
  const { file, store, putBack } = await backedUp();
  const begun = store.transaction(async (writer) => {
    await writer.insert('individual', individual('bob'));
    putBack();
    await store.find(all('individual')).catch(() => undefined);
    expect(await store.find(all('individual'))).toEqual([]);
  });
  await refuses(begun).with('replaced', 'was replaced by another file');
  await add(store, 'cid');
  await store.close();
  expect(heldBy(file)).toEqual(['cid']);
});

it('leaves the moved file all that was kept in it, and brings nothing of it into the new one', async () => {
  const { file, store, putBack } = await backedUp();
  for (let i = 0; i < 20; i++) await add(store, `more ${i}`);
  renameSync(file, `${file}.away`);
  putBack();
  await refuses(store.find(all('individual'))).with('replaced', 'was replaced by another file');
  expect(await store.find(all('individual'))).toEqual([]);
  expect(heldBy(`${file}.away`)).toHaveLength(21);
});

it('keeps the wal that came with the new file', async () => {
  const { file, store } = await backedUp();
  const other = await newFile();
  const filled = await opened(other);
  await add(filled, 'dan');
  for (const part of ['', '-wal', '-shm']) renameSync(other + part, file + part);
  await refuses(store.find(all('individual'))).with('replaced', 'was replaced by another file');
  expect(await ids(store, all('individual'))).toEqual(['dan']);
});

it('holds for the journal of remote jobs, too', async () => {
  const file = `${folder()}/journal.db`;
  const journal = await openJournal(file);
  rmSync(file);
  await refuses(journal.heads('prod')).with('replaced', 'was deleted or moved');
  await journal.close();
});
