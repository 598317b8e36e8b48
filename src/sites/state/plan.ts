// The changes that make a site like a wanted one, out of their differences: in an order in which each of them can be done.
import { type Change, writableBody } from '../../changes/plan/change.ts';
import { defaultsFor } from '../../changes/plan/required-fields.ts';
import { swapUnique } from '../../changes/rows/order.ts';
import { byPlace } from '../../changes/rows/row-changes.ts';
import type { Session } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import { idKey, sameID } from '../../contract/kinds.ts';
import { isOwnedBy, placeIn } from '../../contract/record-address.ts';
import { isGone, isSoft, type Row } from '../../contract/resource.ts';
import { grouped } from '../../text/batches.ts';
import { defined, nonEmpty } from '../../text/defined.ts';
import type { Difference } from './compare.ts';
import { memberAbove, upperFirst } from './scope.ts';

/**
 * Undeletes, then creates and updates, owners first; then deletions of what is only there, of the resources to `prune`, the
 * owned first. What is unclear is never touched.
 */
export async function changesOf(
  session: Session,
  differences: readonly Difference[],
  prune: readonly string[],
): Promise<readonly Change[]> {
  const added = new Set(
    differences.flatMap(({ kind, resource, id }) => (kind === 'added' ? [`${resource} ${id}`] : [])),
  );
  return [
    ...differences
      .filter(isUndeleted)
      .map(({ resource, id, there }) => defined<Change>({ resource, operation: 'undelete', id, now: there })),
    ...inOrder(differences).flatMap((one) => {
      if (one.kind === 'added') return creation(session, one, added);
      return one.kind === 'changed' || one.kind === 'restored' ? update(one) : [];
    }),
    ...(await deletions(session, differences, prune)),
  ];
}

/** What is hidden with its owner comes back with it. */
const isUndeleted = ({ kind, resource, there }: Difference): boolean =>
  kind === 'restored' && there?.Deleted === true && isSoft(resourceNamed(resource));

/**
 * In a tree, and among those who report to each other, each comes after the one above it: so there is never a loop. Who takes a
 * user name comes after the one who has it; in a ring one of them has another name for a while.
 */
function inOrder(differences: readonly Difference[]): readonly Difference[] {
  return [...grouped(differences, ({ resource }) => resource)].flatMap(([name, some]) => {
    if (name === 'organizationMember')
      return upperFirst(
        some,
        ({ wanted }) => wanted?.Primary && wanted.IndividualID,
        ({ wanted }) => wanted?.ReportsToID,
      );
    const above = memberAbove(resourceNamed(name)) ?? '';
    const idOf = ({ wanted }: Difference) => wanted?.ID;
    const ordered = upperFirst(some, idOf, ({ wanted }) => wanted?.[above]);
    const drafts = ordered.map((one) => ({ one, id: one.id, values: one.members ?? {}, found: one.there }));
    const lent = new Set<Difference>();
    return swapUnique(resourceNamed(name), drafts, () => []).map(({ draft: { one }, aside }) => {
      // Its second change is, as that of an undeleted record, not checked for drift.
      if (!aside) return lent.has(one) ? { ...one, kind: 'restored' } : one;
      lent.add(one);
      return { ...one, members: { [aside.member]: aside.text } };
    });
  });
}

function creation({ me }: Session, one: Difference, added: ReadonlySet<string>): readonly Change[] {
  const resource = resourceNamed(one.resource);
  const { name } = resource;
  const { id, members = {}, awaits } = one;
  // The primary membership is made with its individual (D14).
  const isMade =
    name === 'organizationMember' && members.Primary === true && added.has(`individual ${members.IndividualID}`);
  if (isMade && members.Leader !== true) return [];
  if (isMade) return [{ resource: name, operation: 'update', ...byPlace(resource, members), patch: { Leader: true } }];
  if (!resource.operations.create)
    return [{ resource: name, operation: 'update', ...byPlace(resource, members), body: members }];
  const body = { ...defaultsFor(resource, me.site, members), ...members };
  return [defined<Change>({ resource: name, operation: 'create', id, body, awaits })];
}

function update({ kind, resource: name, id, there = {}, members, awaits }: Difference): readonly Change[] {
  if (!members) return [];
  const resource = resourceNamed(name);
  if (id === undefined) {
    const body = { ...writableBody(resource, there), ...members };
    return [{ resource: name, operation: 'update', ...byPlace(resource, there), body }];
  }
  // Rows before this one change the record: it cannot be checked for drift.
  const now = kind === 'restored' || 'Primary' in members ? undefined : there;
  const place = now ? undefined : nonEmpty(placeIn(resource, there));
  return [defined<Change>({ resource: name, operation: 'update', id, patch: members, now, place, awaits })];
}

/** Not of the caller and of the last administrator, and not of what goes with its owner or cannot go without it. */
async function deletions(
  { me, find }: Session,
  differences: readonly Difference[],
  prune: readonly string[],
): Promise<readonly Change[]> {
  const gone = differences.filter(({ kind, resource, id }) => kind === 'removed' && prune.includes(resource) && id);
  const ids = new Set(gone.map(({ resource, id }) => `${resource} ${idKey(id)}`));
  if (gone.length === 0) return [];
  const admins = ((await find.byMembers('individual', { IsAdmin: true })) ?? []).filter((row) => !isGone(row));
  const stays = ({ ID }: Row): boolean => sameID(ID, me.id) || !ids.has(`individual ${idKey(ID)}`);
  const [last] = admins.some(stays) ? [] : admins;
  const isKept = ({ resource, id, there = {} }: Difference): boolean =>
    sameID(id, me.id) ||
    (last !== undefined && sameID(id, last.ID)) ||
    there.Primary === true ||
    isOwnedBy(resourceNamed(resource), there, ids);
  return gone
    .filter((one) => !isKept(one))
    .reverse()
    .map(({ resource, id, there }) => defined<Change>({ resource, operation: 'delete', id, now: there }));
}
