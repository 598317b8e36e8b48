// pm tokens: creates, lists and revokes tokens for pm serve, on the embedded engine (D21).
import { Command, Option } from 'commander';
import { changeBy } from '../../changes/plan/change.ts';
import { contract } from '../../contract/index.ts';
import { reportFailures } from '../changes/failures.ts';
import { beginChange, runChanges } from '../changes/make-changes.ts';
import { type Run, withChange, withGlobals } from '../command.ts';
import { type Context, checkLocal } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { shapeOf } from '../output/shape.ts';
import { resolve } from '../selectors/selectors.ts';

interface CreateOptions extends GlobalValues {
  readonly kind: string;
  readonly individual?: string;
}

const { token } = contract;

export function build(run: Run): Command {
  const group = new Command('tokens').description('Tokens that stand in for a password (embedded engine only).');
  const changing = (name: string, doc: string): Command => withChange(new Command(name).description(doc));
  return group
    .usage('<verb> [flags]')
    .addCommand(
      changing('create', 'Make a token. It is printed this once, and never again.')
        .addOption(new Option('--kind <kind>', 'of one user, or of the site').choices(['user', 'site']).default('user'))
        .option('--individual <ref>', 'whose user token; without it, yours')
        .action((options: CreateOptions) => run(options, (context) => create(context, options))),
    )
    .addCommand(
      withGlobals(new Command('list').description('List the tokens that are good.')).action((options: GlobalValues) =>
        run(options, list),
      ),
    )
    .addCommand(
      changing('revoke', 'Delete tokens, so that nobody can log in with them.')
        .argument('<ids...>', 'the IDs that the list shows')
        .action((ids: readonly string[], options: GlobalValues) => run(options, (context) => revoke(context, ids))),
    );
}

async function create(context: Context, { kind, individual }: CreateOptions): Promise<number> {
  checkLocal(context, 'tokens create');
  const operation = token.operations.create;
  const shape = shapeOf(token, operation);
  const session = await beginChange(context, shape);
  const id = individual && (await resolve(session, individual, { targets: ['individual'], deleted: 0 }));
  const body = { Kind: kind, ...(id ? { IndividualID: id } : {}) };
  const { rows, isRehearsed } = await runChanges(context, session, [changeBy(operation, { body })]);
  if (isRehearsed) return 0;
  const prefix = kind === 'site' ? '{SiteToken}' : '{UserToken}';
  context.note(`To log in with it, send it as the password with ${prefix} in front. It is shown this once.`);
  await context.print({ shape, rows: rows, one: true });
  return 0;
}

async function list(context: Context): Promise<number> {
  checkLocal(context, 'tokens list');
  const session = await context.session();
  const operation = token.operations.list;
  const count = await context.print({ shape: shapeOf(token, operation), rows: session.list(operation) });
  if (count === 0) context.note('No tokens.');
  return 0;
}

async function revoke(context: Context, ids: readonly string[]): Promise<number> {
  checkLocal(context, 'tokens revoke');
  const operation = token.operations.revoke;
  const session = await beginChange(context, shapeOf(token));
  const changes = ids.map((ID) => changeBy(operation, { body: { ID } }));
  const { rows, failures } = await runChanges(context, session, changes);
  for (const { ID } of rows) context.note(`Revoked ${String(ID)}.`);
  return reportFailures(context, failures, ids.length);
}
