// Set operation: how much of a site falls into a time, for the totals of a period.

import type { Totals } from '../port.ts';
import { instantKey } from '../schema/keys.ts';
import type { Connection } from '../sqlite/connection.ts';

/** When a project began: as it did, else as it was meant to. An index is kept on exactly this expression. */
export const BEGAN = 'ifnull("StartDateActual$", "StartDateProjected$")';

const COMMITMENTS = `SELECT count(*) FROM "commitment"
  WHERE "SiteID" = ? AND "DueDate$" BETWEEN ? AND ? AND "DeletedByRef" = 0`;

const PROJECTS = `SELECT count(*) FROM "project"
  WHERE "SiteID" = ? AND ${BEGAN} <= ? AND ("EndDateActual$" IS NULL OR "EndDateActual$" >= ?)
  AND "Deleted" = 0 AND "DeletedByRef" = 0`;

/** Live commitments due within the time, and live projects under way in it; both ends are included. */
export function totals(connection: Connection, site: string, from: string, to: string): Totals {
  const [first, last] = [instantKey(from), instantKey(to)];
  return {
    commitments: Number(connection.one(COMMITMENTS, [site, first, last])?.[0]),
    projects: Number(connection.one(PROJECTS, [site, last, first])?.[0]),
  };
}
