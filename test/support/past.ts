// A site as it stands and as it stood: its records table by table, as they are stored.
import { TABLES } from '../../src/cli/backup/sides.ts';
import { treePlaceOf } from '../../src/engine/records/tree.ts';
import { copyPast } from '../../src/engine/store/clone/past.ts';
import type { Source } from '../../src/engine/store/clone/sides.ts';
import { copiedTables } from '../../src/engine/store/clone/tables.ts';
import type { LastLine } from '../../src/engine/store/port.ts';
import type { Raw, Steps } from '../../src/engine/store/sql/steps.ts';
import type { Connection } from '../../src/engine/store/sqlite/connection.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';

/** Tables of a site that are no records of it. */
const OTHERS = ['secret', 'token', 'counter', 'job'];

export interface Standing {
  /** The last line of the site. */
  readonly line: number;
  /** The rows by the names of their tables, each row as a text. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
}

/** How a site stands in a file. */
export function standing(file: string, site: string): Standing {
  const database = openDatabase(file, { readonly: true });
  try {
    return standingIn((sql, params) => database.prepare(sql).raw().all(params) as Raw[], site);
  } finally {
    database.close();
  }
}

function standingIn(rowsOf: (sql: string, params: readonly string[]) => readonly Raw[], site: string): Standing {
  const last = 'SELECT max(Sequence) FROM line JOIN line_name ON Number = Site WHERE Name = ?';
  return {
    line: Number(rowsOf(last, [site])[0]?.[0]),
    tables: Object.fromEntries(
      copiedTables(TABLES.resources, TABLES.computed).flatMap(({ name, columns }) => {
        if (OTHERS.includes(name) || !columns.some((one) => /^"?SiteID"?$/.test(one.name))) return [];
        const names = columns.map((one) => one.name).join(', ');
        const rows = rowsOf(`SELECT ${names} FROM "${name}" WHERE SiteID = ?`, [site]);
        return rows.length === 0 ? [] : [[name, rows.map((row) => JSON.stringify(row)).sort()]];
      }),
    ),
  };
}

/** How it stood behind a line: out of a file, or out of any database, which is closed then. */
export async function stood(source: string | Source, site: string, line: number): Promise<Standing> {
  const copy = await copied(source, site, line);
  if (typeof source !== 'string') await source.close();
  try {
    return standingIn(copy.all, site);
  } finally {
    copy.close();
  }
}

/** The copy of a site behind a line, to be closed. */
export async function copied(source: string | Source, site: string, line: number): Promise<Connection> {
  // biome-ignore lint/correctness/useYield: it asks nothing.
  const lastOf = function* (): Steps<LastLine> {
    return { sequence: line, at: 0, before: undefined };
  };
  return (await copyPast({ source, tables: TABLES, treePlaceOf, site }, lastOf)).copy;
}

/** The rows that one of two has and the other one has not. */
export function differences(one: Standing, other: Standing): readonly string[] {
  const names = new Set([...Object.keys(one.tables), ...Object.keys(other.tables)]);
  return [...names].flatMap((name) => {
    const [was, is] = [one.tables[name] ?? [], other.tables[name] ?? []];
    const only = (rows: readonly string[], others: ReadonlySet<string>, sign: string) =>
      rows.filter((row) => !others.has(row)).map((row) => `${sign} ${name} ${row}`);
    return [...only(was, new Set(is), '-'), ...only(is, new Set(was), '+')];
  });
}
