// The doctor's look at a database on a server: can it be reached and used, and is it reached safely?
import { isHere } from '../../engine/store/postgres/address.ts';
import { type Connection, connect } from '../../engine/store/postgres/connection.ts';
import { versionIn } from '../../engine/store/postgres/migrate.ts';
import { DATABASE, newestOf } from '../../engine/store/schema/versions.ts';
import { type DatabaseAt, placeOf } from '../backend.ts';
import type { Context } from '../context.ts';
import { bad, type Finding, faultOf, ok } from './finding.ts';

/** The database that the command is about, and then what is inside it. An empty one stays empty. */
export async function checkServer(
  context: Context,
  lookInside: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const { database } = placeOf(context);
  if (!database) return [];
  const findings = await lookAt(database);
  return findings.every(({ State }) => State === 'ok') ? [...findings, ...(await lookInside())] : findings;
}

async function lookAt({ address, password }: DatabaseAt): Promise<readonly Finding[]> {
  const { shown, tls, host } = address;
  try {
    const connection = await connect(address, password);
    try {
      const [server] = (await connection.ask('SHOW server_version')).rows;
      const version = await versionIn(connection, DATABASE);
      const obstacle = await obstacleIn(connection, version);
      return [
        obstacle
          ? bad('database', 'warning', `${shown} cannot be changed: ${obstacle[0]}`, obstacle[1])
          : versionFound(shown, version, String(server?.[0])),
        ...(tls === 'none' && !isHere(host) ? [bad('tls', 'warning', ...withoutTls(shown))] : []),
      ];
    } finally {
      await connection.close();
    }
  } catch (error) {
    return [faultOf('database', error)];
  }
}

/** Answers the name of a table of which this role may not do all that pm does. */
const NOT_WRITABLE = `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = current_schema() AND c.relkind = 'r' AND NOT (${['SELECT', 'INSERT', 'UPDATE', 'DELETE']
    .map((right) => `has_table_privilege(c.oid, '${right}')`)
    .join(' AND ')}) ORDER BY 1 LIMIT 1`;
const MAY_CREATE = `SELECT CASE WHEN has_schema_privilege(current_schema(), 'CREATE') THEN 'yes' END`;

/** Why nothing can be written there, and what to do. */
async function obstacleIn(connection: Connection, version: number): Promise<readonly [string, string] | undefined> {
  const first = async (sql: string): Promise<unknown> => (await connection.ask(sql)).rows[0]?.[0];
  if ((await first('SHOW transaction_read_only')) === 'on')
    return [
      'it is read-only there',
      'It may be a standby: name the server that is written, or lists and gets alone work.',
    ];
  if (version === 0)
    return (await first(MAY_CREATE)) === 'yes'
      ? undefined
      : ['this role may make no tables in it', 'Let it: GRANT CREATE ON SCHEMA to the role, or name another one.'];
  const table = await first(NOT_WRITABLE);
  return typeof table === 'string'
    ? [
        `this role may not write its table ${table}`,
        'Let it: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES to the role.',
      ]
    : undefined;
}

function versionFound(shown: string, version: number, server: string): Finding {
  const newest = newestOf(DATABASE).number;
  if (version === newest)
    return ok('database', `${shown} can be used; its tables have version ${version}, its server ${server}`);
  if (version > 0) {
    const found = `${shown} is of an older pm: its tables have version ${version}, this pm makes ${newest}`;
    return bad('database', 'warning', found, 'End the older pm, and make a backup: the next command changes them.');
  }
  const empty = `${shown} is empty: it has no tables yet`;
  return bad('database', 'warning', empty, 'The first command that uses it makes them, and a first site.');
}

/** A network that leaves this machine is read by others. */
const withoutTls = (shown: string): readonly [string, string] => [
  `${shown} is used without TLS, which others on the network can read`,
  'Leave sslmode=disable out of the address, or say sslmode=verify-full.',
];
