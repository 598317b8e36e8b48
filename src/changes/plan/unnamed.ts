// The records that no row of a file or folder names, and their deletions.
import type { Session } from '../../contract/call.ts';
import { idKey, sameID } from '../../contract/kinds.ts';
import { placeIn } from '../../contract/record-address.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { defined, nonEmpty } from '../../text/defined.ts';
import type { Change } from './change.ts';

/** One record among those of all resources. */
export const wordOf = (resource: string, id: Value | undefined): string => `${resource} ${idKey(id)}`;

export interface Unnamed {
  /** In the order of their list. */
  readonly rows: readonly Row[];
  /** Those of them that are never deleted: the caller, and the administrator without whom there is none. */
  readonly kept: readonly Row[];
  /** The number of live records in the part of the site. */
  readonly total: number;
}

/**
 * The live records in a part of the site that are not among the `named`. Left out are primary
 * memberships, which are a part of their individual, and values that an archive keeps (D29), which cannot be deleted.
 */
export async function unnamedRecords(
  { find, me }: Session,
  { name }: Resource,
  named: ReadonlySet<string>,
  isInside: (row: Row) => boolean,
): Promise<Unnamed> {
  const rows: Row[] = [];
  let total = 0;
  let hasAdmin = false;
  const isCaller = ({ ID }: Row): boolean => name === 'individual' && sameID(ID, me.id);
  for await (const row of find.all(name, 0)) {
    if (row.Primary === true || (row.ArchiveID ?? null) !== null) continue;
    const isIn = isInside(row);
    const isUnnamed = isIn && !named.has(wordOf(name, row.ID));
    if (isIn) total++;
    if (isUnnamed) rows.push(row);
    if (!isUnnamed || isCaller(row)) hasAdmin ||= row.IsAdmin === true;
  }
  const last = hasAdmin ? undefined : rows.find(({ IsAdmin }) => IsAdmin === true);
  return { rows, total, kept: rows.filter((row) => row === last || isCaller(row)) };
}

/** In reverse order of the list, so that records are deleted before the record above them. */
export const deletionsOf = (resource: Resource, { rows, kept }: Unnamed): readonly Change[] =>
  rows
    .filter((row) => !kept.includes(row))
    .toReversed()
    .map((row) =>
      defined({
        resource: resource.name,
        operation: 'delete',
        id: String(row.ID),
        now: row,
        place: nonEmpty(placeIn(resource, row)),
      }),
    );
