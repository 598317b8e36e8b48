// pm login: checks a password once, and keeps a token for it.
import type { Command } from 'commander';
import type { Credential } from '../../contract/call.ts';
import { orNone, ServiceError } from '../../contract/errors.ts';
import { actionOf, changing, type Run } from '../command.ts';
import type { Context } from '../context.ts';
import { type PasswordOptions, readPassword } from '../input/prompt.ts';
import { changeProfile, keepCredential, kindOf, knownFor, type Remote } from '../profiles/profiles.ts';

export interface LoginOptions extends PasswordOptions {
  readonly user?: string;
  readonly keepPassword?: boolean;
}

export function build(run: Run): Command {
  return changing('login', 'Log in to a remote service; a token is kept, and no password.')
    .option('--user <user name>', 'whom to log in as; without it the one of the profile')
    .option('--password-stdin', 'read the password, or a token, from stdin')
    .option('--password-file <file>', 'read it from a file')
    .option('--keep-password', 'keep the password itself, readable by you alone')
    .action(actionOf(run, login));
}

/** Checks the password with the service, and keeps a token. Throws `unauthorized` for a wrong password. */
export async function login(context: Context, options: LoginOptions): Promise<number> {
  const { settings, io } = context;
  const { remote } = settings;
  const client = await context.client();
  if (!remote) throw new Error('a client without a remote profile');
  if (settings.as !== undefined) throw new ServiceError('usage', 'login takes no --as: log in as yourself');
  const user = options.user ?? (await userFor(context, remote));
  const password = await readPassword(context, options, `Password of ${user} for ${remote.name}`);
  const checked = async () => {
    const secret = await secretFor(context, remote, { login: user, password }, options.keepPassword === true);
    // A kept credential must be good for a call, whatever it is.
    const { me } = await client.open({ login: user, password: secret });
    return { secret, me };
  };
  const { secret, me } = await checked().catch((error: unknown) => refuseLogin(error, user));
  if (settings.dryRun) return 0;
  await keepCredential(remote, user, secret, io);
  if (remote.user === undefined) await changeProfile(io, remote.name, (profile) => ({ ...profile, user }));
  context.note(`Logged in to ${remote.name} (${remote.url}) as ${me.userName}; pm keeps ${describe(secret)}.`);
  return 0;
}

/** To log in is no advice where that fails. */
function refuseLogin(error: unknown, user: string): never {
  if (!(error instanceof ServiceError) || error.code !== 'unauthorized') throw error;
  const hint = `Look at the user name, ${user}, and give the password once more.`;
  throw new ServiceError('unauthorized', error.message, { hint, cause: error });
}

const describe = (secret: string): string => (kindOf(secret) === 'password' ? 'the password' : `a ${kindOf(secret)}`);

async function userFor({ io, settings }: Context, remote: Remote): Promise<string> {
  const { user } = knownFor(remote, io);
  if (user !== undefined) return user;
  if (settings.asks) return (await import('../input/prompt.ts')).askText(`User name for ${remote.name}`);
  throw new ServiceError('usage', `no user is named for ${remote.name}`, {
    hint: `pm login -p ${remote.name} --user <user name>`,
  });
}

/** A session token for the password, if the service gives one; a given token is kept. */
async function secretFor(context: Context, { name }: Remote, credential: Credential, keep: boolean): Promise<string> {
  if (keep || kindOf(credential.password) !== 'password') return credential.password;
  const token = await tokenFor(context, credential);
  if (token !== undefined) return token;
  throw new ServiceError('usage', `${name} gives no session tokens, and the password is not kept unless you say so`, {
    hint: `Keep it: pm login -p ${name} --keep-password; or set PM_PASSWORD.`,
  });
}

/** A session token for a user name and its password; undefined if the service gives none. */
export async function tokenFor(context: Context, credential: Credential): Promise<string | undefined> {
  const client = await context.client();
  const answer = await orNone(client.login(credential), ['not_found', 'method', 'bad_answer', 'invalid']);
  return answer && typeof answer.Token === 'string' && answer.Token !== ''
    ? `{SessionToken}${answer.Token}`
    : undefined;
}
