// The rules of trees, and the check that a chain of parents or of managers has no loop.
import type { Fault } from '../../contract/errors.ts';
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Value } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { placeOf, type TreePlace, updateSubtree } from '../records/tree.ts';
import { mayRead } from '../rights/check.ts';
import type { Stored } from '../store/port.ts';
import { changes, member, type Rules, type Writing } from './rule.ts';

/** What trees have in common: no record below itself, and a new place for everything below a record that moved. */
export const treeRules = {
  async check(writing: Writing): Promise<readonly Fault[]> {
    const { change, resource, values, before } = writing;
    if (!changes(writing, 'ParentID')) return [];
    const start = before ?? (values as Stored);
    const name = resource.name as ResourceName;
    const chain = await chainTo(change, name, 'ParentID', values.ParentID ?? null, String(start.ID));
    return chain ? [await loopFault(change, name, 'ParentID', [start, ...chain])] : [];
  },
  async follow({ change, resource, values, before }: Writing): Promise<void> {
    if (before && values.TreeKey !== undefined) await updateSubtree(change, resource, { ...before, ...values });
  },
} satisfies Rules;

/** The place in the tree that a record gets by this writing. */
export async function placeAfter(writing: Writing): Promise<TreePlace> {
  const { change, resource, values, before } = writing;
  const parent = await change.lookup(resource.name as ResourceName, member(writing, 'ParentID'));
  return placeOf({ ...before, ...values }, parent);
}

/** The records from `from` up to `id`, each named by `field` of the one before; undefined where `id` is not above. */
export async function chainTo(
  context: Context,
  resource: ResourceName,
  field: string,
  from: Value,
  id: string,
): Promise<Stored[] | undefined> {
  const chain: Stored[] = [];
  const visited = new Set<Value>();
  for (let at = from; at !== null && !visited.has(at); ) {
    visited.add(at);
    const row = await context.lookup(resource, at);
    if (!row) return undefined;
    chain.push(row);
    if (row.ID === id) return chain;
    at = row[field] ?? null;
  }
  return undefined;
}

/** The fault of a loop, with the names of its records as far as the caller may read them. */
export async function loopFault(
  context: Context,
  resource: ResourceName,
  field: string,
  chain: readonly Stored[],
): Promise<Fault> {
  const names: string[] = [];
  for (const row of chain) {
    const isShown = await mayRead(context, resourceNamed(resource), row);
    names.push(isShown ? String(row.FullName ?? row.Name ?? row.ID) : 'another record');
  }
  return {
    field,
    code: 'loop',
    message: `makes a loop: ${names.join(' → ')}`,
    hint: 'Name one that does not stand below it.',
  };
}
