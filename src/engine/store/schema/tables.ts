// The tables, derived from the contract: one for each resource, with a column for each stored field.
import { type Field, isDate, isWritable, type Kind } from '../../../contract/field.ts';
import { ownersOf } from '../../../contract/record-address.ts';
import { isSoft, type Resource, type Row } from '../../../contract/resource.ts';
import { inheritanceOf } from '../../../contract/rights.ts';
import { once, oncePerText } from '../../../text/once-per.ts';
import type { Dialect, SqlType } from '../sql/dialect.ts';

/** Fields of each resource that the engine computes; they are not stored. */
export type Computed = Readonly<Record<string, readonly string[]>>;

/** The tables of a database follow from it. */
export interface Described {
  readonly resources: readonly Resource[];
  readonly computed: Computed;
}

/** How a value is written: unchanged, as 0 or 1, as a mark that is never null, or as the key that compares it (D16). */
export type Coding = 'plain' | 'boolean' | 'mark' | 'text key' | 'instant key';

export interface Column {
  readonly name: string;
  /** The member of the stored row with the value. */
  readonly from: string;
  readonly type: SqlType;
  readonly coding: Coding;
}

interface OrderTerm {
  readonly column: string;
  readonly down: boolean;
}

export interface Table {
  readonly name: string;
  /** The SQL that its store speaks. */
  readonly dialect: Dialect;
  readonly resource: Resource;
  /** The columns of a stored row: the fields in the contract's order, then the hidden ones. */
  readonly columns: readonly Column[];
  /** An empty row of these columns. Rows begin as its copy, so that all have one shape. */
  readonly blank: Row;
  /** Further columns with the keys that compare values; they are never answered. */
  readonly keys: readonly Column[];
  readonly order: readonly OrderTerm[];
  /** Comes before `order`: a field that names a record, and the member of that record by which lists are ordered. */
  readonly orderNamed: readonly (readonly [field: string, member: string])[];
  /** `Deleted` and `DeletedByRef`, as far as the table has them. */
  readonly marks: readonly string[];
}

export interface Schema {
  readonly dialect: Dialect;
  readonly tables: readonly Table[];
  /** Throws where the contract has no such resource. */
  table(resource: string): Table;
}

/** Derives the tables of these resources, each on first use: most commands need one or two. */
export function schemaOf(resources: readonly Resource[], computed: Computed, dialect: Dialect): Schema {
  const known = new Map(resources.map((resource) => [resource.name, resource]));
  const table = oncePerText((name) => {
    const resource = known.get(name);
    if (!resource) throw new Error(`There is no table for "${name}"`);
    return tableOf(resource, computed[name] ?? [], dialect);
  });
  const all = once(() => resources.map(({ name }) => table(name)));
  return {
    dialect,
    get tables() {
      return all();
    },
    table,
  };
}

/** The column by which a field is compared: its key where it has one. Throws where the field is not stored. */
export function comparedBy(table: Table, field: string): Column {
  const column = table.keys.find((key) => key.from === field) ?? table.columns.find(({ name }) => name === field);
  if (!column) throw new Error(`${table.name} stores no ${field}`);
  return column;
}

const SQL_TYPES: Readonly<Record<Kind, SqlType>> = {
  guid: 'TEXT',
  guids: 'TEXT',
  text: 'TEXT',
  date: 'TEXT',
  day: 'TEXT',
  stamp: 'TEXT',
  bytes: 'TEXT',
  integer: 'INTEGER',
  byte: 'INTEGER',
  boolean: 'FLAG',
  decimal: 'REAL',
};
const MARKS: readonly string[] = ['Deleted', 'DeletedByRef'];

function tableOf(resource: Resource, computed: readonly string[], dialect: Dialect): Table {
  const stored = Object.entries(resource.fields).filter(
    ([name, field]) => !field.writeOnly && !field.nullOnly && !computed.includes(name),
  );
  const visible = stored.map(([name, field]) => column(name, field.kind));
  const columns = [...visible, ...hidden(resource, new Set(visible.map(({ name }) => name)))];
  const ordered = new Set(orderFields(resource).map(({ field }) => field));
  const keys = stored.flatMap(([name, field]) => keyOf(resource, name, field, ordered.has(name)));
  const marks = MARKS.filter((mark) => columns.some(({ name }) => name === mark));
  return {
    name: resource.name,
    dialect,
    resource,
    columns,
    blank: Object.fromEntries(columns.map(({ name }) => [name, null])),
    keys,
    order: orderOf(resource, keys),
    orderNamed: [resource.order].flat().flatMap((term) => {
      const [field = '', member] = term.split('.');
      return member === undefined ? [] : [[field, member] as const];
    }),
    marks,
  };
}

function column(name: string, kind: Kind): Column {
  const coding = MARKS.includes(name) ? 'mark' : kind === 'boolean' ? 'boolean' : 'plain';
  return { name, from: name, type: SQL_TYPES[kind], coding };
}

/** The columns that records need although the service does not show them. */
function hidden(resource: Resource, visible: ReadonlySet<string>): readonly Column[] {
  const wanted: readonly (readonly [name: string, kind: Kind, is: boolean])[] = [
    ['SiteID', 'guid', true],
    ['ID', 'text', true],
    ['Deleted', 'boolean', isSoft(resource)],
    ['DeletedByRef', 'boolean', ownersOf(resource).length > 0],
    ['TreeKey', 'text', resource.order === 'tree'],
    ['Others', 'text', resource.open],
    // The owner that rights are inherited from, where no field shows it.
    ...inheritanceOf(resource).map(({ field }) => [field, 'guid', true] as const),
  ];
  return wanted.filter(([name, , is]) => is && !visible.has(name)).map(([name, kind]) => column(name, kind));
}

/**
 * Texts have a key where they order or name records, except that the key of a unique one is in its side table; dates where
 * they order records or are writable.
 */
function keyOf(resource: Resource, name: string, field: Field, inOrder: boolean): readonly Column[] {
  const key = (coding: Coding): Column => ({ name: `${name}$`, from: name, type: 'TEXT', coding });
  if (field.kind === 'text')
    return inOrder || (!field.unique && resource.names.includes(name)) ? [key('text key')] : [];
  return isDate(field) && (inOrder || isWritable(field)) ? [key('instant key')] : [];
}

function orderFields(resource: Resource): readonly { field: string; down: boolean }[] {
  if (resource.order === 'tree') return [{ field: 'TreeKey', down: false }];
  return resource.order
    .filter((term) => !term.includes('.'))
    .map((term) => (term.startsWith('-') ? { field: term.slice(1), down: true } : { field: term, down: false }));
}

function orderOf(resource: Resource, keys: readonly Column[]): readonly OrderTerm[] {
  const terms = orderFields(resource).map(({ field, down }) => ({
    column: keys.find((key) => key.from === field)?.name ?? field,
    down,
  }));
  return [...terms, { column: 'ID', down: false }];
}
