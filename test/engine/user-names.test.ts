// User names are unique in all sites, deleted individuals included, and stand beside the individuals: whatever is refused or
// taken back, both agree.
import { expect, it } from 'vitest';
import { type Store, UniqueViolation, type Writer } from '../../src/engine/store/port.ts';
import { inLong } from '../support/long.ts';
import { askerOf, newSite } from '../support/site.ts';
import { expectUserNames } from '../support/user-names.ts';
import { all, ids, individual, keep, newFile, opened, SITE, setDeleted } from './store-fixture.ts';

async function storeWith(...people: Parameters<typeof individual>[]): Promise<{ file: string; store: Store }> {
  const file = await newFile();
  const store = await opened(file);
  await keep(store, { individual: people.map((one) => individual(...one)) });
  return { file, store };
}

const rename = (id: string, UserName: string, more = {}) => ({ id, changes: { UserName, ...more } });

const REFUSED: readonly [what: string, field: string, (writer: Writer) => Promise<unknown>][] = [
  ['a taken name', 'UserName', async (writer) => writer.insert('individual', individual('new', { UserName: 'ANN' }))],
  ['a taken ID', 'ID', async (writer) => writer.insert('individual', individual('ann', { UserName: 'new' }))],
  [
    'a name that another site has taken',
    'UserName',
    async (writer) => writer.insert('individual', individual('new', { SiteID: 'other', UserName: 'Ann' })),
  ],
  [
    'a taken name among many',
    'UserName',
    (writer) => writer.insertMany('individual', [individual('x'), individual('new', { UserName: 'ann' })]),
  ],
  [
    'a taken ID among many',
    'ID',
    (writer) => writer.insertMany('individual', [individual('x'), individual('ann', { UserName: 'new' })]),
  ],
  ['a name twice', 'UserName', (writer) => writer.insertMany('individual', [individual('x'), individual('X')])],
  ['a change to a taken name', 'UserName', (writer) => writer.update('individual', SITE, 'bob', { UserName: 'Ann' })],
  [
    'changes to one name',
    'UserName',
    (writer) => writer.updateMany('individual', SITE, [rename('ann', 'same'), rename('bob', 'SAME')]),
  ],
];

it.each(REFUSED)('%s is refused, and what is written after it is kept alone', async (_, field, write) => {
  const { file, store } = await storeWith(['ann'], ['bob']);
  await store.transaction(async (writer) => {
    const refused = await writer.savepoint(() => write(writer)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UniqueViolation);
    expect((refused as UniqueViolation).fields).toEqual([field]);
    await writer.insert('individual', individual('new'));
    await writer.update('individual', SITE, 'bob', { UserName: 'robert' });
  });
  expect(await ids(store, all('individual', { ordered: true }))).toEqual(['ann', 'bob', 'new']);
  expect(await expectUserNames(file)).toEqual(['ann', 'new', 'robert']);
});

it.each(REFUSED)('%s is refused, and its transaction leaves nothing', async (_, __, write) => {
  const { file, store } = await storeWith(['ann'], ['bob']);
  const refused = store.transaction(async (writer) => {
    await writer.insert('individual', individual('before'));
    await write(writer);
  });
  await expect(refused).rejects.toBeInstanceOf(UniqueViolation);
  expect(await expectUserNames(file)).toEqual(['ann', 'bob']);
});

it('two swap their names, also where more changes of one of them', async () => {
  const { file, store } = await storeWith(['ann'], ['bob']);
  const swap = (...changes: ReturnType<typeof rename>[]) =>
    store.transaction((writer) => writer.updateMany('individual', SITE, changes));
  await swap(rename('ann', 'bob'), rename('bob', 'ann'));
  expect((await store.login('ann'))?.individual.ID).toBe('bob');
  await swap(rename('ann', 'ann', { FirstName: 'Ann' }), rename('bob', 'bob'));
  expect((await store.login('ANN'))?.individual).toMatchObject({ ID: 'ann', FirstName: 'Ann' });
  expect(await expectUserNames(file)).toEqual(['ann', 'bob']);
});

