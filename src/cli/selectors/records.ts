// Reads single records for the commands that name them.
import { text as readAll } from 'node:stream/consumers';
import { notFoundError, notListedError } from '../../changes/plan/current-record.ts';
import type { Input, Locator, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isGone, type Resource, type Row, singular } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { type AddressPlan, listHint, plansOf, zoneIn } from './addresses.ts';
import { type Lookup, liveOrDeleted, notYet, resolve } from './selectors.ts';

/** The address of an operation with the ID of the record, if it has one. */
export function ownPlan(resource: Resource, verb: string): AddressPlan | undefined {
  const operation = resource.operations[verb];
  return (
    operation &&
    plansOf(resource, operation).find(
      (plan) => plan.own !== undefined && plan.flags.every((flag) => flag.place === 'query'),
    )
  );
}

export function idOf(
  session: Session,
  resource: Resource,
  text: string,
  wanted: Omit<Lookup, 'targets'>,
): Promise<string> {
  return resolve(session, text, { ...wanted, targets: [resource.name === 'siteSetting' ? 'site' : resource.name] });
}

/** As `idOf`, for a deletion or an undeletion: the record may be deleted already, or not be deleted (D7). */
export const idInEither = (...[session, resource, text, wanted]: Parameters<typeof idOf>): Promise<string> =>
  liveOrDeleted(async (deleted) => {
    const id = await idOf(session, resource, text, { ...wanted, deleted });
    if (deleted === wanted.deleted || deleted === 0) return id;
    const { row } = await session.find.record(resource.name, { id, place: wanted.within ?? {} }, 'deleted');
    // One that is only hidden, with what it belongs to, is not deleted itself.
    return row?.Deleted === true ? id : undefined;
  }, wanted.deleted === 1);

/** The arguments, with those on stdin where one of them is `-`. */
export async function textsOf({ io }: Context, given: readonly string[]): Promise<readonly string[]> {
  if (!given.includes('-')) return given;
  const onStdin = (await readAll(io.stdin)).split(/\s+/);
  return [...given.filter((text) => text !== '-'), ...onStdin.filter(Boolean)];
}

/**
 * Reads the record that one argument means. Without an address for single reads, also on a service that lacks it, or with --deleted, it is found in
 * the store or in a list (D5).
 * Throws `not_found` or `deleted`, and as `idOf`.
 */
export async function readOne(
  context: Context,
  resource: Resource,
  text: string,
  { below = {}, ...wanted }: Pick<Lookup, 'within'> & { readonly below?: Input | undefined } = {},
): Promise<Row> {
  const session = await context.session();
  const { deleted = 0 } = context.settings;
  const id = await idOf(session, resource, text, { deleted, ...wanted });
  const locator = { id, place: wanted.within ?? {} };
  const plan = ownPlan(resource, 'get');
  const operation = resource.operations.get;
  if (plan?.own && operation && deleted === 0) {
    const { by = plan.route, params = {} } = below;
    const input = { by, params: { ...params, [plan.own]: id }, query: zoneIn(context.settings, plan) };
    return session.call(operation, input).catch((error: unknown) => readInList(session, resource, locator, error));
  }
  const found = await session.find.record(resource.name, locator, deleted === 0 ? undefined : 'deleted');
  const isWanted = found.state === 'live' ? deleted !== 1 : found.state === 'deleted' && deleted !== 0;
  if (found.row && isWanted) return found.row;
  if (found.state === 'unseen') throw notListedError(resource, deleted, id);
  if (found.state === 'deleted' && deleted === 0) throw notFoundError(resource, id, found);
  const later = await notYet(session, id, [resource.name]);
  const what = `${deleted === 1 ? 'deleted ' : ''}${singular(resource)} ${id}`;
  const hint = listHint(resource, deleted);
  throw later ?? new ServiceError('not_found', `there is no ${what} in this site`, { hint });
}

/** The deleted records of all owners that the caller may read; with 2 the others, too. */
export async function* withDeleted(session: Session, { name }: Resource, deleted: 1 | 2): AsyncGenerator<Row> {
  for await (const row of session.find.all(name, 2)) if (deleted === 2 || isGone(row)) yield row;
}

/** The record in a list, on a service that has no address for a single one. Throws the error where none shows it. */
async function readInList(session: Session, { name }: Resource, locator: Locator, error: unknown): Promise<Row> {
  if (!(error instanceof ServiceError) || error.code !== 'unsupported')
    throw (await notYet(session, locator.id ?? '', [name])) ?? error;
  const { state, row } = await session.find.record(name, locator);
  if (row && state === 'live') return row;
  throw error;
}
