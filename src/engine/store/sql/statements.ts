// The SQL that reads and writes records. Values are always bound, never part of the text.
import type { Row, Value } from '../../../contract/resource.ts';
import { oncePer } from '../../../text/once-per.ts';
import { textKey } from '../../../text/text-key.ts';
import type { Among, Deleted, Query, Source } from '../port.ts';
import { comparedBy, type Schema, type Table } from '../schema/tables.ts';
import { isListField, listContains, listContainsAny } from './list-fields.ts';
import { instantKey } from './rows.ts';
import type { Bound } from './steps.ts';

export interface Statement {
  readonly sql: string;
  readonly params: readonly Bound[];
}

/** Several parts as one, with a separator between them. */
export const joined = (parts: readonly Statement[], separator: string): Statement => ({
  sql: parts.map(({ sql }) => sql).join(separator),
  params: parts.flatMap(({ params }) => params),
});

/** A name as SQL writes it: `Primary` and `Values` are keywords. */
export const quoted = (name: string): string => `"${name}"`;

const BY_KEY = '"SiteID" = ? AND "ID" = ?';

const columnList = oncePer((table: Table): string => table.columns.map(({ name }) => quoted(name)).join(', '));

export const selectOne = oncePer(
  (table: Table): string => `SELECT ${columnList(table)} FROM ${quoted(table.name)} WHERE ${BY_KEY}`,
);

/** The two values are bound once, not once for each table: binding costs more than the look itself. */
const GIVEN = 'FROM (SELECT ? AS "Site", ? AS "Given") AS key';

const hasGiven = ({ name }: Table, column = 'ID'): string =>
  `EXISTS (SELECT 1 FROM ${quoted(name)} WHERE "SiteID" = key."Site" AND ${quoted(column)} = key."Given")`;

/** Which of the tables has this record; they are asked in their order. */
export const firstKind = (tables: readonly Table[]): string =>
  `SELECT CASE ${tables.map((table) => `WHEN ${hasGiven(table)} THEN '${table.name}'`).join(' ')} END ${GIVEN}`;

/** Does one of the tables have a record of this ID, or the table of individuals this UserID? */
export const takenBy = (tables: readonly Table[], individuals: Table): string =>
  `SELECT ${[hasGiven(individuals, 'UserID'), ...tables.map((table) => hasGiven(table))].join(' OR ')} ${GIVEN}`;

/** The same of many IDs, as a JSON array. */
export const takenAmong = (tables: readonly Table[], individuals: Table): string =>
  `SELECT "Given" FROM (SELECT ? AS "Site", value AS "Given" FROM json_each(?)) AS key
  WHERE ${[hasGiven(individuals, 'UserID'), ...tables.map((table) => hasGiven(table))].join(' OR ')}`;

