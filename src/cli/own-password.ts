// A new password of one's own on a remote service: it is sent with the old one, and the kept credential is renewed (D21).
import type { Change } from '../changes/plan/change.ts';
import { ServiceError } from '../contract/errors.ts';
import { sameID } from '../contract/kinds.ts';
import { tokenFor } from './commands/login.ts';
import type { Context } from './context.ts';
import { keepCredential, keptFor, kindOf, knownFor, type Remote } from './profiles/profiles.ts';

/** How to make changes among which is a new password of one's own. */
interface OwnPasswordChange {
  /** Its session shows the service the old password. */
  readonly context: Context;
  /** Keeps a credential again, where the new password has ended the one that was kept. */
  renew(): Promise<void>;
}

/** Undefined if no change needs the old password. Throws `usage` where it is needed, and no question may be asked. */
export async function ownPasswordChange(
  context: Context,
  changes: readonly Change[],
): Promise<OwnPasswordChange | undefined> {
  const session = await context.session();
  const { remote, as, dryRun } = context.settings;
  const change = changes.find(({ id = '', patch = {} }) => sameID(id, session.me.id) && 'Password' in patch);
  if (!remote || as !== undefined || dryRun || !change) return undefined;
  const { user = session.me.userName, secret = '' } = knownFor(remote, context.io);
  const renew = () => renewCredential(context, remote, user, String(change.patch?.Password));
  if (kindOf(secret) === 'password') return { context, renew };
  const password = await oldPassword(context, `Present password of ${user} for ${remote.name}`);
  const own = await (await context.client()).open({ login: user, password });
  return { context: { ...context, session: async () => own }, renew };
}

async function oldPassword({ settings }: Context, question: string): Promise<string> {
  if (settings.asks) return (await import('./input/prompt.ts')).askSecret(question);
  throw new ServiceError('usage', 'to set your own password, pm needs the present one, and keeps only a token', {
    hint: 'Set PM_PASSWORD to the present one.',
  });
}

/** A kept user token stays good; a session token and a password do not. */
async function renewCredential(context: Context, remote: Remote, user: string, password: string): Promise<void> {
  const kept = keptFor(remote, user, context.io);
  if (kept === undefined || !['session token', 'password'].includes(kindOf(kept))) return;
  const isPassword = kindOf(kept) === 'password';
  const secret = isPassword ? password : await tokenFor(context, { login: user, password });
  if (secret !== undefined) await keepCredential(remote, user, secret, context.io);
}
