// Who may do what with the records of a resource (D19): what each resource says of itself, as plain data.
import { oncePer } from '../text/once-per.ts';
import type { Resource, Row } from './resource.ts';

/** What holds where no permission row decides; whoever is not named here may not, but for administrators. */
export type Unset =
  /** Everybody of the site reads. */
  | 'open'
  /** The individual it belongs to reads, and the chain above; what belongs to no individual, everybody. */
  | 'private'
  /** Everybody reads; the individual it belongs to creates, updates and deletes. */
  | 'own list'
  /** Everybody reads; the individual itself updates. */
  | 'own record'
  /** As `private`, and the author reads; everybody who reads its owner creates, the author updates and deletes. */
  | 'authored'
  /** Every action is for whoever may delegate on its owner. */
  | 'delegated'
  /** Nobody is asked: there are no records. */
  | 'none';

/** A number by which permission rows mean records of this resource below a step of the walk. */
export interface ChildType {
  readonly number: number;
  /** The kind of owner below which alone it allows, besides the site; a Deny counts wherever it stands. */
  readonly below?: string;
  /** The type that it means, where one resource holds several. */
  readonly type?: string;
}

/** An owner that is named by no owner field: a member, and the kinds of records that it may name. */
export interface Named {
  readonly member: string;
  readonly kinds: readonly string[];
}

export interface Rights<Name extends string = string> {
  /** The owner fields through which rights come down; the first that is set counts. None: it stands right below the site. */
  readonly from: readonly Name[] | Named;
  readonly unset: Unset;
  readonly childTypes?: readonly ChildType[];
  /** The resource whose child types mean it too. */
  readonly countsAs?: string;
}

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
