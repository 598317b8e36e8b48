// Names out of local files, for completion: of records, jobs and profiles. What cannot be read has none.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../engine/store/sqlite/driver.ts';
import { textKey } from '../../text/text-key.ts';
import { configHomeOf, homeOf } from '../profiles/home.ts';
import type { NameColumns } from './words-table.ts';

type Env = NodeJS.ProcessEnv;

const MOST = 200;

/** The names of records that begin with `text`, of the first column that has any. `gone`: of deleted ones. */
export function recordNames(names: NameColumns, text: string, env: Env, gone = false): readonly string[] {
  const begin = textKey(text);
  return withDatabase(env, (all) => {
    for (const [column, key, sideTable] of text === '' ? names.columns.slice(0, 1) : names.columns) {
      const live = names.soft ? ` AND row."Deleted" = ${gone ? 1 : 0}` : '';
      const [from, isOf, where] =
        sideTable === undefined
          ? ['site', 'row."SiteID" = site."ID"', `row."${key}"`]
          : [`"${sideTable}" AS side`, 'row."SiteID" = side."SiteID" AND row."ID" = side."ID"', `side."${key}"`];
      const sql = `SELECT DISTINCT row."${column}" AS name FROM ${from} CROSS JOIN "${names.table}" AS row ON ${isOf}
        WHERE ${where} >= ? AND ${where} < ?${live} LIMIT ${MOST}`;
      const found = all(sql, begin, `${begin}\u{10ffff}`);
      if (found.length > 0) return found;
    }
    return [];
  });
}

/** The IDs of the newest jobs, as pm shows them. */
export const jobNames = (env: Env): readonly string[] =>
  withDatabase(env, (all) => all(`SELECT substr(ID, 1, 8) AS name FROM job ORDER BY Sequence DESC LIMIT 30`));

/** The profiles that are kept, and the one of the embedded engine. */
export function profileNames(env: Env): readonly string[] {
  const { profiles = {}, databases = {} } = config(env) as { profiles?: object; databases?: object };
  return ['local', ...Object.keys(profiles), ...Object.keys(databases)];
}

/** Is the embedded engine the one that is meant, unless a flag says otherwise? */
export const isLocal = (env: Env): boolean => {
  const { profile } = config(env) as { profile?: string };
  return (env.PM_PROFILE || (env.PM_DATABASE || env.PM_URL ? '' : (profile ?? 'local'))) === 'local';
};

function config(env: Env): object {
  try {
    return JSON.parse(readFileSync(join(configHomeOf({ env }), 'config.json'), 'utf8')) as object;
  } catch {
    return {};
  }
}

type All = (sql: string, ...values: readonly string[]) => readonly string[];

/** A missing file stays missing. A connection that could only read would leave the log of the database behind. */
function withDatabase(env: Env, work: (all: All) => readonly string[]): readonly string[] {
  const database = openDatabase(join(homeOf({ env }), 'local.db'), { fileMustExist: true, timeout: 200 });
  try {
    return work((sql, ...values) =>
      (database.prepare(sql).all(...values) as { name: unknown }[]).map(({ name }) => String(name)),
    );
  } finally {
    database.close();
  }
}
