// The read filter as SQL: the condition of single reads (D19), compiled from the rights of each resource.
import { HOLDERS } from '../../../contract/resources/permissions.ts';
import { inheritanceOf, isPrivate } from '../../../contract/rights.ts';
import type { Query, ReadFilter, State } from '../port.ts';
import type { Schema, Table } from '../schema/tables.ts';
import type { Asked, Dialect } from './dialect.ts';
import { type CompiledFilter, joined, quoted } from './statements.ts';

const DENY = 2;
const NOTHING: Asked = { sql: '', params: [] };
const EVERYTHING: Asked = { sql: 'TRUE', params: [] };

/** The filter of a query in one site; undefined if it filters nothing. */
export function compileFilter(
  schema: Schema,
  { resource, site = '', readFilter: filter }: Query,
): CompiledFilter | undefined {
  if (!filter) return undefined;
  const table = schema.table(resource);
  const compiler = compilerOf(schema, site, filter);
  // Of several chains one that ends at the site is enough to deny; organizations and departments have one chain alone.
  const isDenied = filter.siteForType === DENY && resource !== 'organization';
  const deniedBelow: ReadFilter['records'] = isDenied ? [{ id: site, own: undefined, below: DENY }] : [];
  const isHidden = isPrivate(table.resource);
  const byDefault = isHidden ? orAuthor(table, filter.individual, compiler.notOfOthers(table)) : EVERYTHING;
  const condition = isEmpty(filter) ? byDefault : compiler.decide(table, byDefault);
  if (condition === EVERYTHING) return undefined;
  const tables = [
    ...(isEmpty(filter) ? [] : decidedTables(schema.dialect, [...filter.records, ...deniedBelow], site)),
    ...(isHidden ? [reportsTable(schema.dialect, filter.individual, site)] : []),
  ];
  return { before: withTables(tables), condition };
}

/** Authors read their own comments, whatever these are about. */
const orAuthor = ({ name, resource }: Table, individual: string, { sql, params }: Asked): Asked =>
  resource.rights.unset === 'authored'
    ? { sql: `(${quoted(name)}."CreatedBy" = ? OR (${sql}))`, params: [individual, ...params] }
    : { sql: `(${sql})`, params };

const isEmpty = ({ records, site, siteForType, siteForOrganizations }: ReadFilter): boolean =>
  records.length === 0 && site === undefined && siteForType === undefined && siteForOrganizations === undefined;

function withTables(tables: readonly Asked[]): Asked {
  if (tables.length === 0) return NOTHING;
  const { sql, params } = joined(tables, ', ');
  return { sql: `WITH RECURSIVE ${sql} `, params };
}

/**
 * `decided` contains every record with a permission row for records below it, and the organizations and projects below those,
 * each with the state that its chains set.
 */
function decidedTables({ join, lists, text }: Dialect, records: ReadFilter['records'], site: string): readonly Asked[] {
  const rows = JSON.stringify(records.map(({ id, own, below }) => [id, own ?? null, below ?? null]));
  return [
    {
      sql: `granted (ID, Own, Below) AS MATERIALIZED (
        SELECT ${text('value ->> 0')}, CAST(value ->> 1 AS INTEGER), CAST(value ->> 2 AS INTEGER) FROM ${lists})`,
      params: [rows],
    },
    {
      sql: `departments (ID, State) AS MATERIALIZED (
        SELECT ID, Below FROM granted WHERE Below IS NOT NULL
        UNION SELECT o."ID", d.State FROM departments AS d
        ${join} "organization" AS o ON o."SiteID" = ? AND o."ParentID" = d.ID WHERE o."ID" NOT IN (${DECIDED_HERE}))`,
      params: [site],
    },
    {
      sql: `decided (ID, State) AS MATERIALIZED (
        SELECT ID, State FROM departments
        UNION SELECT p."ID", d.State FROM departments AS d
        ${join} "project" AS p ON p."SiteID" = ? AND p."AncestorID" = d.ID
        WHERE p."ID" NOT IN (${DECIDED_HERE})
        UNION SELECT p."ID", d.State FROM decided AS d
        ${join} "project" AS p ON p."SiteID" = ? AND p."ParentID" = d.ID WHERE p."ID" NOT IN (${DECIDED_HERE}))`,
      params: [site, site],
    },
  ];
}

