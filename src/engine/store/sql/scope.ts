// What a roll-up is about, as SQL: the parts of each scope (D30), and what is asked of them.

import type { Asked } from '../roll-up-port.ts';
import { instantKey } from '../schema/keys.ts';
import type { Connection } from '../sqlite/connection.ts';
import type { Bound } from './statements.ts';

/** The row types of the parts of a scope. */
export const KINDS = { organization: 4, department: 56, project: 15, individual: 39 } as const;

/** A record of the table that is there. */
export const live = (table: string): string => `${table}."Deleted" = 0 AND ${table}."DeletedByRef" = 0`;

/**
 * Begins a statement: `asked` is one row of what is asked, `part` holds each scope's units, projects and individuals, each
 * once. A scope that is an individual has that one part. `Dept` marks what is a department below the scope, or of one.
 * CROSS JOIN says in which order SQLite walks: from the few to what they own, each by an index.
 */
export const PARTS = `WITH RECURSIVE
  asked(SiteID, Begin, Finish, Now, NotedBegin, NotedFinish, PeriodID, T1, T2, T3) AS (
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ),
  wanted(ID) AS (SELECT value FROM json_each(?)),
  unit(Root, ID, Kind, Dept) AS (
    SELECT o."ID", o."ID", o."RowType", 0
    FROM asked CROSS JOIN wanted CROSS JOIN "organization" AS o ON o."SiteID" = asked.SiteID AND o."ID" = wanted.ID
    UNION ALL
    SELECT unit.Root, o."ID", o."RowType", o."RowType" = ${KINDS.department}
    FROM unit CROSS JOIN asked
    CROSS JOIN "organization" AS o ON o."SiteID" = asked.SiteID AND o."ParentID" = unit.ID
    WHERE ${live('o')}
  ),
  part(Root, ID, Kind, Dept) AS MATERIALIZED (
    SELECT Root, ID, Kind, Dept FROM unit
    UNION ALL
    SELECT unit.Root, m."IndividualID", ${KINDS.individual}, max(unit.Dept)
    FROM asked CROSS JOIN unit
    CROSS JOIN "organizationMember" AS m ON m."SiteID" = asked.SiteID AND m."OrganizationID" = unit.ID
    WHERE m."DeletedByRef" = 0 GROUP BY unit.Root, m."IndividualID"
    UNION ALL
    SELECT i."ID", i."ID", ${KINDS.individual}, 0
    FROM asked CROSS JOIN wanted CROSS JOIN "individual" AS i ON i."SiteID" = asked.SiteID AND i."ID" = wanted.ID
    UNION ALL
    SELECT unit.Root, p."ID", ${KINDS.project}, unit.Dept
    FROM asked CROSS JOIN unit CROSS JOIN "project" AS p ON p."SiteID" = asked.SiteID AND p."AncestorID" = unit.ID
    WHERE ${live('p')}
  )`;

/** From each part to what it owns in a table. */
export const owned = (table: string, alias: string): string =>
  `FROM asked CROSS JOIN part CROSS JOIN "${table}" AS ${alias}
  ON ${alias}."SiteID" = asked.SiteID AND ${alias}."AncestorID" = part.ID`;

/** Moments that the engine notes itself have one form: milliseconds of UTC, then the offset. */
const noted = (key: string): string => key.slice(0, 23);

/** Runs a statement that begins with the parts. */
export function ask(connection: Connection, sql: string, asked: Asked): ReturnType<Connection['all']> {
  return connection.all(sql, bind(asked));
}

function bind({ site, from, to, now, period, thresholds, scopes }: Asked): readonly Bound[] {
  const [begin, finish] = [instantKey(from), instantKey(to)];
  return [
    site,
    begin,
    finish,
    instantKey(now),
    noted(begin),
    `${noted(finish)}~`,
    period ?? null,
    ...thresholds,
    JSON.stringify(scopes),
  ];
}
