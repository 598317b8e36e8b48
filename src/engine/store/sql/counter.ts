// Counts what a site numbers: the integer IDs of its records, and the rows of tables that do not number them.
import { returning, type Steps } from './steps.ts';

/** The statement that takes numbers of a site, as many as the row of these values says; it answers the last of them. */
export const countSql = (values: string): string => `INSERT INTO counter (SiteID, Resource, Last) ${values}
  ON CONFLICT (SiteID, Resource) DO UPDATE SET Last = counter.Last + excluded.Last RETURNING Last`;

const COUNT = countSql('VALUES (?, ?, ?)');

/** Takes the next numbers; answers the last of them. */
export function* counted(site: string, resource: string, numbers: number): Steps<number> {
  return Number((yield* returning(COUNT, [site, resource, numbers]))[0]?.[0]);
}

/**
 * The number of a new job is counted by its site, so that sites do not wait for each other, and is beyond that of every job
 * that is seen: jobs of all sites are listed together.
 */
const NEXT_JOB = `INSERT INTO counter (SiteID, Resource, Last)
  SELECT ?, 'job', coalesce(max(Sequence), 0) + 1 FROM job WHERE Profile = ?
  ON CONFLICT (SiteID, Resource) DO UPDATE
  SET Last = CASE WHEN counter.Last < excluded.Last THEN excluded.Last ELSE counter.Last + 1 END RETURNING Last`;

/** Takes the number of a new job. */
export function* countedJob(site: string, profile: string): Steps<number> {
  return Number((yield* returning(NEXT_JOB, [site, profile]))[0]?.[0]);
}
