// Nothing stands under itself, and nobody reports to somebody who reports to them.
import type { Fault } from '../../contract/errors.ts';
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Value } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { mayRead } from '../rights/check.ts';
import type { Stored } from '../store/port.ts';
import type { Writing } from './rule.ts';

/** A fault where the new parent is the record itself or stands below it. */
export async function parentLoop(
  { change, values, before }: Writing,
  resource: ResourceName,
): Promise<readonly Fault[]> {
  const start = before ?? (values as Stored);
  const chain = await chainTo(change, resource, 'ParentID', values.ParentID ?? null, String(start.ID));
  return chain ? [await loopFault(change, resource, 'ParentID', [start, ...chain])] : [];
}

/** Walks up from `from`; the records passed, if the walk meets `id`, else undefined. */
export async function chainTo(
  context: Context,
  resource: ResourceName,
  field: string,
  from: Value,
  id: string,
): Promise<Stored[] | undefined> {
  const passed: Stored[] = [];
  const seen = new Set<Value>();
  for (let at = from; at !== null && !seen.has(at); ) {
    seen.add(at);
    const row = await context.lookup(resource, at);
    if (!row) return undefined;
    passed.push(row);
    if (row.ID === id) return passed;
    at = row[field] ?? null;
  }
  return undefined;
}

/** The fault of a loop, with its chain in words; what the caller may not read has no name there. */
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
