// The owners from which a record inherits rights, and the numbers of ChildType (D19, D20).
import { oncePer } from '../text/once-per.ts';
import { everyResource } from './index.ts';
import type { ChildType, Resource, Row } from './resource.ts';

/** Are the records of an individual hidden from others by default? */
export const isPrivate = ({ rights: { unset } }: Resource): boolean => unset === 'private' || unset === 'authored';

/** A member from whose record rights are inherited, and the resources that it may name. */
interface Inheritance {
  readonly field: string;
  readonly targets: readonly string[];
}

/** The members from which a resource inherits rights, the first one first; the site, the last one, is left out. */
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

interface NumberedType extends ChildType {
  readonly resource: Resource;
  readonly type: string;
}

const all: readonly NumberedType[] = everyResource
  .flatMap((resource) => (resource.rights.childTypes ?? []).map((one) => ({ resource, type: resource.name, ...one })))
  .sort((one, other) => one.number - other.number);
const byNumber: ReadonlyMap<unknown, NumberedType> = new Map(all.map((one) => [one.number, one]));

/** The types by number; any other number is stored as null. */
export const CHILD_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  all.map(({ number, type }) => [number, type]),
);

/** Does the number mean records of this type? */
export const means = (number: unknown, type: string): boolean => byNumber.get(number)?.type === type;

/** Does an Allow with this number count on a record of this kind? */
export const countsOn = (number: unknown, kind: string): boolean =>
  kind === 'site' || (byNumber.get(number)?.below ?? kind) === kind;

/** The number of a type on a record of this kind: a type may have one for each kind of owner. */
export function childTypeOn(type: string, kind: string): number | undefined {
  const numbers = all.filter((one) => one.type === type);
  return (numbers.find(({ below }) => below === kind) ?? numbers[0])?.number;
}

/** The numbers of what can stand right below a record of this kind; of the site every one. */
export const childTypesOn = (kind: string): readonly number[] =>
  all
    .filter(({ resource, number }) => countsOn(number, kind) && mayBeBelow(resource, kind))
    .map(({ number }) => number);

const mayBeBelow = (resource: Resource, kind: string): boolean =>
  kind === 'site' || inheritanceOf(resource).some(({ targets }) => targets.includes(kind));
