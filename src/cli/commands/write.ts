// pm <resource> create and update: flags become a body, the body becomes a change.
import { type Change, make, rehearse } from '../../changes/change.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import { resolveFlags } from '../address-values.ts';
import { choosePlan, inputAt, plansOf } from '../addresses.ts';
import { announce, checkNamed } from '../announce.ts';
import { type Context, rowsOf } from '../context.ts';
import { camel } from '../names.ts';
import { idsFor } from '../naming.ts';
import { printPlan } from '../plan-output.ts';
import { ownPlan, standing } from '../records.ts';
import { completeNew } from '../required.ts';
import { reportFailures } from '../several.ts';
import { shapeOf } from '../shape.ts';
import { readBody } from '../values.ts';

type Given = Readonly<Record<string, unknown>>;

export async function create(
  context: Context,
  resource: Resource,
  operation: Operation,
  given: Given,
): Promise<number> {
  const session = await begun(context, resource);
  const body = await completeNew(context, session, resource, await readBody(context, session, resource, given));
  return run(
    context,
    session,
    [{ resource, operation, input: { by: 'plain', body, query: zoneQuery(context, resource, operation) } }],
    true,
  );
}

export async function update(
  context: Context,
  resource: Resource,
  operation: Operation,
  given: readonly string[],
  options: Given,
): Promise<number> {
  const session = await begun(context, resource);
  const plan = ownPlan(resource, operation.name);
  if (!plan?.own) throw new ServiceError('usage', `${resource.command} update takes no ID`);
  const own = plan.own;
  checkStdin(given, options);
  const ids = await idsFor(session, context, resource, given, options, 0, operation.name);
  const patch = await readBody(context, session, resource, options);
  if (Object.keys(patch).length === 0) {
    throw new ServiceError('usage', 'nothing to change: no field is named', {
      hint: `pm ${resource.command} update --help lists the flags.`,
    });
  }
  const changes = ids.map(
    (id): Change => ({
      resource,
      operation,
      id,
      patch,
      input: { by: plan.route, params: { [own]: id }, query: zoneQuery(context, resource, operation) },
      read: (inside) => current(inside, resource, id),
    }),
  );
  return run(context, session, changes, given.length <= 1 && given[0] !== '-');
}

/** An operation that writes one record which its owners name. */
export async function write(context: Context, resource: Resource, operation: Operation, given: Given): Promise<number> {
  const session = await begun(context, resource);
  const plans = plansOf(resource, operation);
  const flags = plans.flatMap((plan) => plan.flags);
  const named = new Set(flags.map((flag) => flag.flag).filter((flag) => given[camel(flag)] !== undefined));
  const plan = choosePlan(plans, named, `${resource.command} ${operation.name}`);
  const values = await resolveFlags(session, flags, given, 0);
  const body = await readBody(context, session, resource, given);
  return run(context, session, [{ resource, operation, input: { ...inputAt(plan, session, values), body } }], true);
}

/** Opens the session, once it is certain that this may be changed and the answer can be printed as asked. */
async function begun(context: Context, resource: Resource): Promise<Session> {
  checkNamed(context);
  await context.checkPrint(shapeOf(resource));
  return context.session();
}

/** What stands on stdin can be read once. */
function checkStdin(given: readonly string[], options: Given): void {
  const uses = [given.includes('-'), options.from === '-', options.newPasswordStdin === true];
  if (uses.filter(Boolean).length > 1)
    throw new ServiceError('usage', 'stdin is named twice, and can be read once', {
      hint: 'Put one of them into a file.',
    });
}

/** The record as it stands; where the service has no address for single reads, the embedded file is asked. */
async function current(session: Session, resource: Resource, id: string): Promise<Row | undefined> {
  const plan = ownPlan(resource, 'get');
  const { get } = resource.operations;
  if (plan?.own && get) return session.call(get, { by: plan.route, params: { [plan.own]: id } });
  return standing(session, resource, id);
}

function zoneQuery(context: Context, resource: Resource, operation: Operation): Readonly<Record<string, string>> {
  const plan = plansOf(resource, operation).find((one) => one.route === 'plain');
  return context.settings.tz !== undefined && plan?.query.has('tz') ? { tz: context.settings.tz } : {};
}

async function run(context: Context, session: Session, changes: readonly Change[], one: boolean): Promise<number> {
  announce(context, session, changes);
  if (context.settings.dryRun) return printPlan(context, await rehearse(session, changes));
  const { resource } = changes[0] as Change;
  const failures: unknown[] = [];
  const rows: Row[] = [];
  for (const change of changes) {
    try {
      const outcome = await make(session, change);
      for (const name of outcome.ignored) context.note(`The server ignored ${name}.`);
      rows.push(outcome.after);
    } catch (error) {
      if (changes.length === 1) throw error;
      failures.push(error);
    }
  }
  await context.print({ shape: shapeOf(resource), rows: rowsOf(rows), one });
  return reportFailures(context, failures, changes.length);
}
