// The SQL of the records that a roll-up counts (D30 to D35). The figures and the lists of a dashboard share it.
import { oncePer } from '../../../text/once-per.ts';
import type { PeriodQuery, RollupQuery, Totals } from '../port.ts';
import type { Schema } from '../schema/tables.ts';
import type { Asked, Dialect } from './dialect.ts';
import { numberOf, whatIs } from './lines.ts';
import { instantKey } from './rows.ts';
import { all, one, type Raw, type Steps } from './steps.ts';
import { compileFilter } from './visibility.ts';

/** The row types of the parts of a scope. */
export const KINDS = { organization: 4, department: 56, project: 15, individual: 39 } as const;

/** The texts, numbers and thresholds that are bound, each with its type. */
const bound = ({ text }: Dialect, texts: number, integers = 0, reals = 0): string =>
  [
    ...Array.from({ length: texts }, () => text('?')),
    ...Array.from({ length: integers }, () => 'CAST(? AS BIGINT)'),
    ...Array.from({ length: reals }, () => 'CAST(? AS DOUBLE PRECISION)'),
  ].join(', ');

const isLive = (table: string): string => `${table}."Deleted" = 0 AND ${table}."DeletedByRef" = 0`;

/**
 * Begins a statement. `params` has the one row of parameters. `part` contains each scope's units, projects and
 * individuals, each once; a scope that is an individual has that one part. `Dept` marks departments below the scope, and
 * the parts that belong to them. Tables are joined from the few parts to the records that they own, by an index. `Root` is a
 * scope's place in the query: rows with a number are sorted in less time than those with its ID.
 */
export const partsSql = (dialect: Dialect): string => `WITH RECURSIVE
  params(SiteID, Begin, Finish, FirstDay, LastDay, Now, NotedBegin, NotedFinish, Since, Until, PeriodID, T1, T2, T3) AS (
    VALUES (${bound(dialect, 8, 3, 3)})
  ),
  wanted(Root, ID) AS (SELECT CAST(value ->> 0 AS INTEGER), ${dialect.text('value ->> 1')} FROM ${dialect.lists}),
  unit(Root, ID, Kind, Dept) AS (
    SELECT wanted.Root, o."ID", o."RowType", 0
    FROM params CROSS JOIN wanted ${dialect.join} "organization" AS o ON o."SiteID" = params.SiteID AND o."ID" = wanted.ID
    UNION ALL
    SELECT unit.Root, o."ID", o."RowType", CASE o."RowType" WHEN ${KINDS.department} THEN 1 ELSE 0 END
    FROM unit CROSS JOIN params
    ${dialect.join} "organization" AS o ON o."SiteID" = params.SiteID AND o."ParentID" = unit.ID
    WHERE ${isLive('o')}
  ),
  part(Root, ID, Kind, Dept) AS MATERIALIZED (
    SELECT Root, ID, Kind, Dept FROM unit
    UNION ALL
    SELECT unit.Root, m."IndividualID", ${KINDS.individual}, max(unit.Dept)
    FROM params CROSS JOIN unit
    ${dialect.join} "organizationMember" AS m ON m."SiteID" = params.SiteID AND m."OrganizationID" = unit.ID
    WHERE m."DeletedByRef" = 0 GROUP BY unit.Root, m."IndividualID"
    UNION ALL
    SELECT wanted.Root, i."ID", ${KINDS.individual}, 0
    FROM params CROSS JOIN wanted ${dialect.join} "individual" AS i ON i."SiteID" = params.SiteID AND i."ID" = wanted.ID
    UNION ALL
    SELECT unit.Root, p."ID", ${KINDS.project}, unit.Dept
    FROM params CROSS JOIN unit ${dialect.join} "project" AS p ON p."SiteID" = params.SiteID AND p."AncestorID" = unit.ID
    WHERE ${isLive('p')}
  )`;

const owned = ({ join }: Dialect, table: string, alias: string, owner = 'part'): string =>
  `FROM params CROSS JOIN ${owner} ${join} "${table}" AS ${alias}
  ON ${alias}."SiteID" = params.SiteID AND ${alias}."AncestorID" = ${owner}.ID`;

/** Moments that the engine writes have one form: milliseconds of UTC, then the offset. */
const momentOf = (key: string): string => key.slice(0, 23);

const millisecondsOf = (key: string): number => Date.parse(`${momentOf(key)}Z`);

const DAY_LENGTH = 10;
const dayOf = (date: string): string => date.slice(0, DAY_LENGTH);

/** Runs a statement that begins with the parts. */
export function* runQuery(sql: string, query: RollupQuery): Steps<readonly Raw[]> {
  const { site, from, to, now, period, thresholds, scopes } = query;
  const [begin, finish] = [instantKey(from), instantKey(to)];
  return yield* all(sql, [
    site,
    begin,
    finish,
    dayOf(from),
    dayOf(to),
    instantKey(now),
    momentOf(begin),
    `${momentOf(finish)}~`,
    millisecondsOf(begin),
    millisecondsOf(finish),
    period ?? null,
    ...thresholds,
    JSON.stringify([...scopes.entries()]),
  ]);
}

