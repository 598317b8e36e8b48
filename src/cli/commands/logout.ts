// pm logout: forgets what pm login kept.
import type { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { actionOf, changing, type Run } from '../command.ts';
import type { Context } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { forgetCredentials } from '../profiles/profiles.ts';

export function build(run: Run): Command {
  return changing('logout', 'Forget the credentials that were kept for a remote service.')
    .option('--user <user name>', 'only those of this user')
    .action(actionOf(run, logout));
}

async function logout(context: Context, { user }: GlobalValues & { user?: string }): Promise<number> {
  const { remote, dryRun } = context.settings;
  if (!remote) {
    throw new ServiceError('usage', 'local is the embedded engine, where nobody logs in', {
      hint: 'Name a remote profile: pm logout -p <profile>',
    });
  }
  if (dryRun) return 0;
  const gone = await forgetCredentials(remote, user, context.io);
  context.note(
    gone.length > 0
      ? `Forgotten: the credential of ${gone.join(', ')} for ${remote.url}.`
      : `Nothing was kept for ${remote.url}.`,
  );
  return 0;
}
