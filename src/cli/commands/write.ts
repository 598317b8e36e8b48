// pm <resource> create, update, delete and undelete, and other commands that write records.
import { type Change, changeBy } from '../../changes/plan/change.ts';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import { takesBody } from '../../contract/operation.ts';
import type { Row } from '../../contract/resource.ts';
import { beginChange, makeChanges } from '../changes/make-changes.ts';
import { reassigned } from '../consequences/reassign.ts';
import { type Context, printingAll } from '../context.ts';
import type { Answer } from '../input/dialog.ts';
import { completeNew } from '../input/required.ts';
import { readBody } from '../input/values.ts';
import { shapeOf } from '../output/result.ts';
import { choosePlan, givenFlags, plansOf, zoneIn } from '../selectors/addresses.ts';
import { chosenIDs, isChoosing } from '../selectors/chosen.ts';
import { withNamedOthers } from '../selectors/other-members.ts';
import { type CommandInput, idsFor, inputFor, ownersGiven } from '../selectors/owner-flags.ts';
import { ownPlan } from '../selectors/records.ts';
import { servedResource } from '../selectors/state-numbers.ts';

/** Runs a command that writes records. Answers the exit code. */
export async function write(given: Context, asked: CommandInput): Promise<number> {
  const context = isChoosing(given) ? printingAll(given) : given;
  const answers: Answer[] = [];
  try {
    return await writeIn(context, { ...asked, answers });
  } catch (error) {
    if (answers.length > 0 && !isUnknown(error))
      await (await import('../input/typed.ts')).printTyped(context, asked, answers);
    throw error;
  }
}

/** Changes that may have been made are not to be repeated. */
const isUnknown = (error: unknown): boolean => error instanceof ServiceError && error.exit === EXIT.unknown;

async function writeIn(context: Context, asked: CommandInput): Promise<number> {
  await beginChange(context, shapeOf(asked.resource));
  if (asked.options.edit !== true) return make(context, asked);
  const { editAndMake } = await import('../input/edit.ts');
  return editAndMake(context, asked, (edited) => make(context, { ...asked, edited }));
}

async function make(context: Context, asked: CommandInput): Promise<number> {
  const { resource, operation, given } = asked;
  const changes = await changesOf(context, asked);
  const chosen = isChoosing(context);
  const one = !operation.many && !chosen && given.length <= 1 && given[0] !== '-';
  const own = context.settings.remote
    ? await (await import('../own-password.ts')).ownPasswordChange(context, changes)
    : undefined;
  const options = { one, chosen, stdinUsed: given.includes('-') };
  const exit = await makeChanges(own?.context ?? context, resource, changes, options);
  if (exit === EXIT.ok) await own?.renew();
  return exit;
}

/** The changes that a command would make. Throws `usage`, and the errors of the selectors of records. */
export function changesOf(context: Context, asked: CommandInput): Promise<readonly Change[]> {
  const { operation, options, edited } = asked;
  if (options.edit === true && !edited) throw new ServiceError('usage', '--edit changes one record, in an editor');
  if (operation.verb === 'create') return createChanges(context, asked);
  if (takesBody(operation) && operation.verb !== 'update') return bodyChanges(context, asked);
  return recordChanges(context, asked);
}

async function createChanges(context: Context, asked: CommandInput): Promise<readonly Change[]> {
  const session = await context.session();
  const { operation, options, answers } = asked;
  const place = await ownersGiven(session, asked.resource, options, { deleted: 0 });
  const served = await servedResource(context, asked.resource, place);
  const resource = await withNamedOthers(session, served, options);
  const read = asked.edited ?? (await readBody(context, resource, options));
  const body = await completeNew(context, resource, read, answers);
  const plain = plansOf(resource, operation).find((one) => one.route === 'plain');
  return [changeBy(operation, { by: 'plain', body, query: zoneIn(context.settings, plain) })];
}

/** An operation that writes one record which its owners name, or makes several records from one body. */
async function bodyChanges(context: Context, asked: CommandInput): Promise<readonly Change[]> {
  const session = await context.session();
  const { resource, operation, options, answers } = asked;
  const plans = plansOf(resource, operation);
  const plan = choosePlan(plans, givenFlags(plans, options), `${resource.command} ${operation.name}`);
  const input = await inputFor(session, plans, plan, options, 0);
  const read = asked.edited ?? (await readBody(context, resource, options));
  const body = operation.many ? await completeNew(context, resource, read, answers) : read;
  const query = { ...input.query, ...zoneIn(context.settings, plan) };
  return [changeBy(operation, { ...input, body, query })];
}

async function recordChanges(context: Context, asked: CommandInput): Promise<readonly Change[]> {
  const session = await context.session();
  const { resource, operation, given, options } = asked;
  const { verb } = operation;
  const plan = ownPlan(resource, operation.name);
  if (!plan?.own) throw new ServiceError('usage', `${resource.command} ${operation.name} takes no ID`);
  const own = plan.own;
  checkStdin(given, options);
  const ids = isChoosing(context)
    ? await chosenIDs(context, asked)
    : await idsFor(context, asked, verb === 'undelete' ? 1 : 0);
  const updating = verb === 'update';
  const place = await ownersGiven(session, resource, options, { deleted: updating ? 0 : 2, updating });
  const patch = updating ? { patch: await patchOf(context, asked, { id: ids[0], place }) } : {};
  const query = zoneIn(context.settings, plan);
  const { reassignTo } = options;
  const before = typeof reassignTo === 'string' ? await reassigned(context, ids, reassignTo) : [];
  const changes = ids.map((id) =>
    changeBy(operation, { by: plan.route, params: { [own]: id }, query }, { id, ...patch, place }),
  );
  return [...before, ...changes];
}

async function patchOf(
  context: Context,
  { resource, options, edited }: CommandInput,
  first: { readonly id: string | undefined; readonly place: Row },
): Promise<Readonly<Record<string, unknown>>> {
  const session = await context.session();
  if (edited) return edited;
  const served = await servedResource(context, resource, first.place);
  const patch = await readBody(context, await withNamedOthers(session, served, options, first), options);
  if (Object.keys(patch).length > 0) return patch;
  throw new ServiceError('usage', 'nothing to change: no field is named', {
    hint: `pm ${resource.command} update --help lists the flags.`,
  });
}

/** Throws `usage` if two flags read stdin. */
function checkStdin(given: readonly string[], options: CommandInput['options']): void {
  const uses = [given.includes('-'), options.from === '-', options.newPasswordStdin === true];
  if (uses.filter(Boolean).length > 1)
    throw new ServiceError('usage', 'stdin is named twice, and can be read once', {
      hint: 'Put one of them into a file.',
    });
}
