// How many rows are in flight at once, and which may not be beside each other: what one row touches, another one waits for.
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { isGuid } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/record-address.ts';

export interface Lanes {
  /** Begins the work when there is room for it and nothing in flight touches the same; comes back when it has begun. */
  begin(touch: Touch, work: () => Promise<void>): Promise<void>;
  /** Settles when nothing is in flight. */
  idle(): Promise<void>;
}

/** What a row changes, and what it speaks of. */
export interface Touch {
  readonly owns: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

export function openLanes(limit: number): Lanes {
  const flying = new Map<Promise<void>, Touch>();
  const isFree = (touch: Touch): boolean =>
    flying.size < limit && ![...flying.values()].some((other) => meet(touch, other));
  return {
    async begin(touch, work) {
      while (!isFree(touch)) await Promise.race(flying.keys());
      const flight: Promise<void> = work().finally(() => flying.delete(flight));
      flying.set(flight, touch);
    },
    async idle() {
      while (flying.size > 0) await Promise.race(flying.keys());
    },
  };
}

/**
 * What a row touches. `alone`: new records under one owner are told apart by what was there before each of them, so
 * they come one by one.
 */
export function touchOf(row: PlannedRow, alone: boolean): Touch {
  const resource = resourceNamed(row.resource);
  const members = { ...row.body, ...row.patch };
  const params = Object.values(row.params ?? {});
  const ids = row.id === undefined ? params : [row.id];
  const names = new Set<string>(params);
  const owns = new Set(ids.map((id) => id.toLowerCase()));
  for (const name in members) {
    const value = members[name];
    if (typeof value === 'string' && isGuid(value)) names.add(value.toLowerCase());
    // A text that must be unique may be free only since the row before.
    if (resource.fields[name]?.unique) (row.patch ? owns : names).add(`${row.resource} ${name}`);
  }
  if (alone) owns.add([row.resource, ...ownersOf(resource).map(({ field }) => members[field])].join(' '));
  return { owns, names };
}

function meet(one: Touch, other: Touch): boolean {
  for (const key of one.owns) if (other.owns.has(key) || other.names.has(key)) return true;
  for (const key of one.names) if (other.owns.has(key)) return true;
  return false;
}
