// Random sites over HTTP: what each individual may read, change, delete and pass on is what the oracle says.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract, type ResourceName, resourceNamed } from '../../src/contract/index.ts';
import { addressOf } from '../../src/contract/operation.ts';
import type { Action, Row } from '../../src/contract/resource.ts';
import { openServer } from '../../src/server/index.ts';
import { newEngine, OWNER, type TestEngine } from '../support/engine.ts';
import { inLong } from '../support/long.ts';
import { allowed, type Caller, type Thing } from '../support/oracle.ts';
import { type Built, plans, siteBuilder } from '../support/rights-plan.ts';
import { type Answered, askAt } from './served.ts';

/** Each cell is one action of one individual on one record. */
const { RUNS, CELLS } = inLong({ RUNS: 10, CELLS: 750 }, { RUNS: 300, CELLS: 60_000 });
const NOW = new Date('2026-05-13T09:00:00Z');
/** What an answer says of its record. */
const TOLD: readonly (readonly [Action, string])[] = [
  ['update', 'CanUpdate'],
  ['delete', 'CanDelete'],
  ['delegate', 'CanDelegate'],
];

const guid = (site: number, row: number): string =>
  `00000000-0000-4000-8000-${String(site).padStart(6, '0')}${String(row).padStart(6, '0')}`;

let engine: TestEngine;
let served: Awaited<ReturnType<typeof openServer>>;
let build: ReturnType<typeof siteBuilder>;
beforeAll(async () => {
  engine = await newEngine(NOW);
  build = siteBuilder(engine.store, { site: (site) => guid(site, 0), id: (_, row, site) => guid(site, row + 1) });
  served = await openServer({ backend: engine.backend, clock: () => NOW, log: () => undefined });
});
afterAll(async () => {
  await served.close();
  await engine.end();
});

/** The credentials of an individual: nobody of a random site has a password. */
async function tokenOf({ site }: Built, person: Row): Promise<{ user: string; password: string }> {
  const giver = await engine.backend.open({ user: OWNER, site });
  const { Token } = await giver.call(contract.token.operations.create, {
    body: { Kind: 'user', IndividualID: String(person.ID) },
  });
  return { user: String(person.UserName), password: `{UserToken}${String(Token)}` };
}

const routesOf = (resource: ResourceName, verb: string) =>
  Object.values(resourceNamed(resource).operations)
    .filter((operation) => operation.verb === verb)
    .flatMap(({ routes }) => Object.values(routes))
    .map(addressOf)
    .filter(({ path }) => /^[^{]*\{\w+\}$/.test(path));

it('a single read, what it tells, and a deletion that is refused are as the oracle says', async () => {
  const cells = { all: 0, ofGlobals: 0, onGlobals: 0 };
  const count = (who: Caller, thing: Thing): void => {
    cells.all++;
    if (who.global) cells.ofGlobals++;
    if (thing.global) cells.onGlobals++;
  };
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const built = await build(plan);
      const things = new Map(built.world.things.map((thing) => [thing.id, thing]));
      for (const [person, who] of built.people) {
        const credential = await tokenOf(built, person);
        const ask = (method: string, path: string, id: unknown): Promise<Answered> =>
          askAt(served.url, method, `/v4${path.replace(/\{\w+\}/, String(id))}`, {
            ...credential,
            accept: 'application/json',
          });
        for (const [resource, row] of built.rows) {
          const thing = things.get(String(row.ID));
          const [read] = routesOf(resource, 'get');
          const [deletion] = routesOf(resource, 'delete');
          if (!thing || !read || row.Deleted === true) continue;
          const what = { who: who.id, resource, thing: thing.id, global: who.global };
          const answer = await ask('GET', read.path, row.ID);
          const found = answer.status === 200 ? answer.json() : undefined;
          expect({ ...what, read: found !== undefined }).toEqual({
            ...what,
            read: allowed(built.world, who, 'read', thing),
          });
          count(who, thing);
          for (const [action, member] of TOLD) {
            if (typeof found?.[member] !== 'boolean') continue;
            expect({ ...what, [action]: found[member] }).toEqual({
              ...what,
              [action]: allowed(built.world, who, action, thing),
            });
            count(who, thing);
          }
          if (deletion && !allowed(built.world, who, 'delete', thing)) {
            const { status } = await ask('DELETE', deletion.path, row.ID);
            expect({ ...what, status: [403, 404].includes(status) ? 'refused' : status }).toEqual({
              ...what,
              status: 'refused',
            });
            count(who, thing);
          }
        }
      }
    }),
    { numRuns: RUNS },
  );
  expect(cells.all).toBeGreaterThan(CELLS);
  for (const some of [cells.ofGlobals, cells.onGlobals]) expect(some).toBeGreaterThan(CELLS / 100);
});
