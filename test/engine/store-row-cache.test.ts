// A transaction remembers the records it reads: what it is answered is always what stands in the database.
import { expect, it } from 'vitest';
import type { Writer } from '../../src/engine/store/port.ts';
import { accountability, individual, keep, newFile, newStore, opened, SITE } from './store-fixture.ts';

const nameOf = async (writer: Writer, id = 'a') => (await writer.get('accountability', SITE, id))?.Name;

async function storeWithOne() {
  const store = await newStore();
  await keep(store, { individual: [individual('ann')], accountability: [accountability('a', 'ann')] });
  return store;
}

it.each([
  ['an update', (writer: Writer) => writer.update('accountability', SITE, 'a', { Name: 'New' }), 'New'],
  ['a removal', (writer: Writer) => writer.remove('accountability', SITE, 'a'), undefined],
])('sees what %s has done', async (_, write, after) => {
  const store = await storeWithOne();
  const seen = await store.transaction(async (writer) => {
    const before = await nameOf(writer);
    await write(writer);
    return [before, await nameOf(writer)];
  });
  expect(seen).toEqual(['a', after]);
});

it('sees what a deletion above has hidden', async () => {
  const store = await storeWithOne();
  const marks = await store.transaction(async (writer) => {
    const before = await writer.get('accountability', SITE, 'a');
    await writer.cascade(SITE, 'individual', 'ann', true);
    return [before?.DeletedByRef, (await writer.get('accountability', SITE, 'a'))?.DeletedByRef];
  });
  expect(marks).toEqual([false, true]);
});

it('forgets what an attempt made that was taken back', async () => {
  const store = await storeWithOne();
  const seen = await store.transaction(async (writer) => {
    const attempt = writer.savepoint(async () => {
      await writer.insert('accountability', accountability('b', 'ann'));
      expect(await nameOf(writer, 'b')).toBe('b');
      throw new Error('no');
    });
    await attempt.catch(() => undefined);
    return nameOf(writer, 'b');
  });
  expect(seen).toBeUndefined();
});

it('forgets what a transaction made that was taken back, beside another one in the same commit', async () => {
  const store = await storeWithOne();
  const failing = store.transaction(async (writer) => {
    await writer.insert('accountability', accountability('b', 'ann'));
    await nameOf(writer, 'b');
    throw new Error('no');
  });
  const beside = store.transaction((writer) => nameOf(writer, 'b'));
  await expect(failing).rejects.toThrow('no');
  expect(await beside).toBeUndefined();
});

it('sees what another program wrote between two transactions', async () => {
  const file = await newFile();
  const [ours, theirs] = [await opened(file), await opened(file)];
  await keep(ours, { individual: [individual('ann')], accountability: [accountability('a', 'ann')] });
  expect(await ours.transaction((writer) => nameOf(writer))).toBe('a');
  await theirs.transaction((writer) => writer.update('accountability', SITE, 'a', { Name: 'Theirs' }));
  expect(await ours.transaction((writer) => nameOf(writer))).toBe('Theirs');
});

it('answers a new record as it will be read', async () => {
  const store = await newStore();
  const rows = {
    individual: individual('ann', { IsAdmin: true, FeaturePerformance: false }),
    period: { ID: 7, SiteID: SITE, StartDate: '2026-01-01T00:00:00+05:30', EndDate: '2026-03-31T00:00:00+05:30' },
    project: { SiteID: SITE, ID: 'p', HoursActual: 1.5, HoursProjected: 2, TreeKey: '0001', Deleted: true },
  };
  for (const [resource, row] of Object.entries(rows)) {
    const answered = await store.transaction((writer) => writer.insert(resource, row));
    expect(answered).toEqual(await store.get(resource, SITE, String(row.ID)));
  }
});
