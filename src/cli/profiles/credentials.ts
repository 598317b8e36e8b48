// The credentials of credentials.json, each of one origin and one user, and which one a command shows.
import type { Credential } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Streams } from '../streams.ts';
import { homeOf } from './home.ts';
import { originOf, type Profile, type Remote } from './profiles.ts';
import { readState, writeState } from './state-file.ts';

type Kept = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Who calls, and by what: in words, for whoami and doctor. */
export interface Known {
  readonly user: string | undefined;
  readonly secret: string | undefined;
  readonly by: string;
}

const TOKEN = /^\{(Site|User|Session)Token\}/;

/** What is known of the caller: variables before the profile before what was kept. */
export function knownFor(remote: Remote, io: Streams): Known {
  const env = speaksOf(remote, io) ? io.env : {};
  const kept = keptAt(originOf(remote), io);
  const names = Object.keys(kept);
  const user = env.PM_USER ?? remote.user ?? (names.length === 1 ? names[0] : undefined);
  if (env.PM_PASSWORD) return { user, secret: env.PM_PASSWORD, by: `PM_PASSWORD, ${kindOf(env.PM_PASSWORD)}` };
  const secret = user !== undefined && Object.hasOwn(kept, user) ? kept[user] : undefined;
  return { user, secret, by: secret === undefined ? 'nothing' : `a kept ${kindOf(secret)}` };
}

/** What the profile's service is shown. `as`: the user whom the caller acts as (D21). Throws `unauthorized`, `usage`. */
export function credentialFor(remote: Remote, as: string | undefined, io: Streams): Credential {
  const { user, secret } = knownFor(remote, io);
  if (user === undefined || secret === undefined) {
    const who = user === undefined ? '' : ` as ${user}`;
    throw new ServiceError('unauthorized', `nobody is logged in to ${remote.name}${who}`, {
      hint: `Log in: pm login -p ${remote.name}${user === undefined ? ' --user <user name>' : ''}`,
    });
  }
  if (as === undefined) return { login: user, password: secret };
  const kind = kindOf(secret);
  if (kind === 'site token') return { login: as, password: secret };
  if (kind === 'password') return { login: `${user}\\${as}`, password: secret };
  throw new ServiceError('usage', `--as needs an administrator's password or a token of the site; kept is a ${kind}`, {
    hint: `Hand the password over in PM_PASSWORD, or keep it: pm login -p ${remote.name} --keep-password`,
  });
}

/** Is this secret a token, and which; otherwise it is a password. */
export function kindOf(secret: string): 'password' | 'site token' | 'user token' | 'session token' {
  const [, kind] = TOKEN.exec(secret) ?? [];
  return kind === undefined ? 'password' : (`${kind.toLowerCase()} token` as 'site token');
}

export async function keepCredential(remote: Profile, user: string, secret: string, io: Streams): Promise<void> {
  const all = readAll(io);
  const origin = originOf(remote);
  await writeState(homeOf(io), 'credentials', { ...all, [origin]: { ...keptAt(origin, io), [user]: secret } });
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
  await writeState(homeOf(io), 'credentials', Object.keys(rest).length > 0 ? { ...others, [origin]: rest } : others);
  return gone;
}

/** PM_USER and PM_PASSWORD beside PM_URL are for that service, and are shown to no other. */
function speaksOf(remote: Remote, { env }: Streams): boolean {
  if (!env.PM_URL) return true;
  return URL.canParse(env.PM_URL) && new URL(env.PM_URL).origin === originOf(remote);
}

const keptAt = (origin: string, io: Streams): Readonly<Record<string, string>> => {
  const all = readAll(io);
  return (Object.hasOwn(all, origin) ? all[origin] : undefined) ?? {};
};

const readAll = (io: Streams): Kept => readState(homeOf(io), 'credentials') as Kept;
