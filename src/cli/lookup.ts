// How records are found by name: in the embedded file by its index, on a remote service in its lists.
import type { Local, Row, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { EXIT } from '../contract/exit.ts';
import { resourceNamed } from '../contract/index.ts';
import { ownerFieldFor } from '../contract/owners.ts';
import type { Resource } from '../contract/resource.ts';
import { textKey } from '../contract/text-key.ts';
import { type AddressPlan, inputAt, plansOf } from './addresses.ts';

type Within = Readonly<Record<string, string>>;

export interface Lookup extends Pick<Local, 'record'> {
  /** `within`: members that the records must have, which say whose list is to be read where there is no other. */
  named(resource: string, field: string, text: string, deleted: 0 | 1 | 2, within?: Within): Promise<readonly Row[]>;
}

export const lookupOf = (session: Session): Lookup => session.local ?? remoteLookup(session);

/**
 * The record with this ID on a remote service, deleted or not: by a single read, else in the list that can show it.
 * Throws `usage` that names the flags where that list needs an owner (D5).
 */
export async function findRemote(
  session: Session,
  resource: Resource,
  id: string,
  deleted: 0 | 1 | 2,
  within: Within = {},
): Promise<Row | undefined> {
  const live = await single(session, resource, id);
  if (live || (deleted === 0 && readingPlan(resource))) return live;
  const found = await inLists(session, resource, deleted, within);
  return found.find((row) => sameID(row.ID, id));
}

/**
 * The records, deleted ones too as far as they are shown, of the list of all, else of the owners that `members` name.
 * Throws `usage` where no list is found by them.
 */
export function listedRemote(session: Session, resource: Resource, members: Row): Promise<readonly Row[]> {
  const within = Object.entries(members).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
  return inLists(session, resource, 2, Object.fromEntries(within));
}

/** What one command has read of each list: names are looked up again and again. */
const lists = new WeakMap<Session, Map<string, Promise<readonly Row[]>>>();

/** Reads them again: much has been made meanwhile. */
export const forgetLists = (session: Session): boolean => lists.delete(session);

function remoteLookup(session: Session): Lookup {
  return {
    async record(name, id) {
      const resource = resourceNamed(name);
      const [plan] = listPlans(resource, 0).filter(isOpen);
      const known = plan && lists.get(session)?.get(keyOf(resource, plan, 0, new Map()));
      if (known) return (await known).find((row) => sameID(row.ID, id));
      return readingPlan(resource) ? single(session, resource, id) : undefined;
    },
    async named(name, field, text, deleted, within = {}) {
      const rows = await inLists(session, resourceNamed(name), deleted, within);
      return rows.filter((row) => typeof row[field] === 'string' && textKey(row[field]) === textKey(text));
    },
  };
}

/** The records of the list that can be read: the one of all, else those of the owners that are known. */
async function inLists(
  session: Session,
  resource: Resource,
  deleted: 0 | 1 | 2,
  within: Within,
): Promise<readonly Row[]> {
  const plans = listPlans(resource, deleted);
  const open = plans.find(isOpen);
  if (open) return rowsOf(session, resource, open, deleted, new Map());
  const owned = plans.flatMap((plan) => {
    const values = valuesIn(resource, plan, within);
    return values ? [{ plan, values }] : [];
  });
  if (owned.length === 0) throw ownerless(resource, deleted, plans);
  for (const { plan, values } of owned) {
    try {
      return await rowsOf(session, resource, plan, deleted, values);
    } catch (error) {
      // The owner may be of another kind, and stand in the next list.
      if (!(error instanceof ServiceError && error.exit === EXIT.notFound)) throw error;
    }
  }
  return [];
}

/** The lists of a resource that can show what is asked for, but for one's own, which is never meant unsaid. */
function listPlans(resource: Resource, deleted: 0 | 1 | 2): readonly AddressPlan[] {
  const { list } = resource.operations;
  const plans = list ? plansOf(resource, list).filter((plan) => !plan.mine && !plan.route.endsWith('Children')) : [];
  if (deleted === 0) return plans;
  const telling = plans.filter((plan) => plan.query.has('deleted'));
  return telling.length > 0 || deleted === 1 ? telling : plans;
}

const pathFlags = (plan: AddressPlan) => plan.flags.filter((flag) => flag.place === 'path');

/** Does it list all there are, whoever they belong to? */
const isOpen = (plan: AddressPlan): boolean => pathFlags(plan).length === 0;

/** The values of a list's flags, where the owners that are known fill them all. */
function valuesIn(resource: Resource, plan: AddressPlan, within: Within): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>();
  for (const {
    flag,
    targets: [target],
  } of pathFlags(plan)) {
    const field = target === undefined ? undefined : ownerFieldFor(resource, target);
    const value = field === undefined ? undefined : within[field];
    if (value === undefined) return undefined;
    values.set(flag, value);
  }
  // A list of one period shows the current one where none is named.
  if (within.PeriodID !== undefined && plan.flags.some(({ flag }) => flag === 'period'))
    values.set('period', within.PeriodID);
  return values;
}

