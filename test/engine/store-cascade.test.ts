// Deletion by reference (D6): what goes with its owner, what comes back with it, and what stays deleted by itself.
import { expect, it } from 'vitest';
import type { Row } from '../../src/contract/resource.ts';
import type { Store } from '../../src/engine/store/port.ts';
import { accountability, all, individual, keep, newStore, organization, SITE, setDeleted } from './store-fixture.ts';

const member = (ID: string, IndividualID: string, OrganizationID: string): Row => ({
  SiteID: SITE,
  ID,
  IndividualID,
  OrganizationID,
});

/** A company with a department, a team below it, two people in it, and what they have. */
async function company(): Promise<Store> {
  const store = await newStore();
  await keep(store, {
    organization: [organization('company', SITE), organization('sales', 'company'), organization('emea', 'sales')],
    individual: [individual('ann', { UserID: 'ann-user' }), individual('bob')],
    organizationMember: [member('ann in sales', 'ann', 'sales'), member('bob in emea', 'bob', 'emea')],
    accountability: [accountability('a1', 'ann'), accountability('a2', 'ann', { Deleted: true })],
    basicRole: [{ SiteID: SITE, ID: 'role', IndividualID: 'ann', Name: 'role' }],
    indicator: [{ SiteID: SITE, ID: 'indicator', BasicRoleID: 'role', Name: 'indicator' }],
    permission: [{ SiteID: SITE, ID: 'right', RowID: 'company', PrincipalID: 'ann-user' }],
  });
  return store;
}

/** Deletes or undeletes a record: its own mark, then what is below. */
const deleteOrBack = (store: Store, resource: string, id: string, Deleted: boolean): Promise<void> =>
  store.transaction((writer) => setDeleted(writer, resource, id, Deleted));

/** The records that are deleted by reference, of all resources. */
async function byReference(store: Store): Promise<readonly unknown[]> {
  const names = ['organization', 'organizationMember', 'accountability', 'basicRole', 'indicator', 'permission'];
  const found: unknown[] = [];
  for (const name of names) {
    for (const { ID } of await store.find(all(name, { equals: { DeletedByRef: true } }))) found.push(ID);
  }
  return found.sort();
}

it('leaves records of another site with the same IDs alone', async () => {
  const store = await company();
  const other = { SiteID: 'other' };
  await keep(store, {
    individual: [individual('ann', { ...other, UserName: 'ann@other' })],
    accountability: [accountability('a1', 'ann', other)],
  });
  await deleteOrBack(store, 'individual', 'ann', true);
  expect(await store.get('accountability', 'other', 'a1')).toMatchObject({ DeletedByRef: false });
});

it('deletes and undeletes many at once as one after another', async () => {
  const [one, other] = [await company(), await company()];
  const names = ['company', 'sales', 'emea'];
  for (const [gone, wanted] of [
    [true, names],
    [false, ['emea', 'company']],
  ] as const) {
    for (const name of wanted) await deleteOrBack(one, 'organization', name, gone);
    await other.transaction((writer) =>
      writer.setDeleted(
        'organization',
        SITE,
        wanted.map((id) => ({ id, changes: { Deleted: gone }, isHidden: false })),
        gone,
      ),
    );
    expect(await byReference(other)).toEqual(await byReference(one));
  }
});

it('knows to which of its records anything belongs', async () => {
  const store = await company();
  const all = ['company', 'sales', 'emea', 'absent'];
  expect([...(await store.owning('organization', SITE, all))].sort()).toEqual(['company', 'emea', 'sales']);
  await store.transaction((writer) => writer.remove('organizationMember', SITE, ['bob in emea']));
  expect([...(await store.owning('organization', SITE, all))].sort()).toEqual(['company', 'sales']);
  expect(await store.owning('accountability', SITE, ['a1'])).toEqual([]);
});
