// Counts what a site numbers: the integer IDs of its records, and the rows of tables that do not number them.
import { returning, type Steps } from './steps.ts';

const COUNT = `INSERT INTO counter (SiteID, Resource, Last) VALUES (?, ?, ?)
  ON CONFLICT (SiteID, Resource) DO UPDATE SET Last = counter.Last + excluded.Last RETURNING Last`;

/** Takes the next numbers; answers the last of them. */
export function* counted(site: string, resource: string, numbers: number): Steps<number> {
  return Number((yield* returning(COUNT, [site, resource, numbers]))[0]?.[0]);
}
