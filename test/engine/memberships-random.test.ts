// Random lives of memberships: whatever is deleted, hidden or moved, a refusal has words and the rules of D14 hold.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServiceError } from '../../src/contract/errors.ts';
import type { Row } from '../../src/contract/resource.ts';
import { newEngine, type TestEngine } from '../support/engine.ts';
import { inLong } from '../support/long.ts';
import { type Asker, siteOn, TODAY } from '../support/site.ts';

const RUNS = inLong(15, 2_000);

/** What is done; the numbers choose among the people, departments and memberships that there are. */
const step = fc.record({
  verb: fc.constantFrom(
    ...(['join', 'join', 'join as primary', 'leave', 'move', 'become primary', 'move the primary'] as const),
    ...(['delete the person', 'undelete the person', 'delete the department', 'undelete the department'] as const),
  ),
  who: fc.nat({ max: 2 }),
  where: fc.nat({ max: 3 }),
  which: fc.nat(),
  withID: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Chance alone need not meet a department of which the person is a member. */
const TWICE: Step = { verb: 'join', who: 0, where: 0, which: 0, withID: false };

let engine: TestEngine;
let ada: Asker;
let lasting: Asker['id'];
beforeAll(async () => {
  engine = await newEngine(new Date(TODAY));
  const site = await siteOn(engine);
  ada = site.ada;
  lasting = site.organization;
});
afterAll(() => engine.end());

const stored = (resource: string, equals: Row): Promise<readonly Row[]> =>
  engine.store.find({ resource, site: ada.session.me.site, equals, deleted: 2 });

const membershipsOf = (person: Row): Promise<readonly Row[]> =>
  stored('organizationMember', { IndividualID: person.ID ?? null });

async function take({ verb, who, where, which, withID }: Step, people: readonly Row[], departments: readonly Row[]) {
  const person = people[who] as Row;
  const department = departments[where] as Row;
  const memberships = await membershipsOf(person);
  const membership = memberships[which % memberships.length] as Row;
  const joining = {
    ...(withID ? { ID: crypto.randomUUID() } : {}),
    ...{ IndividualID: person.ID, OrganizationID: department.ID, Title: 'Member', ReportsToID: ada.id },
  };
  switch (verb) {
    case 'join':
      return ada.create('organizationMember', joining);
    case 'join as primary':
      return ada.create('organizationMember', { ...joining, Primary: true });
    case 'leave':
      return ada.delete('organizationMember', membership.ID);
    case 'move':
      return ada.change('organizationMember', membership.ID, { OrganizationID: department.ID });
    case 'become primary':
      return ada.change('organizationMember', membership.ID, { Primary: true });
    case 'move the primary':
      return ada.change('individual', person.ID, { PrimaryOrganizationID: department.ID });
    case 'delete the person':
      return ada.delete('individual', person.ID);
    case 'undelete the person':
      return ada.undelete('individual', person.ID);
    case 'delete the department':
      return ada.delete('organization', department.ID);
    case 'undelete the department':
      return ada.undelete('organization', department.ID);
  }
}

/** Refusals have words; anything else is a defect. */
async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'internal') return error.code;
    throw error;
  }
}

async function checkPerson(person: Row): Promise<void> {
  const [individual] = await stored('individual', { ID: person.ID ?? null });
  const memberships = await membershipsOf(person);
  const primary = memberships.filter(({ Primary }) => Primary === true);
  expect(primary).toMatchObject([
    { OrganizationID: individual?.PrimaryOrganizationID, Title: individual?.PrimaryTitle },
  ]);
  expect(new Set(memberships.map(({ OrganizationID }) => OrganizationID)).size).toBe(memberships.length);
  for (const { DeletedByRef, OrganizationID } of memberships) {
    const [department] = await stored('organization', { ID: OrganizationID ?? null });
    const isHidden = [individual, department].some((owner) => owner?.Deleted === true || owner?.DeletedByRef === true);
    expect(DeletedByRef, `${OrganizationID} of ${person.ID}`).toBe(isHidden);
  }
}

it('keeps one primary membership that the individual shows, and one membership in each department', async () => {
  const refused = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (steps) => {
      const departments = await Promise.all([1, 2, 3].map(() => ada.make('organization', { ParentID: lasting })));
      const below = await ada.make('organization', { ParentID: departments[0]?.ID });
      const people = await Promise.all([1, 2, 3].map(() => ada.make('individual', { PrimaryOrganizationID: lasting })));
      for (const one of steps) {
        const code = await refusalOf(take(one, people, [...departments, below]));
        if (code !== undefined) refused.set(`${one.verb}: ${code}`, (refused.get(`${one.verb}: ${code}`) ?? 0) + 1);
      }
      for (const person of people) await checkPerson(person);
    }),
    { numRuns: RUNS, examples: [[[TWICE, TWICE]]] },
  );
  expect(refused.get('join: conflict')).toBeGreaterThan(0);
});
