// Reads what the rows of a batch will need, each resource by one call.
import { isGuid } from '../../contract/kinds.ts';
import type { Stored, Writer } from '../store/port.ts';
import type { KnownRecords } from './known-records.ts';

/** What will be read of one site. */
export interface ReadAhead {
  /** IDs that records of these resources may have. */
  readonly records: ReadonlyMap<string, ReadonlySet<string>>;
  /** IDs of new records of these resources. */
  readonly made: ReadonlyMap<string, ReadonlySet<string>>;
  /** The resources any of whose records may have the ID of a new one. */
  readonly kinds: readonly string[];
  /** Records that are deleted or undeleted, by resource. */
  readonly deleted: ReadonlyMap<string, ReadonlySet<string>>;
  /** Lists of what names one of these records by a field. */
  readonly naming: readonly { readonly resource: string; readonly field: string; readonly ids: ReadonlySet<string> }[];
}

export async function readAhead(
  writer: Writer,
  known: KnownRecords,
  site: string,
  { records, made, kinds, deleted, naming }: ReadAhead,
): Promise<void> {
  // No two records share a GUID, but a site and its settings: what one table holds is not asked for in the others.
  const found = new Set<string>();
  for (const [resource, all] of records) {
    const ids = [...all].filter((id) => !known.has(resource, site, id));
    const asked = ids.filter((id) => !found.has(id));
    const rows = new Map<string, Stored>();
    for (const row of asked.length === 0 ? [] : await writer.getMany(resource, site, asked)) {
      const id = String(row.ID);
      rows.set(id, row);
      if (isGuid(id) && id !== site) found.add(id);
    }
    for (const id of ids) known.set(resource, site, id, rows.get(id));
  }
  const ids = [...made.values()].flatMap((some) => [...some]);
  const taken = new Set(ids.length === 0 ? [] : await writer.takenAmong(kinds, site, ids));
  for (const [resource, some] of made) {
    for (const id of some) {
      known.setTaken(site, id, taken.has(id));
      if (!taken.has(id)) known.set(resource, site, id, undefined);
    }
  }
  for (const { resource, field, ids } of naming) {
    if (ids.size === 0) continue;
    const rows = await writer.find({ resource, site, naming: { field, ids: [...ids] }, deleted: 2 });
    known.setNaming({ resource, site, field }, [...ids], rows);
  }
  for (const [resource, ids] of deleted) {
    const owners = new Set(await writer.owning(resource, site, [...ids]));
    known.setOwnsNothing(
      resource,
      site,
      [...ids].filter((id) => !owners.has(id)),
    );
  }
}
