// Profiles of the embedded engine on a database server: kept and forgotten.
import { ServiceError } from '../../contract/errors.ts';
import { type Address, addressOf } from '../../engine/store/postgres/address.ts';
import type { Context } from '../context.ts';
import { kebab } from '../names.ts';
import { systemUser } from '../profiles/home.ts';
import { type DatabaseGiven, readConfig, writeConfig } from '../profiles/profiles.ts';
import type { Streams } from '../streams.ts';

export const addressIn = ({ address, from }: DatabaseGiven, io: Streams): Address =>
  addressOf(address, systemUser(io), from);

/** Flags that say how a service is used. */
const OF_SERVICES = [
  ...['url', 'user', 'protected', 'caFile', 'allowHttp', 'namespace', 'wire', 'tz'],
  ...['passwordStdin', 'passwordFile', 'keepPassword'],
];

/** Keeps the address of a database, which holds no secret. */
export async function addDatabase(
  { io, settings, note }: Context,
  name: string,
  address: string,
  options: Readonly<Record<string, unknown>>,
): Promise<number> {
  const { shown } = addressIn({ address, from: '--database' }, io);
  const config = readConfig(io);
  if (Object.hasOwn(config.profiles, name)) throw otherKind(name, 'a service', '--url');
  const wrong = OF_SERVICES.find((flag) => options[flag] !== undefined) ?? manyIn(options);
  if (wrong !== undefined)
    throw new ServiceError('usage', `--database takes no --${kebab(wrong)} beside it`, {
      hint: 'The user stands in the address; its password in PGPASSWORD, or in a file that PGPASSFILE names.',
    });
  if (settings.dryRun) return 0;
  await writeConfig(io, { ...config, databases: { ...config.databases, [name]: address } });
  note(`The profile ${name} is the engine on ${shown}. To look at it: pm profiles test ${name}`);
  return 0;
}

/** Flags that may be given several times are empty lists by default. */
const manyIn = (options: Readonly<Record<string, unknown>>): string | undefined =>
  ['route', 'state'].find((flag) => (options[flag] as readonly string[] | undefined)?.length);

export const otherKind = (name: string, what: string, flag: string): ServiceError =>
  new ServiceError('usage', `the profile ${name} is ${what}: it can only be changed by ${flag}`, {
    hint: `Take another name, or delete it first: pm profiles delete ${name}`,
  });

export async function forgetDatabase({ io, settings, note }: Context, name: string): Promise<number> {
  const { profile: used, databases = {}, ...rest } = readConfig(io);
  const { [name]: _, ...others } = databases;
  if (settings.dryRun) return 0;
  await writeConfig(io, {
    ...rest,
    ...(used !== undefined && used !== name ? { profile: used } : {}),
    databases: others,
  });
  note(`Deleted the profile ${name}; its database is left as it is.`);
  return 0;
}
