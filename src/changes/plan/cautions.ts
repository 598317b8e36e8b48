// Warnings about what an undo cannot restore exactly, and about unusual values, shown before the change is made.
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import type { Operation } from '../../contract/operation.ts';
import { placeMembers } from '../../contract/record-address.ts';
import { plural, type Resource } from '../../contract/resource.ts';
import { isFinalDeletion } from './change.ts';

/** What an undo of these rows does not bring back: sentences, each once. `isUnread`: was its record not read before? */
export const cautionsOf = <R extends PlannedRow>(
  rows: readonly R[],
  isUnread: (row: R) => boolean = () => false,
): readonly string[] => [...new Set(rows.flatMap((row) => undoCautions(row, isUnread(row))))];

/** How a final deletion is undone, in a sentence (D8). */
export const backAgain = (resource: Resource): string => {
  const owner = placeMembers(resource).length > 0 ? ' On a remote service, name its owner.' : '';
  const id = resource.id === 'integer' ? ' A remote service gives it a new ID.' : '';
  return `There is no undelete. An undo brings it back.${owner}${id}`;
};

/** Does an undo take back what the operation does? What it cannot restore exactly is among the cautions. */
export const canUndo = ({ operations }: Resource, { verb, reverse }: Operation): boolean => {
  if (verb === 'special' || verb === 'local') return reverse !== undefined && reverse !== 'none';
  return reverse !== 'none' && (verb !== 'create' || 'delete' in operations);
};

export function undoCautions(row: PlannedRow, isUnread = false): readonly string[] {
  const cautions: string[] = [];
  const resource = resourceNamed(row.resource);
  const operation = resource.operations[row.operation];
  const those = plural(resource);
  const isOneWay = operation?.reverse === 'none';
  if (row.secret && operation?.verb !== 'create' && !isOneWay)
    cautions.push(`An undo brings back no ${row.secret.members.join(', ')}: nobody can read the old one.`);
  if (isFinalDeletion(row)) cautions.push(isUnread ? unreadCaution(those) : finalCaution(resource, those));
  if (isNew(row, operation) && !('delete' in resource.operations))
    cautions.push(`New ${those} cannot be undone: the service cannot delete them.`);
  if (isOneWay) cautions.push('An undo cannot take this back.');
  if (row.resource === 'siteSetting' && !areUsual(row))
    cautions.push('The thresholds of a site are percents that usually ascend from 0 to 100.');
  return cautions;
}

/** Any whole numbers are stored (D41). A plan knows the levels before only of those that the patch changes. */
function areUsual({ patch = {} }: PlannedRow): boolean {
  const levels = [patch.Threshold1, patch.Threshold2, patch.Threshold3].flatMap((level) =>
    level == null ? [] : Number(level),
  );
  return [0, ...levels, 100].every((level, at, all) => level >= (all[at - 1] ?? 0));
}

/**
 * History tells of records that an operation of its own made. One that writes a record whether it is there or not takes itself
 * back with the values before, and a new record has none.
 */
const isNew = ({ operation: name, patch }: PlannedRow, operation: Operation | undefined): boolean =>
  (operation?.verb ?? name) === 'create' || (operation?.reverse === name && patch === undefined);

const unreadCaution = (those: string): string =>
  `An undo will not bring these ${those} back: the service does not show them.`;

const finalCaution = ({ id }: Resource, those: string): string =>
  id === 'integer'
    ? `Deleted ${those} come back by an undo; a remote service gives them new IDs.`
    : `Deleted ${those} are gone for good; an undo makes them again, as pm last knew them.`;
