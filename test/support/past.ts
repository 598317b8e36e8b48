// A site as it stands and as it stood: its records table by table, as they are stored.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { TABLES } from '../../src/cli/clone/sides.ts';
import { treePlaceOf } from '../../src/engine/records/tree.ts';
import { openFileSource } from '../../src/engine/store/clone/on-file.ts';
import { copyPast } from '../../src/engine/store/clone/past.ts';
import type { Source } from '../../src/engine/store/clone/sides.ts';
import { copiedTables } from '../../src/engine/store/clone/tables.ts';
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
    const last = 'SELECT max(Sequence) FROM line JOIN line_name ON Number = Site WHERE Name = ?';
    return {
      line: Number(database.prepare(last).pluck().get(site)),
      tables: Object.fromEntries(
        copiedTables(TABLES.resources, TABLES.computed).flatMap(({ name, columns }) => {
          if (OTHERS.includes(name) || !columns.some((one) => /^"?SiteID"?$/.test(one.name))) return [];
          const rows = database.prepare(`SELECT * FROM "${name}" WHERE SiteID = ?`).all(site);
          return rows.length === 0 ? [] : [[name, rows.map((row) => JSON.stringify(row)).sort()]];
        }),
      ),
    };
  } finally {
    database.close();
  }
}

/** How it stood behind a line; the copy goes into a folder of `folder`. */
export const stood = async (file: string, site: string, line: number, folder: string): Promise<Standing> =>
  stoodIn(await openFileSource(file, TABLES), site, line, folder);

/** The same out of any database, which is closed then. */
export async function stoodIn(source: Source, site: string, line: number, folder: string): Promise<Standing> {
  const copy = join(mkdtempSync(join(folder, 'behind-')), 'past.db');
  try {
    await copyPast({ source, tables: TABLES, treePlaceOf, site, line, file: copy });
  } finally {
    await source.close();
  }
  return standing(copy, site);
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
