// How changes become durable: together, in order, each whole or not at all.
import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { accountability, all, ids, individual, keep, newFile, newStore, opened } from './store-fixture.ts';

const ANN = individual('ann');

it.each(['a', 'b', 'c'])(
  'keeps the transactions that wait together, and takes back only %s, which fails',
  async (bad) => {
    const store = await newStore();
    await keep(store, { individual: [ANN] });
    const steps: string[] = [];
    const piece = (id: string) =>
      store.transaction(async (writer) => {
        steps.push(`${id} begins`);
        await writer.insert('accountability', accountability(id, 'ann'));
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(`${id} ends`);
        if (id === bad) throw new Error(`${id} is refused`);
        return id;
      });
    const names = ['a', 'b', 'c'];
    const answers = await Promise.allSettled(names.map(piece));
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : String(answer.reason)))).toEqual(
      names.map((id) => (id === bad ? `Error: ${id} is refused` : id)),
    );
    expect(steps).toEqual(names.flatMap((id) => [`${id} begins`, `${id} ends`]));
    expect(await ids(store, all('accountability', { ordered: true }))).toEqual(names.filter((id) => id !== bad));
  },
);

it('answers nobody before the commit, not even the piece that failed', async () => {
  const store = await newStore();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answered: string[] = [];
  const first = store
    .transaction(async (writer) => writer.insert('individual', ANN))
    .then(() => answered.push('first'));
  const second = store.transaction(() => Promise.reject(new Error('no'))).catch(() => answered.push('second'));
  const last = store.transaction(() => held).then(() => answered.push('last'));
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(answered).toEqual([]);
  expect(await store.find(all('individual'))).toEqual([]);
  release();
  await Promise.all([first, second, last]);
  expect(answered.sort()).toEqual(['first', 'last', 'second']);
});

it('fails all pieces when the commit fails, and keeps none of them', async () => {
  const file = await newFile();
  const store = await opened(file);
  const database = openDatabase(file);
  onTestFinished(() => void database.close());
  database.exec(`CREATE TABLE due (ID TEXT, Owner TEXT REFERENCES nobody DEFERRABLE INITIALLY DEFERRED) STRICT;
    CREATE TABLE nobody (ID TEXT PRIMARY KEY) STRICT;
    CREATE TRIGGER owe AFTER INSERT ON accountability BEGIN INSERT INTO due VALUES (new.ID, 'x'); END;`);
  const pieces = [
    keep(store, { individual: [ANN] }),
    keep(store, { accountability: [accountability('a', 'ann')] }),
    keep(store, { individual: [individual('bob')] }),
  ];
  const answers = await Promise.allSettled(pieces);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await store.find(all('individual'))).toEqual([]);
  database.exec('DROP TRIGGER owe');
  await keep(store, { individual: [ANN] });
  expect(await ids(store, all('individual'))).toEqual(['ann']);
});

it('fails the whole batch when SQLite gives the transaction up, and goes on with the next one', async () => {
  const file = await newFile();
  const store = await opened(file);
  const database = openDatabase(file);
  onTestFinished(() => void database.close());
  database.exec(`CREATE TRIGGER give_up BEFORE INSERT ON individual WHEN new.ID = 'bad'
    BEGIN SELECT RAISE(ROLLBACK, 'given up'); END`);
  const answers = await Promise.allSettled([
    keep(store, { individual: [ANN] }),
    keep(store, { individual: [individual('bad')] }),
    keep(store, { individual: [individual('bob')] }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(await ids(store, all('individual'))).toEqual(['bob']);
});

it('shows readers nothing that is not committed, and the writer everything it wrote', async () => {
  const store = await newStore();
  await store.transaction(async (writer) => {
    await writer.insert('individual', ANN);
    expect(await ids(writer, all('individual'))).toEqual(['ann']);
    expect(await ids(store, all('individual'))).toEqual([]);
  });
  expect(await ids(store, all('individual'))).toEqual(['ann']);
});

it('lets a transaction write while it walks through a list', async () => {
  const store = await newStore();
  await keep(store, { individual: [ANN, individual('bob')] });
  await store.transaction(async (writer) => {
    for await (const { ID } of writer.iterate(all('individual'))) {
      await writer.insert('accountability', accountability(`of ${ID}`, String(ID)));
    }
  });
  expect(await ids(store, all('accountability', { ordered: true }))).toEqual(['of ann', 'of bob']);
});

it('gives several reads of a snapshot one view, whatever is written in between', async () => {
  const store = await newStore();
  await keep(store, { individual: [ANN] });
  await store.snapshot(async (reader) => {
    expect(await ids(reader, all('individual'))).toEqual(['ann']);
    await keep(store, { individual: [individual('bob')] });
    expect(await ids(reader, all('individual'))).toEqual(['ann']);
  });
  expect(await ids(store, all('individual'))).toEqual(['ann', 'bob']);
});

it('waits on close for what is being written', async () => {
  const file = await newFile();
  const store = await opened(file);
  const kept = keep(store, { individual: [ANN] });
  await store.close();
  await kept;
  expect(await ids(await opened(file), all('individual'))).toEqual(['ann']);
});

it('writes nothing to the disk for a piece that is refused, or that changes nothing', async () => {
  const file = await newFile();
  const store = await opened(file);
  await keep(store, { individual: [ANN] });
  const wal = readFileSync(`${file}-wal`);
  const version = store.version();
  const refused = store.transaction(async (writer) => {
    await writer.insert('individual', individual('bob'));
    throw new Error('no');
  });
  await expect(refused).rejects.toThrow('no');
  await store.transaction((writer) => writer.find(all('individual')));
  expect(readFileSync(`${file}-wal`).equals(wal)).toBe(true);
  expect(store.version()).toBe(version);
  expect(await ids(store, all('individual'))).toEqual(['ann']);
});
