// Remote services by name, from config.json; which one a command uses, and by which of credentials.json.
import { endpointOf } from '../../client/endpoint.ts';
import type { Credential } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { didYouMean } from '../../text/spelling.ts';
import type { Syntax } from '../../wire/media.ts';
import type { Streams } from '../streams.ts';
import { configHomeOf } from './home.ts';
import { readState, writeState } from './state-file.ts';

export interface Profile {
  readonly url: string;
  readonly user?: string;
  readonly wire?: Syntax;
  /** The time zone of the tables that people read. */
  readonly tz?: string;
  /** Large changes need more than --yes. */
  readonly protected?: true;
  /** A file of PEM certificates that are trusted instead of the usual authorities. */
  readonly caFile?: string;
  readonly allowHttp?: true;
  readonly namespace?: string;
  readonly routes?: Readonly<Record<string, string>>;
  /** The numbers of Not Set, Allow and Deny, where the service counts otherwise than its rows show (D18). */
  readonly states?: Readonly<Record<string, number>>;
  /** The service refuses to get back members that only it knows. */
  readonly dropUnknown?: true;
  /** The day of the last trial of the service, and the habits that it showed, in words. */
  readonly probed?: string;
  readonly habits?: readonly string[];
}

export interface Remote extends Profile {
  readonly name: string;
}

export interface Config {
  /** The profile that is used where none is named. */
  readonly profile?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
  /** Profiles of the embedded engine on a database server: their addresses, without secrets. */
  readonly databases?: Readonly<Record<string, string>>;
}

/** Which profile a command is about, and who said so. */
export interface Target {
  readonly profile: string;
  readonly origin: 'flag' | 'PM_PROFILE' | 'PM_DATABASE' | 'PM_URL' | 'config.json' | 'default';
  /** Undefined for the embedded engine. */
  readonly remote: Remote | undefined;
  /** The address of the database that the embedded engine works on, and what says it; undefined for its own file. */
  readonly database?: DatabaseGiven | undefined;
}

export interface DatabaseGiven {
  readonly address: string;
  /** `--database`, `PM_DATABASE`, or `the profile prod`. */
  readonly from: string;
}

/** The embedded engine. */
export const LOCAL = 'local';
/** The service that PM_URL names. */
export const ENVIRONMENT = 'environment';
/** The database that --database or PM_DATABASE names. */
export const DATABASE = 'database';

/**
 * Flags, else PM_PROFILE, PM_DATABASE or PM_URL, else config.json, else local. Throws `usage` for an unknown profile, and where
 * two flags or two variables name different places.
 */
export function targetOf(flag: string | undefined, io: Streams, address?: string): Target {
  const { PM_PROFILE, PM_DATABASE, PM_URL } = io.env;
  if (flag !== undefined && address !== undefined)
    throw new ServiceError('usage', '--profile and --database both say where the records are', {
      hint: 'Leave one of them out.',
    });
  if (address !== undefined) {
    const database = { address, from: '--database' };
    return { profile: DATABASE, origin: 'flag', remote: undefined, database };
  }
  const named = (profile: string, origin: Target['origin']): Target => ({
    profile,
    origin,
    remote: remoteNamed(profile, io),
    database: databaseNamed(profile, io),
  });
  if (flag !== undefined) return named(flag, 'flag');
  const places = [
    ['PM_PROFILE', PM_PROFILE ?? ''],
    ['PM_DATABASE', PM_DATABASE ? DATABASE : ''],
    ['PM_URL', PM_URL ? ENVIRONMENT : ''],
  ] as const;
  const [place, ...others] = places.filter(([, name]) => name !== '');
  const other = others.find(([, name]) => name !== place?.[1]);
  if (place && other)
    throw new ServiceError('usage', `${place[0]} and ${other[0]} both say where the records are`, {
      hint: `Unset one of them, or say which one is meant: -p ${place[1]} or -p ${other[1]}`,
    });
  if (place) return named(place[1], place[0]);
  const { profile } = readConfig(io);
  return profile === undefined ? named(LOCAL, 'default') : named(profile, 'config.json');
}

/** The database of the profile of that name; undefined for one of a service, and for the engine's own file. */
export function databaseNamed(name: string, io: Streams): DatabaseGiven | undefined {
  const { PM_DATABASE } = io.env;
  if (name === LOCAL) return undefined;
  if (name === DATABASE && PM_DATABASE) return { address: PM_DATABASE, from: 'PM_DATABASE' };
  const { databases = {} } = readConfig(io);
  const address = ownIn(databases, name);
  return address === undefined ? undefined : { address, from: `the profile ${name}` };
}

/** The remote service of that name; undefined for the embedded engine. Throws `usage` for an unknown one. */
export function remoteNamed(name: string, io: Streams): Remote | undefined {
  const { PM_URL } = io.env;
  if (name === LOCAL || databaseNamed(name, io)) return undefined;
  if (name === ENVIRONMENT && PM_URL) return { name, url: PM_URL };
  const { profiles, databases = {} } = readConfig(io);
  const profile = ownIn(profiles, name);
  if (profile) return { ...profile, name };
  const all = 'pm profiles list shows them. The profile local, the embedded engine, is always there: -p local';
  throw new ServiceError('usage', `there is no profile "${name}"`, {
    hint: didYouMean(name, [LOCAL, ...Object.keys(profiles), ...Object.keys(databases)], all),
  });
}

export const isProfile = (name: string, io: Streams): boolean =>
  name === LOCAL || databaseNamed(name, io) !== undefined || ownIn(readConfig(io).profiles, name) !== undefined;

