// Fields with a table of their own, by which a record is found: lists of IDs by any of them, and texts that are unique in the
// whole database. A table of unique texts has no site in its key, which tables of records always have.
import type { Field } from '../../../contract/field.ts';
import { oncePer } from '../../../text/once-per.ts';
import { textKey } from '../../../text/text-key.ts';
import type { Stored } from '../port.ts';
import type { Table } from '../schema/tables.ts';
import type { Typed } from './dialect.ts';
import { type Bound, each, eachAhead, type Steps } from './steps.ts';

type Kind = 'list' | 'unique';

interface SideTable {
  readonly name: string;
  readonly field: string;
  readonly kind: Kind;
}

export const sideTables = oncePer(({ name, resource, columns }: Table): readonly SideTable[] =>
  columns.flatMap(({ name: field }) => {
    const kind = kindOf(resource.fields[field]);
    return kind ? [{ name: `${name}_${field}`, field, kind }] : [];
  }),
);

const kindOf = (field: Field | undefined): Kind | undefined =>
  field?.kind === 'guids' ? 'list' : field?.unique ? 'unique' : undefined;

export const isListField = ({ resource }: Table, field: string): boolean => kindOf(resource.fields[field]) === 'list';

export const isUniqueField = ({ resource }: Table, field: string): boolean =>
  kindOf(resource.fields[field]) === 'unique';

/** A unique text is kept as its key. */
const KEYS: Readonly<Record<Kind, string>> = { list: '"SiteID", "Held", "ID"', unique: '"Held"' };

export const createSideTables = (table: Table): readonly string[] =>
  sideTables(table).map(
    ({ name, kind }) => `CREATE TABLE "${name}" (
  "SiteID" TEXT NOT NULL,
  "Held" TEXT NOT NULL,
  "ID" TEXT NOT NULL,
  PRIMARY KEY (${KEYS[kind]})
) STRICT, WITHOUT ROWID`,
  );

/** Fills a new side table from the existing records. */
export const fillSideTable = (table: Table, { name, field, kind }: SideTable): string =>
  kind === 'list'
    ? `INSERT INTO "${name}" ("SiteID", "Held", "ID")
  SELECT DISTINCT t."SiteID", item.value, t."ID"
  FROM "${table.name}" AS t, json_each('["' || replace(t."${field}", ' ', '","') || '"]') AS item
  WHERE t."${field}" <> ''`
    : `INSERT INTO "${name}" ("SiteID", "Held", "ID")
  SELECT "SiteID", text_key("${field}"), "ID" FROM "${table.name}" WHERE "${field}" IS NOT NULL`;

const quotedName = (table: Table, field: string): string => `"${table.name}_${field}"`;

/** The condition that the field contains an ID; a site and the ID are bound. */
export const listContains = (table: Table, field: string): string => inLists(table, field, '"Held" = ?');

/** Holds the list any of the IDs of a JSON array? */
export const listContainsAny = (table: Table, field: string): string =>
  inLists(table, field, table.dialect.isAny(ITEM));

const inLists = (table: Table, field: string, condition: string): string =>
  `"ID" IN (SELECT "ID" FROM ${quotedName(table, field)} WHERE "SiteID" = ? AND ${condition})`;

/** The condition that the unique text has this key, which is bound. */
export const uniqueIs = (table: Table, field: string): string =>
  `("SiteID", "ID") = (SELECT "SiteID", "ID" FROM ${quotedName(table, field)} WHERE "Held" = ?)`;

/** Has the unique text any of the keys of a JSON array? */
export const uniqueIsAny = (table: Table, field: string): string =>
  `("SiteID", "ID") IN (SELECT "SiteID", "ID" FROM ${quotedName(table, field)} WHERE ${table.dialect.isAny(ITEM)})`;

/** A record before and after a change; `before` or `now` is undefined if there is none. */
export interface SideChange {
  readonly site: string;
  readonly id: string;
  readonly before: Stored | undefined;
  readonly now: Stored | undefined;
}

const ITEM: Typed = { name: '"Held"', type: 'TEXT' };
const COLUMNS: readonly Typed[] = [{ name: '"SiteID"', type: 'TEXT' }, ITEM, { name: '"ID"', type: 'TEXT' }];

/**
 * Gives up the unique texts that the records had, and then takes those that they have now: records may swap theirs. Goes with
 * the next statement, so the records are to be written next. Throws `Clash` there or here.
 */
export function* updateUniques(table: Table, changes: readonly SideChange[]): Steps<void> {
  for (const one of sideTables(table).filter(({ kind }) => kind === 'unique')) {
    const { removed, added } = differences(one, changes);
    yield* eachAhead(table.dialect.deleteEach(`"${one.name}"`, COLUMNS), removed);
    yield* eachAhead(table.dialect.insertEach(`"${one.name}"`, COLUMNS), added);
  }
}

export function* updateLists(table: Table, changes: readonly SideChange[]): Steps<void> {
  for (const one of sideTables(table).filter(({ kind }) => kind === 'list')) {
    const { removed, added } = differences(one, changes);
    yield* each(table.dialect.deleteEach(`"${one.name}"`, COLUMNS), removed);
    yield* each(`${table.dialect.insertEach(`"${one.name}"`, COLUMNS)} ON CONFLICT DO NOTHING`, added);
  }
}

/** The rows of a side table that go, and those that come. */
function differences({ field, kind }: SideTable, changes: readonly SideChange[]) {
  const removed: Bound[][] = [];
  const added: Bound[][] = [];
  for (const { site, id, before, now } of changes) {
    const [was, is] = [VALUES[kind](before?.[field]), VALUES[kind](now?.[field])];
    for (const item of was) if (!is.includes(item)) removed.push([site, item, id]);
    for (const item of is) if (!was.includes(item)) added.push([site, item, id]);
  }
  return { removed, added };
}

/** The texts of a value in its side table. */
const VALUES: Readonly<Record<Kind, (value: Stored[string] | undefined) => readonly string[]>> = {
  list: (value) => (typeof value === 'string' ? value.split(' ') : []),
  unique: (value) => (typeof value === 'string' ? [textKey(value)] : []),
};
