// Keeps the primary membership and the `Primary…` members of an individual equal (D14).
import { resourceNamed } from '../../contract/index.ts';
import type { Value } from '../../contract/resource.ts';
import type { Checked } from '../../contract/validate.ts';
import { type Change, findIn } from '../context.ts';
import type { Stored } from '../store/port.ts';
import { insert, replace } from './history.ts';

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
export async function updatePrimaryMembers(change: Change, primary: Stored): Promise<void> {
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
