// The knowledge that the writes of one batch have of the store: records that are there or missing, and free IDs.
import type { Value } from '../../contract/resource.ts';
import { valueAt } from '../../text/once-per.ts';
import type { Grant, Stored } from '../store/port.ts';

/** Records of a resource in a site, by a field that names another record. */
interface NamingList {
  readonly resource: string;
  readonly site: string;
  readonly field: string;
}

export const UNKNOWN = 'unknown';

export type KnownRecords = ReturnType<typeof knownRecords>;

export function knownRecords() {
  const records = nested<Stored | undefined>();
  const grants = new Map<string, readonly Grant[]>();
  const taken = nested<boolean>();
  /** The resources of new records, and of those that were asked for. */
  const kinds = nested<string>();
  /** By ID, the resource of records to which nothing belongs. */
  const childless = nested<string>();
  /** By field and site, and by the ID that they name: the IDs of records. */
  const lists = new Map<string, { readonly field: string; readonly ids: Map<string, Set<string>> }[]>();
  const relist = (resource: string, site: string, id: string, row: Stored | undefined): void => {
    const before = records.of(resource, site).get(id);
    for (const { field, ids } of lists.get(`${resource} ${site}`) ?? []) {
      ids.get(String(before?.[field]))?.delete(id);
      ids.get(String(row?.[field]))?.add(id);
    }
  };
  const set = (resource: string, site: string, id: string, row: Stored | undefined): void => {
    if (lists.size > 0) relist(resource, site, id, row);
    records.of(resource, site).set(id, row);
  };
  return {
    /** Permission rows by site and individual. */
    grants,
    /** Was this record looked up already, whether it exists or not? */
    has: (resource: string, site: string, id: string): boolean => records.of(resource, site).has(id),
    get: (resource: string, site: string, id: string): Stored | undefined => records.of(resource, site).get(id),
    /** The record as it is now; undefined if there is none. */
    set,
    /** A record that is new: no other one has its ID, or that of its user. */
    add(resource: string, site: string, row: Stored): void {
      const id = String(row.ID);
      set(resource, site, id, row);
      kinds.of(ANY, site).set(id, resource);
      for (const one of [row.ID, row.UserID]) if (typeof one === 'string') taken.of(ANY, site).set(one, true);
    },
    /** A record that is not there any more. */
    remove(resource: string, site: string, id: string): void {
      const userID = records.of(resource, site).get(id)?.UserID;
      set(resource, site, id, undefined);
      kinds.of(ANY, site).delete(id);
      for (const one of [id, userID]) if (typeof one === 'string') taken.of(ANY, site).delete(one);
    },
    /** Is the ID that of a record? Undefined if the store must be asked. */
    isTaken: (site: string, id: string): boolean | undefined => taken.of(ANY, site).get(id),
    setTaken: (site: string, id: string, is: boolean): void => void taken.of(ANY, site).set(id, is),
    /** The first of these resources that has a record of this ID; `UNKNOWN` where the store must be asked. */
    kindOf(resources: readonly string[], site: string, id: string): string | undefined {
      const kind = kinds.of(ANY, site).get(id);
      if (kind !== undefined && resources.includes(kind)) return kind;
      for (const resource of resources) {
        const known = records.of(resource, site);
        if (!known.has(id)) return UNKNOWN;
        if (known.get(id)) return resource;
      }
      return undefined;
    },
    /** The store has said of which resource the record of this ID is. */
    setKind: (site: string, id: string, resource: string): void => void kinds.of(ANY, site).set(id, resource),
    ownsNothing: (resource: string, site: string, id: string): boolean => childless.of(ANY, site).get(id) === resource,
    /** Records to which nothing belongs. */
    setOwnsNothing(resource: string, site: string, ids: Iterable<string>): void {
      for (const id of ids) childless.of(ANY, site).set(id, resource);
    },
    /** Something may belong to the records of these IDs by now. */
    setOwner(site: string, ids: Iterable<Value | undefined>): void {
      for (const id of ids) if (typeof id === 'string') childless.of(ANY, site).delete(id);
    },
    /** The records that name this one by the field; undefined if the store must be asked. */
    naming({ resource, site, field }: NamingList, id: string): readonly Stored[] | undefined {
      const list = lists.get(`${resource} ${site}`)?.find((one) => one.field === field);
      const ids = list?.ids.get(id);
      return ids && [...ids].map((one) => records.of(resource, site).get(one)).filter((row) => row !== undefined);
    },
    /** All records of a resource that name one of these IDs by a field. */
    setNaming({ resource, site, field }: NamingList, ids: Iterable<string>, rows: readonly Stored[]): void {
      const all = lists.get(`${resource} ${site}`) ?? [];
      const list = all.find((one) => one.field === field) ?? { field, ids: new Map<string, Set<string>>() };
      for (const id of ids) list.ids.set(id, new Set());
      lists.set(`${resource} ${site}`, [...all.filter((one) => one !== list), list]);
      for (const row of rows) set(resource, site, String(row.ID), row);
    },
    forgetOf(resources: Iterable<string>): void {
      for (const resource of resources) {
        records.forget(resource);
        for (const key of [...lists.keys()]) if (key.startsWith(`${resource} `)) lists.delete(key);
      }
    },
    forget(): void {
      for (const map of [records, taken, kinds, childless]) map.clear();
      grants.clear();
      lists.clear();
    },
  };
}

/** Of all resources together. */
const ANY = '';

const newMap = <K, V>(): Map<K, V> => new Map();

/** Values by resource, site and ID: to join the three to one key takes longer than to look three times. */
function nested<T>() {
  const all = new Map<string, Map<string, Map<string, T>>>();
  return {
    of: (resource: string, site: string): Map<string, T> => valueAt(valueAt(all, resource, newMap), site, newMap),
    forget: (resource: string): void => void all.delete(resource),
    clear: (): void => all.clear(),
  };
}