const keyOf = (resource: Resource, plan: AddressPlan, deleted: number, values: ReadonlyMap<string, string>): string =>
  JSON.stringify([resource.name, plan.route, deleted, ...values]);

function rowsOf(
  session: Session,
  resource: Resource,
  plan: AddressPlan,
  deleted: 0 | 1 | 2,
  values: ReadonlyMap<string, string>,
): Promise<readonly Row[]> {
  const known = lists.get(session) ?? new Map<string, Promise<readonly Row[]>>();
  lists.set(session, known);
  const key = keyOf(resource, plan, deleted, values);
  const rows = known.get(key) ?? readAll(session, resource, plan, deleted, values);
  known.set(key, rows);
  return rows;
}

async function readAll(
  session: Session,
  resource: Resource,
  plan: AddressPlan,
  deleted: 0 | 1 | 2,
  values: ReadonlyMap<string, string>,
): Promise<readonly Row[]> {
  const { list } = resource.operations;
  if (!list) return [];
  const input = inputAt(plan, session, values);
  const query = deleted !== 0 && plan.query.has('deleted') ? { ...input.query, deleted } : input.query;
  const rows: Row[] = [];
  for await (const row of session.list(list, { ...input, ...(query ? { query } : {}) })) rows.push(row);
  return rows;
}

/** The address that reads a record by its own ID alone. */
const readingPlan = (resource: Resource): AddressPlan | undefined =>
  resource.operations.get &&
  plansOf(resource, resource.operations.get).find((plan) => plan.own !== undefined && isOpen(plan));

async function single(session: Session, resource: Resource, id: string): Promise<Row | undefined> {
  const plan = readingPlan(resource);
  const { get } = resource.operations;
  if (!plan?.own || !get) return undefined;
  try {
    return await session.call(get, { by: plan.route, params: { [plan.own]: id } });
  } catch (error) {
    if (error instanceof ServiceError && error.exit === EXIT.notFound) return undefined;
    throw error;
  }
}

const sameID = (one: unknown, other: string): boolean => String(one).toLowerCase() === other.toLowerCase();

function ownerless(resource: Resource, deleted: 0 | 1 | 2, plans: readonly AddressPlan[]): ServiceError {
  const state = deleted === 1 ? 'deleted ' : '';
  const flags = [...new Set(plans.flatMap(pathFlags).map(({ flag }) => `--${flag} <ref>`))];
  if (flags.length === 0) {
    return new ServiceError('usage', `the service lists no ${state}${resource.command}, so none can be found there`, {
      hint: 'Give the ID.',
    });
  }
  return new ServiceError('usage', `the service lists ${state}${resource.command} only of one owner: whose is it?`, {
    hint: `Say so with ${flags.join(' or ')}, or give the ID.`,
  });
}
