// The SQL that reads and writes records. Values are always bound, never part of the text.
import type { Row, Value } from '../../../contract/resource.ts';
import { oncePer } from '../../../text/once-per.ts';
import { textKey } from '../../../text/text-key.ts';
import type { Among, Deleted, Query, Source } from '../port.ts';
import { type Column, comparedBy, type Schema, type Table } from '../schema/tables.ts';
import type { Asked, Typed } from './dialect.ts';
import { instantKey } from './rows.ts';
import { isListField, isUniqueField, listContains, listContainsAny, uniqueIs, uniqueIsAny } from './side-tables.ts';
import type { Bound } from './steps.ts';

export const joined = (parts: readonly Asked[], separator: string): Asked => ({
  sql: parts.map(({ sql }) => sql).join(separator),
  params: parts.flatMap(({ params }) => params),
});

/** A name as SQL writes it: `Primary` and `Values` are keywords. */
export const quoted = (name: string): string => `"${name}"`;

/** A stored field as SQL. Throws where the field is not stored. */
export const typed = (table: Table, field: string): Typed => ({
  name: quoted(field),
  type: columnOf(table, field).type,
});

const comparable = ({ dialect }: Table, { type }: Pick<Column, 'type'>, value = '?'): string =>
  type === 'INTEGER' ? dialect.integer(value) : value;

export const byKey = oncePer(
  (table: Table): string => `"SiteID" = ? AND "ID" = ${comparable(table, columnOf(table, 'ID'))}`,
);

const columnList = oncePer((table: Table): string => table.columns.map(({ name }) => quoted(name)).join(', '));

export const selectOne = oncePer(
  (table: Table): string => `SELECT ${columnList(table)} FROM ${quoted(table.name)} WHERE ${byKey(table)}`,
);

/** The live individual of a user name, its site and the hash of its password: everything that a login needs, at once. */
export function selectLogin(individuals: Table, sites: Table): string {
  const columns = (table: Table, name: string): readonly string[] =>
    table.columns.map((column) => `${name}.${quoted(column.name)}`);
  const live = liveness(individuals, 0).map((condition) => `individual.${condition}`);
  const { join } = individuals.dialect;
  return `SELECT ${[...columns(individuals, 'individual'), ...columns(sites, 'site'), 'secret.Hash'].join(', ')}
  FROM ${quoted(`${individuals.name}_UserName`)} AS name
  ${join} ${quoted(individuals.name)} AS individual ON individual."SiteID" = name."SiteID" AND individual."ID" = name."ID"
  LEFT JOIN ${quoted(sites.name)} AS site ON site."SiteID" = individual."SiteID" AND site."ID" = individual."SiteID"
  LEFT JOIN secret ON secret.SiteID = individual."SiteID" AND secret.IndividualID = individual."ID"
  WHERE ${['name."Held" = ?', ...live].join(' AND ')}`;
}

/** The two values are bound once, not once for each table: binding costs more than the look itself. */
const GIVEN = 'FROM (SELECT ? AS "Site", ? AS "Given") AS key';

function hasGiven(table: Table, column = 'ID'): string {
  const given = comparable(table, columnOf(table, column), 'key."Given"');
  return `EXISTS (SELECT 1 FROM ${quoted(table.name)} WHERE "SiteID" = key."Site" AND ${quoted(column)} = ${given})`;
}

/** Which of the tables has this record; they are asked in their order. */
export const firstKind = (tables: readonly Table[]): string =>
  `SELECT CASE ${tables.map((table) => `WHEN ${hasGiven(table)} THEN '${table.name}'`).join(' ')} END ${GIVEN}`;

/** Does one of the tables have a record of this ID, or the table of individuals this UserID? */
export const takenBy = (tables: readonly Table[], individuals: Table): string =>
  `SELECT ${[hasGiven(individuals, 'UserID'), ...tables.map((table) => hasGiven(table))].join(' OR ')} ${GIVEN}`;

/**
 * The IDs of a list that are taken. New IDs ascend, and a table mostly has none between the first and the last: then one look
 * is enough for all of them.
 */
export function takenAmong(tables: readonly Table[], individuals: Table): string {
  const { texts, text } = individuals.dialect;
  const either = [hasOneOf(individuals, 'UserID'), ...tables.map((table) => hasOneOf(table))].join(' OR ');
  return `WITH key AS MATERIALIZED (SELECT ? AS "Site", value AS "Given" FROM ${texts}),
  span AS MATERIALIZED (SELECT "Site", min(${text('"Given"')}) AS "First", max(${text('"Given"')}) AS "Last" FROM key GROUP BY "Site")
  SELECT key."Given" FROM key WHERE ${either}`;
}

