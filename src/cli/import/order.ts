// The order in which resources are imported: what others name comes first.
import { isWritable } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Resource } from '../../contract/resource.ts';

/** Sorts resources so that each comes behind all that its records may name; otherwise the order stays. */
export function inOrderOfReference(resources: readonly Resource[]): readonly Resource[] {
  const there = new Set(resources);
  const visited = new Set<Resource>();
  const ordered: Resource[] = [];
  const visit = (resource: Resource): void => {
    if (visited.has(resource)) return;
    visited.add(resource);
    for (const other of namedBy(resource)) visit(other);
    if (there.has(resource)) ordered.push(resource);
  };
  for (const resource of resources) visit(resource);
  return ordered;
}

function namedBy({ fields, name }: Resource): readonly Resource[] {
  const targets = Object.values(fields).flatMap((field) => (isWritable(field) ? (field.to ?? []) : []));
  const others = targets.filter((target) => target !== 'site' && target !== name);
  return others.map((target) => resourceNamed(target === 'principal' ? 'individual' : target));
}
