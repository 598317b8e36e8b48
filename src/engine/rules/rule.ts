// The hooks by which a resource adds its own rules to the ordinary verbs, and those of sites, of records that name their
// site, and of periods of whole days (D13, D19).
import type { Fault } from '../../contract/errors.ts';
import type { ResourceName } from '../../contract/index.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import type { Writing } from '../context.ts';
import { adminOnly, isAdministrator } from '../rights/labels.ts';
import type { Stored } from '../store/port.ts';

export interface RecordToStore {
  readonly writing: Writing;
  readonly resource: Resource;
  /** The checked members; `prepare` may add and change some. */
  readonly values: Record<string, Value>;
  /** The stored record; undefined for a new one. */
  readonly before: Stored | undefined;
  /** The new password of an individual, set by `prepare`: it is never part of a record, and is stored when all else is checked. */
  newPassword?: string;
}

export interface Rules {
  /** Records that name this one by a field. Its rules read them, or its answer. */
  readonly lists?: readonly { readonly resource: ResourceName; readonly field: string }[];
  /** Fills in members that a body may leave out, before it is compared with the stored record. */
  fill?(toStore: RecordToStore): void;
  /** Adds derived members; throws errors about the whole record. */
  prepare?(toStore: RecordToStore): Promise<void> | void;
  /** Faults of single members beyond those that the contract finds. */
  check?(toStore: RecordToStore): Promise<readonly Fault[]> | readonly Fault[];
  /** Updates other records after the record is stored. */
  follow?(toStore: RecordToStore): Promise<void>;
  /** What is written beside the members of the record, with no value: history names it. */
  unseen?(toStore: RecordToStore): Row;
  /** Throws where the record must not be deleted. */
  deleting?(writing: Writing, row: Stored): Promise<void> | void;
  /** Throws where the record must not be undeleted. */
  undeleting?(writing: Writing, row: Stored): Promise<void> | void;
  /** Updates other records after a deletion or undeletion. */
  deleted?(writing: Writing, row: Stored): Promise<void>;
}

/** The value that a member will have: the written one, which may be null, else the stored one. */
export const member = ({ values, before }: RecordToStore, name: string): Value =>
  (values[name] === undefined ? before?.[name] : values[name]) ?? null;

/** Does the writing change that member? */
export const changes = ({ values, before }: RecordToStore, name: string): boolean =>
  values[name] !== undefined && values[name] !== (before?.[name] ?? null);

export const siteRules: Rules = {
  prepare({ writing, before }) {
    if (before && !isAdministrator(writing)) throw adminOnly('sites update');
  },
};

/** Sets the site where the body leaves it out. */
export function fillSite({ values, writing }: RecordToStore): void {
  values.SiteID ??= writing.site;
}

export const ownSite: Rules = { fill: fillSite };

export const periodRules: Rules = {
  fill: fillSite,
  prepare(toStore) {
    const { values } = toStore;
    values.StartDate = wholeDay(member(toStore, 'StartDate'));
    values.EndDate = wholeDay(member(toStore, 'EndDate'));
    values.DateSpan = `${dayOf(values.StartDate)} to ${dayOf(values.EndDate)}`;
  },
  check(toStore): readonly Fault[] {
    const [start, end] = [dayOf(toStore.values.StartDate), dayOf(toStore.values.EndDate)];
    const isNew = changes(toStore, 'StartDate') || changes(toStore, 'EndDate');
    if (!isNew || end >= start) return [];
    const message = `is ${end}, before the first day ${start}`;
    return [{ field: 'EndDate', code: 'out_of_range', message }];
  },
};

const wholeDay = (date: Value): Value =>
  typeof date === 'string' ? date.replace(/T\d{2}:\d{2}(:\d{2})?(\.\d+)?/, 'T00:00:00') : date;

const dayOf = (date: Value | undefined): string => String(date).slice(0, 10);
