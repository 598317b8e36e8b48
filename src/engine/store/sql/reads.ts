// The reads of the store on one connection.
import type { HistoryEntry } from '../../../contract/call.ts';
import type { Row } from '../../../contract/resource.ts';
import { oncePer } from '../../../text/once-per.ts';
import type { Query, Reads, Stored } from '../port.ts';
import type { Schema, Table } from '../schema/tables.ts';
import type { ReadConnection } from '../sqlite/connection.ts';
import { explained } from '../sqlite/failure.ts';
import { accessReadsOn } from './access.ts';
import { totals } from './counting.ts';
import { oldHistoryReadsOn } from './old-history.ts';
import { ownedOn } from './owned.ts';
import { countedRecords, gradedMetrics, rollup } from './roll-up.ts';
import { decode } from './rows.ts';
import { countBy, firstKind, type Statement, select, selectOne, takenBy } from './statements.ts';
import { compileFilter } from './visibility.ts';

export interface SqlReads extends Reads {
  /** Row by row; the statement stays open until the last row, or until the consumer stops. */
  stream(query: Query): IterableIterator<Stored>;
}

const HISTORY = `SELECT Sequence, At, Caller, What, Before FROM history
  WHERE SiteID = ? AND Resource = ? AND ID = ? ORDER BY Sequence`;
const SITE_HISTORY = 'SELECT Sequence, At, Caller, What, Before, Resource, ID FROM history WHERE SiteID = ?';
const ALL_SITE_HISTORY = `${SITE_HISTORY} ORDER BY Sequence DESC LIMIT ? + 0`;
/** A sample has a past that is older than its site: what made the site is not where later times begin. */
const FIRST_OF_SAMPLE = `SELECT past.Sequence FROM history AS made JOIN history AS past
  ON made.Sequence = (SELECT min(Sequence) FROM history WHERE SiteID = entry.SiteID)
  AND past.Sequence = (SELECT min(Sequence) FROM history WHERE SiteID = entry.SiteID AND At <> made.At)
  WHERE past.At < made.At`;
const FIRST_SINCE = `SELECT Sequence FROM history AS entry WHERE SiteID = ? AND At >= ?
  AND Sequence >= coalesce((${FIRST_OF_SAMPLE}), 0) ORDER BY Sequence LIMIT 1`;
/** Clocks jump, so that moments do not ascend: what came after the first entry of that time came since. */
const SITE_HISTORY_SINCE = `${SITE_HISTORY} AND Sequence >= (${FIRST_SINCE}) ORDER BY Sequence DESC LIMIT ? + 0`;
const PASSWORD_HASH = 'SELECT Hash FROM secret WHERE SiteID = ? AND IndividualID = ?';

export function readsOn(connection: ReadConnection, schema: Schema): SqlReads {
  const tablesOf = (resources: readonly string[]): readonly Table[] => resources.map((name) => schema.table(name));
  const kindAmong = oncePer((resources: readonly string[]) => firstKind(tablesOf(resources)));
  const takenAmong = oncePer((resources: readonly string[]) =>
    takenBy(tablesOf(resources), schema.table('individual')),
  );
  const statementOf = (query: Query): Statement => select(schema, query, compileFilter(schema, query));
  return {
    ...accessReadsOn(connection),
    get(resource, site, id) {
      const table = schema.table(resource);
      const raw = connection.one(selectOne(table), [site, id]);
      return raw && decode(table, raw);
    },
    kindOf: (resources, site, id) =>
      (connection.one(kindAmong(resources), [site, id])?.[0] ?? undefined) as string | undefined,
    isTaken: (resources, site, id) => connection.one(takenAmong(resources), [site, id])?.[0] === 1,
    find(query) {
      const { sql, params } = statementOf(query);
      const table = schema.table(query.resource);
      return connection.all(sql, params).map((raw) => decode(table, raw));
    },
    stream(query) {
      const { sql, params } = statementOf(query);
      return decoded(connection.file, schema.table(query.resource), connection.stream(sql, params));
    },
    owned: ownedOn(connection, schema),
    totals: (query) => totals(connection, query),
    rollup: (query) => rollup(connection, query),
    countedRecords: (query, set) => countedRecords(connection, query, set),
    gradedMetrics: (query, set) => gradedMetrics(connection, query, set),
    count(resource, site, ownerField) {
      const counts = connection.all(countBy(schema.table(resource), ownerField), [site]);
      return new Map(counts.map(([owner, count]) => [String(owner), Number(count)]));
    },
    history: (site, resource, id) =>
      connection.all(HISTORY, [site, resource, id]).map((raw) => historyEntry(resource, id, raw)),
    siteHistory: (site, since, limit) =>
      (since === undefined
        ? connection.all(ALL_SITE_HISTORY, [site, limit])
        : connection.all(SITE_HISTORY_SINCE, [site, site, since, limit])
      ).map((raw) => historyEntry(String(raw[5]), String(raw[6]), raw)),
    ...oldHistoryReadsOn(connection),
    passwordHash: (site, individual) => connection.one(PASSWORD_HASH, [site, individual])?.[0] as string | undefined,
  };
}

function* decoded(file: string, table: Table, rows: IterableIterator<readonly unknown[]>): Generator<Stored> {
  try {
    for (const raw of rows) yield decode(table, raw);
  } catch (error) {
    throw explained(file, error);
  }
}

function historyEntry(resource: string, id: string, raw: readonly unknown[]): HistoryEntry {
  const [sequence, at, caller, what, before] = raw as [number, string, string, HistoryEntry['what'], string | null];
  return {
    sequence,
    at,
    caller,
    resource,
    id,
    what,
    before: before === null ? undefined : (JSON.parse(before) as Row),
  };
}
