// A move of the primary membership on a remote service whose answers are lost: what was done besides goes back all the same.
import { expect, it } from 'vitest';
import type { Session } from '../../src/contract/call.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { journalAt, journalFile } from '../engine/job-fixture.ts';
import { jobsOf } from '../support/job.ts';
import { newSite } from '../support/site.ts';

/** A person with two memberships, and a program on a service that loses the answers of these requests. */
async function scene(lost: { next: number }) {
  const { ada, organization, engine } = await newSite();
  const second = await ada.make('organization');
  const person = await ada.make('individual', { PrimaryOrganizationID: organization });
  const joining = { IndividualID: person.ID, OrganizationID: second.ID, Title: 'Adviser', ReportsToID: null };
  const membership = await ada.create('organizationMember', joining);
  const { local, ...plain } = await engine.backend.open({ user: ada.session.me.userName });
  const session: Session = {
    ...plain,
    async call(operation, input) {
      const answer = await plain.call(operation, input);
      if (operation.writes && lost.next-- === 0) throw new ServiceError('unknown_outcome', 'no answer');
      return answer;
    },
  };
  const state = async () => {
    const { Updated, ...individual } = await ada.get('individual', person.ID);
    return [individual, ...(await ada.list('organizationMember', { individual: person.ID }))];
  };
  return { ...jobsOf(session, await journalAt(journalFile())), person, second, membership, state };
}

it.each(['individual', 'organizationMember'] as const)('of the change itself, by the %s', async (resource) => {
  const lost = { next: 0 };
  const { plan, person, second, membership, state } = await scene(lost);
  const before = await state();
  const patch =
    resource === 'individual'
      ? { PrimaryOrganizationID: second.ID, PrimaryTitle: 'Head' }
      : { Primary: true, ReportsToID: person.ID, Title: 'Head' };
  const id = String(resource === 'individual' ? person.ID : membership.ID);
  const job = await plan({ resource, operation: 'update', id, patch });
  expect((await job.run()).counts).toEqual({ done: 1 });
  expect(await state()).not.toEqual(before);
  expect(await job.undo()).toMatchObject({ counts: { done: 1 }, exit: 0 });
  expect(await state()).toEqual(before);
});

it.each([0, 1])('of request %i of its undo', async (number) => {
  const lost = { next: -1 };
  const { plan, person, second, state, job: known } = await scene(lost);
  const before = await state();
  const patch = { PrimaryOrganizationID: second.ID, PrimaryTitle: 'Head' };
  const job = await plan({ resource: 'individual', operation: 'update', id: String(person.ID), patch });
  await job.run();
  lost.next = number;
  const undo = await job.undo();
  if (undo.counts.done !== 1) await known(undo.job.id).resume();
  expect(await known(undo.job.id).states()).toEqual(['done']);
  expect(await state()).toEqual(before);
});
