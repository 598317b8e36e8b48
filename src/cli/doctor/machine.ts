// The doctor's look at the machine: Node, SQLite, pm's files and who may read them.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { homeOf } from '../profiles/home.ts';
import { lookAtDatabases } from './databases.ts';
import { bad, type Finding, faultOf, ok } from './finding.ts';

const OLDEST_NODE = [20, 18, 1];
const FILES = ['local.db', 'journal.db', 'config.json', 'credentials.json'];

export async function lookAtMachine(context: Context): Promise<readonly Finding[]> {
  const home = homeOf(context.io);
  const driver = await sqlite();
  const files = FILES.map((name) => join(home, name)).filter((file) => existsSync(file));
  return [
    node(),
    driver,
    ...(existsSync(home) ? [modeOf('folder', home, 0o700)] : [ok('folder', `${home} is not there yet`)]),
    ...files.map((file) => modeOf('file', file, 0o600)),
    ...(driver.State === 'ok' ? await lookAtDatabases(context) : []),
  ];
}

function node(): Finding {
  const parts = process.versions.node.split('.').map(Number);
  const at = OLDEST_NODE.findIndex((part, index) => part !== parts[index]);
  const old = at >= 0 && (parts[at] ?? 0) < (OLDEST_NODE[at] ?? 0);
  const wanted = `Install Node ${OLDEST_NODE.join('.')} or newer.`;
  return old ? bad('node', 'fault', process.versions.node, wanted) : ok('node', process.versions.node);
}

async function sqlite(): Promise<Finding> {
  const [{ checkSqlite }, { sqliteVersion }] = await Promise.all([
    import('../../engine/store/sqlite/connection.ts'),
    import('../../engine/store/sqlite/driver.ts'),
  ]);
  try {
    const version = sqliteVersion();
    checkSqlite(version);
    return ok('sqlite', version);
  } catch (error) {
    return faultOf('sqlite', error);
  }
}

/** Windows keeps rights elsewhere. */
function modeOf(check: string, path: string, most: number): Finding {
  const mode = statSync(path).mode & 0o777;
  if (process.platform === 'win32' || (mode & ~most) === 0) return ok(check, path);
  const found = `${path} may be used by others (${mode.toString(8)})`;
  return bad(check, 'fault', found, `chmod ${most.toString(8)} '${path}'`);
}