/** The viewer, and all who report to it directly or through others. */
const reportsTable = ({ join, text }: Dialect, individual: string, site: string): Asked => ({
  sql: `reports (ID) AS MATERIALIZED (
    SELECT ${text('?')} UNION SELECT i."ID" FROM reports AS r
    ${join} "individual" AS i ON i."SiteID" = ? AND i."PrimaryReportsTo" = r.ID)`,
  params: [individual, site],
});

const DECIDED_HERE = 'SELECT ID FROM granted WHERE Below IS NOT NULL';

/** The trees that rights pass through: a recursion for each fills `decided`; that of metrics begins at each record. */
const TREES: readonly string[] = ['organization', 'project', 'metric'];
/** Trees below which nothing is an individual's own. */
const PASSED: readonly string[] = ['organization', 'project'];

function compilerOf(schema: Schema, site: string, filter: ReadFilter) {
  /** The IDs of the owners as SQL, with the kinds that each may be. */
  const ownersOf = ({ resource }: Table, alias: string): readonly { id: string; targets: readonly string[] }[] =>
    inheritanceOf(resource).map(({ field, targets }) => ({ id: `${quoted(alias)}.${quoted(field)}`, targets }));
  let count = 0;
  const within = (kind: string, id: string, make: (owner: Table, alias: string) => Asked): Asked => {
    const alias = `a${++count}`;
    const { sql, params } = make(schema.table(kind), alias);
    return {
      sql: `(SELECT ${sql} FROM ${quoted(kind)} AS ${alias} WHERE ${alias}."SiteID" = ? AND ${alias}."ID" = ${id})`,
      params: [...params, site],
    };
  };

  /** Asks a metric and those above it, each `u`; where rows decide, no further. */
  const metrics = (id: string, where: string, { sql, params }: Asked): Asked => ({
    sql: `(WITH RECURSIVE u (ID, AncestorID, ParentID) AS (
      SELECT m."ID", m."AncestorID", m."ParentID" FROM "metric" AS m WHERE m."SiteID" = ? AND m."ID" = ${id}
      UNION SELECT m."ID", m."AncestorID", m."ParentID" FROM u
      ${schema.dialect.join} "metric" AS m ON m."SiteID" = ? AND m."ID" = u.ParentID ${where}) SELECT ${sql} FROM u)`,
    params: [site, site, ...params],
  });
  const metricState = (id: string): Asked => {
    const own = stateIn('u.ID', 'granted', 'Below');
    const states = [own, stateIn('u.AncestorID', 'decided', 'State'), literal(filter.siteForType)];
    const { sql, params } = firstOf(states);
    return metrics(id, `WHERE u.ID NOT IN (${DECIDED_HERE})`, { sql: `max(${sql})`, params });
  };

  /** The state that the permission rows of the owners set, or null: of several a Deny, else an Allow. */
  const ownersState = (table: Table, alias: string): Asked => {
    const owners = ownersOf(table, alias);
    const states = owners.map((owner) => ownerState(owner));
    if (states.length < 2) return states[0] ?? literal(undefined);
    const { sql, params } = joined(
      states.map((state, at) => {
        const chain = firstOf([state, literal(filter.siteForType)]);
        return { ...chain, sql: `CASE WHEN ${owners[at]?.id} IS NOT NULL THEN ${chain.sql} END` };
      }),
      ', ',
    );
    return { sql: `CASE WHEN 2 IN (${sql}) THEN 2 WHEN 1 IN (${sql}) THEN 1 END`, params: [...params, ...params] };
  };
  const ownerState = ({ id, targets }: { id: string; targets: readonly string[] }): Asked => {
    const further = targets
      .filter((kind) => !TREES.includes(kind) && inheritanceOf(schema.table(kind).resource).length > 0)
      .map((kind) => within(kind, id, ownersState));
    const metric = targets.includes('metric') ? [metricState(id)] : [];
    return firstOf([stateIn(id, 'decided', 'State'), ...metric, ...further]);
  };
  const decide = (table: Table, byDefault: Asked): Asked => {
    const { name } = table;
    const isHolder = HOLDERS.some((kind) => kind === name);
    const own =
      isHolder && filter.records.some((one) => one.own) ? [stateIn(`${quoted(name)}."ID"`, 'granted', 'Own')] : [];
    const state =
      name === 'site' ? literal(filter.site) : firstOf([...own, ownersState(table, name), siteState(table, filter)]);
    return {
      sql: `CASE ${state.sql} WHEN 1 THEN TRUE WHEN 2 THEN FALSE ELSE ${byDefault.sql} END`,
      params: [...state.params, ...byDefault.params],
    };
  };

  const notOf = (table: Table, alias: string): Asked => {
    if (table.name === 'metric') {
      const { sql, params } = notOther('u.AncestorID');
      return metrics(`${quoted(alias)}."ID"`, '', { sql: `min(CASE WHEN ${sql} THEN 1 ELSE 0 END) = 1`, params });
    }
    const parts = ownersOf(table, alias).flatMap(({ id, targets }) =>
      targets
        .filter((kind) => !PASSED.includes(kind))
        .map((kind) => (kind === 'individual' ? notOther(id) : within(kind, id, notOf))),
    );
    return allOf(parts);
  };
  const notOther = (id: string): Asked => ({
    sql: `(${id} IN (SELECT ID FROM reports)
      OR NOT EXISTS (SELECT 1 FROM "individual" AS i WHERE i."SiteID" = ? AND i."ID" = ${id}))`,
    params: [site],
  });
  return {
    /** The state that permission rows set, else `byDefault`. */
    decide,
    /** True for records that belong to no individual, or to one of `reports`. */
    notOfOthers: (table: Table): Asked => notOf(table, table.name),
  };
}

