// Law: who gains and loses rights by random changes is what `can` answers before and after, over all people and records.
import { expect, it } from 'vitest';
import { openRightsComparison } from '../../src/changes/consequences/moved-rights.ts';
import type { Local } from '../../src/contract/call.ts';
import { resourceNamed } from '../../src/contract/index.ts';
import { ownersOf } from '../../src/contract/record-address.ts';
import type { Row } from '../../src/contract/resource.ts';
import { judged, wishesOn } from '../../src/contract/rights.ts';
import { inLong } from '../support/long.ts';
import { changeRandomly, randomOf } from '../support/random-site.ts';
import { give } from '../support/rights.ts';
import { askerOf, newSite, type TestSite } from '../support/site.ts';

const CHANGES = inLong(15, 200);
const RIGHTS = ['Read', 'Update', 'Create', 'Delete', 'Delegate'] as const;

/** Answers of memberships and the like do not say that they are hidden: they are, with the individual that they are of. */
async function live({ ada }: TestSite, resource: string): Promise<readonly Row[]> {
  const { find } = ada.session;
  const rows = ((await find.byMembers(resource, {})) ?? []).filter((row) => !row.Deleted && !row.DeletedByRef);
  if ('Deleted' in resourceNamed(resource).fields) return rows;
  const owners = ownersOf(resourceNamed(resource));
  const isLive = async (row: Row): Promise<boolean> => {
    for (const { field, targets } of owners)
      for (const target of targets.filter((one) => one !== 'site' && row[field] != null)) {
        const [name, member] = target === 'principal' ? ['individual', 'UserID'] : [target, 'ID'];
        const [owner] = (await find.byMembers(name, { [member]: row[field] ?? null })) ?? [];
        if (owner?.Deleted || owner?.DeletedByRef) return false;
      }
    return true;
  };
  const shown: Row[] = [];
  for (const row of rows) if (await isLive(row)) shown.push(row);
  return shown;
}

/** What everybody may do with every live record, as `can` answers it: by who, action and kind the records. */
async function rightsOfAll(site: TestSite): Promise<ReadonlyMap<string, ReadonlyMap<string, boolean>>> {
  const local = site.ada.session.local as Local;
  const all = new Map<string, Map<string, boolean>>();
  const people = await live(site, 'individual');
  // Nobody can be asked about what has no ID.
  for (const resource of judged.filter(({ fields }) => fields.ID))
    for (const row of await live(site, resource.name))
      for (const { action, of } of wishesOn(resource).filter((wish) => wish.of.fields.ID))
        for (const who of people) {
          const id = String(row.ID);
          const where = action === 'create' ? { in: { resource: resource.name, id } } : { id };
          const { allowed } = await local.rights({ who: String(who.ID), action, resource: of.name, ...where });
          const key = [who.ID, action, of.name].join(' ');
          all.set(key, (all.get(key) ?? new Map()).set(`${resource.name} ${id}`, allowed));
        }
  return all;
}

/** Some random changes, and a permission for one and another. */
async function change(site: TestSite, seed: number): Promise<void> {
  const random = randomOf(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  await changeRandomly(site, seed, 6);
  for (const _ of [1, 2]) {
    const says = Object.fromEntries(RIGHTS.map((right) => [right, pick([0, 1, 1, 2])]));
    const place = pick(await live(site, pick(['organization', 'individual', 'site'])));
    await give(site.ada, pick(await live(site, 'individual')), place?.ID ?? site.id, says, pick([null, null, 4])).catch(
      () => undefined,
    );
  }
}

it(`of ${CHANGES} random changes the rights that are gained and lost are told, all of them and no others`, async () => {
  const cells = { differing: 0, changes: 0 };
  for (let seed = 1; seed <= CHANGES; seed++) {
    const site = await newSite();
    for (const name of ['Ines', 'Olaf'])
      await site.ada.make('individual', { UserName: name, PrimaryOrganizationID: site.organization });
    await changeRandomly(site, seed, 30);
    await change(site, seed + 1_000);
    const local = site.ada.session.local as Local;
    const before = await rightsOfAll(site);
    const comparison = await openRightsComparison(local, () => false);
    const after = await local.rehearse(async (inner) => {
      const changed: TestSite = {
        ...{ ...site, ada: askerOf(inner, site.engine) },
        as: async (user) => askerOf(await inner.local.as(String(user)), site.engine),
      };
      await change(changed, seed + 2_000);
      await comparison.made(inner);
      return rightsOfAll(changed);
    });
    const told = new Map<string, number>();
    const elsewhere = new Set<string>();
    for (const { who, isGained, place, rights } of (await comparison.result()) ?? [])
      for (const { action, resource, count } of rights.values()) {
        const key = [who.id, action, resource].join(' ');
        if (!before.has(key) || !after.has(key)) continue;
        told.set(`${key} ${isGained}`, (told.get(`${key} ${isGained}`) ?? 0) + count);
        // Permissions on records that come or go count for what comes and goes with them.
        if (
          !place.live ||
          !(await local.rightsPicture()).records.get(`${place.resource} ${place.id.toLowerCase()}`)?.live
        )
          elsewhere.add(`${key} ${isGained}`);
      }
    for (const [key, records] of before)
      for (const isGained of [true, false]) {
        const differing = [...records].filter(([record, was]) => {
          const is = after.get(key)?.get(record);
          return is !== undefined && is !== was && is === isGained;
        });
        const count = told.get(`${key} ${isGained}`) ?? 0;
        if (elsewhere.has(`${key} ${isGained}`)) expect(count).toBeGreaterThanOrEqual(differing.length);
        else expect({ seed, key, isGained, count }).toEqual({ seed, key, isGained, count: differing.length });
        cells.differing += differing.length;
      }
    cells.changes++;
  }
  expect(cells.changes).toBe(CHANGES);
  expect(cells.differing).toBeGreaterThan(CHANGES * 10);
});
