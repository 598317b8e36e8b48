// The numbers of ChildType (D19, D20): about which records below its object a permission row speaks.
import { everyResource } from './index.ts';
import type { ChildType, Resource } from './resource.ts';
import { inheritanceOf } from './rights.ts';

interface Meant extends ChildType {
  readonly resource: Resource;
  readonly type: string;
}

const all: readonly Meant[] = everyResource
  .flatMap((resource) => (resource.rights.childTypes ?? []).map((one) => ({ resource, type: resource.name, ...one })))
  .sort((one, other) => one.number - other.number);
const byNumber: ReadonlyMap<unknown, Meant> = new Map(all.map((one) => [one.number, one]));

/** Every number, and the type that it means; any other one is stored as null. */
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
