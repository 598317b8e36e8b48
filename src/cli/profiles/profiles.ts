// The profiles of config.json: remote services by name, and which one is used where none is named.
import { endpointOf } from '../../client/endpoint.ts';
import { ServiceError } from '../../contract/errors.ts';
import { nearest } from '../../text/spelling.ts';
import type { Syntax } from '../../wire/media.ts';
import type { Streams } from '../streams.ts';
import { homeOf } from './home.ts';
import { readState, writeState } from './state-file.ts';

export interface Profile {
  readonly url: string;
  readonly user?: string;
  readonly wire?: Syntax;
  /** Large changes need more than --yes. */
  readonly protected?: true;
  /** A file of PEM certificates that are trusted instead of the usual authorities. */
  readonly caFile?: string;
  readonly allowHttp?: true;
  readonly namespace?: string;
  readonly routes?: Readonly<Record<string, string>>;
}

/** A profile with its name. */
export interface Remote extends Profile {
  readonly name: string;
}

export interface Config {
  /** The profile that is used where none is named. */
  readonly profile?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** Which profile a command is about, and who said so. */
export interface Target {
  readonly profile: string;
  readonly origin: 'flag' | 'PM_PROFILE' | 'PM_URL' | 'config.json' | 'default';
  /** Undefined for the embedded engine. */
  readonly remote: Remote | undefined;
}

/** The embedded engine. */
export const LOCAL = 'local';
/** The service that PM_URL names. */
export const ENVIRONMENT = 'environment';

/** Flag, variable, PM_URL, config.json, local: the first that says something. Throws `usage` for an unknown profile. */
export function targetOf(flag: string | undefined, io: Streams): Target {
  const { PM_PROFILE, PM_URL } = io.env;
  if (flag !== undefined) return { profile: flag, origin: 'flag', remote: remoteNamed(flag, io) };
  if (PM_PROFILE) return { profile: PM_PROFILE, origin: 'PM_PROFILE', remote: remoteNamed(PM_PROFILE, io) };
  if (PM_URL) return { profile: ENVIRONMENT, origin: 'PM_URL', remote: remoteNamed(ENVIRONMENT, io) };
  const { profile } = readConfig(io);
  if (profile !== undefined) return { profile, origin: 'config.json', remote: remoteNamed(profile, io) };
  return { profile: LOCAL, origin: 'default', remote: undefined };
}

/** The remote service of that name; undefined for the embedded engine. Throws `usage` for an unknown one. */
export function remoteNamed(name: string, io: Streams): Remote | undefined {
  const { PM_URL } = io.env;
  if (name === LOCAL) return undefined;
  if (name === ENVIRONMENT && PM_URL) return { name, url: PM_URL };
  const { profiles } = readConfig(io);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return { ...profile, name };
  const close = nearest(name, [LOCAL, ...Object.keys(profiles)]);
  throw new ServiceError('usage', `there is no profile "${name}"`, {
    hint: close
      ? `Did you mean ${close}?`
      : 'pm profiles list shows them. The profile local, the embedded engine, is always there: -p local',
  });
}

export function readConfig(io: Streams): Config {
  return { profiles: {}, ...readState(homeOf(io), 'config') };
}

export const writeConfig = (io: Streams, config: Config): Promise<void> =>
  writeState(homeOf(io), 'config', { ...config });

/** The origin of a profile's service. Throws `usage`. */
export const originOf = ({ url, allowHttp }: Profile): string => endpointOf(url, allowHttp).origin;
