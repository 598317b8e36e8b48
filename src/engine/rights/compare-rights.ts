// What decides the rights of everybody at one moment, and who may do what and why, so that two moments can be compared.
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import { idKey } from '../../contract/kinds.ts';
import { isGone, type Resource, type Row } from '../../contract/resource.ts';
import {
  inheritanceOf,
  judged,
  type PicturedPerson,
  type PicturedRecord,
  type RightsPairs,
  type RightsPicture,
  type RightsReason,
  wishesOn,
} from '../../contract/rights.ts';
import { callerOf } from '../caller.ts';
import type { Context } from '../context.ts';
import type { Grant } from '../store/port.ts';
import { visibleHere } from './check.ts';
import { newIn, type Outcome, outcomeOf } from './explain-rights.ts';
import { adminOnly, isAdministrator } from './labels.ts';
import { allAbove, contextAs, ownersOf, recordKey } from './walk.ts';

/** Reads every record once, deleted ones too: rights are inherited through them. Throws `admin_only`. */
export async function rightsPicture(context: Context): Promise<RightsPicture> {
  if (!isAdministrator(context)) throw adminOnly('asking what others may do');
  const { store, site } = context;
  const records = new Map<string, PicturedRecord>();
  const people = new Map<string, PicturedPerson>();
  for (const resource of judged)
    for await (const row of visibleHere(context, resource.name, 2)) {
      const above = ownersIn(resource, row, site);
      const sign = JSON.stringify([above, row.RowType, row.CreatedBy, row.IsGlobalAdmin]);
      const [id, live] = [String(row.ID), !isGone(row)];
      const name = String(row.FullName ?? row.Name ?? row.Group ?? id);
      records.set(keyOf(resource.name, id), { resource: resource.name, id, live, name, sign, above });
      if (resource.name !== 'individual' || !live) continue;
      const grants = new Map<string, string>();
      for (const grant of await store.grants(site, id)) {
        const key = keyOf(grant.Kind, grant.RowID);
        grants.set(key, `${grants.get(key) ?? ''} ${signOf(grant)}`);
      }
      people.set(id, { administrates: `${row.IsAdmin} ${row.IsGlobalAdmin}`, grants });
    }
  return { records, people };
}

const keyOf = (kind: string, id: unknown): string => recordKey(kind, idKey(String(id)));

/** The records from which this one may inherit, and those above its individual. */
function ownersIn(resource: Resource, row: Row, site: string): readonly string[] {
  if (resource.name === 'site') return [];
  const above = inheritanceOf(resource).flatMap(({ field, targets }) => {
    const id = row[field];
    if (typeof id !== 'string') return [];
    return id === site ? [keyOf('site', id)] : targets.map((target) => keyOf(target, id));
  });
  const managers = typeof row.PrimaryReportsTo === 'string' ? [keyOf('individual', row.PrimaryReportsTo)] : [];
  return [...(above.length > 0 ? above : [keyOf('site', site)]), ...managers];
}

const signOf = ({ ID, Updated, UpdatedBy, Created, CreatedBy, ...grant }: Grant): string => JSON.stringify(grant);

/** For each individual the reasons of all wishes on its records, in their order. Undefined if it is late before the end. */
export async function rightsReasons(
  context: Context,
  pairs: RightsPairs,
  isLate: () => boolean,
): Promise<ReadonlyMap<string, readonly RightsReason[]> | undefined> {
  const all = new Map<string, readonly RightsReason[]>();
  for (const [who, records] of pairs) {
    const individual = await context.lookup('individual', who);
    const isThere = individual !== undefined && !isGone(individual);
    const grants = isThere ? await context.store.grants(context.site, who) : [];
    const theirs = individual && isThere ? contextAs(context, callerOf(individual), grants) : undefined;
    const reasons: RightsReason[] = [];
    for (const { resource: name, id } of records) {
      if (isLate()) return undefined;
      const row = theirs && (await context.lookup(name as ResourceName, id));
      const resource = resourceNamed(name);
      for (const wish of wishesOn(resource)) {
        if (!theirs || !row || isGone(row)) reasons.push(NONE);
        else {
          const owner = { resource: name as ResourceName, row };
          const wished = wish.action === 'create' ? newIn(wish.of, owner) : { ...wish, resource, row, object: '' };
          reasons.push(await reasonOf(theirs, resource, row, await outcomeOf(theirs, wished)));
        }
      }
    }
    all.set(who, reasons);
  }
  return all;
}

const NONE: RightsReason = { allowed: false };

/** The place is the record whose permission decides, the site of an administrator, or the individual whose own or report it is. */
async function reasonOf(theirs: Context, resource: Resource, row: Row, outcome: Outcome): Promise<RightsReason> {
  const { allowed, by, role, decision } = outcome;
  const step = decision.steps.find(({ state }) => state !== undefined);
  if (step && decision.by === 'row') return { allowed, by: 'row', place: keyOf(step.resource, step.row.ID) };
  if (!allowed) return NONE;
  if (by === 'administrator') return { allowed, by, place: keyOf('site', theirs.site) };
  const self = { resource: resource.name, row };
  const [holder = self] = [self, ...allAbove(await ownersOf(theirs, resource, row))].filter(
    (one) => one.resource === 'individual',
  );
  return { allowed, by, ...(role && { role }), place: keyOf(holder.resource, holder.row.ID) };
}
