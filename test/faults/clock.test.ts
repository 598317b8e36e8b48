// The clock of the machine jumps: what came first stays first, since the order is that of sequence numbers.
import { expect, it } from 'vitest';
import { pmIn } from '../support/pm.ts';
import { importing, jobsIn, usingGround } from './ground.ts';

const ground = usingGround();
/** What the clock says at each job: an hour on, ten years back, a century on, and back again. */
const CLOCK = ['2026-03-31T13:00:00Z', '2016-03-31T13:00:00Z', '2126-03-31T13:00:00Z', '2026-03-31T12:30:00Z'];

/** A site in which a color was named anew at each of these moments. */
async function renamed() {
  const home = ground.home();
  const pm = pmIn(() => home);
  await pm(importing(ground.colors(1))).prints();
  const [color] = await pm('colors list -o json --where "Name = \'new 1\'"').rows();
  for (const at of CLOCK)
    await pm(`colors update ${color?.ID} --name ${nameAt(at)}`, { now: () => new Date(at) }).prints();
  const name = async (): Promise<unknown> => (await pm(`colors get ${color?.ID} -o json`).row()).Name;
  return { home, pm, name };
}

const nameAt = (at: string): string => `at-${at.slice(0, 4)}-${at.slice(11, 13)}${at.slice(14, 16)}`;

it('the newest job is the one that came last', async () => {
  const { home, pm } = await renamed();
  const listed = await pm('jobs list -o json').rows();
  expect(listed.map(({ ID }) => ID)).toEqual(
    jobsIn(home)
      .map(({ id }) => id)
      .reverse(),
  );
});

it('an undo takes back what came last, and then what came before', async () => {
  const { pm, name } = await renamed();
  const [, , third = '', fourth = ''] = CLOCK.map(nameAt);
  expect(await name()).toBe(fourth);
  await pm('undo', { now: () => new Date('2000-01-01T00:00:00Z') }).prints();
  expect(await name()).toBe(third);
  await pm('undo', { now: () => new Date('2300-01-01T00:00:00Z') }).prints();
  expect(await name()).toBe(nameAt(CLOCK[1] ?? ''));
});

it('a run whose clock goes back is not held up by it', async () => {
  const home = ground.home();
  const pm = pmIn(() => home);
  let hours = 0;
  const now = (): Date => new Date(Date.parse('2026-03-31T12:00:00Z') - ++hours * 3_600_000);
  await pm(importing(ground.colors(700)), { now }).prints();
  expect(jobsIn(home).at(-1)?.counts).toEqual({ done: 700 });
  await pm('undo --confirm local:700', { now }).prints();
});

it('the log since a time has what came after it, whatever the clock said then', async () => {
  const { pm } = await renamed();
  const named = async (since: string): Promise<readonly unknown[]> =>
    (await pm(`log --since ${since} -o json`, { now: () => new Date('2026-03-31T14:00:00Z') }).rows()).map(({ At }) =>
      String(At).slice(0, 16),
    );
  const came = ['2026-03-31T13:00', '2016-03-31T13:00', '2126-03-31T13:00', '2026-03-31T12:30'].reverse();
  expect(await named('2026-03-31T12:45:00Z')).toEqual(came);
  expect((await named('-2d')).slice(0, 4)).toEqual(came);
  expect(await named('2100-01-01')).toEqual(came.slice(0, 2));
});