/** A missing owner forbids nothing. */
const allOf = (parts: readonly Asked[]): Asked =>
  parts.length === 0
    ? EVERYTHING
    : joined(
        parts.map(({ sql, params }) => ({ sql: `coalesce(${sql}, TRUE)`, params })),
        ' AND ',
      );

function firstOf(parts: readonly Asked[]): Asked {
  const { sql, params } = joined(parts, ', ');
  return { sql: parts.length === 1 ? sql : `coalesce(${sql})`, params };
}

/** SQLite makes a tree of each list, and looks records up in it by key. */
const stateIn = (id: string, from: string, state: string): Asked => ({
  sql: `CASE WHEN ${id} IN (SELECT ID FROM ${from} WHERE ${state} = 2) THEN 2
    WHEN ${id} IN (SELECT ID FROM ${from} WHERE ${state} = 1) THEN 1 END`,
  params: [],
});

const literal = (state: State | undefined): Asked => ({
  sql: `CAST(${state === undefined ? 'NULL' : '?'} AS INTEGER)`,
  params: state === undefined ? [] : [state],
});

/** The state on the site. Organizations and departments are two types. */
function siteState(table: Table, { siteForType, siteForOrganizations }: ReadFilter): Asked {
  if (table.name !== 'organization') return literal(siteForType);
  const [organizations, departments] = [literal(siteForOrganizations), literal(siteForType)];
  return {
    sql: `CASE "organization"."RowType" WHEN 4 THEN ${organizations.sql} ELSE ${departments.sql} END`,
    params: [...organizations.params, ...departments.params],
  };
}
