// What a roll-up is about, and what counts in it (D30 to D35), each as one piece of SQL: the figures and the lists of a
// dashboard share it.
import type { Totals } from '../port.ts';
import type { RollupQuery } from '../roll-up-port.ts';
import { instantKey } from '../schema/keys.ts';
import type { Bound, Connection } from '../sqlite/connection.ts';

/** The row types of the parts of a scope. */
export const KINDS = { organization: 4, department: 56, project: 15, individual: 39 } as const;

/** A record of the table that is there. */
const isLive = (table: string): string => `${table}."Deleted" = 0 AND ${table}."DeletedByRef" = 0`;

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
    WHERE ${isLive('o')}
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
    WHERE ${isLive('p')}
  )`;

/** From each part to what it owns in a table. */
const owned = (table: string, alias: string): string =>
  `FROM asked CROSS JOIN part CROSS JOIN "${table}" AS ${alias}
  ON ${alias}."SiteID" = asked.SiteID AND ${alias}."AncestorID" = part.ID`;

/** Moments that the engine notes itself have one form: milliseconds of UTC, then the offset. */
const momentOf = (key: string): string => key.slice(0, 23);

/** Runs a statement that begins with the parts. */
export function runQuery(connection: Connection, sql: string, asked: RollupQuery): ReturnType<Connection['all']> {
  return connection.all(sql, bind(asked));
}

function bind({ site, from, to, now, period, thresholds, scopes }: RollupQuery): readonly Bound[] {
  const [begin, finish] = [instantKey(from), instantKey(to)];
  return [
    site,
    begin,
    finish,
    instantKey(now),
    momentOf(begin),
    `${momentOf(finish)}~`,
    period ?? null,
    ...thresholds,
    JSON.stringify(scopes),
  ];
}

/** Both ends are included. A plus keeps SQLite from making an index of the parts, which are walked through anyway. */
const inTime = (column: string): string => `${column} BETWEEN asked.Begin AND asked.Finish`;

/** Of moments that the engine notes itself. */
const inNotedTime = (column: string): string => `${column} BETWEEN asked.NotedBegin AND asked.NotedFinish`;

/** D31: by their period; where the site has none, by the day on which they are due. */
export const commitments = (hasPeriod: boolean): string => `${owned('commitment', 'c')}
  WHERE c."DeletedByRef" = 0 AND ${hasPeriod ? 'c."PeriodID" = asked.PeriodID' : inTime('c."DueDate$"')}`;

/** D34: no draft has ever been made on this engine. */
export const DIALOGS = `${owned('dialog', 'd')} WHERE ${inTime('d."DialogDate$"')} AND ${isLive('d')}`;

export const FOLLOW_UPS = `${owned('dialog', 'd')}
  CROSS JOIN "task" AS t ON t."SiteID" = asked.SiteID AND t."AncestorID" = d."ID"
  WHERE ${isLive('d')} AND ${isLive('t')}`;
export const FOLLOW_UP_MADE = inNotedTime('t."Created"');
export const FOLLOW_UP_DONE = inTime('t."EndDateActual$"');

/** D35: what individuals have to do that came from nowhere else. */
export const GOALS = `${owned('task', 't')} WHERE +part.Kind = ${KINDS.individual} AND ${isLive('t')}`;

export const CRITERIA = `${owned('evaluationCriteria', 'e')} WHERE +part.Kind = ${KINDS.project} AND ${isLive('e')}`;

/** When a project began: as it did, else as it was meant to. An index is kept on exactly this expression. */
export const BEGAN = 'ifnull("StartDateActual$", "StartDateProjected$")';

/** D33. The parts hold live projects alone. */
export const PROJECTS = `FROM asked CROSS JOIN part CROSS JOIN "project" AS p ON p."SiteID" = asked.SiteID AND p."ID" = part.ID
  WHERE +part.Kind = ${KINDS.project}`;
export const ACTIVE = `(${BEGAN} <= asked.Finish AND (p."EndDateActual$" IS NULL OR p."EndDateActual$" >= asked.Begin))`;
export const COMPLETED = `(${inTime('p."EndDateActual$"')})`;
/** Days as they are written; nothing is late where no end is projected. */
export const ON_TIME = `(p."EndDateProjected" IS NULL
  OR substr(ifnull(p."EndDateActual", asked.Now), 1, 10) <= substr(p."EndDateProjected", 1, 10))`;
export const DATE_CHANGES = `(SELECT count(*) FROM history AS h
  WHERE h.SiteID = asked.SiteID AND h.Resource = 'project' AND h.ID = p."ID" AND h.What = 'update'
  AND ${inNotedTime('h.At')} AND json_type(h.Before, '$.EndDateProjected') IS NOT NULL)`;

/** D35: the roles of an individual that is a scope itself. */
export const ROLES = `FROM asked CROSS JOIN part
  CROSS JOIN "basicRole" AS r ON r."SiteID" = asked.SiteID AND r."IndividualID" = part.ID
  WHERE part.Root = part.ID AND +part.Kind = ${KINDS.individual} AND ${isLive('r')}`;
export const DISCUSSED = `EXISTS (SELECT 1 FROM "basicRoleDialog" AS b
  CROSS JOIN "dialog" AS d ON d."SiteID" = asked.SiteID AND d."ID" = b."DialogID"
  WHERE b."SiteID" = asked.SiteID AND b."BasicRoleID" = r."ID" AND b."DeletedByRef" = 0
  AND ${isLive('d')} AND ${inTime('d."DialogDate$"')})`;

/** 1 below, 2 minimum, 3 meets, 4 exceeds; above the third threshold the first one says that smaller is better. */
const LEVEL = `CASE WHEN T1 > T3
      THEN CASE WHEN Value <= T3 THEN 4 WHEN Value <= T2 THEN 3 WHEN Value <= T1 THEN 2 ELSE 1 END
      ELSE CASE WHEN Value >= T3 THEN 4 WHEN Value >= T2 THEN 3 WHEN Value >= T1 THEN 2 ELSE 1 END END`;

/** The current value with the newest date of the time; what an archive keeps is none. */
const NEWEST = `(SELECT v."ID" FROM "metricValue" AS v
      WHERE v."SiteID" = asked.SiteID AND v."MetricID" = m."ID" AND ${inTime('v."Date$"')}
      AND v."ArchiveID" IS NULL AND v."DeletedByRef" = 0 ORDER BY v."Date$" DESC, v."ID" LIMIT 1)`;

/**
 * Goes on after the parts: `graded` holds the live metrics of each scope (its units', their projects' and the
 * individuals' own) that have a value in the time, each with the newest one, its thresholds and its level. A threshold
 * that a metric lacks is the site's.
 */
export const GRADED = `, measured AS MATERIALIZED (
    SELECT part.Root, part.Dept, m."ID" AS MetricID, ifnull(m."Is8020", 0) AS Is8020,
      ifnull(m."Threshold1", asked.T1) AS T1, ifnull(m."Threshold2", asked.T2) AS T2,
      ifnull(m."Threshold3", asked.T3) AS T3, ${NEWEST} AS ValueID
    ${owned('metric', 'm')} WHERE ${isLive('m')}
  ),
  valued AS (
    SELECT measured.*, v."Value" AS Value, v."Date" AS Date FROM asked CROSS JOIN measured
    CROSS JOIN "metricValue" AS v ON v."SiteID" = asked.SiteID AND v."ID" = measured.ValueID
  ),
  graded AS (SELECT valued.*, ${LEVEL} AS Level FROM valued)`;

const COMMITMENTS_DUE = `SELECT count(*) FROM "commitment"
  WHERE "SiteID" = ? AND "DueDate$" BETWEEN ? AND ? AND "DeletedByRef" = 0`;

const PROJECTS_UNDER_WAY = `SELECT count(*) FROM "project"
  WHERE "SiteID" = ? AND ${BEGAN} <= ? AND ("EndDateActual$" IS NULL OR "EndDateActual$" >= ?)
  AND "Deleted" = 0 AND "DeletedByRef" = 0`;

/** Live commitments due within the time, and live projects under way in it; both ends are included. */
export function totals(connection: Connection, site: string, from: string, to: string): Totals {
  const [first, last] = [instantKey(from), instantKey(to)];
  return {
    commitments: Number(connection.one(COMMITMENTS_DUE, [site, first, last])?.[0]),
    projects: Number(connection.one(PROJECTS_UNDER_WAY, [site, last, first])?.[0]),
  };
}
