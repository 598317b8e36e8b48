// pm tokens: creates, lists and revokes tokens for pm serve, on the embedded engine (D21).
import { Command, Option } from 'commander';
import { changeBy } from '../../changes/plan/change.ts';
import { contract } from '../../contract/index.ts';
import { reportFailures } from '../changes/failures.ts';
import { beginChange, runChanges } from '../changes/make-changes.ts';
import { actionOf, changing, type Run, reading } from '../command.ts';
import { type Context, checkLocal } from '../context.ts';
import { shapeOf } from '../output/result.ts';
import { resolve } from '../selectors/selectors.ts';

interface CreateOptions {
  readonly kind: string;
  readonly individual?: string;
}

const { token } = contract;

export function build(run: Run): Command {
  const group = new Command('tokens').description('Tokens that stand in for a password (embedded engine only).');
  return group
    .usage('<verb> [flags]')
    .addCommand(
      changing('create', 'Make a token. It is printed this once, and never again.')
        .addOption(new Option('--kind <kind>', 'of one user, or of the site').choices(['user', 'site']).default('user'))
        .option('--individual <ref>', 'whose user token; without it, yours')
        .action(actionOf(run, create)),
    )
    .addCommand(reading('list', 'List the valid tokens.').action(actionOf(run, list)))
    .addCommand(
      changing('revoke', 'Delete tokens, so that nobody can log in with them.')
        .argument('<ids...>', 'the IDs that the list shows')
        .action(actionOf(run, revoke)),
    );
}

async function create(context: Context, { kind, individual }: CreateOptions): Promise<number> {
  checkLocal(context, 'tokens create');
  const operation = token.operations.create;
  const shape = shapeOf(token, operation);
  const session = await beginChange(context, shape);
  const id = individual && (await resolve(session, individual, { targets: ['individual'], deleted: 0 }));
  const body = { Kind: kind, ...(id ? { IndividualID: id } : {}) };
  const { rows } = await runChanges(context, [changeBy(operation, { body })]);
  if (context.settings.dryRun) return 0;
  const prefix = kind === 'site' ? '{SiteToken}' : '{UserToken}';
  context.note(
    `It is shown only once. To log in with it, give this as the password: ${prefix}<the token>, without a blank.`,
  );
  return context.print({ shape, rows, one: true });
}

async function list(context: Context): Promise<number> {
  checkLocal(context, 'tokens list');
  const session = await context.session();
  const operation = token.operations.list;
  return context.print({ shape: shapeOf(token, operation), rows: session.list(operation), none: 'No tokens.' });
}

async function revoke(context: Context, ids: readonly string[]): Promise<number> {
  checkLocal(context, 'tokens revoke');
  const operation = token.operations.revoke;
  await beginChange(context, shapeOf(token));
  const changes = ids.map((ID) => changeBy(operation, { body: { ID } }));
  const { rows, failures } = await runChanges(context, changes);
  for (const { ID } of rows) context.note(`Revoked ${String(ID)}.`);
  return reportFailures(context, failures, ids.length);
}
