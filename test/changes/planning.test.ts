// From what is wanted to the rows of a plan.
import { describe, expect, it } from 'vitest';
import { changeBy } from '../../src/changes/plan/change.ts';
import { fingerprintOf, hasDrifted } from '../../src/changes/plan/drift.ts';
import { planner } from '../../src/changes/plan/planner.ts';
import { contract, resourceNamed } from '../../src/contract/index.ts';
import { gathered } from '../support/job.ts';

const ID = 'a0000000-0000-4000-8000-000000000001';
const NOW = { ID, Rank: 1, Name: 'a', Description: 'x', AncestorID: ID, Deleted: false, DeletedByRef: false };
const newPlanner = () => {
  let made = 0;
  return planner(() => `new-${++made}`);
};

describe('a row', () => {
  it('has an ID where the service takes one with a new record', () => {
    const { plan } = newPlanner();
    expect(plan({ resource: 'accountability', operation: 'create', body: {} })).toMatchObject({
      number: 1,
      id: 'new-1',
    });
    expect(plan({ resource: 'accountability', operation: 'create', body: { ID } })).toMatchObject({
      number: 2,
      id: ID,
    });
    expect(plan({ resource: 'color', operation: 'create', body: {} })).toEqual({
      ...{ number: 3, resource: 'color', operation: 'create', body: {} },
    });
  });

  it('holds of a patch what is new, the values before, and what was seen', () => {
    const { plan, unchanged } = newPlanner();
    const draft = { resource: 'accountability', operation: 'update', id: ID, now: NOW };
    expect(plan({ ...draft, patch: { Name: 'b', Rank: 1 } })).toMatchObject({
      ...{ number: 1, patch: { Name: 'b' }, was: { Name: 'a' }, seen: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    expect(plan({ ...draft, patch: { Name: 'a' } })).toBeUndefined();
    expect(plan({ ...draft, patch: { AncestorID: ID.toUpperCase() } })).toBeUndefined();
    expect(unchanged()).toBe(2);
  });

  it('turns nothing that stands so already', () => {
    const { plan, unchanged } = newPlanner();
    const draft = { resource: 'accountability', id: ID };
    expect(plan({ ...draft, operation: 'delete', now: { ...NOW, Deleted: true } })).toBeUndefined();
    expect(plan({ ...draft, operation: 'undelete', now: NOW })).toBeUndefined();
    expect(plan({ ...draft, operation: 'delete', now: NOW })).toMatchObject({ number: 1, was: { Deleted: false } });
    expect(unchanged()).toBe(2);
  });

  it('holds no secret, and says where it stands', () => {
    const { plan, secrets } = newPlanner();
    const row = plan({
      ...{ resource: 'individual', operation: 'update', id: ID, line: 7, sha256: 'abc' },
      ...{ patch: { Suffix: 'Dr.', Password: 'Canary' }, now: { ID, Suffix: 'Dr.' } },
    });
    expect(row).toMatchObject({ patch: {}, secret: { members: ['Password'], line: 7, sha256: 'abc' } });
    expect(JSON.stringify(row)).not.toContain('Canary');
    expect(secrets.get(1)).toEqual({ Password: 'Canary' });
  });

  it('keeps the address of a command, and its queries', () => {
    const { update } = contract.individual.operations;
    const change = changeBy(
      update,
      { by: 'plain', params: { id: ID }, query: { tz: 'UTC' } },
      { id: ID, patch: { Suffix: 'x' } },
    );
    const row = newPlanner().plan(change);
    expect(row).toMatchObject({ by: 'plain', params: { id: ID, tz: 'UTC' }, patch: { Suffix: 'x' } });
  });

  it('comes from any source', async () => {
    const { planAll } = newPlanner();
    async function* drafts() {
      yield { resource: 'accountability', operation: 'update', id: ID, patch: { Name: 'a' }, now: NOW };
      yield { resource: 'accountability', operation: 'delete', id: ID };
    }
    expect(await gathered(planAll(drafts()))).toMatchObject([{ number: 1, operation: 'delete' }]);
  });
});

describe('what was seen', () => {
  const resource = resourceNamed('accountability');
  const row = { number: 1, resource: 'accountability', operation: 'update', id: ID };

  it('is other when a member that can be written, or a mark of deletion, is other', () => {
    const seen = fingerprintOf(resource, NOW);
    expect(hasDrifted(resource, { ...row, seen }, { ...NOW, Updated: 'later' })).toBe(false);
    expect(hasDrifted(resource, { ...row, seen }, { ...NOW, BadgeNumber: 'B5' })).toBe(true);
    expect(hasDrifted(resource, { ...row, seen }, { ...NOW, Description: 'y' })).toBe(true);
    expect(hasDrifted(resource, { ...row, seen }, { ...NOW, DeletedByRef: true })).toBe(true);
    expect(hasDrifted(resource, { ...row, seen }, undefined)).toBe(true);
  });

  it('is only its members where no hash is kept', () => {
    const was = { Name: 'a', Deleted: false };
    expect(hasDrifted(resource, { ...row, was }, { ...NOW, Description: 'y' })).toBe(false);
    expect(hasDrifted(resource, { ...row, was }, { ...NOW, Name: 'y' })).toBe(true);
    expect(hasDrifted(resource, { ...row, was }, { ...NOW, Deleted: true })).toBe(true);
    expect(hasDrifted(resource, row, undefined)).toBe(false);
  });
});