/** Both ends are included. */
const inTime = (column: string): string => `${column} BETWEEN params.Begin AND params.Finish`;

/**
 * Compares a date that may be a day or a date-time (D13): a day as it is written with the day, a date-time as a moment.
 * The key of a day is its midnight in UTC.
 */
const compared = (table: string, field: string, sign: '<=' | '>=', { day, moment }: Bound): string =>
  `CASE WHEN length(${table}."${field}") = ${DAY_LENGTH}
    THEN ${table}."${field}" ${sign} ${day} ELSE ${table}."${field}$" ${sign} ${moment} END`;

/** One end of a time. */
interface Bound {
  readonly day: string;
  readonly moment: string;
}
const FIRST: Bound = { day: 'params.FirstDay', moment: 'params.Begin' };
const LAST: Bound = { day: 'params.LastDay', moment: 'params.Finish' };

const inDays = (table: string, field: string): string =>
  `(${compared(table, field, '>=', FIRST)} AND ${compared(table, field, '<=', LAST)})`;

/** D31: by their period; where the site has none, by their due date. */
export const commitments = (dialect: Dialect, hasPeriod: boolean): string => `${owned(dialect, 'commitment', 'c')}
  WHERE c."DeletedByRef" = 0 AND ${hasPeriod ? 'c."PeriodID" = params.PeriodID' : inTime('c."DueDate$"')}`;

/** D34. This engine has no drafts. */
export const dialogs = (dialect: Dialect): string =>
  `${owned(dialect, 'dialog', 'd')} WHERE ${inTime('d."DialogDate$"')} AND ${isLive('d')}`;

/** Follows the parts: their live dialogs. Sorted, these many meet their tasks in the order of the index. */
export const talkedSql = (dialect: Dialect): string => `, talked AS MATERIALIZED (
    SELECT part.Root, part.Kind, d."ID" AS ID ${owned(dialect, 'dialog', 'd')} WHERE ${isLive('d')} ORDER BY d."ID"
  )`;
export const FOLLOW_UP_MADE = `t."Created" BETWEEN params.NotedBegin AND params.NotedFinish`;
export const FOLLOW_UP_DONE = inDays('t', 'EndDateActual');
export const followUps = (dialect: Dialect): string => `${owned(dialect, 'task', 't', 'talked')}
  WHERE ${isLive('t')} AND (${FOLLOW_UP_MADE} OR ${FOLLOW_UP_DONE})`;

/** The parts are few: no index is made for them. */
export const isPart = ({ unindexed }: Dialect, kind: keyof typeof KINDS): string =>
  `${unindexed('part.Kind')} = ${KINDS[kind]}`;

/** D35: tasks of individuals that belong to no dialog or project. */
export const goals = (dialect: Dialect): string =>
  `${owned(dialect, 'task', 't')} WHERE ${isPart(dialect, 'individual')} AND ${isLive('t')}`;

export const criteria = (dialect: Dialect): string =>
  `${owned(dialect, 'evaluationCriteria', 'e')} WHERE ${isPart(dialect, 'project')} AND ${isLive('e')}`;

/** When a project began, actual or projected. There is an index on exactly this expression. */
export const began = ({ ifNull }: Dialect): string => ifNull('"StartDateActual$"', '"StartDateProjected$"');

/** D33. The parts contain only live projects. */
export const projects = (dialect: Dialect): string =>
  `FROM params CROSS JOIN part ${dialect.join} "project" AS p ON p."SiteID" = params.SiteID AND p."ID" = part.ID
  WHERE ${isPart(dialect, 'project')}`;
const BEGUN = `coalesce(${compared('p', 'StartDateActual', '<=', LAST)}, ${compared('p', 'StartDateProjected', '<=', LAST)})`;
const NOT_ENDED = `(p."EndDateActual$" IS NULL OR ${compared('p', 'EndDateActual', '>=', FIRST)})`;
export const ACTIVE = `(${BEGUN} AND ${NOT_ENDED})`;
export const COMPLETED = inDays('p', 'EndDateActual');
/** Compares days as written; a project without a projected end is on time. */
export const ON_TIME = `(p."EndDateProjected" IS NULL
  OR substr(coalesce(p."EndDateActual", params.Now), 1, 10) <= substr(p."EndDateProjected", 1, 10))`;
export const dateChanges = ({ json }: Dialect): string => `(SELECT count(*) FROM line AS h
  WHERE h.ID = p."ID" AND h.Site = ${numberOf('params.SiteID')} AND h.Resource = ${numberOf("'project'")}
  AND ${whatIs('update')} AND h.At BETWEEN params.Since AND params.Until
  AND ${json('h.Before')} -> 'EndDateProjected' IS NOT NULL)`;

/** D35: the roles of a scope that is an individual. */
export const roles = ({ join }: Dialect): string => `FROM params
  CROSS JOIN (SELECT Root, ID, ${KINDS.individual} AS Kind FROM wanted) AS part
  ${join} "basicRole" AS r ON r."SiteID" = params.SiteID AND r."IndividualID" = part.ID WHERE ${isLive('r')}`;
