// The large sample: as many people as asked for, the same ones whenever the same seed is given.
import { expect, test } from 'vitest';
import { nameOf } from '../../src/sites/samples/large-names.ts';
import { everything, idsOf, seededOnce, TODAY } from './seeded.ts';

const large = (individuals: number, randomSeed = 7) => seededOnce({ sample: 'large', individuals, randomSeed });

test('two hundred people are in eight departments, each with five accountabilities and two basic roles; what the deleted have is hidden', async () => {
  const { rows, report } = await large(200);
  expect(await rows('individual', 2)).toHaveLength(201);
  expect(await rows('organization', 2)).toHaveLength(9);
  expect(await rows('accountability', 2)).toHaveLength(1_000);
  expect(await rows('basicRole', 2)).toHaveLength(400);
  expect(report.counts.individuals).toBe(200);
  expect(report.counts.departments).toBe(8);
  // Some people are deleted, and what is theirs is hidden.
  const gone = new Set(idsOf(await rows('individual', 1)));
  expect(gone.size).toBeGreaterThan(0);
  const hidden = (await rows('accountability', 1)).filter(({ DeletedByRef }) => DeletedByRef === true);
  expect(new Set(hidden.map(({ AncestorID }) => AncestorID))).toEqual(gone);
});

test('everybody reports, over some steps, to the managing director', async () => {
  const people = (await (await large(80)).rows('individual', 2)).filter(({ LastName }) => LastName !== 'Administrator');
  const bossOf = new Map(people.map((one) => [one.ID ?? null, one.PrimaryReportsTo ?? null]));
  const tops = people.map((one) => {
    let at = one.ID ?? null;
    for (let step = 0; step < 10; step++) at = bossOf.get(at) ?? null;
    return at;
  });
  expect(new Set(tops).size).toBe(1);
  expect(tops[0]).not.toBeNull();
});

test('each department has a metric, and a review in this quarter with two follow-ups', async () => {
  const { rows } = await large(60);
  expect(await rows('metric')).toHaveLength(3);
  expect(await rows('metricValue')).toHaveLength(6);
  expect(await rows('task')).toHaveLength(6);
});

test('nothing is made later than today', async () => {
  const made = await (await large(30)).rows('comment', 2);
  expect(made.filter(({ Created }) => Date.parse(String(Created)) > TODAY.getTime())).toEqual([]);
});

test('the same seed gives the same records', async () => {
  expect(await everything(await large(30))).toEqual(await everything(await large(30)));
});

test('another seed gives other IDs and other people', async () => {
  const [one, other] = [await large(30, 1), await large(30, 2)];
  const ids = new Set(idsOf(await one.rows('accountability', 2)));
  expect(idsOf(await other.rows('accountability', 2)).filter((id) => ids.has(id))).toEqual([]);
  const names = async (site: typeof one): Promise<string> =>
    (await site.rows('individual', 2)).map(({ UserName }) => UserName).join();
  expect(await names(one)).not.toBe(await names(other));
});

test('one individual is a company, too', async () => {
  const site = await large(1);
  expect(site.report.counts).toMatchObject({ individuals: 1, departments: 1, accountabilities: 5 });
});

test('no two of ten thousand user names are alike', () => {
  for (const seed of [0, 1, 42, 2_147_483_647]) {
    const names = new Set(Array.from({ length: 10_000 }, (_, number) => nameOf(seed, number).user));
    expect(names.size).toBe(10_000);
  }
});
