// Random changes of records of many kinds, taken back by the history: the site is as it was before, and then as it was after.

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Summary } from '../../src/changes/run/counts.ts';
import { planJob, runJob } from '../../src/changes/run/job.ts';
import { undoJob } from '../../src/changes/undo.ts';
import { planHistoryUndo } from '../../src/changes/undo-history.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { resourceNamed } from '../../src/contract/index.ts';
import type { Line } from '../../src/contract/lines.ts';
import type { Row } from '../../src/contract/resource.ts';
import { newEngine, type TestEngine } from '../support/engine.ts';
import { head } from '../support/job.ts';
import { inLong } from '../support/long.ts';
import { type Asker, siteOn, TODAY } from '../support/site.ts';

const LONG = inLong({ numRuns: 15, seed: 1 }, { numRuns: 500 });

const RESOURCES = ['organization', 'individual', 'organizationMember', 'accountability', 'coreValue', 'color'] as const;
type Name = (typeof RESOURCES)[number];

const step = fc.record({
  verb: fc.constantFrom('create', 'update', 'move', 'delete', 'undelete', 'become primary'),
  resource: fc.constantFrom(...RESOURCES),
  which: fc.nat(),
  where: fc.nat(),
  text: fc.constantFrom('a', 'b', 'c'),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Site {
  readonly engine: TestEngine;
  readonly ada: Asker;
}

const stored = ({ engine, ada }: Site, resource: Name): Promise<readonly Row[]> =>
  engine.store.find({ resource, site: ada.session.me.site, deleted: 2 });

/** A member that takes any text, and one that says where a record belongs. */
const TEXTS: Readonly<Record<Name, string>> = {
  ...{ organization: 'Focus', individual: 'PrimaryTitle', organizationMember: 'Title' },
  ...{ accountability: 'Description', coreValue: 'Description', color: 'Name' },
};
const OWNERS: Readonly<Record<string, string>> = {
  ...{ organization: 'ParentID', individual: 'PrimaryOrganizationID', organizationMember: 'OrganizationID' },
};

/** Takes a step with one of the records that there are. What is refused changes nothing. */
async function take(site: Site, { verb, resource, which, where, text }: Step): Promise<void> {
  const { ada } = site;
  const rows = await stored(site, resource);
  const id = rows[which % rows.length]?.ID;
  const departments = await stored(site, 'organization');
  const people = await stored(site, 'individual');
  const department = departments[where % departments.length]?.ID ?? null;
  const joining = { IndividualID: people[which % people.length]?.ID, OrganizationID: department, Title: text };
  const member = { ...joining, ReportsToID: ada.id, Primary: where % 2 === 0 };
  const owner = OWNERS[resource];
  try {
    if (verb === 'create') await ada.make(resource, resource === 'organizationMember' ? member : {});
    if (verb === 'update') await ada.change(resource, id, { [TEXTS[resource]]: text });
    if (verb === 'move' && owner) await ada.change(resource, id, { [owner]: department });
    if (verb === 'become primary') await ada.change('organizationMember', id, { Primary: true, ReportsToID: ada.id });
    if (verb === 'delete') await ada.delete(resource, id);
    if (verb === 'undelete' && 'undelete' in resourceNamed(resource).operations) await ada.undelete(resource, id);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'internal') throw error;
  }
}

/** What stands, without who changed it and when. */
async function state(site: Site): Promise<ReadonlyMap<string, Row>> {
  const all = new Map<string, Row>();
  for (const resource of RESOURCES)
    for (const { Updated, UpdatedBy, Created, CreatedBy, ...row } of await stored(site, resource))
      all.set(`${resource} ${row.ID}`, row);
  return all;
}

function expectAll(now: ReadonlyMap<string, Row>, wanted: ReadonlyMap<string, Row>): void {
  for (const [key, row] of wanted) expect(now.get(key), key).toEqual(row);
}

/** Nothing is moved below a record that is deleted, as where it was before it was deleted. */
const isDefect = (message: string): boolean => !message.includes('which is deleted');

async function checkTakenBack(site: Site, before: readonly Step[], steps: readonly Step[]): Promise<void> {
  const { session } = site.ada;
  const { local } = session;
  if (!local) throw new Error('the engine is local');
  for (const one of before) await take(site, one);
  const [last] = await local.history.since(undefined, 1);
  const first = await state(site);
  for (const one of steps) await take(site, one);
  const second = await state(site);
  const entries = (await local.history.since(undefined, 500)).filter(
    ({ sequence }) => sequence > (last?.sequence ?? 0),
  );
  const { rows } = await planHistoryUndo(session, entries, () => true);
  const [undo, { kind, ...redo }] = [head(session, 'undo'), head(session, 'undo')];
  const options = { clock: () => new Date(TODAY), newID: randomUUID };
  await planJob(local.jobs, undo, rows);
  const reasons = ({ failures }: Summary) => failures.map(({ error }) => error.message).filter(isDefect);
  const undone = await runJob(session, local.jobs, undo.id, options);
  expect(reasons(undone)).toEqual([]);
  if (undone.failures.length > 0) return;
  expectAll(await state(site), first);
  if (rows.length === 0) return;
  const redone = await undoJob(session, local.jobs, undo.id, redo, options);
  if (redone.failures.length === 0) expectAll(await state(site), second);
}

it('takes back updates, moves, deletions, new records and primary memberships', async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 15, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, after) => {
      const engine = await newEngine(new Date(TODAY));
      try {
        await checkTakenBack({ engine, ada: (await siteOn(engine)).ada }, before, after);
      } finally {
        await engine.end();
      }
    }),
    LONG,
  );
});

it('looks at each line a few times, however many there are', async () => {
  let reads = 0;
  const line = (what: 'create' | 'delete', id: number): Line => ({
    ...{ sequence: id, at: TODAY, caller: 'ada', id: String(1000 + id), what, before: { Name: 'x', Rank: 1 } },
    get resource() {
      reads++;
      return 'color';
    },
  });
  const deleted = Array.from({ length: 100 }, (_, at) => line('delete', at));
  const made = Array.from({ length: 100 }, (_, at) => line('create', 100 + at));
  const engine = await newEngine(new Date(TODAY));
  try {
    const { session } = (await siteOn(engine)).ada;
    const { rows } = await planHistoryUndo(session, [...made, ...deleted], ({ what }) => what === 'delete');
    expect(rows).toHaveLength(100);
    expect(reads).toBeLessThan(10 * 200);
  } finally {
    await engine.end();
  }
});
