// Laws of states: what differs between two sites, and that the plan out of it makes one like the other.
import { describe, expect, it } from 'vitest';
import type { Difference } from '../../src/sites/state/compare.ts';
import type { State } from '../../src/sites/state/state.ts';
import { inLong } from '../support/long.ts';
import { changeRandomly } from '../support/random-site.ts';
import { newSite } from '../support/site.ts';
import { copyOf, differences, makeLike, otherSite, stateOf } from '../support/states.ts';

const SEEDS = Array.from({ length: inLong(5, 100) }, (_, at) => at + 1);

/** What a plan is to take away. */
const toDo = (all: readonly Difference[]): readonly Difference[] =>
  all.filter(({ kind }) => kind !== 'removed' && kind !== 'unclear');

/** Each difference in one line, in an order of its own. */
const lines = (all: readonly Difference[]): readonly string[] =>
  all
    .map(({ kind, resource, wanted, there, members }) => JSON.stringify([kind, resource, wanted, there, members]))
    .sort();

/** The state with its records in the opposite order. */
const reversed = (state: State): State => ({
  ...state,
  session: {
    ...state.session,
    find: {
      ...state.session.find,
      async *all(resource, deleted) {
        const rows = [];
        for await (const row of state.session.find.all(resource, deleted)) rows.push(row);
        yield* rows.reverse();
      },
    },
  },
});

async function expectAlike(wanted: State, there: State): Promise<void> {
  const refused = await makeLike(wanted, there);
  const left = toDo(await differences(wanted, there));
  // What a row was refused for is still to be done, and nothing else.
  expect(left.length === 0 || refused.length > 0, lines(left).join('\n')).toBe(true);
}

describe('any two states of one site', () => {
  it.each(SEEDS)('are made alike by a plan (%i)', async (seed) => {
    const site = await newSite();
    await changeRandomly(site, seed, 150);
    const other = await copyOf(site);
    const [wanted, there] = [stateOf(site), stateOf(other)];
    expect(await differences(wanted, there)).toEqual([]);
    await changeRandomly(site, seed + 1000, 60);
    await changeRandomly(other, seed + 2000, 60);
    const all = await differences(wanted, there);
    expect(lines(await differences(reversed(wanted), reversed(there)))).toEqual(lines(all));
    const back = await differences(there, wanted);
    const count = (some: readonly Difference[], ...kinds: readonly string[]): number =>
      some.filter(({ kind }) => kinds.includes(kind)).length;
    expect(count(back, 'removed')).toBe(count(all, 'added', 'restored'));
    expect(count(all, 'removed')).toBe(count(back, 'added', 'restored'));
    await expectAlike(wanted, there);
  });
});

describe('any site, and a new one with IDs of its own', () => {
  it.each(SEEDS)('are made alike by a plan (%i)', async (seed) => {
    const site = await newSite();
    await changeRandomly(site, seed, 200);
    const wanted = stateOf(site);
    // In the same place the GUIDs of the first site are taken.
    const there = { ...stateOf(await otherSite()), place: wanted.place };
    await expectAlike(wanted, there);
  });
});
