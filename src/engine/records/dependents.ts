// The dependents of a record: those that a deletion hides with it (D6), and those that name it and stay.
import { isWritable } from '../../contract/field.ts';
import { type ResourceName, storedResources } from '../../contract/index.ts';
import type { Dependents } from '../../contract/record-address.ts';
import { isGone, type Row } from '../../contract/resource.ts';
import { oncePer } from '../../text/once-per.ts';
import { type Context, findIn } from '../context.ts';

/** Of a record that is deleted or hidden already, nothing depends on it any more. */
export async function dependentsOf(context: Context, resource: string, id: string): Promise<Dependents> {
  const row = await context.lookup(resource as ResourceName, id);
  if (!row || isGone(row)) return { owned: new Map(), naming: [], members: [] };
  const owned = await context.store.owned(context.site, resource, id);
  const memberships = await recordsOf(context, 'organizationMember', owned);
  return {
    owned,
    naming: await namingOf(context, new Map([...owned, [resource, [...(owned.get(resource) ?? []), id]]])),
    members: [...new Set(memberships.map(({ IndividualID }) => String(IndividualID)))],
  };
}

const recordsOf = async (
  context: Context,
  resource: ResourceName,
  owned: Dependents['owned'],
): Promise<readonly Row[]> =>
  owned.has(resource) ? findIn(context, resource, { ids: owned.get(resource) ?? [] }) : [];

/** The members that name records of a kind without belonging to them. The site is named by all that is in it. */
const namingFields = oncePer((resources: typeof storedResources) =>
  resources.flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, { to = [], ...one }]) =>
      one.owner || !isWritable({ to, ...one }) || to.includes('site')
        ? []
        : to.map((target) => ({ resource: name, field, target })),
    ),
  ),
);

/** Live records that name one of these and are none of them. */
async function namingOf(context: Context, gone: Dependents['owned']): Promise<Dependents['naming']> {
  const found: { resource: string; field: string; ids: string[] }[] = [];
  for (const { resource, field, target } of namingFields(storedResources)) {
    const targets = gone.get(target) ?? [];
    if (targets.length === 0) continue;
    const rows = await findIn(context, resource, { naming: { field, ids: targets } });
    const others = new Set(gone.get(resource));
    const ids = rows
      .filter((row) => !others.has(String(row.ID)) && !showsElsewhere(field, row))
      .map(({ ID }) => String(ID));
    if (ids.length > 0) found.push({ resource, field, ids });
  }
  return found;
}

/** The manager of a primary membership is that of the individual's record (D14). */
const showsElsewhere = (field: string, { Primary }: Row): boolean => field === 'ReportsToID' && Primary === true;
