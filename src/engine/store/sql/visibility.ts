// What a viewer may see of a list, as SQL: the predicate of single reads (D19), compiled from what resources say of their rights.
import { HOLDERS } from '../../../contract/resources/permissions.ts';
import { inheritanceOf, isPrivate } from '../../../contract/rights.ts';
import type { ReadFilter, State, Viewer } from '../port.ts';
import type { Schema, Table } from '../schema/tables.ts';
import type { Bound } from '../sqlite/connection.ts';
import { type CompiledFilter, quoted, type Statement } from './statements.ts';

const NOTHING: Statement = { sql: '', params: [] };
const EVERYTHING: Statement = { sql: '1', params: [] };

/** Undefined where the viewer sees all of the site. */
export function compileFilter(
  schema: Schema,
  table: Table,
  { filter, individual, site }: Viewer,
): CompiledFilter | undefined {
  if (!filter) return undefined;
  const compiler = compilerOf(schema, site);
  const isKept = isPrivate(table.resource);
  const unsaid = isKept ? orAuthor(table, individual, compiler.notOfOthers(table)) : EVERYTHING;
  const condition = isEmpty(filter) ? unsaid : compiler.decide(table, filter, unsaid);
  if (condition === EVERYTHING) return undefined;
  const tables = [
    ...(isEmpty(filter) ? [] : decidedTables(filter, site)),
    ...(isKept ? [reportsTo(individual, site)] : []),
  ];
  return { before: withTables(tables), condition };
}

/** One's own comments are there for their author, whoever they are about. */
const orAuthor = ({ name, resource }: Table, individual: string, { sql, params }: Statement): Statement =>
  resource.rights.unset === 'authored'
    ? { sql: `(${quoted(name)}."CreatedBy" = ? OR (${sql}))`, params: [individual, ...params] }
    : { sql: `(${sql})`, params };

const isEmpty = ({ records, site, siteForType, siteForOrganizations }: ReadFilter): boolean =>
  records.length === 0 && site === undefined && siteForType === undefined && siteForOrganizations === undefined;

function withTables(tables: readonly Statement[]): Statement {
  if (tables.length === 0) return NOTHING;
  return {
    sql: `WITH RECURSIVE ${tables.map(({ sql }) => sql).join(', ')} `,
    params: tables.flatMap(({ params }) => params),
  };
}

/** `decided` holds every organization and project below which a row decides, and everything else that has one. */
function decidedTables({ records }: ReadFilter, site: string): readonly Statement[] {
  const rows = JSON.stringify(records.map(({ id, own, below }) => [id, own ?? null, below ?? null]));
  const here = 'SELECT ID FROM said WHERE Below IS NOT NULL';
  return [
    {
      sql: `said (ID, Own, Below) AS MATERIALIZED (
        SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?))`,
      params: [rows],
    },
    {
      sql: `departments (ID, State) AS MATERIALIZED (
        SELECT ID, Below FROM said WHERE Below IS NOT NULL
        UNION SELECT o."ID", d.State FROM departments AS d
        CROSS JOIN "organization" AS o ON o."SiteID" = ? AND o."ParentID" = d.ID WHERE o."ID" NOT IN (${here}))`,
      params: [site],
    },
    {
      sql: `decided (ID, State) AS MATERIALIZED (
        SELECT ID, State FROM departments
        UNION SELECT p."ID", d.State FROM departments AS d
        CROSS JOIN "project" AS p ON p."SiteID" = ? AND p."AncestorID" = d.ID
        WHERE p."ParentID" IS NULL AND p."ID" NOT IN (${here})
        UNION SELECT p."ID", d.State FROM decided AS d
        CROSS JOIN "project" AS p ON p."SiteID" = ? AND p."ParentID" = d.ID WHERE p."ID" NOT IN (${here}))`,
      params: [site, site],
    },
  ];
}

/** Everybody below the viewer, and the viewer. */
const reportsTo = (individual: string, site: string): Statement => ({
  sql: `reports (ID) AS MATERIALIZED (
    SELECT ? UNION SELECT i."ID" FROM reports AS r
    CROSS JOIN "individual" AS i ON i."SiteID" = ? AND i."PrimaryReportsTo" = r.ID)`,
  params: [individual, site],
});

/** The trees that rights pass through: `decided` holds them with all that is above, by a recursion of their own. */
const TREES: readonly string[] = ['organization', 'project'];

interface Compiler {
  decide(table: Table, sight: ReadFilter, unsaid: Statement): Statement;
  /** True for what belongs to no individual, and for what belongs to one of `reports`. */
  notOfOthers(table: Table): Statement;
}

