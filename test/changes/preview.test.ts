// The consequences that are counted before a question: the question waits for five seconds at most.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { previewConsequences } from '../../src/changes/consequences/preview.ts';
import { changeBy } from '../../src/changes/plan/change.ts';
import { planner } from '../../src/changes/plan/planner.ts';
import { contract } from '../../src/contract/index.ts';
import { gathered, head } from '../support/job.ts';
import { newSite, TODAY } from '../support/site.ts';

/** The deletion of so many individuals of a new site, each with one membership, and the total by this clock. */
async function preview(people: number, clock: () => Date) {
  const { ada } = await newSite();
  const changes = [];
  for (let count = 0; count < people; count++) {
    const now = await ada.make('individual', {});
    changes.push({ ...changeBy(contract.individual.operations.delete, {}, { id: String(now.ID) }), now });
  }
  const rows = await gathered(planner(randomUUID).planAll(changes));
  const job = { ...head(ada.session, 'import'), settings: {} };
  return previewConsequences(ada.session, { job, rows: () => rows, isKept: false }, { clock, newID: randomUUID });
}

const hiddenIn = ({ consequences }: Awaited<ReturnType<typeof preview>>): number =>
  consequences.find(({ effect, resource }) => effect === 'hidden' && resource === 'organizationMember')?.ids.length ??
  0;

it('all are counted where there is time', async () => {
  const total = await preview(30, () => new Date(TODAY));
  expect([hiddenIn(total), total.unseen]).toEqual([30, 0]);
});

it('the first rows are counted where there is none, and the others are told as not looked at', async () => {
  let time = Date.parse(TODAY);
  const total = await preview(40, () => {
    time += 1_000;
    return new Date(time);
  });
  expect(hiddenIn(total)).toBeGreaterThan(0);
  expect(total.unseen).toBe(40 - hiddenIn(total));
  expect(total.unseen).toBeGreaterThan(0);
});