function hasOneOf(table: Table, column = 'ID'): string {
  const { dialect, name } = table;
  // Numbers have another order than the texts that are given.
  if (columnOf(table, column).type === 'INTEGER') return hasGiven(table, column);
  const isWithin = `"SiteID" = span."Site" AND ${quoted(column)} BETWEEN span."First" AND span."Last"`;
  return `EXISTS (SELECT 1 FROM span ${dialect.join} ${quoted(name)} ON ${isWithin}) AND ${hasGiven(table, column)}`;
}

/** Of each of a list of IDs, the ID of the first record in order that names it by the field and is not deleted itself. */
export const selectFirsts = (table: Table, field: string): string =>
  `SELECT (SELECT "ID" FROM ${quoted(table.name)}
    WHERE "SiteID" = key."Site" AND ${quoted(columnOf(table, field).name)} = key."Given" AND "Deleted" = 0
    ORDER BY ${orderOf(table)} LIMIT 1) AS "First"
  FROM (SELECT ? AS "Site", value AS "Given" FROM ${table.dialect.texts}) AS key`;

export const countBy = (table: Table, ownerField: string): string => {
  const where = ['"SiteID" = ?', ...liveness(table, 0)].join(' AND ');
  const owner = quoted(ownerField);
  return `SELECT ${owner}, count(*) FROM ${quoted(table.name)} WHERE ${where} AND ${owner} IS NOT NULL GROUP BY ${owner}`;
};

/** The conditions of the filter of D4, on the marks that the table has. */
function liveness(table: Table, deleted: Deleted): readonly string[] {
  if (deleted === 2) return [];
  if (deleted === 0) return table.marks.map((mark) => `${quoted(mark)} = 0`);
  return [table.marks.length === 0 ? 'FALSE' : `(${table.marks.map((mark) => `${quoted(mark)} = 1`).join(' OR ')})`];
}

/** A read filter as SQL: common table expressions in front of the query, and a condition. */
export interface CompiledFilter {
  readonly before: Asked;
  readonly condition: Asked;
}

/** The SQL of a query, with its parameters. */
export function select(schema: Schema, query: Query, filter?: CompiledFilter): Asked {
  const table = schema.table(query.resource);
  const { sql, params } = joined(
    [...conditionsOf(schema, table, query), ...(filter ? [filter.condition] : [])],
    ' AND ',
  );
  const where = sql === '' ? '' : ` WHERE ${sql}`;
  const order = query.ordered ? ` ORDER BY ${[...orderNamed(schema, table), orderOf(table, query)].join(', ')}` : '';
  // SQLite prepares a statement anew whenever a bare `LIMIT ?` is bound, which takes longer than most queries.
  const hasLimit = query.limit !== undefined && !isReadToKnow(table, query);
  const limit = hasLimit ? ' LIMIT CAST(? AS BIGINT)' : '';
  return {
    sql: `${filter?.before.sql ?? ''}SELECT ${columnList(table)} FROM ${quoted(table.name)}${where}${order}${limit}`,
    params: [...(filter?.before.params ?? []), ...params, ...(hasLimit ? [query.limit ?? 0] : [])],
  };
}

/** Must rows be read to know which of them the query means? */
export const isReadToKnow = ({ dialect }: Table, { holding }: Query): boolean =>
  holding !== undefined && !dialect.holdsExactly;

function conditionsOf(schema: Schema, table: Table, query: Query): readonly Asked[] {
  const { site, equals, naming, named, namedAny, between, among, ids, holding, deleted } = query;
  return [
    ...inSite(site),
    ...equalTo(table, site, equals),
    ...(naming ? [namingAny(table, site, naming)] : []),
    ...Object.entries(named ?? {}).map(([field, text]) => isNamed(table, field, text)),
    ...(namedAny ? [isNamedAny(table, namedAny)] : []),
    ...(among ? [isAmong(schema, table, among, site)] : []),
    ...(between ? [isBetween(table, between)] : []),
    ...(holding ? [isHolding(table, holding)] : []),
    ...(ids ? [bound(table.dialect.isAny(typed(table, 'ID')), JSON.stringify(ids))] : []),
    ...liveness(table, deleted).map((sql) => ({ sql, params: [] })),
  ];
}

const bound = (sql: string, ...params: readonly Bound[]): Asked => ({ sql, params });

