// Random sites: the list of who may do something, and the count of what somebody may do, are what the oracle says.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Local } from '../../src/contract/call.ts';
import { resourceNamed } from '../../src/contract/index.ts';
import type { Action, Row } from '../../src/contract/resource.ts';
import { createdIn } from '../../src/contract/rights.ts';
import { newEngine, OWNER, type TestEngine } from '../support/engine.ts';
import { inLong } from '../support/long.ts';
import { allowed, type Caller, type Thing } from '../support/oracle.ts';
import { ACTIONS, type Built, plans, siteBuilder } from '../support/rights-plan.ts';

/** Each cell is one action of one individual on one record. */
const { RUNS, CELLS } = inLong({ RUNS: 8, CELLS: 1_600 }, { RUNS: 300, CELLS: 100_000 });

let engine: TestEngine;
let build: ReturnType<typeof siteBuilder>;
beforeAll(async () => {
  engine = await newEngine(new Date('2026-05-13T09:00:00Z'));
  build = siteBuilder(engine.store);
});
afterAll(() => engine.end());

async function localOf({ site }: Built): Promise<Local> {
  const { local } = await engine.backend.open({ user: OWNER, site });
  if (!local) throw new Error('the engine has no local session');
  return local;
}

const resourceOf = (kind: string): string => (kind === 'department' ? 'organization' : kind);

/** The actions that are for administrators alone, whatever the rows say. */
const isLabelled = (kind: string, action: Action): boolean =>
  (kind === 'site' && action === 'update') ||
  resourceNamed(resourceOf(kind)).operations[action === 'read' ? 'get' : action]?.labels.some((one) => one !== 'PM') ===
    true;

/** What is not there for somebody cannot be changed either; a new record is not there, but its owner is. */
function expected({ world }: Built, who: Caller, action: Action, thing: Thing): boolean {
  const read = action === 'create' ? world.things.find(({ id }) => id === thing.under[0]) : thing;
  return (
    (who.administrator || !isLabelled(thing.kind, action)) &&
    allowed(world, who, action, thing) &&
    read !== undefined &&
    allowed(world, who, 'read', read)
  );
}

it('lists everybody who may do something, and no others', async () => {
  const cells = { all: 0, allowed: 0, ofGlobals: 0 };
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const built = await build(plan);
      const local = await localOf(built);
      const kindOf = new Map(built.world.things.map(({ id, kind }) => [id, resourceOf(kind)]));
      for (const thing of built.world.things) {
        const resource = resourceOf(thing.kind);
        for (const action of ACTIONS) {
          // A new record is asked about in one of its owners.
          const [under] = thing.under;
          if (action === 'create' && (under === undefined || createdIn(resourceNamed(resource)).length === 0)) continue;
          const asked = action === 'create' ? { ...thing, under: thing.under.slice(0, 1) } : thing;
          const where =
            action === 'create'
              ? { in: { resource: kindOf.get(under ?? '') ?? '', id: under ?? '' } }
              : { id: thing.id };
          const listed = (await local.whoMay({ action, resource, ...where })).map(({ individual }) => individual.ID);
          const may = built.people.filter(([, who]) => expected(built, who, action, asked)).map(([{ ID }]) => ID);
          expect({ action, thing: thing.id, may: listed.toSorted() }).toEqual({
            ...{ action, thing: thing.id },
            may: may.toSorted(),
          });
          cells.all += built.people.length;
          cells.allowed += may.length;
          cells.ofGlobals += built.people.filter(([, { global }]) => global).length;
        }
      }
    }),
    { numRuns: RUNS },
  );
  expect(cells.all).toBeGreaterThan(CELLS);
  for (const some of [cells.allowed, cells.all - cells.allowed, cells.ofGlobals])
    expect(some).toBeGreaterThan(CELLS / 100);
});

it('counts what somebody may do with each kind of record, and in how many records one can be created', async () => {
  let counts = 0;
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const built = await build(plan);
      const local = await localOf(built);
      const kinds = [...new Set(['site', ...built.rows.map(([resource]) => resource)])];
      for (const [person, who] of built.people) {
        for (const { resource, records, owners, actions, sources } of await local.whatMay(String(person.ID), kinds)) {
          const things = liveThings(built, resource);
          const news = newThings(built, resource);
          expect({ resource, records, owners }).toEqual({ resource, records: things.length, owners: news.length });
          for (const action of actions) {
            const among = action === 'create' ? news : things;
            const count = sources.reduce((sum, one) => sum + (one.action === action ? one.count : 0), 0);
            const may = among.filter((thing) => expected(built, who, action, thing)).length;
            expect({ who: who.id, resource, action, count }).toEqual({ who: who.id, resource, action, count: may });
            counts++;
          }
        }
      }
    }),
    { numRuns: RUNS },
  );
  expect(counts).toBeGreaterThan(CELLS / 4);
});

function liveThings({ world, rows }: Built, resource: string): readonly Thing[] {
  const gone = new Set(rows.filter(([, row]: readonly [string, Row]) => row.Deleted === true).map(([, { ID }]) => ID));
  return world.things.filter(({ id, kind }) => resourceOf(kind) === resource && !gone.has(id));
}

/** One new record in each record that it can be created in. */
function newThings(built: Built, resource: string): readonly Thing[] {
  const owners = createdIn(resourceNamed(resource)).flatMap((kind) => liveThings(built, kind));
  return owners.map(({ id, kind }) => ({ id: 'new', kind: kindIn(resource, kind), under: [id] }));
}

const kindIn = (resource: string, owner: string): string =>
  resource === 'organization' && owner !== 'site' ? 'department' : resource;
