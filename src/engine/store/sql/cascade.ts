// Set operation: deletion by reference (D6), wave by wave down from one record, each wave a few statements.
import { ownedBy, ownersOf } from '../../../contract/record-address.ts';
import type { Schema, Table } from '../schema/tables.ts';
import type { Connection } from '../sqlite/connection.ts';
import { quoted } from './statements.ts';

/** Holds, step by step, the IDs of what has just gone or come back and can own something. */
export const WAVE_TABLE = 'CREATE TEMP TABLE wave (Step INTEGER, ID TEXT, PRIMARY KEY (Step, ID)) WITHOUT ROWID';

/** What a right is given to is named by another ID than the record's own (D18). */
const PRINCIPAL = {
  target: 'principal',
  resource: 'individual',
  id: 'UserID',
} as const;

/** Brings `DeletedByRef` below one record in step with it; answers how many records changed. */
export type Cascade = (site: string, resource: string, id: string, gone: boolean) => number;

/** One field through which a wave reaches a table: the statements that carry it on. */
interface Edge {
  readonly targets: readonly string[];
  readonly table: Table;
  /** Undefined for a table that owns nothing: there the wave ends. */
  readonly collect: Readonly<Record<Way, string>> | undefined;
  readonly mark: Readonly<Record<Way, string>>;
}
type Way = 'gone' | 'back';

const CLEAR = 'DELETE FROM temp.wave';
const START = 'INSERT INTO temp.wave (Step, ID) VALUES (?, ?)';
const PRINCIPALS = `INSERT OR IGNORE INTO temp.wave (Step, ID) SELECT ?, ${quoted(PRINCIPAL.id)}
  FROM ${quoted(PRINCIPAL.resource)} WHERE "SiteID" = ? AND "ID" IN (${inWave()})`;

/** The cascade of a write connection, which must have the table of waves. Its statements are made by the first one. */
export function cascadeOn(connection: Connection, schema: Schema): Cascade {
  let passages: readonly Edge[] | undefined;
  return (site, resource, id, gone) => {
    passages ??= edgesOf(schema);
    const way: Way = gone ? 'gone' : 'back';
    connection.run(CLEAR);
    connection.run(START, [0, id]);
    let changed = 0;
    let kinds: ReadonlySet<string> = new Set([resource]);
    for (let step = 0; kinds.size > 0; step++) {
      if (kinds.has(PRINCIPAL.resource)) connection.run(PRINCIPALS, [step, site, step]);
      const next = new Set<string>();
      for (const passage of passages.filter(({ targets }) => targets.some((target) => kinds.has(target)))) {
        const params = [site, step];
        const carriesOn = passage.collect && connection.run(passage.collect[way], [step + 1, ...params]) > 0;
        changed += connection.run(passage.mark[way], params);
        if (carriesOn) next.add(passage.table.name);
      }
      kinds = next;
    }
    return changed;
  };
}

function edgesOf(schema: Schema): readonly Edge[] {
  return schema.tables.flatMap((table) =>
    ownersOf(table.resource).map(({ field, targets }) => ({
      table,
      targets: targets.map((target) => (target === PRINCIPAL.target ? PRINCIPAL.resource : target)),
      collect: ownsAny(schema, table) ? ways(schema, table, field, collectSql) : undefined,
      mark: ways(schema, table, field, markSql),
    })),
  );
}

const ownsAny = (schema: Schema, table: Table): boolean =>
  ownedBy(
    schema.tables.map(({ resource }) => resource),
    table.name,
  ).length > 0;

type Sql = (table: Table, where: string, way: Way) => string;

function ways(schema: Schema, table: Table, field: string, sql: Sql): Readonly<Record<Way, string>> {
  const reached = `"SiteID" = ? AND ${quoted(field)} IN (${inWave()})`;
  const backed = [`${reached} AND "DeletedByRef" = 1`, ...noOtherOwnerGone(schema, table, field)].join(' AND ');
  return {
    gone: sql(table, `${reached} AND "DeletedByRef" = 0`, 'gone'),
    back: sql(table, backed, 'back'),
  };
}

const markSql: Sql = (table, where, way) =>
  `UPDATE ${quoted(table.name)} AS t SET "DeletedByRef" = ${way === 'gone' ? 1 : 0} WHERE ${where}`;

/** What is deleted by itself was and stays gone, so nothing changes below it. */
function collectSql(table: Table, where: string): string {
  const itself = table.marks.includes('Deleted') ? ' AND "Deleted" = 0' : '';
  return `INSERT OR IGNORE INTO temp.wave (Step, ID) SELECT ?, "ID" FROM ${quoted(table.name)} AS t WHERE ${where}${itself}`;
}

/** The owner in the wave is back; the record's other owners must be there too. */
function noOtherOwnerGone(schema: Schema, table: Table, field: string): readonly string[] {
  const others = ownersOf(table.resource).filter((owner) => owner.field !== field);
  return others.flatMap((owner) => owner.targets.flatMap((target) => notGone(schema, owner.field, target)));
}

function notGone(schema: Schema, field: string, target: string): readonly string[] {
  const [name, id] = target === PRINCIPAL.target ? [PRINCIPAL.resource, PRINCIPAL.id] : [target, 'ID'];
  const owner = schema.tables.find((table) => table.name === name);
  if (!owner || owner.marks.length === 0) return [];
  const gone = owner.marks.map((mark) => `o.${quoted(mark)} = 1`).join(' OR ');
  const same = `o."SiteID" = t."SiteID" AND o.${quoted(id)} = t.${quoted(field)}`;
  return [`NOT EXISTS (SELECT 1 FROM ${quoted(name)} AS o WHERE ${same} AND (${gone}))`];
}

function inWave(): string {
  return 'SELECT ID FROM temp.wave WHERE Step = ?';
}
