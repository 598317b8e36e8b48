// Memberships in departments: each individual has one primary one, and its `Primary…` members are kept equal to it (D14).
import { type Fault, ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Value } from '../../contract/resource.ts';
import { PRIMARY_MEMBERS } from '../../contract/resources/primary.ts';
import { findIn, type Writing } from '../context.ts';
import { insert, replace } from '../records/history.ts';
import { checkRight } from '../rights/check.ts';
import { adminOnly, isAdministrator } from '../rights/labels.ts';
import { decide } from '../rights/permissions.ts';
import type { Stored } from '../store/port.ts';
import { changes, fillSite, member, type RecordToStore, type Rules } from './rule.ts';
import { loopFaults } from './trees.ts';

export const membershipRules: Rules = {
  fill: fillSite,
  prepare: checkIndividualRights,
  async check(toStore): Promise<readonly Fault[]> {
    return member(toStore, 'Primary') === true
      ? [...requirePrimaryMembers(toStore), ...(await reportingLoop(toStore))]
      : refuseReleasedPrimary(toStore);
  },
  async follow({ writing, values, before }) {
    const row = await writing.store.get('organizationMember', writing.site, String(before?.ID ?? values.ID));
    if (row?.Primary === true) await updatePrimaryMembers(writing, row);
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
async function checkIndividualRights(toStore: RecordToStore): Promise<void> {
  const { writing } = toStore;
  if (isAdministrator(writing)) return;
  const individual = await writing.lookup('individual', member(toStore, 'IndividualID'));
  if (!individual) return;
  const resource = resourceNamed('individual');
  if (individual.ID !== writing.caller.id && changes(toStore, 'ReportsToID') && member(toStore, 'ReportsToID') !== null)
    await checkRight(writing, 'delegate', resource, individual);
  const changed = (PRIMARY_MEMBERS.organizationMember ?? []).filter((name) => changes(toStore, name));
  if (member(toStore, 'Primary') !== true || changed.length === 0) return;
  await checkRight(writing, 'update', resource, individual);
  if (individual.ID !== writing.caller.id || (await decide(writing, 'update', resource, individual)).by === 'row')
    return;
  throw adminOnly(`changing ${changed.join(', ')} of your own primary membership`);
}

/** A primary membership needs a title that is more than white space, and a manager, as the individual's record does. */
function requirePrimaryMembers(toStore: RecordToStore): readonly Fault[] {
  return ['Title', 'ReportsToID']
    .filter((name) => isEmpty(toStore.values[name]) && (changes(toStore, name) || changes(toStore, 'Primary')))
    .map((field) => ({ field, code: 'required', message: 'is required for the primary membership' }));
}

const isEmpty = (value: Value | undefined): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

/** `Primary` ends only where another membership becomes primary. */
function refuseReleasedPrimary({ before }: RecordToStore): readonly Fault[] {
  if (before?.Primary !== true) return [];
  return [
    {
      field: 'Primary',
      code: 'immutable',
      message: 'cannot be taken away; make another membership primary instead',
    },
  ];
}

async function reportingLoop(toStore: RecordToStore): Promise<readonly Fault[]> {
  const individual = String(member(toStore, 'IndividualID'));
  const boss = member(toStore, 'ReportsToID');
  const isNew = changes(toStore, 'ReportsToID') || changes(toStore, 'Primary');
  if (!isNew || boss === individual || boss === null) return [];
  const start = await toStore.writing.lookup('individual', individual);
  if (!start) return [];
  const faults = await loopFaults(toStore.writing, 'individual', 'PrimaryReportsTo', start, boss);
  return faults.map((fault) => ({ ...fault, field: 'ReportsToID' }));
}

/** Updates the memberships of an individual from its `Primary…` members. */
export async function updateMemberships(writing: Writing, individual: string): Promise<void> {
  const row = await writing.store.get('individual', writing.site, individual);
  if (!row) return;
  const all = await membershipsOf(writing, individual);
  const primary = all.find((one) => one.Primary === true);
  const existing = all.find((one) => one.OrganizationID === row.PrimaryOrganizationID);
  const wanted = {
    OrganizationID: row.PrimaryOrganizationID ?? null,
    ReportsToID: row.PrimaryReportsTo ?? null,
    Title: row.PrimaryTitle ?? null,
    Primary: true,
  };
  if (primary && existing && primary.ID !== existing.ID) await setMembership(writing, primary, { Primary: false });
  const target = existing ?? primary;
  if (target) await movePrimary(writing, target, wanted);
  else {
    const values = { ID: writing.newID(), IndividualID: individual, Leader: false, ...wanted };
    await insert(writing, resourceNamed('organizationMember'), { values });
  }
}

/** Updates an individual's `Primary…` members and its other memberships from a membership that is primary now. */
async function updatePrimaryMembers(writing: Writing, primary: Stored): Promise<void> {
  for (const other of await membershipsOf(writing, String(primary.IndividualID)))
    if (other.Primary === true && other.ID !== primary.ID) await setMembership(writing, other, { Primary: false });
  const individual = await writing.store.get('individual', writing.site, String(primary.IndividualID));
  if (!individual) return;
  await setChanged(writing, 'individual', individual, {
    PrimaryOrganizationID: primary.OrganizationID ?? null,
    PrimaryReportsTo: primary.ReportsToID ?? individual.PrimaryReportsTo ?? null,
    PrimaryTitle: primary.Title ?? individual.PrimaryTitle ?? null,
  });
}

/** A membership that moves to a live department is no longer deleted by reference (D6). */
async function movePrimary(writing: Writing, row: Stored, wanted: Record<string, Value>): Promise<void> {
  await setMembership(writing, row, wanted);
  if (row.DeletedByRef !== true || row.OrganizationID === wanted.OrganizationID) return;
  await writing.store.update('organizationMember', writing.site, String(row.ID), { DeletedByRef: false });
}

const membershipsOf = (writing: Writing, individual: string): Promise<readonly Stored[]> =>
  findIn(writing, 'organizationMember', { equals: { IndividualID: individual }, deleted: 2 });

const setMembership = (writing: Writing, row: Stored, wanted: Record<string, Value>): Promise<void> =>
  setChanged(writing, 'organizationMember', row, wanted);

async function setChanged(
  writing: Writing,
  resource: string,
  row: Stored,
  wanted: Record<string, Value>,
): Promise<void> {
  const changed = Object.entries(wanted).filter(([name, value]) => row[name] !== value);
  if (changed.length > 0) await replace(writing, resourceNamed(resource), row, Object.fromEntries(changed));
}
