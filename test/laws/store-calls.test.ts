// Many changes ask the store hardly more often than few: on a database over a network each call is a round trip. The suite
// tries operations that read what is beside their records; the long run all of them.
import { describe, expect, it, vi } from 'vitest';
import { planner } from '../../src/changes/plan/planner.ts';
import { runChange } from '../../src/changes/run-change.ts';
import type { Session } from '../../src/contract/call.ts';
import { contract } from '../../src/contract/index.ts';
import type { Row, Value } from '../../src/contract/resource.ts';
import { ENGINE } from '../support/backends.ts';
import { callsOfAll } from '../support/counted.ts';
import { cheapDerivations } from '../support/derivations.ts';
import { head } from '../support/job.ts';
import { isLong } from '../support/long.ts';
import { TODAY } from '../support/site.ts';
import { listed } from './asking.ts';
import { ALONE, jobsOf, prepared, RECORDED } from './changing.ts';
import { sampleBody } from './sample.ts';

vi.mock(import('../../src/engine/store/sqlite/store.ts'), async (original) =>
  (await import('../support/counted.ts')).countedSqlite(original),
);

cheapDerivations();

const DEEP = 40;
const descending = (one: Value | undefined, other: Value | undefined): number => Number(other) - Number(one);

/** Both are too many to be planned in memory, and few enough for one commit. */
const [SOME, MORE] = [510, 1_010];
const MOST_PER_THOUSAND = 20;
/**
 * A site has few periods, which are checked against each other. A dialog of a basic role is found by its two ends. An
 * administrator, as the individuals of samples are, must not be the last one who goes.
 */
const ONE_BY_ONE = [
  ...['periods create', 'periods update', 'basic-role-dialogs update'],
  ...['individuals update', 'individuals delete'],
];
const IN_SUITE = ['metrics update', 'departments update', 'permissions delete'];

const TRIED = RECORDED.filter(
  ([name, { name: resource }]) => (isLong || IN_SUITE.includes(name)) && !ALONE.includes(resource),
);

/** The calls of the store for so many changes. */
async function callsOf(session: Session, changes: Parameters<ReturnType<typeof planner>['planAll']>[0]) {
  const { planAll, secrets } = planner(() => crypto.randomUUID());
  const jobs = await jobsOf(session);
  const options = {
    ...{ clock: () => new Date(TODAY), newID: () => crypto.randomUUID() },
    secretOf: ({ number }: { readonly number: number }) => secrets.get(number),
  };
  callsOfAll();
  const summary = await runChange(
    { session, jobs: async () => jobs },
    { job: { ...head(session, 'import'), settings: {} }, rows: planAll(changes), rehearse: false },
    { planned: async () => undefined, rehearsed: async () => undefined, watch: (_total, work) => work(options) },
    options,
  );
  return { calls: callsOfAll(), counts: summary?.counts };
}

describe('a thousand more changes take at most 20 calls of the store more', () => {
  const opens = ENGINE[1]();

  it.each(TRIED)('%s', async (name, resource, operation) => {
    const session = await opens();
    const found: number[] = [];
    for (const [from, count] of [
      [0, SOME],
      [SOME, MORE],
    ] as const) {
      const { changes } = await prepared(session, resource, operation, { count, from });
      const { calls, counts } = await callsOf(session, changes);
      expect(counts).toEqual({ done: changes.length });
      found.push(calls);
    }
    const [some = 0, more = 0] = found;
    const each = (1_000 * (more - some)) / (MORE - SOME);
    expect(each > MOST_PER_THOUSAND).toBe(ONE_BY_ONE.includes(name));
  });
});

it('a list of projects of which each is below the last one asks the store a few times for each', async () => {
  const session = await ENGINE[1]()();
  const { project } = contract;
  const body = await sampleBody(session, project);
  let last: Row = {};
  for (let n = 0; n < DEEP; n++)
    last = await session.call(project.operations.create, {
      body: { ...body, ParentID: last.ID ?? null, HoursActual: 1 },
    });
  callsOfAll();
  const all = await listed(session, project, last);
  expect(callsOfAll()).toBeLessThan(4 * DEEP);
  expect(all.map(({ SumHoursActual }) => SumHoursActual).sort(descending)).toEqual(
    Array.from({ length: DEEP }, (_, n) => DEEP - n),
  );
});
