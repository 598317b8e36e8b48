// What the deletion of a record may change besides it, and what that depends on (D6): by resource, not by record.
import { resourceNamed, storedResources } from '../../contract/index.ts';
import { ownedBy, ownersOf } from '../../contract/record-address.ts';
import type { Resource } from '../../contract/resource.ts';
import { oncePer } from '../../text/once-per.ts';

interface DeletionReach {
  /** The resources whose records it may hide or bring back. */
  readonly hides: ReadonlySet<string>;
  /** Those whose marks decide whether a record comes back: the owners of what is hidden. */
  readonly asks: ReadonlySet<string>;
}

const reachIn = oncePer((resource: Resource): DeletionReach => {
  const hides = new Set<string>();
  const add = (name: string): void => {
    for (const { resource: below } of ownedBy(storedResources, name)) {
      if (hides.has(below.name)) continue;
      hides.add(below.name);
      add(below.name);
    }
  };
  add(resource.name);
  const owners = [...hides].flatMap((name) => ownersOf(resourceNamed(name)).flatMap(({ targets }) => targets));
  return { hides, asks: new Set(owners.map((name) => (name === 'principal' ? 'individual' : name))) };
});

export const reachOf = (resource: string): DeletionReach => reachIn(resourceNamed(resource));

/** May records of this resource belong to others of it? */
export const isTree = (resource: string): boolean => reachOf(resource).hides.has(resource);

/** The resources whose records those of this one may name. */
const namedIn = oncePer(
  ({ fields }: Resource): ReadonlySet<string> => new Set(Object.values(fields).flatMap(({ to = [] }) => to)),
);

/** May records of `resource` name those of the other one? */
export const mayName = (resource: string, other: string): boolean => namedIn(resourceNamed(resource)).has(other);
