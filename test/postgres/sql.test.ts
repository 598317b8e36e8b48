// What databases answer differently unless their SQL says it: the order of nulls, numbers as texts, clashes, searches.
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import { type Store, UniqueViolation, type Writer } from '../../src/engine/store/port.ts';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { openPostgres } from '../../src/engine/store/postgres/store.ts';
import { folded } from '../../src/text/folded.ts';
import { accountability, all, ids, individual, keep, SITE } from '../engine/store-fixture.ts';
import { usingPostgres } from '../support/postgres.ts';

describe('the store on PostgreSQL', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  async function newStore(): Promise<Store> {
    const { store } = await openPostgres({
      address: addressOf(await server().newDatabase(), 'pm', '--database'),
      password: () => undefined,
      resources: storedResources,
      computed: {},
    });
    onTestFinished(() => store.close());
    return store;
  }

  it('lists a record without a value first', async () => {
    const store = await newStore();
    const rows = [accountability('b', 'ann'), accountability('a', 'ann', { Rank: null }), accountability('c', 'ann')];
    await keep(store, { individual: [individual('ann')], accountability: rows });
    expect(await ids(store, all('accountability', { ordered: true }))).toEqual(['a', 'b', 'c']);
  });

  it('orders texts by their characters alone, whatever the language of the database', async () => {
    const store = await newStore();
    await keep(store, { individual: ['z', 'ä', 'a-b', 'aa', 'a b'].map((name) => individual(name)) });
    expect(await ids(store, all('individual', { ordered: true }))).toEqual(['a b', 'a-b', 'aa', 'z', 'ä']);
  });

  it('finds no record with a number for an ID that is none', async () => {
    const store = await newStore();
    await keep(store, { color: [{ SiteID: SITE, ID: 7, Rank: 1, Name: 'red' }] });
    expect((await store.get('color', SITE, '7'))?.Name).toBe('red');
    for (const id of ['x', '7x', '', '7.0', '99999999999999999999']) {
      expect(await store.get('color', SITE, id)).toBeUndefined();
      expect(await store.isTaken(['color'], SITE, id)).toBe(false);
    }
    expect(await store.takenAmong(['color'], SITE, ['x', '7'])).toEqual(['7']);
    expect(await ids(store, all('color', { ids: ['7', 'x'] }))).toEqual([7]);
  });

  it.each([
    [
      'one record',
      async (writer: Writer): Promise<unknown> => writer.insert('individual', individual('eve', { UserName: 'ANN' })),
    ],
    [
      'many records',
      (writer: Writer): Promise<unknown> => writer.insertMany('individual', [individual('eve', { UserName: 'ANN' })]),
    ],
    ['a change', (writer: Writer): Promise<unknown> => writer.update('individual', SITE, 'bob', { UserName: 'Ann' })],
  ])('says by %s which member clashes', async (_, write) => {
    const store = await newStore();
    await keep(store, { individual: [individual('ann'), individual('bob')] });
    const error = await store.transaction(write).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(UniqueViolation);
    expect((error as UniqueViolation).fields).toEqual(['UserName']);
  });

  it('goes on in a transaction after a clash in a savepoint', async () => {
    const store = await newStore();
    await store.transaction(async (writer) => {
      await writer.insert('individual', individual('ann'));
      const again = writer.savepoint(async () => writer.insert('individual', individual('ann')));
      await expect(again).rejects.toBeInstanceOf(UniqueViolation);
      await writer.insert('individual', individual('bob'));
    });
    expect(await ids(store, all('individual', { ordered: true }))).toEqual(['ann', 'bob']);
  });

  it('searches texts without regard to case and accents, and counts only what it finds', async () => {
    const store = await newStore();
    const names = ['Zoé', 'Bob', 'ZOE', 'Zoë'];
    await keep(store, { individual: names.map((FirstName, i) => individual(`i${i}`, { FirstName })) });
    const query = all('individual', { holding: { fields: ['FirstName'], text: 'zoe' }, ordered: true, limit: 2 });
    expect(await ids(store, query)).toEqual(['i0', 'i2']);
    const listed: unknown[] = [];
    for await (const { ID } of store.iterate(query)) listed.push(ID);
    expect(listed).toEqual(['i0', 'i2']);
  });

  it('searches as the embedded file does, whatever characters a text has', async () => {
    const store = await newStore();
    const ascii = Array.from({ length: 127 }, (_, i) => String.fromCharCode(i + 1));
    const texts = [
      ...ascii.map((sign) => `A${sign}B`),
      'Straße',
      'ſtrasse',
      'İI',
      "O’Con'nell",
      'K\u212b',
      'a\u0301-b',
    ];
    await keep(store, { individual: texts.map((FirstName, i) => individual(`i${i}`, { FirstName })) });
    for (const wanted of [...texts, 'a', 'b', ' ', 'ab', 'strasse', 'oconn', 'ka', '%', '_']) {
      const text = folded(wanted);
      const query = all('individual', { holding: { fields: ['FirstName'], text } });
      const found = texts.flatMap((one, i) => (folded(one).includes(text) ? [`i${i}`] : []));
      expect((await ids(store, query)).toSorted()).toEqual(found.toSorted());
    }
  });

  it('reads few of the records that a search does not want', async () => {
    const store = await newStore();
    const names = ['Ann', 'Zoé', ...Array.from({ length: 200 }, (_, i) => `Bob ${i}`)];
    await keep(store, { individual: names.map((FirstName, i) => individual(`i${i}`, { FirstName })) });
    const sent = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => sent.mockRestore());
    expect(await ids(store, all('individual', { holding: { fields: ['FirstName'], text: 'ann' } }))).toEqual(['i0']);
    const answers = await Promise.all(sent.mock.results.map(({ value }) => value as unknown as { rows?: unknown[] }));
    expect(answers.flatMap(({ rows = [] }) => rows).length).toBeLessThan(10);
  });

  it('writes the first lines of many sites at once, which name the same callers in any order', async () => {
    const store = await newStore();
    const line = { at: 1, resource: 'color', what: 'create', before: undefined } as const;
    const callers = ['ann', 'bob', 'eve', 'ida'];
    const sites = Array.from({ length: 8 }, (_, at) => `site ${at}`);
    await Promise.all(
      sites.map((site, at) =>
        store.transaction(async (writer) => {
          for (const caller of at % 2 === 0 ? callers : callers.toReversed()) {
            await writer.addLines(site, [{ ...line, caller, id: caller }]);
            expect(await writer.lines(site, 'color', caller)).toHaveLength(1);
          }
        }),
      ),
    );
    for (const site of sites)
      expect((await store.siteLines(site, undefined, 9)).map(({ caller, id }) => [caller, id]).sort()).toEqual(
        callers.map((caller) => [caller, caller]),
      );
  });

  it('numbers the lines of all sites in the order in which they are written', async () => {
    const store = await newStore();
    const entry = {
      at: 1,
      caller: 'ann',
      resource: 'color',
      what: 'create',
      before: undefined,
    } as const;
    const add = (site: string, ...some: string[]) =>
      store.transaction(async (writer) =>
        writer.addLines(
          site,
          some.map((id) => ({ ...entry, id })),
        ),
      );
    await add('one', 'a', 'b');
    await add('two', 'c');
    await add('one', 'd');
    const numbers = async (site: string) =>
      (await store.siteLines(site, undefined, 10)).map(({ sequence, id }) => `${sequence} ${id}`);
    expect(await numbers('one')).toEqual(['4 d', '2 b', '1 a']);
    expect(await numbers('two')).toEqual(['3 c']);
  });

  it('takes limits and numbers of records that are greater than 2^31', async () => {
    const store = await newStore();
    const most = Number.MAX_SAFE_INTEGER;
    await keep(store, { color: [{ SiteID: SITE, ID: most, Rank: most, Name: 'red' }] });
    expect(await ids(store, all('color', { ids: [String(most)], limit: most }))).toEqual([most]);
    for (const since of [undefined, 1]) expect(await store.siteLines(SITE, since, most)).toEqual([]);
    expect(await store.jobs.heads(undefined, { limit: most })).toEqual([]);
  });

  it('changes many records at once, each by its own values', async () => {
    const store = await newStore();
    await keep(store, { individual: [individual('ann'), individual('bob'), individual('eve')] });
    await store.transaction((writer) =>
      writer.updateMany('individual', SITE, [
        { id: 'ann', changes: { FirstName: 'Ann', IsAdmin: true } },
        { id: 'bob', changes: { FirstName: null } },
        { id: 'ann', changes: { FirstName: 'Anna' } },
      ]),
    );
    const found = await store.find({ resource: 'individual', site: SITE, ids: ['ann', 'bob', 'nobody'], deleted: 2 });
    const shown = found.map(({ ID, FirstName, IsAdmin }) => [ID, FirstName, IsAdmin]);
    expect(shown.sort()).toEqual([
      ['ann', 'Anna', true],
      ['bob', null, null],
    ]);
  });
});
