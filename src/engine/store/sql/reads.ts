// The reads of the store on one connection.
import { folded } from '../../../text/folded.ts';
import { once, oncePer } from '../../../text/once-per.ts';
import { textKey } from '../../../text/text-key.ts';
import type { Query, Reads, Stored } from '../port.ts';
import type { Schema, Table } from '../schema/tables.ts';
import { accessReadsIn } from './access.ts';
import type { Dialect } from './dialect.ts';
import { lineReadsIn } from './lines.ts';
import { owningIn } from './owned.ts';
import { rollUpsIn } from './roll-up.ts';
import { decode } from './rows.ts';
import {
  countBy,
  firstKind,
  isReadToKnow,
  select,
  selectFirsts,
  selectLogin,
  selectOne,
  takenAmong,
  takenBy,
} from './statements.ts';
import { all, one, type Raw, type Stepped, type Steps } from './steps.ts';
import { compileFilter } from './visibility.ts';

const PASSWORD_HASH = 'SELECT Hash FROM secret WHERE SiteID = ? AND IndividualID = ?';
/** Few have a password. */
const userWithPassword = oncePer(
  ({ join }: Dialect): string => `SELECT individual."UserName" FROM secret
  ${join} individual ON individual."SiteID" = secret.SiteID AND individual."ID" = secret.IndividualID
  WHERE secret.SiteID = ? AND individual."UserName" IS NOT NULL AND individual."Deleted" = 0
  AND individual."DeletedByRef" = 0 LIMIT 1`,
);

/** `place` names the database in errors. */
export function readsIn(place: string, schema: Schema): Stepped<Reads> {
  const tablesOf = (resources: readonly string[]): readonly Table[] => resources.map((name) => schema.table(name));
  const kindAmong = oncePer((resources: readonly string[]) => firstKind(tablesOf(resources)));
  const isTaken = oncePer((resources: readonly string[]) => takenBy(tablesOf(resources), schema.table('individual')));
  const areTaken = oncePer((resources: readonly string[]) =>
    takenAmong(tablesOf(resources), schema.table('individual')),
  );
  const rollUps = once(() => rollUpsIn(schema));
  return {
    ...accessReadsIn(schema.dialect),
    *get(resource, site, id) {
      const table = schema.table(resource);
      const raw = yield* one(selectOne(table), [site, id]);
      return raw && decode(table, raw);
    },
    *kindOf(resources, site, id) {
      return ((yield* one(kindAmong(resources), [site, id]))?.[0] ?? undefined) as string | undefined;
    },
    *isTaken(resources, site, id) {
      return (yield* one(isTaken(resources), [site, id]))?.[0] === 1;
    },
    *takenAmong(resources, site, ids) {
      return (yield* all(areTaken(resources), [site, JSON.stringify(ids)])).map(([id]) => String(id));
    },
    find: (query) => find(schema, query),
    owning: owningIn(schema),
    totals: (query) => rollUps().totals(query),
    rollup: (query) => rollUps().rollup(query),
    countedRecords: (query, set) => rollUps().countedRecords(query, set),
    gradedMetrics: (query, set) => rollUps().gradedMetrics(query, set),
    *firstOf(resource, site, field, ids) {
      const table = schema.table(resource);
      const firsts = (yield* all(selectFirsts(table, field), [site, JSON.stringify(ids)])).flatMap(([id]) => id ?? []);
      const rows = yield* find(schema, { resource, site, ids: firsts.map(String), deleted: 2 });
      return new Map(rows.map((row) => [String(row[field]), row]));
    },
    *count(resource, site, ownerField) {
      const counts = yield* all(countBy(schema.table(resource), ownerField), [site]);
      return new Map(counts.map(([owner, count]) => [String(owner), Number(count)]));
    },
    ...lineReadsIn(place, schema.dialect),
    *passwordHash(site, individual) {
      return (yield* one(PASSWORD_HASH, [site, individual]))?.[0] as string | undefined;
    },
    *userWithPassword(site) {
      return (yield* one(userWithPassword(schema.dialect), [site]))?.[0] as string | undefined;
    },
    *login(userName) {
      const [individuals, sites] = tablesOf(['individual', 'site']) as [Table, Table];
      const raw = yield* one(selectLogin(individuals, sites), [textKey(userName)]);
      if (!raw) return undefined;
      const width = individuals.columns.length;
      const site = raw.slice(width, -1);
      return {
        individual: decode(individuals, raw.slice(0, width)),
        passwordHash: (raw.at(-1) ?? undefined) as string | undefined,
        site: site.some((value) => value !== null) ? decode(sites, site) : undefined,
      };
    },
  };
}

/** The statement of a query, and what makes a record of each of its rows. */
export function listing(schema: Schema, query: Query) {
  const table = schema.table(query.resource);
  const { holding } = query;
  return {
    ...select(schema, query, compileFilter(schema, query)),
    record: (raw: Raw): Stored => decode(table, raw),
    /** Where the statement answers more than is wanted: is it this record? */
    isWanted: holding && isReadToKnow(table, query) ? (record: Stored) => isHolding(record, holding) : undefined,
  };
}

const isHolding = (record: Stored, { fields, text }: NonNullable<Query['holding']>): boolean =>
  fields.some((field) => folded(String(record[field] ?? '')).includes(text));

export function* find(schema: Schema, query: Query): Steps<readonly Stored[]> {
  const { sql, params, record, isWanted } = listing(schema, query);
  const found = (yield* all(sql, params)).map(record);
  return isWanted ? found.filter(isWanted).slice(0, query.limit) : found;
}
