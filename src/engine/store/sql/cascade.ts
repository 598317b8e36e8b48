// Deletion by reference (D6): walks down from one record in waves, a few statements each.
import { ownedBy, ownersOf } from '../../../contract/record-address.ts';
import type { Writes } from '../port.ts';
import type { Schema, Table } from '../schema/tables.ts';
import { quoted } from './statements.ts';
import { run, type Stepped } from './steps.ts';

/** The IDs of each step's deleted or undeleted records that can own others. */
export const WAVE_TABLE = 'CREATE TEMP TABLE wave (Step INTEGER, ID TEXT, PRIMARY KEY (Step, ID)) WITHOUT ROWID';

/** A permission row names its principal by the UserID, not by the ID (D18). */
const PRINCIPAL = {
  target: 'principal',
  resource: 'individual',
  id: 'UserID',
} as const;

/** An owner field through which a wave reaches a table, and the statements of that step. */
interface Edge {
  readonly targets: readonly string[];
  readonly table: Table;
  /** Undefined for a table that owns nothing, where the wave ends. */
  readonly collect: Readonly<Record<Way, string>> | undefined;
  readonly mark: Readonly<Record<Way, string>>;
}
type Way = 'gone' | 'back';

const IN_WAVE = 'SELECT ID FROM temp.wave WHERE Step = ?';
const CLEAR = 'DELETE FROM temp.wave';
const START = 'INSERT INTO temp.wave (Step, ID) VALUES (?, ?)';
const PRINCIPALS = `INSERT OR IGNORE INTO temp.wave (Step, ID) SELECT ?, ${quoted(PRINCIPAL.id)}
  FROM ${quoted(PRINCIPAL.resource)} WHERE "SiteID" = ? AND "ID" IN (${IN_WAVE})`;

/** The connection must have the wave table. The statements are made for the first cascade. */
export function cascadeIn(schema: Schema): Stepped<Writes>['cascade'] {
  let edges: readonly Edge[] | undefined;
  return function* (site, resource, id, gone) {
    edges ??= edgesOf(schema);
    const way: Way = gone ? 'gone' : 'back';
    yield* run(CLEAR);
    yield* run(START, [0, id]);
    let changed = 0;
    let kinds: ReadonlySet<string> = new Set([resource]);
    for (let step = 0; kinds.size > 0; step++) {
      if (kinds.has(PRINCIPAL.resource)) yield* run(PRINCIPALS, [step, site, step]);
      const next = new Set<string>();
      for (const edge of edges.filter(({ targets }) => targets.some((target) => kinds.has(target)))) {
        const params = [site, step];
        const carriesOn = edge.collect && (yield* run(edge.collect[way], [step + 1, ...params])) > 0;
        changed += yield* run(edge.mark[way], params);
        if (carriesOn) next.add(edge.table.name);
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
  const reached = `"SiteID" = ? AND ${quoted(field)} IN (${IN_WAVE})`;
  const backed = [`${reached} AND "DeletedByRef" = 1`, ...noOtherOwnerGone(schema, table, field)].join(' AND ');
  return {
    gone: sql(table, `${reached} AND "DeletedByRef" = 0`, 'gone'),
    back: sql(table, backed, 'back'),
  };
}

const markSql: Sql = (table, where, way) =>
  `UPDATE ${quoted(table.name)} AS t SET "DeletedByRef" = ${way === 'gone' ? 1 : 0} WHERE ${where}`;

/** Nothing changes below a record that is deleted itself: it stays deleted. */
function collectSql(table: Table, where: string): string {
  const itself = table.marks.includes('Deleted') ? ' AND "Deleted" = 0' : '';
  return `INSERT OR IGNORE INTO temp.wave (Step, ID) SELECT ?, "ID" FROM ${quoted(table.name)} AS t WHERE ${where}${itself}`;
}

/** A record comes back only where none of its other owners is deleted. */
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