export const discussed = ({ join }: Dialect): string => `EXISTS (SELECT 1 FROM "basicRoleDialog" AS b
  ${join} "dialog" AS d ON d."SiteID" = params.SiteID AND d."ID" = b."DialogID"
  WHERE b."SiteID" = params.SiteID AND b."BasicRoleID" = r."ID" AND b."DeletedByRef" = 0
  AND ${isLive('d')} AND ${inTime('d."DialogDate$"')})`;

/** 1 below, 2 minimum, 3 meets, 4 exceeds. Where the first threshold is above the third, smaller is better. */
const LEVEL = `CASE WHEN T1 > T3
      THEN CASE WHEN Value <= T3 THEN 4 WHEN Value <= T2 THEN 3 WHEN Value <= T1 THEN 2 ELSE 1 END
      ELSE CASE WHEN Value >= T3 THEN 4 WHEN Value >= T2 THEN 3 WHEN Value >= T1 THEN 2 ELSE 1 END END`;

/** Of the value with the newest date of the time; values of archives do not count. */
export const newest = (field: 'Value' | 'Date', metric: string): string => `(SELECT v."${field}" FROM "metricValue" AS v
      WHERE v."SiteID" = params.SiteID AND v."MetricID" = ${metric} AND ${inTime('v."Date$"')}
      AND v."ArchiveID" IS NULL AND v."DeletedByRef" = 0 ORDER BY v."Date$" DESC, v."ID" LIMIT 1)`;

/** The measures of a metric and of the site differ: their thresholds are never mixed. */
const threshold = (number: 1 | 2 | 3): string =>
  `CASE WHEN m."Threshold1" + m."Threshold2" + m."Threshold3" IS NULL
      THEN params.T${number} ELSE m."Threshold${number}" END AS T${number}`;

/**
 * Follows the parts. `graded` contains the live metrics of each scope (of its units, projects and individuals) that have
 * a value in the time, each with the newest value, its thresholds and its level. A metric without three of its own has
 * the site's. `measured` has it once, however many scopes its owner is a part of.
 */
export const gradedSql = (dialect: Dialect): string => `, owner AS (SELECT DISTINCT ID FROM part),
  measured AS MATERIALIZED (
    SELECT owner.ID AS OwnerID, m."ID" AS MetricID, coalesce(m."Is8020", 0) AS Is8020,
      ${threshold(1)}, ${threshold(2)}, ${threshold(3)}, ${newest('Value', 'm."ID"')} AS Value
    ${owned(dialect, 'metric', 'm', 'owner')} WHERE ${isLive('m')}
  ),
  graded AS (
    SELECT part.Root, part.Dept, measured.*, ${LEVEL} AS Level
    FROM part ${dialect.join} measured ON measured.OwnerID = part.ID WHERE measured.Value IS NOT NULL
  )`;

/** Counts IDs: for `count(*)` SQLite would read the whole site in the index that covers roll-ups. */
const COMMITMENTS_OF = `SELECT count("ID") FROM "commitment"
  WHERE "SiteID" = ? AND "PeriodID" = ? AND "DeletedByRef" = 0`;

/** `Latest` bounds the index of beginnings; a day and a moment are then compared exactly. */
const projectsUnderWay = oncePer(
  (dialect: Dialect): string => `WITH params(SiteID, Begin, Finish, FirstDay, LastDay, Latest)
    AS (VALUES (${bound(dialect, 6)}))
  SELECT count(*) FROM params ${dialect.join} "project" AS p
    ON p."SiteID" = params.SiteID AND ${began(dialect)} <= params.Latest
  WHERE ${ACTIVE} AND ${isLive('p')}`,
);

/**
 * Counts live commitments of the period (D28), and live projects under way in its time; both ends are included. Of each only
 * those that the filters let through (D19).
 */
export function* totals(schema: Schema, { site, period, from, to, readFilters }: PeriodQuery): Steps<Totals> {
  const [begin, finish] = [instantKey(from), instantKey(to)];
  const [first, last] = [dayOf(from), dayOf(to)];
  const latest = [finish, instantKey(last)].sort().at(-1) ?? finish;
  const readable = (resource: 'project' | 'commitment', id: string): Asked => {
    const readFilter = readFilters?.[resource];
    const filter = readFilter && compileFilter(schema, { resource, site, deleted: 2, readFilter });
    if (!filter) return { sql: '', params: [] };
    const { before, condition } = filter;
    return {
      sql: ` AND ${id} IN (${before.sql}SELECT "ID" FROM "${resource}" WHERE "SiteID" = ? AND ${condition.sql})`,
      params: [...before.params, site, ...condition.params],
    };
  };
  const [ofProjects, ofCommitments] = [readable('project', 'p."ID"'), readable('commitment', '"ID"')];
  const projects = yield* one(projectsUnderWay(schema.dialect) + ofProjects.sql, [
    ...[site, begin, finish, first, last, latest],
    ...ofProjects.params,
  ]);
  const commitments = yield* one(COMMITMENTS_OF + ofCommitments.sql, [site, period, ...ofCommitments.params]);
  return { commitments: Number(commitments?.[0]), projects: Number(projects?.[0]) };
}
