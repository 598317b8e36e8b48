// The doctor's look at a database on a server: can it be reached and used, and is it reached safely?
import { isHere } from '../../engine/store/postgres/address.ts';
import { connect } from '../../engine/store/postgres/connection.ts';
import { versionIn } from '../../engine/store/postgres/migrate.ts';
import { DATABASE } from '../../engine/store/schema/versions.ts';
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
      const found = `${shown} can be used; its tables have version ${version}, its server ${String(server?.[0])}`;
      const empty = `${shown} is empty: it has no tables yet`;
      return [
        version === 0
          ? bad('database', 'warning', empty, 'The first command that uses it makes them, and a first site.')
          : ok('database', found),
        ...(tls === 'none' && !isHere(host) ? [bad('tls', 'warning', ...withoutTls(shown))] : []),
      ];
    } finally {
      await connection.close();
    }
  } catch (error) {
    return [faultOf('database', error)];
  }
}

/** A network that leaves this machine is read by others. */
const withoutTls = (shown: string): readonly [string, string] => [
  `${shown} is used without TLS, which others on the network can read`,
  'Leave sslmode=disable out of the address, or say sslmode=verify-full.',
];
