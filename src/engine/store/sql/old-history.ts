// Deletes old history, but for what else would be lost: the date changes of projects, which figures count (D33), and the
// last images of what was deleted for good (D8).
import { storedResources } from '../../../contract/index.ts';
import { isSoft } from '../../../contract/resource.ts';
import type { OldHistory, Reads, Writes } from '../port.ts';
import type { Dialect } from './dialect.ts';
import { one, run, type Stepped, type Steps } from './steps.ts';

const FIRST = 'SELECT Sequence FROM history WHERE SiteID = ? ORDER BY Sequence LIMIT 1';
const LAST = 'SELECT Sequence FROM history WHERE SiteID = ? ORDER BY Sequence DESC LIMIT 1';
/** What came before the first entry of that time is older. */
const FIRST_SINCE = 'SELECT Sequence FROM history WHERE SiteID = ? AND At >= ? ORDER BY Sequence LIMIT 1';

const finals = () => storedResources.filter((resource) => !isSoft(resource)).map(({ name }) => `'${name}'`);
const canGo = ({ json }: Dialect): string => `NOT (Resource = 'project' AND What = 'update'
    AND ${json('Before')} -> 'EndDateProjected' IS NOT NULL)
  AND NOT (What = 'delete' AND Resource IN (${finals().join(', ')}))`;
const isOld = (dialect: Dialect): string => `SiteID = ? AND Sequence BETWEEN ? AND ? AND ${canGo(dialect)}`;
/** When the first entry was written that can be deleted: from then on the history of every site is whole. */
export const wholeSince = (dialect: Dialect): string =>
  `SELECT At FROM history WHERE ${canGo(dialect)} ORDER BY Sequence LIMIT 1`;

export const oldHistoryReadsIn = (dialect: Dialect): Stepped<Pick<Reads, 'oldHistory'>> => ({
  *oldHistory(site, before): Steps<OldHistory | undefined> {
    const from = yield* sequence(FIRST, site);
    if (from === undefined) return undefined;
    const since = yield* sequence(FIRST_SINCE, site, before);
    const to = since === undefined ? Number(yield* sequence(LAST, site)) : since - 1;
    const count = yield* one(`SELECT count(*) FROM history WHERE ${isOld(dialect)}`, [site, from, to]);
    return { from, to, count: Number(count?.[0]) };
  },
});

function* sequence(sql: string, ...params: string[]): Steps<number | undefined> {
  const found = yield* one(sql, params);
  return found && Number(found[0]);
}

export const oldHistoryWritesIn = (dialect: Dialect): Stepped<Pick<Writes, 'deleteHistory'>> => ({
  deleteHistory: (site, from, to) => run(`DELETE FROM history WHERE ${isOld(dialect)}`, [site, from, to]),
});
