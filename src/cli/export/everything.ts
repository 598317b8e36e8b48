// All records of a resource that the caller may see, whether the service has one list of them or one for each owner.
import type { Row, Session } from '../../contract/call.ts';
import { childTypesOn } from '../../contract/child-types.ts';
import { ServiceError } from '../../contract/errors.ts';
import { EXIT } from '../../contract/exit.ts';
import { contract, resourceNamed } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import { ownerFieldFor } from '../../contract/owners.ts';
import type { Resource } from '../../contract/resource.ts';
import { type AddressPlan, inputAt, plansOf } from '../addresses.ts';

type Deleted = 0 | 2;

/** Each record once, in no order. */
export async function* everyRecord(session: Session, resource: Resource, deleted: Deleted): AsyncGenerator<Row> {
  const { local } = session;
  if (local && (await local.record('individual', session.me.id))?.IsAdmin === true)
    return yield* local.all(resource.name, deleted);
  const seen = new Set<string>();
  for await (const row of inLists(session, resource, deleted)) {
    const key = identityOf(resource, row);
    if (seen.has(key)) continue;
    seen.add(key);
    yield row;
  }
}

const identityOf = ({ identity }: Resource, row: Row): string =>
  row.ID === undefined ? JSON.stringify(identity.map((name) => row[name])) : String(row.ID);

async function* inLists(session: Session, resource: Resource, deleted: Deleted): AsyncGenerator<Row> {
  const { list } = resource.operations;
  if (!list) return;
  const all = plansOf(resource, list);
  const plans = all.filter(({ mine, route }) => !mine && !/Children$|rganizations$/.test(route));
  const whole = plans.find((plan) => listsAll(resource, plan, deleted));
  if (whole) return yield* listed(session, list, whole, deleted, new Map());
  for (const plan of ownerPlans(resource, plans)) {
    const owner = pathFlags(plan)[0];
    const kind = owner?.targets[0];
    const children = all.find(({ route }) => route === `${plan.route}Children`);
    const of = async function* (values: ReadonlyMap<string, string>): AsyncGenerator<Row> {
      yield* ofOwner(session, list, plan, deleted, values);
      // The service has a list of rights for each type of children besides.
      for (const type of children ? childTypesOn(kind ?? 'site') : [])
        if (children)
          yield* ofOwner(session, list, children, deleted, new Map([...values, [CHILD_FLAG, String(type)]]));
    };
    if (!owner || kind === undefined) yield* of(new Map());
    else
      for await (const { ID } of everyRecord(session, resourceNamed(kind), deleted))
        yield* of(new Map([[owner.flag, String(ID)]]));
  }
}

const CHILD_FLAG = 'child-type';

const pathFlags = (plan: AddressPlan) => plan.flags.filter(({ place }) => place === 'path');

/** What is granted on the site alone stands in the site's own list, so that it is not the list of all. */
const listsAll = ({ name }: Resource, plan: AddressPlan, deleted: Deleted): boolean =>
  pathFlags(plan).length === 0 && name !== 'permission' && (deleted === 0 || plan.query.has('deleted'));

/** One list for each kind of one owner is enough: a membership has two, and stands in the lists of both. */
function ownerPlans(resource: Resource, plans: readonly AddressPlan[]): readonly AddressPlan[] {
  const fieldOf = (plan: AddressPlan): string | undefined => {
    const [owner, ...more] = pathFlags(plan);
    if (!owner) return plan.site.length > 0 ? ownerFieldFor(resource, 'site') : undefined;
    const kind = owner.targets[0];
    return more.length === 0 && kind !== undefined ? ownerFieldFor(resource, kind) : undefined;
  };
  const first = plans.map(fieldOf).find((field) => field !== undefined);
  return plans.filter((plan) => first !== undefined && fieldOf(plan) === first);
}

/** Where an owner is of another kind than the list is for, it has none there. */
async function* ofOwner(
  session: Session,
  list: Operation,
  plan: AddressPlan,
  deleted: Deleted,
  values: ReadonlyMap<string, string>,
): AsyncGenerator<Row> {
  try {
    yield* listed(session, list, plan, deleted, values);
  } catch (error) {
    if (!(error instanceof ServiceError && error.exit === EXIT.notFound)) throw error;
  }
}

/** A list that shows one period is read for each. */
async function* listed(
  session: Session,
  list: Operation,
  plan: AddressPlan,
  deleted: Deleted,
  values: ReadonlyMap<string, string>,
): AsyncGenerator<Row> {
  const read = (more: ReadonlyMap<string, string>): AsyncIterable<Row> => {
    const input = inputAt(plan, session, new Map([...values, ...more]));
    const query = deleted === 2 && plan.query.has('deleted') ? { ...input.query, deleted } : (input.query ?? {});
    return session.list(list, { ...input, query });
  };
  if (!plan.flags.some(({ flag, place }) => place === 'query' && flag === 'period')) return yield* read(new Map());
  for (const period of await periodsOf(session)) yield* read(new Map([['period', period]]));
}

const periods = new WeakMap<Session, Promise<readonly string[]>>();

function periodsOf(session: Session): Promise<readonly string[]> {
  const known = periods.get(session) ?? readPeriods(session);
  periods.set(session, known);
  return known;
}

async function readPeriods(session: Session): Promise<readonly string[]> {
  const ids: string[] = [];
  const { list } = contract.period.operations;
  for await (const { ID } of session.list(list, { by: 'site', params: { siteid: session.me.site } }))
    ids.push(String(ID));
  return ids;
}
