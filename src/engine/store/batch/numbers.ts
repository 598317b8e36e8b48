// The integer IDs of new records (D12) in one batch: the store is asked for the first, and told the last. In between it waits
// with its counter for the end of the transaction.
import type { Writer } from '../port.ts';

export function drawnNumbers(writer: Writer) {
  const drawn = new Map<string, { readonly resource: string; readonly site: string; last: number; kept: number }>();
  return {
    async next(resource: string, site: string): Promise<number> {
      const key = `${resource} ${site}`;
      const before = drawn.get(key);
      if (before) return ++before.last;
      const first = await writer.nextID(resource, site);
      drawn.set(key, { resource, site, last: first, kept: first });
      return first;
    },
    async keep(): Promise<void> {
      for (const one of drawn.values()) {
        if (one.last > one.kept) await writer.reserveID(one.resource, one.site, one.last);
        one.kept = one.last;
      }
    },
    forget: (): void => drawn.clear(),
  };
}
