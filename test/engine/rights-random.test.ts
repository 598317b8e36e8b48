// Random sites: the rights of single records, the lists of the store and the oracle all say the same.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resourceNamed } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { callerOf } from '../../src/engine/caller.ts';
import { type Context, contextOf } from '../../src/engine/context.ts';
import { visibleRows } from '../../src/engine/rights/check.ts';
import { may } from '../../src/engine/rights/permissions.ts';
import { newEngine, type TestEngine } from '../support/engine.ts';
import { inLong } from '../support/long.ts';
import { allowed, INHERITING, type Rule } from '../support/oracle.ts';
import { ACTIONS, type Built, CHILDREN, HUNG, pick, plans, siteBuilder, THE_SITE } from '../support/rights-plan.ts';

/** Each cell is one action of one individual on one record. */
const { RUNS, CELLS } = inLong({ RUNS: 30, CELLS: 5_000 }, { RUNS: 600, CELLS: 200_000 });

let engine: TestEngine;
let build: ReturnType<typeof siteBuilder>;
beforeAll(async () => {
  engine = await newEngine(new Date('2026-05-13T09:00:00Z'));
  build = siteBuilder(engine.store);
});
afterAll(() => engine.end());

const contextFor = (built: Built, row: Row): Context =>
  contextOf({ clock: () => new Date(0), newID: () => '' }, callerOf(row), built.site, engine.store, undefined);

it('hangs every kind of record that inherits on others', () => {
  // The trees are built by hand, a rule is no record here, and a dashboard is worked out.
  const apart = ['organization', 'project', 'permission', 'dashboard'];
  expect(Object.keys(HUNG).sort(), 'HUNG of test/support/rights-plan.ts: on what each hangs').toEqual(
    INHERITING.filter((kind) => !apart.includes(kind)).sort(),
  );
});

it('single records are as free as the oracle says, for every action, global administrators too', async () => {
  const cells = { all: 0, ofGlobals: 0, onGlobals: 0 };
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const built = await build(plan);
      const things = new Map(built.world.things.map((thing) => [thing.id, thing]));
      for (const [person, who] of built.people) {
        const context = contextFor(built, person);
        for (const [resource, row] of built.rows) {
          const thing = things.get(String(row.ID));
          for (const action of ACTIONS) {
            const expected = thing && allowed(built.world, who, action, thing);
            cells.all++;
            if (who.global) cells.ofGlobals++;
            if (thing?.global) cells.onGlobals++;
            const got = await may(context, action, resourceNamed(resource), row);
            expect({ who: who.id, action, thing: row.ID, may: got }).toEqual({
              who: who.id,
              action,
              thing: row.ID,
              may: expected,
            });
          }
        }
      }
    }),
    { numRuns: RUNS },
  );
  expect(cells.all).toBeGreaterThan(CELLS);
  for (const some of [cells.ofGlobals, cells.onGlobals]) expect(some).toBeGreaterThan(CELLS / 100);
});

it('lists hold exactly the records that a single read would find', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const built = await build(plan);
      const resources = new Set(built.rows.map(([resource]) => resource));
      for (const [person] of built.people) {
        for (const resource of resources) {
          const context = contextFor(built, person);
          const shown: unknown[] = [];
          for await (const row of visibleRows(context, { resource, deleted: 2, ordered: true })) shown.push(row.ID);
          const readable: unknown[] = [];
          for (const [one, row] of built.rows)
            if (one === resource && (await may(context, 'read', resourceNamed(one), row))) readable.push(row.ID);
          expect([person.ID, resource, shown.sort()]).toEqual([person.ID, resource, readable.sort()]);
        }
      }
    }),
    { numRuns: 60 },
  );
});

it('one more Deny never allows anything that was not allowed', async () => {
  const denies = fc.record({
    on: fc.nat(),
    whom: fc.nat(),
    child: fc.constantFrom(...CHILDREN),
    action: fc.constantFrom(...ACTIONS),
  });
  await fc.assert(
    fc.asyncProperty(plans, denies, async (plan, deny) => {
      const before = await build(plan);
      const [person, who] = pick(before.people, deny.whom);
      const object = pick(
        before.world.things.filter(({ kind }) =>
          ['site', 'organization', 'department', 'project', 'individual', 'metric', 'task'].includes(kind),
        ),
        deny.on,
      );
      const isTaken = before.world.rules.some(
        (rule) => rule.on === object.id && rule.whom === `user-${who.id}` && rule.child === deny.child,
      );
      fc.pre(!isTaken);
      const on = object.id === before.site ? THE_SITE : object.id;
      const says = Object.fromEntries(
        ACTIONS.map((action) => [action, action === deny.action ? 2 : 0]),
      ) as Rule['says'];
      const after = await build(plan, [{ on, whom: `user-${who.id}`, child: deny.child, says }]);
      const [was, is] = [contextFor(before, person), contextFor(after, { ...person, SiteID: after.site })];
      for (const [index, [resource, row]] of before.rows.entries()) {
        const now = after.rows[index]?.[1] ?? row;
        for (const action of ACTIONS) {
          if (await may(was, action, resourceNamed(resource), row)) continue;
          expect([row.ID, action, await may(is, action, resourceNamed(resource), now)]).toEqual([
            row.ID,
            action,
            false,
          ]);
        }
      }
    }),
    { numRuns: 60 },
  );
});
