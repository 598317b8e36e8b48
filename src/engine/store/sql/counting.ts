// What counts in a roll-up (D31 to D35), each as one piece of SQL: the figures and the lists of a dashboard share it.
import { KINDS, live, owned } from './scope.ts';
import { BEGAN } from './totals.ts';

/** Both ends are included. A plus keeps SQLite from making an index of the parts, which are walked through anyway. */
export const inTime = (column: string): string => `${column} BETWEEN asked.Begin AND asked.Finish`;

/** Of moments that the engine notes itself. */
const noted = (column: string): string => `${column} BETWEEN asked.NotedBegin AND asked.NotedFinish`;

/** D31: by their period; where the site has none, by the day on which they are due. */
export const commitments = (hasPeriod: boolean): string => `${owned('commitment', 'c')}
  WHERE c."DeletedByRef" = 0 AND ${hasPeriod ? 'c."PeriodID" = asked.PeriodID' : inTime('c."DueDate$"')}`;

/** D34: no draft has ever been made on this engine. */
export const DIALOGS = `${owned('dialog', 'd')} WHERE ${inTime('d."DialogDate$"')} AND ${live('d')}`;

export const FOLLOW_UPS = `${owned('dialog', 'd')}
  CROSS JOIN "task" AS t ON t."SiteID" = asked.SiteID AND t."AncestorID" = d."ID"
  WHERE ${live('d')} AND ${live('t')}`;
export const FOLLOW_UP_MADE = noted('t."Created"');
export const FOLLOW_UP_DONE = inTime('t."EndDateActual$"');

/** D35: what individuals have to do that came from nowhere else. */
export const GOALS = `${owned('task', 't')} WHERE +part.Kind = ${KINDS.individual} AND ${live('t')}`;

export const CRITERIA = `${owned('evaluationCriteria', 'e')} WHERE +part.Kind = ${KINDS.project} AND ${live('e')}`;

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
  AND ${noted('h.At')} AND json_type(h.Before, '$.EndDateProjected') IS NOT NULL)`;

/** D35: the roles of an individual that is a scope itself. */
export const ROLES = `FROM asked CROSS JOIN part
  CROSS JOIN "basicRole" AS r ON r."SiteID" = asked.SiteID AND r."IndividualID" = part.ID
  WHERE part.Root = part.ID AND +part.Kind = ${KINDS.individual} AND ${live('r')}`;
export const SPOKEN_OF = `EXISTS (SELECT 1 FROM "basicRoleDialog" AS b
  CROSS JOIN "dialog" AS d ON d."SiteID" = asked.SiteID AND d."ID" = b."DialogID"
  WHERE b."SiteID" = asked.SiteID AND b."BasicRoleID" = r."ID" AND b."DeletedByRef" = 0
  AND ${live('d')} AND ${inTime('d."DialogDate$"')})`;
