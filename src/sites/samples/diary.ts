// Writes a site's past: visits of its individuals, one after another, on a clock that only moves forward.
import type { Local, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isWritable } from '../../contract/field.ts';
import { type Contract, contract, type ResourceName, resourceNamed } from '../../contract/index.ts';
import { addressOf, type Operation, type Route } from '../../contract/operation.ts';
import { operationOf, type Row, type Value } from '../../contract/resource.ts';
import { type Random, randomOf } from './random.ts';

/** Where a sample is written: an engine whose clock can be set. */
export interface SeedTarget {
  /** The calls of the administrator who seeds. */
  readonly session: Session;
  /** Sets the engine's clock. */
  setClock(at: Date): void;
  /** The present: nothing is made later than this. */
  readonly today: Date;
  /** Steps done, of all of them. */
  onProgress?(done: number, total: number): void;
}

/** Some members of a record, under the document's names. */
export type Members<N extends ResourceName> = { readonly [K in keyof Contract[N]['fields']]?: Value };

/** What one individual writes during a visit. Each write is a little later than the one before. */
export interface Pen {
  readonly random: Random;
  readonly site: string;
  readonly session: Session;
  /** Makes a record; without an `ID` it gets one from the visit's own chance. */
  add<N extends ResourceName>(resource: N, members: Members<N>): Promise<Row>;
  /** Changes these members and keeps the others. */
  change<N extends ResourceName>(resource: N, id: Value | undefined, members: Members<N>): Promise<Row>;
  delete(resource: ResourceName, id: Value | undefined): Promise<Row>;
  undelete(resource: ResourceName, id: Value | undefined): Promise<Row>;
  /** Takes a snapshot of a record under a name. */
  archive(item: string, name: string): Promise<Row>;
  /** Writes what a dialog says of a basic role. */
  note(basicRole: Value | undefined, dialog: Value | undefined, text: string): Promise<Row>;
}

export interface Visit {
  /** When, in milliseconds; not before the visit in front of it has ended. */
  readonly at: number;
  /** Whose; without a user name, of the administrator who seeds. */
  readonly user?: string;
  work(pen: Pen): Promise<void>;
}

export interface Diary {
  readonly today: Date;
  /** What was made so far, and what is deleted by now, by the resource's command. */
  readonly made: ReadonlyMap<string, number>;
  readonly deleted: ReadonlyMap<string, number>;
  /** Runs the visits in their order. */
  write(visits: readonly Visit[]): Promise<void>;
}

interface Options {
  readonly seed: string;
  /** The longest time between two writes of a visit, in milliseconds. */
  readonly pace: number;
}

/** Begins to write, inside a transaction of the target's session: until it ends, nothing of it is kept. */
export function openDiary(target: SeedTarget, { seed, pace }: Options): Diary {
  const { session: founder } = target;
  const made = new Map<string, number>();
  const deleted = new Map<string, number>();
  let visits = 0;
  let now = Number.NEGATIVE_INFINITY;
  const setClock = (at: number): void => {
    now = Math.min(Math.max(at, now), target.today.getTime());
    target.setClock(new Date(now));
  };
  const run = async (visit: Visit): Promise<void> => {
    const random = randomOf(seed, visits++);
    const session = visit.user === undefined ? founder : await localOf(founder).as(visit.user);
    const tick = (): void => setClock(now + random.between(1, pace));
    setClock(visit.at);
    await visit.work(penOf({ session, random, tick, made, deleted }));
  };
  return {
    today: target.today,
    made,
    deleted,
    async write(some) {
      for (const visit of some) await run(visit);
      await endOfTurn();
    },
  };
}

/** A transaction leaves no turn to anything else: here signals are heard, and progress is shown. */
const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Throws `usage` where the session is not the embedded engine's. */
export function localOf(session: Session): Local {
  if (session.local) return session.local;
  throw new ServiceError('usage', 'samples are made by the embedded engine only, and this is a remote service', {
    hint: 'Choose the embedded profile: -p local',
  });
}

interface Ink {
  readonly session: Session;
  readonly random: Random;
  readonly tick: () => void;
  readonly made: Map<string, number>;
  readonly deleted: Map<string, number>;
}

function penOf({ session, random, tick, made, deleted }: Ink): Pen {
  const call = (operation: Operation, params: Record<string, string>, body?: Row): Promise<Row> => {
    tick();
    return session.call(operation, { params, ...(body ? { body } : {}) });
  };
  const one = (resource: ResourceName, verb: string, id: Value | undefined, body?: Row): Promise<Row> => {
    const operation = ordinary(resource, verb);
    const route = operation.routes.plain ?? (Object.values(operation.routes)[0] as Route);
    return call(operation, { [addressOf(route).params[0] ?? 'id']: String(id) }, body);
  };
  return {
    random,
    site: session.me.site,
    session,
    async add(resource, members) {
      const given = members as Row;
      const body = takesID(resource) && given.ID === undefined ? { ID: random.guid(), ...given } : given;
      const row = await call(ordinary(resource, 'create'), {}, body);
      count(made, resource);
      // The engine makes the primary membership together with its individual.
      if (resource === 'individual') count(made, 'organizationMember');
      return row;
    },
    async change(resource, id, members) {
      const { row: before } = await session.find.record(resource, { id: String(id) });
      // What is left out of a PUT becomes or stays null, while a parent must not be sent as null (D10).
      const set = Object.entries(before ?? {}).filter(([, value]) => value !== null);
      return one(resource, 'update', id, { ...Object.fromEntries(set), ...(members as Row) });
    },
    async delete(resource, id) {
      const row = await one(resource, 'delete', id);
      count(deleted, resource);
      return row;
    },
    async undelete(resource, id) {
      const row = await one(resource, 'undelete', id);
      count(deleted, resource, -1);
      return row;
    },
    async archive(item, name) {
      const row = await call(contract.archive.operations.take, {}, { Item: item, Name: name });
      count(made, 'archive');
      return row;
    },
    async note(basicRole, dialog, text) {
      const params = { basicRoleid: String(basicRole), dialogid: String(dialog) };
      const row = await call(contract.basicRoleDialog.operations.update, params, { Description: text });
      count(made, 'basicRoleDialog');
      return row;
    },
  };
}

/** May a new record bring its ID along (D12)? */
function takesID(resource: ResourceName): boolean {
  const { ID } = resourceNamed(resource).fields;
  return ID?.kind === 'guid' && isWritable(ID);
}

function ordinary(resource: ResourceName, verb: string): Operation {
  const operation = operationOf(resourceNamed(resource), verb);
  if (!operation) throw new Error(`${resource} has no ${verb}`);
  return operation;
}

function count(counts: Map<string, number>, resource: ResourceName, more = 1): void {
  const { command } = contract[resource];
  counts.set(command, (counts.get(command) ?? 0) + more);
}
