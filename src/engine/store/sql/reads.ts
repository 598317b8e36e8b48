// Reading on one connection, at once: what the store's promises are made of.
import type { Row } from '../../../contract/resource.ts';
import type { HistoryAction, HistoryEntry, Query, Stored, Totals, Viewer } from '../port.ts';
import type { CountedSet, GradedMetric, MetricSet, Rollup, RollupQuery } from '../roll-up-port.ts';
import type { Schema, Table } from '../schema/tables.ts';
import type { Connection } from '../sqlite/connection.ts';
import { explained } from '../sqlite/failure.ts';
import { totals } from './counting.ts';
import { type GrantReads, grantReadsOn } from './grants.ts';
import { countedRecords, gradedMetrics, rollup } from './roll-up.ts';
import { decode } from './rows.ts';
import { countBy, select, selectOne } from './statements.ts';
import { type TokenReads, tokenReadsOn } from './tokens.ts';
import { compileFilter } from './visibility.ts';

export interface Reads extends TokenReads, GrantReads {
  get(resource: string, site: string, id: string): Stored | undefined;
  /** With a viewer, what they may see of it. */
  find(query: Query, viewer?: Viewer): readonly Stored[];
  /** Row by row; the connection has a statement open until the last one, or until the consumer stops. */
  stream(query: Query, viewer?: Viewer): IterableIterator<Stored>;
  totals(site: string, from: string, to: string): Totals;
  rollup(asked: RollupQuery): ReadonlyMap<string, Rollup>;
  countedRecords(asked: RollupQuery, what: CountedSet): readonly string[];
  gradedMetrics(asked: RollupQuery, kind: MetricSet): readonly GradedMetric[];
  count(resource: string, site: string, ownerField: string): readonly { owner: string; count: number }[];
  history(site: string, resource: string, id: string): readonly HistoryEntry[];
  siteHistory(site: string, since: string | undefined, limit: number): readonly HistoryEntry[];
  passwordHash(site: string, individual: string): string | undefined;
}

const HISTORY = `SELECT Sequence, At, Caller, What, Before FROM history
  WHERE SiteID = ? AND Resource = ? AND ID = ? ORDER BY Sequence`;
const SITE_HISTORY = 'SELECT Sequence, At, Caller, What, Before, Resource, ID FROM history WHERE SiteID = ?';
const ALL_SITE_HISTORY = `${SITE_HISTORY} ORDER BY Sequence DESC LIMIT ?`;
/** Clocks jump, so that the moments do not come in order. */
const SITE_HISTORY_SINCE = `${SITE_HISTORY} AND At >= ? ORDER BY Sequence DESC LIMIT ?`;
const PASSWORD_HASH = 'SELECT Hash FROM secret WHERE SiteID = ? AND IndividualID = ?';

export function readsOn(connection: Connection, schema: Schema): Reads {
  return {
    ...tokenReadsOn(connection),
    ...grantReadsOn(connection),
    get(resource, site, id) {
      const table = schema.table(resource);
      const raw = connection.one(selectOne(table), [site, id]);
      return raw && decode(table, raw);
    },
    find(query, viewer) {
      const { sql, params } = select(
        schema,
        query,
        viewer && compileFilter(schema, schema.table(query.resource), viewer),
      );
      const table = schema.table(query.resource);
      return connection.all(sql, params).map((raw) => decode(table, raw));
    },
    stream(query, viewer) {
      const { sql, params } = select(
        schema,
        query,
        viewer && compileFilter(schema, schema.table(query.resource), viewer),
      );
      return decoded(connection.file, schema.table(query.resource), connection.stream(sql, params));
    },
    totals: (site, from, to) => totals(connection, site, from, to),
    rollup: (asked) => rollup(connection, asked),
    countedRecords: (asked, what) => countedRecords(connection, asked, what),
    gradedMetrics: (asked, kind) => gradedMetrics(connection, asked, kind),
    count: (resource, site, ownerField) =>
      connection.all(countBy(schema.table(resource), ownerField), [site]).map(([owner, count]) => ({
        owner: String(owner),
        count: Number(count),
      })),
    history: (site, resource, id) =>
      connection.all(HISTORY, [site, resource, id]).map((raw) => historyEntry(resource, id, raw)),
    siteHistory: (site, since, limit) =>
      (since === undefined
        ? connection.all(ALL_SITE_HISTORY, [site, limit])
        : connection.all(SITE_HISTORY_SINCE, [site, since, limit])
      ).map((raw) => historyEntry(String(raw[5]), String(raw[6]), raw)),
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
  const [sequence, at, caller, what, before] = raw as [number, string, string, HistoryAction, string | null];
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