const inSite = (site: string | undefined): readonly Asked[] =>
  site === undefined ? [] : [bound('"SiteID" = ?', site)];

const equalTo = (table: Table, site: string | undefined, equals: Row = {}): readonly Asked[] =>
  Object.entries(equals).map(([field, value]) =>
    isListField(table, field) && value !== null
      ? bound(listContains(table, field), site ?? null, String(value))
      : equal(table, columnOf(table, field), value),
  );

function namingAny(table: Table, site: string | undefined, { field, ids }: NonNullable<Query['naming']>): Asked {
  const wanted = JSON.stringify(ids);
  return isListField(table, field)
    ? bound(listContainsAny(table, field), site ?? null, wanted)
    : bound(table.dialect.isAny(typed(table, field)), wanted);
}

/** A boolean is part of the text, so that SQLite finds the partial index on it. */
function equal(table: Table, column: Column, value: Value): Asked {
  const name = quoted(column.name);
  if (value === null) return bound(`${name} IS NULL`);
  if (typeof value === 'boolean') return bound(`${name} = ${value ? 1 : 0}`);
  return bound(`${name} = ${comparable(table, column)}`, value);
}

function columnOf(table: Table, field: string): Column {
  const column = table.columns.find(({ name }) => name === field);
  if (!column) throw new Error(`${table.name} stores no ${field}`);
  return column;
}

function textKeyOf(table: Table, field: string): string {
  const column = comparedBy(table, field);
  if (column.coding === 'text key') return column.name;
  throw new Error(`${table.name} keeps no key of ${field}: it is neither in the order nor a name`);
}

function isNamed(table: Table, field: string, text: string): Asked {
  const sql = isUniqueField(table, field) ? uniqueIs(table, field) : `${quoted(textKeyOf(table, field))} = ?`;
  return bound(sql, textKey(text));
}

function isNamedAny(table: Table, { field, texts }: NonNullable<Query['namedAny']>): Asked {
  const keys = JSON.stringify(texts.map(textKey));
  if (isUniqueField(table, field)) return bound(uniqueIsAny(table, field), keys);
  const key: Typed = { name: quoted(textKeyOf(table, field)), type: 'TEXT' };
  return bound(table.dialect.isAny(key), keys);
}

function isBetween(table: Table, { field, from, to }: NonNullable<Query['between']>): Asked {
  const column = comparedBy(table, field);
  if (column.coding !== 'instant key') throw new Error(`${table.name} keeps no instant of ${field}`);
  return bound(`${quoted(column.name)} BETWEEN ? AND ?`, instantKey(from), instantKey(to));
}

function isHolding(table: Table, { fields, text }: NonNullable<Query['holding']>): Asked {
  const columns = fields.map((field) => quoted(columnOf(table, field).name));
  return bound(table.dialect.holds(columns), text);
}

function isAmong(schema: Schema, table: Table, among: Among, site: string | undefined): Asked {
  const sources = among.sources.map((source) => picked(schema, source, site));
  // SQLite would sort a plain UNION, and scan the site for that.
  const { sql, params } = joined(sources, ' UNION ALL ');
  return { sql: `${quoted(columnOf(table, among.field).name)} IN (${sql})`, params };
}

function picked(schema: Schema, source: Source, site: string | undefined): Asked {
  const other = schema.table(source.resource);
  const { sql, params } = joined([...inSite(site), ...equalTo(other, site, source.equals)], ' AND ');
  return { sql: `SELECT ${quoted(columnOf(other, source.pick).name)} FROM ${quoted(other.name)} WHERE ${sql}`, params };
}

function orderNamed(schema: Schema, { name, dialect, resource, orderNamed: terms }: Table): readonly string[] {
  return terms.map(([field, member]) => {
    const other = schema.table(resource.fields[field]?.to?.[0] ?? '');
    const isNamed = `"SiteID" = ${quoted(name)}."SiteID" AND "ID" = ${quoted(name)}.${quoted(field)}`;
    const value = `SELECT ${quoted(comparedBy(other, member).name)} FROM ${quoted(other.name)} WHERE ${isNamed}`;
    return dialect.ordered(`(${value})`, false);
  });
}

/** The few wanted records are sorted, instead of testing each record of the site in order. */
function orderOf({ order, dialect }: Table, { among, ids, namedAny }: Partial<Query> = {}): string {
  const isFew = among || ids || namedAny;
  const column = (name: string): string => (isFew ? dialect.unindexed(quoted(name)) : quoted(name));
  return order.map((term) => dialect.ordered(column(term.column), term.down)).join(', ');
}
