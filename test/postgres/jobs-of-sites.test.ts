// Jobs of several sites in one database on a server: each site numbers its own, all are listed together, and no site waits for
// another one.
import { describe, expect, it, onTestFinished } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import type { Store } from '../../src/engine/store/port.ts';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { openPostgres } from '../../src/engine/store/postgres/store.ts';
import { newJob } from '../engine/job-fixture.ts';
import { onDatabase, usingPostgres } from '../support/postgres.ts';

describe('the jobs of sites on PostgreSQL', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  async function newStore(): Promise<{ readonly store: Store; readonly address: string }> {
    const address = await server().newDatabase();
    const { store } = await openPostgres({
      address: addressOf(address, 'pm', '--database'),
      password: () => undefined,
      resources: storedResources,
      computed: {},
    });
    onTestFinished(() => store.close());
    return { store, address };
  }

  const begin = ({ jobs }: Pick<Store, 'jobs'>, id: string, site: string): Promise<void> =>
    jobs.begin(newJob(id, { site }));
  const listed = async (store: Store): Promise<readonly string[]> => (await store.jobs.heads()).map(({ id }) => id);

  it('begin while one of another site is being written', async () => {
    const { store, address } = await newStore();
    await store.transaction(async (writer) => {
      await begin(writer, 'one', 'a');
      await begin(store, 'other', 'b');
    });
    expect(await onDatabase(address, 'SELECT SiteID, Sequence FROM job ORDER BY SiteID')).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(await listed(store)).toEqual(['other', 'one']);
  });

  it('stand behind every job that was there when they began, whatever its site', async () => {
    const { store } = await newStore();
    for (const [id, site] of ['a', 'a', 'b', 'a', 'b', 'c', 'a'].entries()) await begin(store, `${id}`, site);
    expect(await listed(store)).toEqual(['6', '5', '4', '3', '2', '1', '0']);
    await store.jobs.delete(['6', '5', '4']);
    await begin(store, '7', 'b');
    await begin(store, '8', 'a');
    expect(await listed(store)).toEqual(['8', '7', '3', '2', '1', '0']);
  });
});