it('a name in another case is the same one, and none is none', async () => {
  const { file, store } = await storeWith(['ann'], ['bob', { UserName: null }]);
  await store.transaction((writer) => writer.update('individual', SITE, 'ann', { UserName: 'Ａnn' }));
  expect(await expectUserNames(file)).toEqual(['ann']);
  await store.transaction((writer) => writer.update('individual', SITE, 'bob', { UserName: 'bob' }));
  await store.transaction((writer) => writer.update('individual', SITE, 'nobody', { UserName: 'nobody' }));
  expect(await expectUserNames(file)).toEqual(['ann', 'bob']);
});

it('a name is free again once its individual is removed, and not where it is deleted', async () => {
  const { file, store } = await storeWith(['ann'], ['bob']);
  const take = (UserName: string) =>
    store.transaction(async (writer) => writer.insert('individual', individual('new', { UserName })));
  await store.transaction((writer) => setDeleted(writer, 'individual', 'ann', true));
  expect(await store.login('ann')).toBeUndefined();
  await expect(take('ann')).rejects.toBeInstanceOf(UniqueViolation);
  await store.transaction((writer) => writer.remove('individual', SITE, ['ann', 'bob']));
  expect(await expectUserNames(file)).toEqual([]);
  await take('ann');
  expect((await store.login('ann'))?.individual.ID).toBe('new');
});

it('a call that is refused leaves nothing where its piece is taken back, and nothing is kept where none is', async () => {
  const { ada, engine, id } = await newSite();
  const before = await expectUserNames(engine.file);
  const taken = { UserName: before[0]?.toUpperCase() ?? '' };
  await ada.session.local?.transaction(async (session) => {
    const piece = session.local?.savepoint((inner) => askerOf(inner, engine).make('individual', taken));
    await expect(piece).rejects.toMatchObject({ code: 'conflict' });
    await askerOf(session, engine).make('individual', { UserName: 'Kept' });
  });
  expect(await expectUserNames(engine.file)).toEqual([...before, 'kept'].sort());
  const whole = ada.session.local?.transaction(async (session) => {
    await askerOf(session, engine).make('individual', { UserName: 'lost' });
    await askerOf(session, engine)
      .make('individual', taken)
      .catch(() => undefined);
    await askerOf(session, engine)
      .change('individual', ada.id, { UserName: 'lost, too' })
      .catch(() => undefined);
  });
  await expect(whole).rejects.toMatchObject({ code: 'conflict' });
  expect(await expectUserNames(engine.file)).toEqual([...before, 'kept'].sort());
  expect(await engine.store.find({ resource: 'individual', site: id, deleted: 2 })).toHaveLength(2);
});

/** Numbers that are always the same, from 0 to `most` - 1. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * most);
  };
}

it.each(inLong([2], [1, 2, 3]))(
  'whatever is written, refused and taken back, names and individuals agree: story %i',
  async (seed) => {
    const { file, store } = await storeWith(['p0'], ['p1'], ['p2']);
    const next = numbers(seed);
    const [id, name] = [() => `p${next(6)}`, () => ['P0', 'p1', 'Ｐ2', 'ß', 'SS', 'ss'][next(6)] ?? ''];
    const step = async (writer: Writer): Promise<unknown> => {
      const one = individual(id(), { UserName: name(), SiteID: next(4) === 0 ? 'other' : SITE });
      const many = [rename(id(), name()), rename(id(), name(), { FirstName: 'x' }), rename(id(), name())];
      const steps = [
        () => writer.insert('individual', one),
        () => writer.insertMany('individual', [one, { ...one, ID: id(), UserName: name() }]),
        () => writer.update('individual', SITE, id(), { UserName: name() }),
        () => writer.updateMany('individual', SITE, many),
        () => writer.remove('individual', SITE, [id(), id()]),
      ];
      return steps[next(steps.length)]?.();
    };
    for (let round = 0; round < 30; round++) {
      const isKept = next(4) > 0;
      const work = store.transaction(async (writer) => {
        for (let piece = 0; piece < 4; piece++) {
          await writer
            .savepoint(() => step(writer))
            .catch((error: unknown) => {
              expect(error).toBeInstanceOf(UniqueViolation);
            });
        }
        if (!isKept) throw new Error('taken back');
      });
      await (isKept ? work : expect(work).rejects.toThrow('taken back'));
      await expectUserNames(file);
    }
  },
);
