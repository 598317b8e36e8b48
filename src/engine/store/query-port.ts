// A query of records: its conditions, its order, and the rights of its reader.
import type { Value } from '../../contract/resource.ts';

/** `deleted` as in D4: 0 neither deleted nor deleted by reference, 1 either, 2 all. */
export type Deleted = 0 | 1 | 2;

/** A state that is set: 1 allows, 2 denies (D18). */
export type State = 1 | 2;

/** Which records of one type an individual may read, by its permission rows (D19). */
export interface ReadFilter {
  readonly individual: string;
  /** The states on each record but the site: of that record itself, and of records of the type below it. */
  readonly records: readonly {
    readonly id: string;
    readonly own: State | undefined;
    readonly below: State | undefined;
  }[];
  /** The state on the site about itself. */
  readonly site: State | undefined;
  /** The states on the site about records of the type, and about organizations that are no departments. */
  readonly siteForType: State | undefined;
  readonly siteForOrganizations: State | undefined;
}

/** Records that others name: `<field> in (select <pick> from <resource> where <equals>)`. */
export interface Among {
  /** The wanted record's own field. */
  readonly field: string;
  /** Any of them may name it. */
  readonly sources: readonly Source[];
}

export interface Source {
  readonly resource: string;
  /** The other record's field that must contain it. */
  readonly pick: string;
  readonly equals: Readonly<Record<string, Value>>;
}

export interface Query {
  readonly resource: string;
  /** Undefined means all sites: user names are unique in the whole database (D14). */
  readonly site: string | undefined;
  /** A field of several IDs equals each of them. */
  readonly equals?: Readonly<Record<string, Value>>;
  /** The field names one of these records; one of several IDs, any of them. */
  readonly naming?: { readonly field: string; readonly ids: readonly string[] };
  /** Texts compared by their key (D16: NFKC, lower case). */
  readonly named?: Readonly<Record<string, string>>;
  /** The field is one of these texts, compared so. */
  readonly namedAny?: { readonly field: string; readonly texts: readonly string[] };
  readonly among?: Among;
  /** A date field that must lie between two instants, both included. */
  readonly between?: {
    readonly field: string;
    readonly from: string;
    readonly to: string;
  };
  /** One of these texts must hold a folded one, which is not empty (text/folded.ts). */
  readonly holding?: { readonly fields: readonly string[]; readonly text: string };
  /** Only the records of these IDs. */
  readonly ids?: readonly string[];
  readonly deleted: Deleted;
  /** The individual who reads: each has a share of the connections that read lists. */
  readonly reader?: string;
  /** Only the records that an individual may read; without it all of them. */
  readonly readFilter?: ReadFilter;
  /** In the resource's order (D16); otherwise in any. */
  readonly ordered?: boolean;
  readonly limit?: number;
}
