// A transaction remembers the records it reads: what it is answered is always what stands in the database.
import { expect, it } from 'vitest';
import type { Writer } from '../../src/engine/store/port.ts';
import { accountability, individual, keep, newFile, newStore, opened, SITE, setDeleted } from './store-fixture.ts';

const nameOf = async (writer: Writer, id = 'a') => (await writer.get('accountability', SITE, id))?.Name;

async function storeWithOne() {
  const store = await newStore();
  await keep(store, { individual: [individual('ann')], accountability: [accountability('a', 'ann')] });
  return store;
}

it.each([
  ['an update', (writer: Writer) => writer.update('accountability', SITE, 'a', { Name: 'New' }), 'New'],
  ['a removal', (writer: Writer) => writer.remove('accountability', SITE, ['a']), undefined],
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
    await setDeleted(writer, 'individual', 'ann', true);
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
    const answered = await store.transaction(async (writer) => writer.insert(resource, row));
    expect(answered).toEqual(await store.get(resource, SITE, String(row.ID)));
  }
});

const grantFor = (ID: string) => ({
  ...{ SiteID: SITE, ID, RowID: SITE, PrincipalID: 'ann', ChildType: null },
  ...{ CreateState: 0, ReadState: 1, UpdateState: 0, DeleteState: 0, DelegateState: 0 },
});

it.each([
  [
    'a new permission row',
    (writer: Writer) => writer.insert('permission', { ...grantFor('q'), ChildType: 4 }),
    ['p', 'q'],
  ],
  ['a permission row that is gone', (writer: Writer) => writer.remove('permission', SITE, ['p']), []],
  ['a deletion of the individual', (writer: Writer) => writer.update('individual', SITE, 'ann', { Deleted: true }), []],
  ['a group that was joined', (writer: Writer) => writer.addMember(SITE, 'guests', 'ann'), ['g', 'p']],
])('sees what an individual may do after %s', async (_, write, after) => {
  const store = await newStore();
  await keep(store, {
    individual: [individual('ann', { UserID: 'ann' })],
    securityGroup: [{ SiteID: SITE, ID: 'guests', Group: 'Guests' }],
    permission: [grantFor('p'), { ...grantFor('g'), PrincipalID: 'guests' }],
  });
  const ids = async (writer: Writer) => (await writer.grants(SITE, 'ann')).map(({ ID }) => ID);
  const seen = await store.transaction(async (writer) => {
    const before = await ids(writer);
    await write(writer);
    return [before, await ids(writer)];
  });
  expect(seen).toEqual([['p'], after]);
});

it('goes on knowing other records when one is changed, and the changed one as it is now', async () => {
  const store = await storeWithOne();
  await keep(store, { accountability: [accountability('b', 'ann')] });
  const seen = await store.transaction(async (writer) => {
    const before = [await nameOf(writer, 'a'), await nameOf(writer, 'b')];
    await writer.update('accountability', SITE, 'a', { Name: 'New' });
    return [...before, await nameOf(writer, 'a'), await nameOf(writer, 'b')];
  });
  expect(seen).toEqual(['a', 'b', 'New', 'b']);
});
