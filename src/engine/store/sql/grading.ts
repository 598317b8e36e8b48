// How metrics are graded (D32), as SQL: the percentages and the lists of a dashboard share it.
import { inTime } from './counting.ts';
import { live, owned } from './scope.ts';

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
    ${owned('metric', 'm')} WHERE ${live('m')}
  ),
  valued AS (
    SELECT measured.*, v."Value" AS Value, v."Date" AS Date FROM asked CROSS JOIN measured
    CROSS JOIN "metricValue" AS v ON v."SiteID" = asked.SiteID AND v."ID" = measured.ValueID
  ),
  graded AS (SELECT valued.*, ${LEVEL} AS Level FROM valued)`;
