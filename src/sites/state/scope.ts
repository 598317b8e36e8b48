// Which records are compared: the resources in the order of their references, and a few records with what belongs to them.
import { treeFields } from '../../changes/rows/order.ts';
import { isWritable } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import { idKey } from '../../contract/kinds.ts';
import { isOwnedBy, ownersOf } from '../../contract/record-address.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { comparable } from './layout.ts';

/** The resources and all that their records name, each after those. */
export function withReferences(resources: readonly Resource[]): readonly Resource[] {
  const ordered = new Set<Resource>();
  const visited = new Set<Resource>();
  const visit = (resource: Resource): void => {
    if (visited.has(resource)) return;
    visited.add(resource);
    for (const other of referencedBy(resource)) visit(other);
    ordered.add(resource);
  };
  resources.forEach(visit);
  return [...ordered].filter((resource) => comparable.includes(resource));
}

const referencedBy = ({ fields }: Resource): readonly Resource[] =>
  Object.values(fields)
    .flatMap((field) => (isWritable(field) ? (field.to ?? []) : []))
    .filter((target) => target !== 'site')
    .map((target) => resourceNamed(target === 'principal' ? 'individual' : target));

/** The member by which a record names one of its own kind above it; undefined if there is no tree. */
export const memberAbove = (resource: Resource): string | undefined => treeFields(resource)[0];

/** Each after the one that stands above it. */
export function upperFirst<T>(
  all: readonly T[],
  idOf: (one: T) => unknown,
  aboveOf: (one: T) => unknown,
): readonly T[] {
  const byID = new Map(all.map((one) => [idKey(idOf(one)), one]));
  const done = new Set<T>();
  const ordered: T[] = [];
  for (const start of all) {
    const path: T[] = [];
    for (let at: T | undefined = start; at && !done.has(at); at = byID.get(idKey(aboveOf(at)))) {
      done.add(at);
      path.push(at);
    }
    for (const one of path.reverse()) ordered.push(one);
  }
  return ordered;
}

/** These records of one site, and what belongs to them. */
export function scopeOf(chosen: readonly { readonly resource: string; readonly id: string }[]) {
  const inside = new Set(chosen.map(({ resource, id }) => `${resource} ${idKey(id)}`));
  // Records of a tree that came before the one above them.
  const below = new Map<string, Row[]>();
  const isIn = (target: string, id: Value | undefined): boolean => inside.has(`${target} ${idKey(id)}`);
  const enter = (name: string, first: Row): void => {
    for (let rows = [first]; rows.length > 0; rows = rows.flatMap(({ ID }) => below.get(`${name} ${idKey(ID)}`) ?? []))
      for (const { ID, UserID } of rows) {
        inside.add(`${name} ${idKey(ID)}`);
        if (name === 'individual') inside.add(`principal ${idKey(UserID)}`);
      }
  };
  return {
    /** Takes every record once, before one is asked for. */
    see(resource: Resource, row: Row) {
      const { name } = resource;
      if (isIn(name, row.ID) || isOwnedBy(resource, row, inside)) return enter(name, row);
      for (const { field, targets } of ownersOf(resource)) {
        const above = `${name} ${idKey(row[field])}`;
        if (targets.includes(name)) below.set(above, [...(below.get(above) ?? []), row]);
      }
    },
    has: (resource: Resource, row: Row | undefined): boolean =>
      row !== undefined && (isIn(resource.name, row.ID) || isOwnedBy(resource, row, inside)),
  };
}
