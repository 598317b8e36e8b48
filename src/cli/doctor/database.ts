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
      return [
        (await refusalOf(connection, version)) ?? versionFound(shown, version, String(server?.[0])),
        ...(tls === 'none' && !isHere(host) ? [bad('tls', 'warning', ...withoutTls(shown))] : []),
      ];
    } finally {
      await connection.close();
    }
  } catch (error) {
    return [faultOf('database', error)];
  }
}

/** What is refused where nothing can be written, or no tables be made: a part of every write. Neither leaves anything behind. */
const WRITE = 'DELETE FROM commit_marker WHERE false';
const MAKE = 'BEGIN; CREATE TABLE pm_database (Version integer); ROLLBACK';

/** A database may be read by a role that cannot change it. */
async function refusalOf(connection: Connection, version: number): Promise<Finding | undefined> {
  try {
    await connection.exec(version === 0 ? MAKE : WRITE);
    return undefined;
  } catch (error) {
    return { ...faultOf('database', error), State: 'warning' };
  }
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
