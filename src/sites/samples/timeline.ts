// Writes the history of a sample site: visits of its individuals, one after another, on a clock that only moves forward.
import type { BatchReads, IDsByResource, Local, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isWritable } from '../../contract/field.ts';
import { type Contract, contract, type ResourceName, resourceNamed } from '../../contract/index.ts';
import { addressOf, type Operation, type Route } from '../../contract/operation.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { valueAt } from '../../text/once-per.ts';
import { type Random, randomOf } from './random.ts';

/** A sample is written to it: an engine with a clock that can be set. */
export interface SeedTarget {
  /** The session of the administrator who seeds. */
  readonly session: Session;
  setClock(at: Date): void;
  /** The end of the timeline. */
  readonly today: Date;
  /** Records made, and how many there will be: an estimate that is exact in the end. */
  onProgress?(done: number, total: number): void;
}

/** Some members of a record, under the document's names. */
export type Members<N extends ResourceName> = { readonly [K in keyof Contract[N]['fields']]?: Value };

/** Writes as one individual during a visit; each write is a little later than the one before. */
export interface Writer {
  readonly random: Random;
  readonly site: string;
  readonly session: Session;
  /** The first answer of `find` under this name: for IDs that stay, such as those of periods. */
  once(name: string, find: () => Promise<Value>): Promise<Value>;
  /** Makes a record; without an `ID` it gets a random one. */
  add<N extends ResourceName>(resource: N, members: Members<N>): Promise<Row>;
  /** Changes these members and keeps the others. */
  change<N extends ResourceName>(resource: N, id: Value | undefined, members: Members<N>): Promise<Row>;
  delete(resource: ResourceName, id: Value | undefined): Promise<Row>;
  undelete(resource: ResourceName, id: Value | undefined): Promise<Row>;
  /** Takes a snapshot of a record under a name. */
  archive(item: string, name: string): Promise<Row>;
  note(basicRole: Value | undefined, dialog: Value | undefined, text: string): Promise<Row>;
}

export interface Visit {
  /** In milliseconds; a visit begins no earlier than the one before it ends. */
  readonly at: number;
  /** The user name; by default the administrator who seeds. */
  readonly user?: string;
  /** Its writes are made at `at`, and not a little later each. */
  readonly isExact?: true;
  work(writer: Writer): Promise<unknown>;
}

export const visit = (at: number, user: string, work: Visit['work']): Visit => ({ at, user, work });

export type Timeline = ReturnType<typeof openTimeline>;

/** A timeline in a transaction of the target's session. `pace`: the longest time between two writes of a visit, in milliseconds. */
export function openTimeline(target: SeedTarget, { seed, pace }: { readonly seed: string; readonly pace: number }) {
  const { session: founder } = target;
  /** Numbers of records that were made, by the resource's command. */
  const made = new Map<string, number>();
  const found = new Map<string, Promise<Value>>();
  const sessions = new Map<string, Promise<Session>>();
  let visits = 0;
  let now = Number.NEGATIVE_INFINITY;
  const setClock = (at: number): void => {
    now = Math.min(Math.max(at, now), target.today.getTime());
    target.setClock(new Date(now));
  };
  const sessionOf = (user: string, inside: Session): Promise<Session> =>
    valueAt(sessions, user, () => localOf(inside).as(user));
  const run = async (visit: Visit, inside: Session): Promise<void> => {
    const random = randomOf(seed, visits++);
    const session = visit.user === undefined ? inside : await sessionOf(visit.user, inside);
    const tick = (): void => setClock(now + (visit.isExact ? 0 : random.between(1, pace)));
    setClock(visit.at);
    await visit.work(writerFor({ session, random, tick, made, found }));
  };
  return {
    today: target.today,
    made,
    /** The number of all records that were made. */
    records: (): number => [...made.values()].reduce((sum, count) => sum + count, 0),
    /** Runs the visits in their order, in one batch. `newIDs`: of records that they make, which are not looked for one by one. */
    async write(some: readonly Visit[], newIDs: IDsByResource = new Map()): Promise<void> {
      await localOf(founder).batch({ ...NOTHING_AHEAD, made: newIDs }, async (session) => {
        // A session is one of its batch.
        sessions.clear();
        for (const visit of some) await run(visit, session);
      });
      await endOfTurn();
    },
  };
}

const NOTHING_AHEAD: Omit<BatchReads, 'made'> = { changed: new Map(), deleted: new Map(), named: new Map() };

/** Lets the event loop handle signals and show progress, which a transaction does not. */
const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Throws `usage` where the session is not the embedded engine's. */
export function localOf(session: Session): Local {
  if (session.local) return session.local;
  throw new ServiceError('usage', 'samples are made by the embedded engine only, and this is a remote service', {
    hint: 'Choose the embedded profile: -p local',
  });
}

interface WriterContext {
  readonly session: Session;
  readonly random: Random;
  readonly tick: () => void;
  readonly made: Map<string, number>;
  readonly found: Map<string, Promise<Value>>;
}

function writerFor({ session, random, tick, made, found }: WriterContext): Writer {
  const call = (operation: Operation, params: Record<string, string>, body?: Row): Promise<Row> => {
    tick();
    return session.call(operation, body ? { params, body } : { params });
  };
  const one = (resource: ResourceName, verb: string, id: Value | undefined, body?: Row): Promise<Row> => {
    const operation = ordinary(resource, verb);
    const route = operation.routes.plain ?? (Object.values(operation.routes)[0] as Route);
    return call(operation, { [addressOf(route).params[0] ?? 'id']: String(id) }, body);
  };
  const counted = async (resource: ResourceName, work: Promise<Row>) => {
    const row = await work;
    const { command } = contract[resource];
    made.set(command, (made.get(command) ?? 0) + 1);
    return row;
  };
  return {
    random,
    site: session.me.site,
    session,
    once: (name, find) => valueAt(found, name, find),
    async add(resource, members) {
      const given = members as Row;
      const body = acceptsID(resource) && given.ID === undefined ? { ID: random.guid(), ...given } : given;
      const added = counted(resource, call(ordinary(resource, 'create'), {}, body));
      // The engine makes the primary membership together with its individual.
      return resource === 'individual' ? counted('organizationMember', added) : added;
    },
    async change(resource, id, members) {
      const { row: before } = await session.find.record(resource, { id: String(id) });
      // A PUT clears members that it leaves out, and must not send a parent as null (D10).
      const set = Object.entries(before ?? {}).filter(([, value]) => value !== null);
      return one(resource, 'update', id, { ...Object.fromEntries(set), ...(members as Row) });
    },
    delete: (resource, id) => one(resource, 'delete', id),
    undelete: (resource, id) => one(resource, 'undelete', id),
    archive: (item, name) => counted('archive', call(contract.archive.operations.take, {}, { Item: item, Name: name })),
    note(basicRole, dialog, text) {
      const params = { basicRoleid: String(basicRole), dialogid: String(dialog) };
      const { update } = contract.basicRoleDialog.operations;
      return counted('basicRoleDialog', call(update, params, { Description: text }));
    },
  };
}

/** Does a new record take the ID that it is sent with (D12)? */
function acceptsID(resource: ResourceName): boolean {
  const { ID } = resourceNamed(resource).fields;
  return ID?.kind === 'guid' && isWritable(ID);
}

function ordinary(resource: ResourceName, verb: string): Operation {
  const operation = resourceNamed(resource).operations[verb];
  if (!operation) throw new Error(`${resource} has no ${verb}`);
  return operation;
}
