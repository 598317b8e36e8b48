// pm logout: ends the session, and forgets the credential that pm login kept.
import type { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { addressOf } from '../../contract/operation.ts';
import { actionOf, changing, type Run } from '../command.ts';
import type { Context } from '../context.ts';
import { forgetCredentials, keptFor, keptUsers, kindOf, knownFor, type Remote } from '../profiles/profiles.ts';

export function build(run: Run): Command {
  return changing('logout', 'Forget the credential that was kept for a user of a remote service.')
    .option('--user <user name>', 'whose credential; without it that of the user of the profile')
    .action(actionOf(run, logout));
}

async function logout(context: Context, { user }: { user?: string }): Promise<number> {
  const { remote, dryRun } = context.settings;
  if (!remote) {
    throw new ServiceError('usage', 'local is the embedded engine, where nobody logs in', {
      hint: 'Name a remote profile: pm logout -p <profile>',
    });
  }
  const { io } = context;
  const who = user ?? knownFor(remote, io).user;
  const kept = keptUsers(remote, io);
  if (who === undefined && kept.length > 0) {
    throw new ServiceError('usage', `several users are logged in to ${remote.url}: ${kept.join(', ')}`, {
      hint: `Name one: pm logout -p ${remote.name} --user <user name>`,
    });
  }
  if (dryRun) return 0;
  if (who !== undefined) await endSession(context, remote, who);
  const gone = who === undefined ? [] : await forgetCredentials(remote, who, io);
  context.note(
    gone.length > 0
      ? `Forgotten: the credential of ${gone.join(', ')} for ${remote.url}.`
      : `Nothing was kept for ${remote.url}.`,
  );
  return 0;
}

/** Ends the session of a kept token on the service, where that can be done. */
async function endSession(context: Context, remote: Remote, user: string): Promise<void> {
  const password = keptFor(remote, user, context.io);
  if (password === undefined || kindOf(password) !== 'session token') return;
  const { method, path } = addressOf(contract.session.operations.logout.routes.plain);
  const credential = { login: user, password };
  const client = await context.client();
  const ended = await client
    .raw({ method, path, headers: { accept: 'application/json' }, credential, repeatable: true })
    .then(({ status }) => status < 300 || status === 401)
    .catch(() => false);
  if (!ended) context.note(`${remote.name} has not ended the session: its token works until it expires.`);
}
