// Who owns what (D6), read off the fields that are marked as owners: one table, both ways round.

import { oncePer } from '../text/once-per.ts';
import type { Field } from './field.ts';
import type { Resource } from './resource.ts';

export interface Ownership {
  readonly resource: Resource;
  readonly field: string;
  readonly targets: readonly string[];
}

/** The owner fields of a resource, each with what it may name. */
export const ownersOf = oncePer((resource: Resource): readonly Ownership[] =>
  Object.entries(resource.fields)
    .filter(([, field]) => field.owner)
    .map(([name, field]) => ({ resource, field: name, targets: field.to ?? [] })),
);

/** Every field through which a record of `target` owns others. */
export function ownedBy(resources: readonly Resource[], target: string): readonly Ownership[] {
  return resources.flatMap(ownersOf).filter((ownership) => ownership.targets.includes(target));
}

/** The owner field of a resource that can name a record of `target`; undefined where it has none. */
export const ownerFieldFor = (resource: Resource, target: string): string | undefined =>
  ownersOf(resource).find((ownership) => ownership.targets.includes(target))?.field;

/** May a PUT never change this member (D10)? */
export const isImmutable = (field: Field): boolean => field.owner === true && !field.moves;
