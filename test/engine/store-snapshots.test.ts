// What readers see: one view in a turn, and never an older one than what was committed before they asked.
import { expect, it } from 'vitest';
import type { Store } from '../../src/engine/store/port.ts';
import { JOB, newJob, rowsOf } from './job-fixture.ts';
import { individual, newFile, newStore, opened, SITE } from './store-fixture.ts';

const insert = (store: Store, id: string): Promise<unknown> =>
  store.transaction(async (writer) => writer.insert('individual', individual(id)));
const seen = (store: Store, id: string): Promise<boolean> =>
  store.snapshot(async (reader) => (await reader.get('individual', SITE, id)) !== undefined);
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('a reader sees what was committed before, in the same turn too', async () => {
  const store = await newStore();
  expect(await seen(store, 'a')).toBe(false);
  await insert(store, 'a');
  expect(await seen(store, 'a')).toBe(true);
});

it('a reader sees what another program has committed, from the next turn on', async () => {
  const file = await newFile();
  const [one, other] = [await opened(file), await opened(file)];
  expect(await seen(one, 'a')).toBe(false);
  await insert(other, 'a');
  await turn();
  expect(await seen(one, 'a')).toBe(true);
});

it('a reader keeps its view while others write and read', async () => {
  const store = await newStore();
  await store.snapshot(async (reader) => {
    expect(await reader.get('individual', SITE, 'a')).toBeUndefined();
    await insert(store, 'a');
    expect(await seen(store, 'a')).toBe(true);
    await turn();
    expect(await reader.get('individual', SITE, 'a')).toBeUndefined();
  });
});

it('the version stays while nothing changes', async () => {
  const store = await newStore();
  const before = store.version();
  await seen(store, 'a');
  await turn();
  expect(store.version()).toBe(before);
});

it('the version is another one after a commit, of our own or of another program', async () => {
  const file = await newFile();
  const [one, other] = [await opened(file), await opened(file)];
  const versions = [one.version()];
  await insert(one, 'a');
  versions.push(one.version());
  await insert(other, 'b');
  await turn();
  versions.push(one.version());
  expect(new Set(versions).size).toBe(3);
});

it('what is written in one turn shares a commit', async () => {
  const store = await newStore();
  const names = Array.from({ length: 20 }, (_, n) => `n${n}`);
  const versions = new Set<string | undefined>();
  await Promise.all(names.map((name) => insert(store, name).then(() => versions.add(store.version()))));
  expect(versions.size).toBe(1);
});

it('a plan that is begun and sealed in one turn shares a commit, too', async () => {
  const { jobs, version } = await newStore();
  const versions = new Set<string | undefined>();
  const work = [jobs.begin(newJob()), jobs.plan(JOB, rowsOf(1, 3)), jobs.seal(JOB)];
  await Promise.all(work.map((one) => one.then(() => versions.add(version()))));
  expect(versions.size).toBe(1);
});
