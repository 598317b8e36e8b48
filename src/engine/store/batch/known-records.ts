// What the writes of one batch know of the store without asking it: records, which of them are not there, and free IDs.
import type { Grant, Stored } from '../port.ts';

export interface KnownRecords {
  /** Is it known whether there is this record? */
  has(resource: string, site: string, id: string): boolean;
  get(resource: string, site: string, id: string): Stored | undefined;
  /** The record as it is now; undefined where there is none. */
  set(resource: string, site: string, id: string, row: Stored | undefined): void;
  /** The first of these resources that has a record of this ID; `UNKNOWN` where the store must be asked. */
  kindOf(resources: readonly string[], site: string, id: string): string | undefined;
  /** A record that is new: no other one has its ID, or that of its user. */
  add(resource: string, site: string, row: Stored): void;
  /** All records of a resource that name one of these IDs by a field. */
  setNaming(list: NamingList, ids: readonly string[], rows: readonly Stored[]): void;
  /** The records that name this one by the field; undefined where the store must be asked. */
  naming(list: NamingList, id: string): readonly Stored[] | undefined;
  /** Permission rows by site and individual. */
  readonly grants: Map<string, readonly Grant[]>;
  /** By site and ID: whether it is that of a record. */
  readonly taken: Map<string, boolean>;
  forget(): void;
}

/** Records of a resource in a site, by a field that names another record. */
export interface NamingList {
  readonly resource: string;
  readonly site: string;
  readonly field: string;
}

export const UNKNOWN = 'unknown';

export function knownRecords(): KnownRecords {
  const records = new Map<string, Stored | undefined>();
  const grants = new Map<string, readonly Grant[]>();
  const taken = new Map<string, boolean>();
  /** The kinds of new records, by site and ID. */
  const kinds = new Map<string, string>();
  /** The IDs of the records of a list, by resource and site, by field, and by the ID that they name. */
  const lists = new Map<string, Map<string, Map<string, Set<string>>>>();
  const keyOf = (resource: string, site: string, id: string): string => `${resource} ${site} ${id}`;
  const idsNaming = ({ resource, site, field }: NamingList, id: string): Set<string> | undefined =>
    lists.get(`${resource} ${site}`)?.get(field)?.get(id);
  const relist = (resource: string, site: string, id: string, row: Stored | undefined): void => {
    const before = records.get(keyOf(resource, site, id));
    for (const field of lists.get(`${resource} ${site}`)?.keys() ?? []) {
      const list = { resource, site, field };
      idsNaming(list, String(before?.[field]))?.delete(id);
      idsNaming(list, String(row?.[field]))?.add(id);
    }
  };
  const set = (resource: string, site: string, id: string, row: Stored | undefined): void => {
    relist(resource, site, id, row);
    records.set(keyOf(resource, site, id), row);
  };
  return {
    grants,
    taken,
    set,
    has: (resource, site, id) => records.has(keyOf(resource, site, id)),
    get: (resource, site, id) => records.get(keyOf(resource, site, id)),
    add(resource, site, row) {
      const id = String(row.ID);
      set(resource, site, id, row);
      kinds.set(`${site} ${id}`, resource);
      for (const one of [row.ID, row.UserID]) if (typeof one === 'string') taken.set(`${site} ${one}`, true);
    },
    kindOf(resources, site, id) {
      const kind = kinds.get(`${site} ${id}`);
      if (kind !== undefined && resources.includes(kind)) return kind;
      for (const resource of resources) {
        const key = keyOf(resource, site, id);
        if (!records.has(key)) return UNKNOWN;
        if (records.get(key)) return resource;
      }
      return undefined;
    },
    setNaming({ resource, site, field }, ids, rows) {
      const ofSite = lists.get(`${resource} ${site}`) ?? new Map<string, Map<string, Set<string>>>();
      lists.set(`${resource} ${site}`, ofSite);
      const ofField = ofSite.get(field) ?? new Map<string, Set<string>>();
      ofSite.set(field, ofField);
      for (const id of ids) ofField.set(id, new Set());
      for (const row of rows) set(resource, site, String(row.ID), row);
    },
    naming(list, id) {
      const ids = idsNaming(list, id);
      const rows = ids && [...ids].map((one) => records.get(keyOf(list.resource, list.site, one)));
      return rows?.filter((row) => row !== undefined);
    },
    forget() {
      for (const map of [records, grants, taken, kinds, lists]) map.clear();
    },
  };
}
