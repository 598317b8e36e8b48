// The records that --where, --sort and --limit choose for a change. They are fixed before anything is asked.
import { notFoundError } from '../../changes/plan/current-record.ts';
import { ServiceError } from '../../contract/errors.ts';
import { plural, type Row } from '../../contract/resource.ts';
import { type Context, referIn } from '../context.ts';
import { camel, ownerFlags } from '../names.ts';
import { type Shape, shapeOf } from '../output/result.ts';
import { type AddressPlan, checkDeleted, choosePlan, givenFlags, plansOf } from './addresses.ts';
import { type CommandInput, idsFor, inputFor, ownersGiven } from './owner-flags.ts';

/** Do flags choose the records of this command? */
export const isChoosing = ({ settings: { where, sort, limit } }: Context): boolean =>
  where.length > 0 || sort !== undefined || limit !== undefined;

/**
 * The IDs of the chosen records: among those that are named, or else among all that the list of the resource shows, deleted
 * ones for an undelete. Throws `usage` for a wrong filter, and where the service has no such list.
 */
export async function chosenIDs(context: Context, asked: CommandInput): Promise<readonly string[]> {
  const shape: Shape = { ...shapeOf(asked.resource), open: true };
  const { choose } = await import('../output/index.ts');
  const rows = asked.given.length > 0 ? namedRows(context, asked) : await listedRows(context, asked);
  // A service may show a record on two of its pages.
  const ids = new Set<string>();
  const choice = { ...context.settings, zone: await context.zone(), refer: referIn(context) };
  const chosen = choose({ shape, rows }, choice, context.io.now());
  for await (const { ID } of chosen) ids.add(String(ID));
  return [...ids];
}

const deletedIn = ({ operation }: CommandInput): 0 | 1 => (operation.verb === 'undelete' ? 1 : 0);

async function* namedRows(context: Context, asked: CommandInput): AsyncGenerator<Row> {
  const session = await context.session();
  const { resource, operation, options } = asked;
  const want = deletedIn(asked) === 1 ? 'deleted' : undefined;
  const updating = operation.verb === 'update';
  const place = await ownersGiven(session, resource, options, { deleted: updating ? 0 : 2, updating });
  for (const id of await idsFor(context, asked, deletedIn(asked))) {
    const found = await session.find.record(resource.name, { id, place }, want);
    if (!found.row) throw notFoundError(resource, id, found);
    yield found.row;
  }
}

async function listedRows(context: Context, asked: CommandInput): Promise<AsyncIterable<Row>> {
  const session = await context.session();
  const { resource, operation, options } = asked;
  const { list } = resource.operations;
  if (!list) throw new ServiceError('usage', `the service lists no ${plural(resource)} to choose from`);
  const owners = operation.verb === 'update' ? [...ownerFlags(resource, { updating: true }).keys()] : undefined;
  const plans = plansOf(resource, list).filter((plan) => !owners || isFilledBy(plan, owners));
  const command = `${resource.command} ${operation.name}`;
  const flags = owners ? onlyOf(options, owners) : options;
  const plan = choosePlan(plans, givenFlags(plans, flags), command);
  const deleted = deletedIn(asked);
  if (deleted === 1) checkDeleted({ ...context.settings, deleted }, plan, command);
  const { query, ...place } = await inputFor(session, plans, plan, flags, deleted);
  return session.list(list, { ...place, query: { ...query, ...(deleted === 1 ? { deleted } : {}) } });
}

/** Do these flags alone fill the path? Others of an update are values for the record. */
const isFilledBy = ({ flags }: AddressPlan, owners: readonly string[]): boolean =>
  flags.every(({ flag, place }) => place === 'query' || owners.includes(flag));

const onlyOf = (options: CommandInput['options'], flags: readonly string[]): CommandInput['options'] =>
  Object.fromEntries(flags.map((flag) => [camel(flag), options[camel(flag)]]));
