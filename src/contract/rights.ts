// Who may do what with the records of a resource (D19): what each resource says of itself, as plain data.
import { oncePer } from '../text/once-per.ts';
import type { Resource, Row } from './resource.ts';

/** Is what belongs to an individual kept from others, where no row decides? */
export const isPrivate = ({ rights: { unset } }: Resource): boolean => unset === 'private' || unset === 'authored';

/** A member through which rights come down, and the kinds of records that it may name. */
export interface Inheritance {
  readonly field: string;
  readonly targets: readonly string[];
}

/** The ways in which rights come down to a resource, but for the site, where every way ends; in the order in which they count. */
export const inheritanceOf = oncePer(({ rights: { from }, fields }: Resource): readonly Inheritance[] => {
  if ('member' in from) return [{ field: from.member, targets: from.kinds }];
  return from.map((field) => ({ field, targets: (fields[field]?.to ?? []).filter((target) => target !== 'site') }));
});

/** The one owner from which this record inherits rights; undefined where that is the site. */
export function inheritsFrom(
  resource: Resource,
  row: Row,
): { readonly id: string; readonly targets: readonly string[] } | undefined {
  for (const { field, targets } of inheritanceOf(resource)) {
    const id = row[field];
    if (typeof id === 'string') return { id, targets };
  }
  return undefined;
}
