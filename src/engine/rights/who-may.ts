// Everybody who may do one thing, for `pm can --who` (D19): the permission rows on its way to the site are read once.
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Value } from '../../contract/resource.ts';
import { HOLDERS } from '../../contract/resources/permissions.ts';
import type { RightsHolder, RightsWish } from '../../contract/rights.ts';
import { grouped } from '../../text/batches.ts';
import { callerOf } from '../caller.ts';
import { type AnyRecord, type Context, findIn } from '../context.ts';
import type { Grant, Stored } from '../store/port.ts';
import { outcomeOf, shownSteps, verdictOf, type WishedObject, wishedObject } from './explain-rights.ts';
import { adminOnly, isAdministrator } from './labels.ts';
import { allAbove, contextAs, ownersOf } from './walk.ts';

/** The live individuals who may do it, in their order (D16). For administrators. Throws `admin_only`, `not_found`. */
export async function whoMay(context: Context, wish: RightsWish): Promise<readonly RightsHolder[]> {
  if (!isAdministrator(context)) throw adminOnly('asking who may do something');
  const wished = await wishedObject(context, wish);
  const grantsOf = await grantsByIndividual(context, await decidingRecords(context, wished));
  const show = shownSteps(context);
  const holders: RightsHolder[] = [];
  const people = { resource: 'individual', site: context.site, deleted: 0, ordered: true } as const;
  for await (const individual of context.store.iterate(people)) {
    const theirs = contextAs(context, callerOf(individual), grantsOf(individual));
    const outcome = await outcomeOf(theirs, wished);
    if (outcome.allowed) holders.push({ individual, verdict: await verdictOf(theirs, wished, outcome, show) });
  }
  return holders;
}

/** Their permission rows can decide: the object and its owners, of a new record its owners alone. */
async function decidingRecords(
  context: Context,
  { resource, row, owner }: WishedObject,
): Promise<readonly AnyRecord[]> {
  const first = owner ?? { resource: resource.name as ResourceName, row };
  return [first, ...allAbove(await ownersOf(context, resourceNamed(first.resource), first.row))];
}

/** The permission rows for each individual on these records, its own and those of live groups; in the order of `Reads.grants`. */
async function grantsByIndividual(
  context: Context,
  records: readonly AnyRecord[],
): Promise<(individual: Stored) => readonly Grant[]> {
  const byPrincipal = await grantsOn(context, records);
  const groups = await groupsByMember(context, [...byPrincipal.keys()]);
  return ({ ID = null, UserID = null }) => {
    const principals = [UserID, ...(groups.get(ID) ?? [])];
    const theirs = principals.flatMap((one) => byPrincipal.get(String(one)) ?? []);
    return theirs.sort((one, other) => (one.ID < other.ID ? -1 : 1));
  };
}

/** The permission rows on these records, by their principal. */
async function grantsOn(
  context: Context,
  records: readonly AnyRecord[],
): Promise<ReadonlyMap<string, readonly Grant[]>> {
  const grants: Grant[] = [];
  for (const { resource: Kind, row } of records.filter(({ resource }) => HOLDERS.some((kind) => kind === resource))) {
    const rows = await findIn(context, 'permission', { equals: { RowID: row.ID ?? null }, deleted: 2 });
    // A permission row is stored with all the members of a grant but the kind of its object.
    grants.push(...rows.map((one) => ({ ...one, Kind }) as Grant));
  }
  return grouped(grants, ({ PrincipalID }) => PrincipalID);
}

/** The live groups among these principals, by the ID of a member. */
async function groupsByMember(
  context: Context,
  principals: readonly string[],
): Promise<ReadonlyMap<Value, readonly string[]>> {
  const byMember = new Map<Value, string[]>();
  for (const group of await findIn(context, 'securityGroup', { ids: principals })) {
    for (const member of await context.store.members(context.site, String(group.ID)))
      byMember.set(member, [...(byMember.get(member) ?? []), String(group.ID)]);
  }
  return byMember;
}
