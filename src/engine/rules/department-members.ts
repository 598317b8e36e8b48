// Memberships in departments: each individual has one primary one, and its `Primary…` members are kept equal to it (D14).
import { type Fault, ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Value } from '../../contract/resource.ts';
import { PRIMARY_MEMBERS } from '../../contract/resources/primary.ts';
import type { Checked } from '../../contract/validate.ts';
import { type Change, findIn } from '../context.ts';
import { insert, replace } from '../records/history.ts';
import { checkRight } from '../rights/check.ts';
import { adminOnly, isAdministrator } from '../rights/labels.ts';
import { decide } from '../rights/permissions.ts';
import type { Stored } from '../store/port.ts';
import { changes, fillSite, member, type Rules, type Writing } from './rule.ts';
import { chainTo, loopFault } from './trees.ts';

export const membershipRules: Rules = {
  fill: fillSite,
  prepare: checkIndividualRights,
  async check(writing): Promise<readonly Fault[]> {
    return member(writing, 'Primary') === true
      ? [...requirePrimaryMembers(writing), ...(await reportingLoop(writing))]
      : refuseReleasedPrimary(writing);
  },
  async follow({ change, values, before }) {
    const row = await change.store.get('organizationMember', change.site, String(before?.ID ?? values.ID));
    if (row?.Primary === true) await updatePrimaryMembers(change, row);
  },
  async deleting(_change, row) {
    if (row.Primary !== true) return;
    throw new ServiceError('conflict', `the membership ${String(row.ID)} is the primary one of its individual`, {
      next: { do: 'make-primary' },
    });
  },
};

/**
 * A primary membership shows on its individual's record. Changing it needs the right to change that record, and for
 * the caller's own membership a right that a permission row gives (D14). Another one is given a manager by who may give rights on it.
 */
async function checkIndividualRights(writing: Writing): Promise<void> {
  const { change } = writing;
  if (isAdministrator(change)) return;
  const individual = await change.lookup('individual', member(writing, 'IndividualID'));
  if (!individual) return;
  const resource = resourceNamed('individual');
  if (individual.ID !== change.caller.id && changes(writing, 'ReportsToID') && member(writing, 'ReportsToID') !== null)
    await checkRight(change, 'delegate', resource, individual);
  const changed = (PRIMARY_MEMBERS.organizationMember ?? []).filter((name) => changes(writing, name));
  if (member(writing, 'Primary') !== true || changed.length === 0) return;
  await checkRight(change, 'update', resource, individual);
  if (individual.ID !== change.caller.id || (await decide(change, 'update', resource, individual)).by === 'row') return;
  throw adminOnly(`changing ${changed.join(', ')} of one's own primary membership`);
}

/** A primary membership needs a title that is more than white space, and a manager, as the individual's record does. */
function requirePrimaryMembers(writing: Writing): readonly Fault[] {
  return ['Title', 'ReportsToID']
    .filter((name) => isEmpty(writing.values[name]) && (changes(writing, name) || changes(writing, 'Primary')))
    .map((field) => ({
      field,
      code: 'required',
      message: 'is required for the primary membership',
    }));
}

const isEmpty = (value: Value | undefined): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

/** `Primary` ends only where another membership becomes primary. */
function refuseReleasedPrimary({ before }: Writing): readonly Fault[] {
  if (before?.Primary !== true) return [];
  return [
    {
      field: 'Primary',
      code: 'immutable',
      message: 'cannot be taken away; make another membership primary instead',
    },
  ];
}

async function reportingLoop(writing: Writing): Promise<readonly Fault[]> {
  const individual = String(member(writing, 'IndividualID'));
  const boss = member(writing, 'ReportsToID');
  const isNew = changes(writing, 'ReportsToID') || changes(writing, 'Primary');
  if (!isNew || boss === individual || boss === null) return [];
  const chain = await chainTo(writing.change, 'individual', 'PrimaryReportsTo', boss, individual);
  const start = await writing.change.lookup('individual', individual);
  return chain && start ? [await loopFault(writing.change, 'individual', 'ReportsToID', [start, ...chain])] : [];
}

/** Updates the memberships of an individual from its `Primary…` members. */
export async function updateMemberships(change: Change, individual: string): Promise<void> {
  const row = await change.store.get('individual', change.site, individual);
  if (!row) return;
  const all = await membershipsOf(change, individual);
  const primary = all.find((one) => one.Primary === true);
  const existing = all.find((one) => one.OrganizationID === row.PrimaryOrganizationID);
  const wanted = {
    OrganizationID: row.PrimaryOrganizationID ?? null,
    ReportsToID: row.PrimaryReportsTo ?? null,
    Title: row.PrimaryTitle ?? null,
    Primary: true,
  };
  if (primary && existing && primary.ID !== existing.ID) await setMembership(change, primary, { Primary: false });
  const target = existing ?? primary;
  if (target) await movePrimary(change, target, wanted);
  else await insert(change, resourceNamed('organizationMember'), newMembership(change, individual, wanted));
}

/** Updates an individual's `Primary…` members and its other memberships from a membership that is primary now. */
async function updatePrimaryMembers(change: Change, primary: Stored): Promise<void> {
  for (const other of await membershipsOf(change, String(primary.IndividualID))) {
    if (other.Primary === true && other.ID !== primary.ID) await setMembership(change, other, { Primary: false });
  }
  const individual = await change.store.get('individual', change.site, String(primary.IndividualID));
  if (!individual) return;
  await setChanged(change, 'individual', individual, {
    PrimaryOrganizationID: primary.OrganizationID ?? null,
    PrimaryReportsTo: primary.ReportsToID ?? individual.PrimaryReportsTo ?? null,
    PrimaryTitle: primary.Title ?? individual.PrimaryTitle ?? null,
  });
}

const newMembership = (change: Change, individual: string, wanted: Record<string, Value>): Checked => ({
  values: {
    ID: change.newID(),
    IndividualID: individual,
    Leader: false,
    ...wanted,
  },
  others: {},
});

/** A membership that moves to a live department is no longer deleted by reference (D6). */
async function movePrimary(change: Change, row: Stored, wanted: Record<string, Value>): Promise<void> {
  await setMembership(change, row, wanted);
  if (row.DeletedByRef !== true || row.OrganizationID === wanted.OrganizationID) return;
  await change.store.update('organizationMember', change.site, String(row.ID), { DeletedByRef: false });
}

const membershipsOf = (change: Change, individual: string): Promise<readonly Stored[]> =>
  findIn(change, 'organizationMember', { equals: { IndividualID: individual }, deleted: 2 });

const setMembership = (change: Change, row: Stored, wanted: Record<string, Value>): Promise<void> =>
  setChanged(change, 'organizationMember', row, wanted);

async function setChanged(change: Change, resource: string, row: Stored, wanted: Record<string, Value>): Promise<void> {
  const changed = Object.entries(wanted).filter(([name, value]) => row[name] !== value);
  if (changed.length > 0) await replace(change, resourceNamed(resource), row, Object.fromEntries(changed));
}
