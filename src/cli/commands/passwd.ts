// pm passwd: sets the password of an individual of the embedded engine.
import type { Command } from 'commander';
import { changeBy } from '../../changes/plan/change.ts';
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { planCommand } from '../changes/journal.ts';
import { beginChange, runChanges } from '../changes/make-changes.ts';
import { actionOf, changing, type Run } from '../command.ts';
import { type Context, checkLocal } from '../context.ts';
import { readSecret } from '../input/files.ts';
import { withNewPassword } from '../input/values.ts';
import { shapeOf } from '../output/result.ts';
import { resolve } from '../selectors/selectors.ts';

type Options = Readonly<Record<string, unknown>>;

export function build(run: Run): Command {
  const command = changing('passwd', "Set an individual's password (embedded engine only).");
  return withNewPassword(command.argument('[who]', 'an individual; without one, you')).action(actionOf(run, passwd));
}

async function passwd(context: Context, who: string | undefined, options: Options): Promise<number> {
  const there = planCommand(context, ['individuals', 'update', who ?? 'me']);
  checkLocal(context, 'passwd', `On a service: ${there} --new-password-file <file>`);
  const { individual } = contract;
  const session = await beginChange(context, shapeOf(individual));
  const id = await resolve(session, who ?? 'me', { targets: ['individual'], deleted: 0 });
  const password = (await readSecret(context, options)).Password ?? (await askPassword(context));
  const body = { Individual: id, Password: password };
  const { rows } = await runChanges(context, [changeBy(individual.operations.setPassword, { body }, { id })]);
  for (const { UserName } of rows) context.note(`The password of ${String(UserName)} is set.`);
  return 0;
}

async function askPassword(context: Context): Promise<string> {
  if (!context.settings.asks) {
    throw new ServiceError('usage', 'the new password is missing', {
      hint: 'Give it with --new-password-stdin or --new-password-file <file>.',
    });
  }
  const { askSecret } = await import('../input/prompt.ts');
  const first = await askSecret('New password');
  if (first === '') throw new ServiceError('usage', 'the new password is empty');
  if (first === (await askSecret('Once more'))) return first;
  throw new ServiceError('usage', 'the two passwords differ; nothing was changed');
}