export function insertInto(table: Table): string {
  const names = [...table.columns, ...table.keys].map(({ name }) => quoted(name));
  return `INSERT INTO ${quoted(table.name)} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}

export const updateOf = (table: Table, columns: readonly string[]): string =>
  `UPDATE ${quoted(table.name)} SET ${columns.map((name) => `${quoted(name)} = ?`).join(', ')} WHERE ${BY_KEY}`;

export const deleteFrom = (table: Table): string => `DELETE FROM ${quoted(table.name)} WHERE ${BY_KEY}`;

export const countBy = (table: Table, ownerField: string): string => {
  const where = ['"SiteID" = ?', ...liveness(table, 0)].join(' AND ');
  const owner = quoted(ownerField);
  return `SELECT ${owner}, count(*) FROM ${quoted(table.name)} WHERE ${where} AND ${owner} IS NOT NULL GROUP BY ${owner}`;
};

/** The conditions of the filter of D4, on the marks that the table has. */
function liveness(table: Table, deleted: Deleted): readonly string[] {
  if (deleted === 2) return [];
  if (deleted === 0) return table.marks.map((mark) => `${quoted(mark)} = 0`);
  return [table.marks.length === 0 ? '0' : `(${table.marks.map((mark) => `${quoted(mark)} = 1`).join(' OR ')})`];
}

/** A read filter as SQL: common table expressions in front of the query, and a condition. */
export interface CompiledFilter {
  readonly before: Statement;
  readonly condition: Statement;
}

/** The SQL of a query, and what is bound to it. */
export function select(schema: Schema, query: Query, filter?: CompiledFilter): Statement {
  const table = schema.table(query.resource);
  const { sql, params } = joined(
    [...conditionsOf(schema, table, query), ...(filter ? [filter.condition] : [])],
    ' AND ',
  );
  const where = sql === '' ? '' : ` WHERE ${sql}`;
  const order = query.ordered ? ` ORDER BY ${orderOf(table, query)}` : '';
  // SQLite prepares a statement anew whenever a bare `LIMIT ?` is bound, which takes longer than most queries.
  const limit = query.limit === undefined ? '' : ' LIMIT ? + 0';
  return {
    sql: `${filter?.before.sql ?? ''}SELECT ${columnList(table)} FROM ${quoted(table.name)}${where}${order}${limit}`,
    params: [...(filter?.before.params ?? []), ...params, ...(query.limit === undefined ? [] : [query.limit])],
  };
}

function conditionsOf(schema: Schema, table: Table, query: Query): readonly Statement[] {
  const { site, equals, naming, named, namedAny, between, among, ids, holding, deleted } = query;
  return [
    ...inSite(site),
    ...equalTo(table, site, equals),
    ...(naming ? [namingAny(table, site, naming)] : []),
    ...Object.entries(named ?? {}).map(([field, text]) =>
      bound(`${quoted(textKeyOf(table, field))} = ?`, textKey(text)),
    ),
    ...(namedAny ? [isNamedAny(table, namedAny)] : []),
    ...(among ? [isAmong(schema, table, among, site)] : []),
    ...(between ? [isBetween(table, between)] : []),
    ...(holding ? [isHolding(table, holding)] : []),
    ...(ids ? [bound('"ID" IN (SELECT value FROM json_each(?))', JSON.stringify(ids))] : []),
    ...liveness(table, deleted).map((sql) => ({ sql, params: [] })),
  ];
}

const bound = (sql: string, ...params: readonly Bound[]): Statement => ({
  sql,
  params,
});

const inSite = (site: string | undefined): readonly Statement[] =>
  site === undefined ? [] : [bound('"SiteID" = ?', site)];

const equalTo = (table: Table, site: string | undefined, equals: Row = {}): readonly Statement[] =>
  Object.entries(equals).map(([field, value]) =>
    isListField(table, field) && value !== null
      ? bound(listContains(table, field), site ?? null, String(value))
      : equal(stored(table, field), value),
  );

function namingAny(table: Table, site: string | undefined, { field, ids }: NonNullable<Query['naming']>): Statement {
  const wanted = JSON.stringify(ids);
  return isListField(table, field)
    ? bound(listContainsAny(table, field), site ?? null, wanted)
    : bound(`${quoted(stored(table, field))} IN (SELECT value FROM json_each(?))`, wanted);
}

const isNamedAny = (table: Table, { field, texts }: NonNullable<Query['namedAny']>): Statement =>
  bound(
    `${quoted(textKeyOf(table, field))} IN (SELECT value FROM json_each(?))`,
    JSON.stringify(texts.map((text) => textKey(text))),
  );

/** A boolean is part of the text, so that SQLite finds the partial index on it. */
function equal(column: string, value: Value): Statement {
  if (value === null) return bound(`${quoted(column)} IS NULL`);
  if (typeof value === 'boolean') return bound(`${quoted(column)} = ${value ? 1 : 0}`);
  return bound(`${quoted(column)} = ?`, value);
}

function stored(table: Table, field: string): string {
  if (table.columns.some(({ name }) => name === field)) return field;
  throw new Error(`${table.name} stores no ${field}`);
}

function textKeyOf(table: Table, field: string): string {
  const column = comparedBy(table, field);
  if (column.coding === 'text key') return column.name;
  throw new Error(`${table.name} keeps no key of ${field}: it is neither in the order nor a name`);
}

function isBetween(table: Table, { field, from, to }: NonNullable<Query['between']>): Statement {
  const column = comparedBy(table, field);
  if (column.coding !== 'instant key') throw new Error(`${table.name} keeps no instant of ${field}`);
  return bound(`${quoted(column.name)} BETWEEN ? AND ?`, instantKey(from), instantKey(to));
}

/** The function is our own, see connection.ts. No stored text has the character that stands between the texts. */
function isHolding(table: Table, { fields, text }: NonNullable<Query['holding']>): Statement {
  const texts = fields.map((field) => quoted(stored(table, field))).join(', ');
  return bound(`holds_folded(concat_ws(char(1), ${texts}), ?)`, text);
}

function isAmong(schema: Schema, table: Table, among: Among, site: string | undefined): Statement {
  const sources = among.sources.map((source) => picked(schema, source, site));
  // SQLite would sort a plain UNION, and scan the site for that.
  const { sql, params } = joined(sources, ' UNION ALL ');
  return { sql: `${quoted(stored(table, among.field))} IN (${sql})`, params };
}

function picked(schema: Schema, source: Source, site: string | undefined): Statement {
  const other = schema.table(source.resource);
  const { sql, params } = joined([...inSite(site), ...equalTo(other, site, source.equals)], ' AND ');
  return { sql: `SELECT ${quoted(stored(other, source.pick))} FROM ${quoted(other.name)} WHERE ${sql}`, params };
}

/** The plus makes SQLite sort the few wanted records, instead of testing each record of the site in order. */
const orderOf = (table: Table, { among, ids }: Query): string =>
  table.order.map(({ column, down }) => `${among || ids ? '+' : ''}${quoted(column)}${down ? ' DESC' : ''}`).join(', ');