function compilerOf(schema: Schema, site: string): Compiler {
  /** The owner's ID as SQL: the first of the fields that is set. */
  const ownerOf = (table: Table, alias: string): string | undefined => {
    const fields = inheritanceOf(table.resource).map(({ field }) => `${quoted(alias)}.${quoted(field)}`);
    return fields.length > 1 ? `coalesce(${fields.join(', ')})` : fields[0];
  };
  const targetsOf = ({ resource }: Table): readonly string[] => [
    ...new Set(inheritanceOf(resource).flatMap(({ targets }) => targets)),
  ];
  let count = 0;
  const within = (kind: string, id: string, make: (owner: Table, alias: string) => Statement): Statement => {
    const alias = `a${++count}`;
    const { sql, params } = make(schema.table(kind), alias);
    return {
      sql: `(SELECT ${sql} FROM ${quoted(kind)} AS ${alias} WHERE ${alias}."SiteID" = ? AND ${alias}."ID" = ${id})`,
      params: [...params, site],
    };
  };

  /** The state that the owners decide, or null. */
  const above = (table: Table, alias: string): Statement => {
    const id = ownerOf(table, alias);
    if (id === undefined) return { sql: 'NULL', params: [] };
    const further = targetsOf(table)
      .filter((kind) => !TREES.includes(kind) && inheritanceOf(schema.table(kind).resource).length > 0)
      .map((kind) => within(kind, id, above));
    return firstOf([stateIn(id, 'decided', 'State'), ...further]);
  };
  const decide = (table: Table, sight: ReadFilter, unsaid: Statement): Statement => {
    const { name } = table;
    const isHolder = HOLDERS.some((kind) => kind === name);
    const own =
      isHolder && sight.records.some((one) => one.own) ? [stateIn(`${quoted(name)}."ID"`, 'said', 'Own')] : [];
    const state =
      name === 'site' ? literal(sight.site) : firstOf([...own, above(table, name), siteState(table, sight)]);
    return {
      sql: `CASE ${state.sql} WHEN 1 THEN 1 WHEN 2 THEN 0 ELSE ${unsaid.sql} END`,
      params: [...state.params, ...unsaid.params],
    };
  };

  const notOf = (table: Table, alias: string): Statement => {
    const id = ownerOf(table, alias);
    const kinds = id === undefined ? [] : targetsOf(table).filter((kind) => !TREES.includes(kind));
    return allOf(kinds.map((kind) => (kind === 'individual' ? notOther(String(id)) : within(kind, String(id), notOf))));
  };
  const notOther = (id: string): Statement => ({
    sql: `(${id} IN (SELECT ID FROM reports)
      OR NOT EXISTS (SELECT 1 FROM "individual" AS i WHERE i."SiteID" = ? AND i."ID" = ${id}))`,
    params: [site],
  });
  return { decide, notOfOthers: (table) => notOf(table, table.name) };
}

/** An owner that is not there forbids nothing. */
const allOf = (parts: readonly Statement[]): Statement =>
  parts.length === 0
    ? EVERYTHING
    : {
        sql: parts.map(({ sql }) => `coalesce(${sql}, 1)`).join(' AND '),
        params: parts.flatMap(({ params }) => params),
      };

const firstOf = (parts: readonly Statement[]): Statement =>
  parts.length === 1 && parts[0]
    ? parts[0]
    : { sql: `coalesce(${parts.map(({ sql }) => sql).join(', ')})`, params: parts.flatMap(({ params }) => params) };

/** SQLite keeps both lists as trees and asks them by key, however many records there are. */
const stateIn = (id: string, from: string, state: string): Statement => ({
  sql: `CASE WHEN ${id} IN (SELECT ID FROM ${from} WHERE ${state} = 2) THEN 2
    WHEN ${id} IN (SELECT ID FROM ${from} WHERE ${state} = 1) THEN 1 END`,
  params: [],
});

const literal = (state: State | undefined): Statement => ({
  sql: state === undefined ? 'NULL' : '?',
  params: bound(state),
});
const bound = (state: State | undefined): readonly Bound[] => (state === undefined ? [] : [state]);

/** What the site says; organizations are a type of their own beside departments. */
function siteState(table: Table, { siteForType, siteForOrganizations }: ReadFilter): Statement {
  if (table.name !== 'organization') return literal(siteForType);
  const [organizations, departments] = [literal(siteForOrganizations), literal(siteForType)];
  return {
    sql: `CASE "organization"."RowType" WHEN 4 THEN ${organizations.sql} ELSE ${departments.sql} END`,
    params: [...organizations.params, ...departments.params],
  };
}