/** What stands under a name that anybody may have chosen, such as `constructor`. */
export const ownIn = <T>(all: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined;

export function readConfig(io: Streams): Config {
  return { profiles: {}, ...readState(configHomeOf(io), 'config') };
}

export const writeConfig = (io: Streams, config: Config): Promise<void> =>
  writeState(configHomeOf(io), 'config', { ...config });

/** Changes the kept profile of that name; the service that PM_URL names has none. */
export async function changeProfile(io: Streams, name: string, change: (profile: Profile) => Profile): Promise<void> {
  const config = readConfig(io);
  const profile = ownIn(config.profiles, name);
  if (profile) await writeConfig(io, { ...config, profiles: { ...config.profiles, [name]: change(profile) } });
}

/** The origin of a profile's service. Throws `usage`. */
const originOf = ({ url, allowHttp }: Profile): string => endpointOf(url, allowHttp).origin;

type Kept = Readonly<Record<string, Readonly<Record<string, string>>>>;

const TOKEN = /^\{(Site|User|Session)Token\}/;

/** The caller's user name and secret: by variables, else by the profile, else as kept. `by` names the source, for whoami and doctor. */
export function knownFor(remote: Remote, io: Streams) {
  const env = speaksOf(remote, io) ? io.env : {};
  const kept = keptAt(originOf(remote), io);
  const names = Object.keys(kept);
  const user = env.PM_USER ?? remote.user ?? (names.length === 1 ? names[0] : undefined);
  if (env.PM_PASSWORD) return { user, secret: env.PM_PASSWORD, by: `PM_PASSWORD, ${kindOf(env.PM_PASSWORD)}` };
  const secret = user === undefined ? undefined : ownIn(kept, user);
  return { user, secret, by: secret === undefined ? 'nothing' : `a kept ${kindOf(secret)}` };
}

/** What the profile's service is shown. `as`: the user whom the caller acts as (D21). Throws `unauthorized`, `usage`. */
export function credentialFor(remote: Remote, as: string | undefined, io: Streams): Credential {
  const { user, secret } = knownFor(remote, io);
  if (user === undefined || secret === undefined) {
    const who = user === undefined ? '' : ` as ${user}`;
    const isEnvironment = remote.name === ENVIRONMENT;
    const name = user === undefined ? (isEnvironment ? ', the user name in PM_USER' : ' --user <user name>') : '';
    throw new ServiceError('unauthorized', `nobody is logged in to ${remote.name}${who}`, {
      hint: isEnvironment
        ? `Put the password or a token in PM_PASSWORD${name}; or log in: pm login -p ${remote.name}`
        : `Log in: pm login -p ${remote.name}${name}`,
    });
  }
  if (as === undefined) return { login: user, password: secret };
  const kind = kindOf(secret);
  if (kind === 'site token') return { login: as, password: secret };
  if (kind === 'password') return { login: `${user}\\${as}`, password: secret };
  throw new ServiceError('usage', `--as needs an administrator's password or a token of the site; pm keeps a ${kind}`, {
    hint: `Set PM_PASSWORD to the password, or keep it: pm login -p ${remote.name} --keep-password`,
  });
}

/** Is this secret a token, and which; otherwise it is a password. */
export function kindOf(secret: string): 'password' | 'site token' | 'user token' | 'session token' {
  const [, kind] = TOKEN.exec(secret) ?? [];
  return kind === undefined ? 'password' : (`${kind.toLowerCase()} token` as 'site token');
}

/** The users of whom a credential is kept for the profile's origin. */
export const keptUsers = (remote: Profile, io: Streams): readonly string[] => Object.keys(keptAt(originOf(remote), io));

/** The kept credential of a user, whatever the variables say. */
export const keptFor = (remote: Profile, user: string, io: Streams): string | undefined =>
  ownIn(keptAt(originOf(remote), io), user);

export async function keepCredential(remote: Profile, user: string, secret: string, io: Streams): Promise<void> {
  const all = readAll(io);
  const origin = originOf(remote);
  await writeState(configHomeOf(io), 'credentials', { ...all, [origin]: { ...keptAt(origin, io), [user]: secret } });
}

/** Forgets the credentials of a profile's origin: of one user, or of all. Answers whose they were. */
export async function forgetCredentials(
  remote: Profile,
  user: string | undefined,
  io: Streams,
): Promise<readonly string[]> {
  const origin = originOf(remote);
  const kept = keptAt(origin, io);
  const gone = Object.keys(kept).filter((name) => user === undefined || name === user);
  if (gone.length === 0) return [];
  const { [origin]: _, ...others } = readAll(io);
  const rest = Object.fromEntries(Object.entries(kept).filter(([name]) => !gone.includes(name)));
  await writeState(
    configHomeOf(io),
    'credentials',
    Object.keys(rest).length > 0 ? { ...others, [origin]: rest } : others,
  );
  return gone;
}

/** PM_USER and PM_PASSWORD beside PM_URL are for that service, and are shown to no other. */
function speaksOf(remote: Remote, { env }: Streams): boolean {
  if (!env.PM_URL) return true;
  return URL.canParse(env.PM_URL) && new URL(env.PM_URL).origin === originOf(remote);
}

const keptAt = (origin: string, io: Streams): Readonly<Record<string, string>> => ownIn(readAll(io), origin) ?? {};

const readAll = (io: Streams): Kept => readState(configHomeOf(io), 'credentials') as Kept;
