// Nothing stands under itself, and nobody reports to somebody who reports to them.
import type { Fault } from '../../contract/errors.ts';
import type { ResourceName } from '../../contract/index.ts';
import type { Value } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import type { Stored } from '../store/port.ts';
import type { Writing } from './rule.ts';

/** A fault where the new parent is the record itself or stands below it. */
export async function aboveItself(
  { change, values, before }: Writing,
  resource: ResourceName,
): Promise<readonly Fault[]> {
  const start = before ?? (values as Stored);
  const chain = await chainUp(change, resource, 'ParentID', values.ParentID ?? null, String(start.ID));
  return chain ? [loop('ParentID', [start, ...chain])] : [];
}

/** Walks up from `from`; the records passed, if the walk meets `id`, else undefined. */
export async function chainUp(
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

/** The fault of a loop, with its chain in words. */
export function loop(field: string, chain: readonly Stored[]): Fault {
  const names = chain.map((row) => String(row.FullName ?? row.Name ?? row.ID)).join(' → ');
  return {
    field,
    code: 'loop',
    message: `makes a loop: ${names}`,
    hint: 'Name one that does not stand below it.',
  };
}
