// Reading on one connection, at once: what the store's promises are made of.
import type { Row } from '../../contract/resource.ts';
import type { Connection } from './connection.ts';
import { explained } from './failure.ts';
import type { HistoryLine, Query, Rollup, Stored, Viewer, What } from './port.ts';
import { rollup } from './rollup.ts';
import { decode } from './rows.ts';
import type { Schema, Table } from './schema.ts';
import { countBy, select, selectOne } from './statements.ts';
import { type TokenReads, tokenReadsOn } from './tokens.ts';

export interface Reads extends TokenReads {
  get(resource: string, site: string, id: string): Stored | undefined;
  find(query: Query): readonly Stored[];
  /** Row by row; the connection has a statement open until the last one, or until the consumer stops. */
  stream(query: Query): IterableIterator<Stored>;
  rollup(site: string, from: string, to: string): Rollup;
  count(resource: string, site: string, ownerField: string): readonly { owner: string; count: number }[];
  history(site: string, resource: string, id: string): readonly HistoryLine[];
  secret(site: string, individual: string): string | undefined;
}

const HISTORY = `SELECT Sequence, At, Caller, What, Before FROM history
  WHERE SiteID = ? AND Resource = ? AND ID = ? ORDER BY Sequence`;
const SECRET = 'SELECT Hash FROM secret WHERE SiteID = ? AND IndividualID = ?';

export function readsOn(connection: Connection, schema: Schema): Reads {
  return {
    ...tokenReadsOn(connection),
    get(resource, site, id) {
      const table = schema.table(resource);
      const raw = connection.one(selectOne(table), [site, id]);
      return raw && decode(table, raw);
    },
    find(query) {
      const { sql, params } = select(schema, query);
      const table = schema.table(query.resource);
      return connection.all(sql, params).map((raw) => decode(table, raw));
    },
    stream(query) {
      const { sql, params } = select(schema, query);
      return decoded(connection.file, schema.table(query.resource), connection.stream(sql, params));
    },
    rollup: (site, from, to) => rollup(connection, site, from, to),
    count: (resource, site, ownerField) =>
      connection.all(countBy(schema.table(resource), ownerField), [site]).map(([owner, count]) => ({
        owner: String(owner),
        count: Number(count),
      })),
    history: (site, resource, id) =>
      connection.all(HISTORY, [site, resource, id]).map((raw) => historyLine(resource, id, raw)),
    secret: (site, individual) => connection.one(SECRET, [site, individual])?.[0] as string | undefined,
  };
}

/**
 * The seam of rights (D2, D19): what a viewer may see of a list becomes part of the query here, as SQL. So far that is
 * the site alone; undefined means that they may see nothing of it.
 */
export function seenBy(query: Query, viewer: Viewer): Query | undefined {
  return query.site === undefined || query.site === viewer.site ? { ...query, site: viewer.site } : undefined;
}

function* decoded(file: string, table: Table, rows: IterableIterator<readonly unknown[]>): Generator<Stored> {
  try {
    for (const raw of rows) yield decode(table, raw);
  } catch (error) {
    throw explained(file, error);
  }
}

function historyLine(resource: string, id: string, raw: readonly unknown[]): HistoryLine {
  const [sequence, at, caller, what, before] = raw as [number, string, string, What, string | null];
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
