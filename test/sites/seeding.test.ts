// Seeding itself: the clock, the progress, and what is refused.
import { expect, onTestFinished, test } from 'vitest';
import type { Local, TransactionSession } from '../../src/contract/call.ts';
import { userNameOf } from '../../src/sites/samples/founding.ts';
import { randomOf } from '../../src/sites/samples/random.ts';
import { seedSample } from '../../src/sites/seed.ts';
import { newEngine } from '../support/engine.ts';
import { seededOnce, TODAY, targetOn } from './seeded.ts';

const SMALL = { sample: 'small' } as const;
const TINY = { sample: 'large', individuals: 3, randomSeed: 1 } as const;

async function fresh() {
  const engine = await newEngine(TODAY);
  onTestFinished(() => engine.end());
  return engine;
}

test.each([SMALL, { sample: 'large', individuals: 80, randomSeed: 1 }] as const)(
  'progress grows, counts records and knows halfway how many there will be; the clock only moves forward: $sample',
  async (sample) => {
    const engine = await fresh();
    const seen: (readonly [number, number])[] = [];
    const times: number[] = [];
    const onProgress = (done: number, total: number) => seen.push([done, total]);
    const setClock = (at: Date): void => {
      times.push(at.getTime());
      engine.setClock(at);
    };
    const { counts } = await seedSample(sample, await targetOn(engine, { onProgress, setClock }));
    const whole = Object.values(counts).reduce((sum, count) => sum + count, 0);
    expect(seen.at(-1)).toEqual([whole, whole]);
    const done = seen.map(([one]) => one);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    const early = seen.find(([one]) => one > whole / 2)?.[1] ?? 0;
    expect(Math.abs(early / whole - 1)).toBeLessThan(0.2);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBe(TODAY.getTime());
    expect(new Set(times).size).toBeGreaterThan(sample === SMALL ? 1_000 : 1);
  },
);

test('a department is written in one batch, whatever its authors, and the IDs of its lists are looked for together', async () => {
  const { session, ...target } = await targetOn(await fresh());
  const made: number[] = [];
  const counting = (inside: TransactionSession): TransactionSession => ({
    ...inside,
    local: {
      ...inside.local,
      batch(reads, work) {
        made.push([...reads.made.values()].reduce((sum, { size }) => sum + size, 0));
        return inside.local.batch(reads, work);
      },
    },
  });
  const local = session.local as Local;
  const counted: Local = { ...local, transaction: (work) => local.transaction((inside) => work(counting(inside))) };
  const sample = { sample: 'large', individuals: 50, randomSeed: 1 } as const;
  await seedSample(sample, { ...target, session: { ...session, local: counted } });
  // The site, two departments, and the reviews of each.
  expect(made).toHaveLength(5);
  expect(made.filter((count) => count > 25 * 8)).toHaveLength(2);
});

test('the same sample does not fit in twice, and the refusal leaves the site as it was', async () => {
  const { engine, rows } = await seededOnce(TINY);
  const before = await rows('individual', 2);
  await expect(seedSample({ ...TINY, randomSeed: 2 }, await targetOn(engine))).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(await rows('individual', 2)).toEqual(before);
});

test('both samples fit into one site, and leave its administrator and first organization alone', async () => {
  const { engine, rows } = await seededOnce(TINY);
  await seedSample(SMALL, await targetOn(engine));
  const people = await rows('individual', 2);
  expect(people).toHaveLength(1 + 3 + 60);
  expect(people.filter(({ UserName, Deleted }) => UserName === 'ada' && Deleted !== true)).toHaveLength(1);
  expect((await rows('organization')).filter(({ Name }) => Name === 'Test')).toHaveLength(1);
});

test.each([0, -1, 1.5, Number.NaN, 2_000_000])('%s individuals are refused', async (individuals) => {
  const engine = await fresh();
  await expect(seedSample({ ...TINY, individuals }, await targetOn(engine))).rejects.toMatchObject({
    code: 'invalid',
    faults: [{ field: 'individuals' }],
  });
});

test('a remote service is refused before anything is written', async () => {
  const engine = await fresh();
  const { local: _local, ...session } = await engine.backend.open({});
  await expect(seedSample(SMALL, await targetOn(engine, { session }))).rejects.toMatchObject({ code: 'usage' });
  expect(await engine.store.find({ resource: 'individual', site: undefined, deleted: 2 })).toHaveLength(1);
});

test.each([
  ['Søren', 'Kjeldsen', 'soren.kjeldsen'],
  ['Aoife', "O'Connell", 'aoife.oconnell'],
  ['Jörg', 'Strauß', 'jorg.strauss'],
  ['Zofia', 'Łuczak', 'zofia.luczak'],
  ['Jean-Baptiste', 'de Wit', 'jean-baptiste.dewit'],
])('%s %s has the user name %s', (first, last, user) => {
  expect(userNameOf(first, last)).toBe(user);
});

test('chance is the same on every machine', () => {
  const random = randomOf('small', 1);
  expect([random.between(1, 100), random.between(1, 100), random.guid()]).toMatchInlineSnapshot(`
    [
      46,
      85,
      "33a1d86e-fea9-4738-ad84-a17d26a885f5",
    ]
  `);
});
