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
