// One individual's calls on the engine.
import type { Calls, Input, Local, Session, Want } from '../contract/call.ts';
import { ServiceError, unsupported } from '../contract/errors.ts';
import type { Operation, Verb } from '../contract/operation.ts';
import type { Row } from '../contract/resource.ts';
import { type Zone, zoneOf } from '../contract/zone.ts';
import { callerIn } from './auth/callers.ts';
import { type Caller, type Change, type Context, callerOf, contextOf, type EngineParts } from './context.ts';
import { type AccessCheck, finderOn } from './records/find.ts';
import { historyOn } from './records/history.ts';
import { create, get, list, remove, undelete, update } from './records/verbs.ts';
import { checkInterface, checkLabels } from './rights/labels.ts';
import {
  handlerOf,
  type ReadHandler,
  type StreamHandler,
  type WriteHandler,
  type WriteManyHandler,
} from './specials/index.ts';
import type { Reader, Store, Writer } from './store/port.ts';
import { noSite, type Target, targetOf } from './target.ts';

type Write = (change: Change, target: Target, input: Input) => Promise<Row>;
const WRITES: Readonly<Partial<Record<Verb, Write>>> = {
  create,
  update,
  delete: remove,
  undelete,
};

/** Opens the calls of one individual from outside, in their own site; each call is a transaction of its own. */
export function openRemoteSession(parts: EngineParts, caller: Caller): Session {
  const { store } = parts;
  const { me, call, list: listed } = callsOn(parts, caller, caller.site, storeAccess(store), checkInterface);
  return {
    me,
    find: finderOn(parts, caller, caller.site, store, mayList),
    call: async (operation, input) => call(remotelyServed(operation), input),
    list: (operation, input, want) => listed(remotelyServed(operation), input, want),
  };
}

/** Opens the calls of one individual where the database is, acting in one site, and the engine's own doors. */
export function openLocalSession(parts: EngineParts, caller: Caller, site: string): Session {
  const { store } = parts;
  return {
    ...callsOn(parts, caller, site, storeAccess(store)),
    find: finderOn(parts, caller, site, store),
    local: localOn(parts, caller, site, storeAccess(store), store),
  };
}

/** Whoever comes from outside finds what the labels of a list let them ask for. */
const mayList: AccessCheck = async ({ operations: { list: listing, get: reading } }, context) => {
  const operation = listing ?? reading;
  if (operation) await checkLabels(operation, context);
};

/** What has no address in the service asks for no right either: it is for who owns the database. */
function remotelyServed(operation: Operation): Operation {
  if (operation.verb !== 'local') return operation;
  throw new ServiceError('forbidden', `${operation.resource} ${operation.name} is done only where the database is`, {
    hint: 'Run the command on the machine that holds it.',
  });
}

type InTransaction = <T>(work: (writer: Writer) => Promise<T>) => Promise<T>;

/** The ways to the data: a list's own rows, several reads of one state, a change. */
interface DataAccess {
  readonly rows: Reader;
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  readonly write: InTransaction;
}

const storeAccess = (store: Store): DataAccess => ({
  rows: store,
  read: (work) => store.snapshot(work),
  write: (work) => store.transaction(work),
});

/** Inside a change everything is read and written through its own writer. */
const writerAccess = (writer: Writer, write: InTransaction): DataAccess => ({
  rows: writer,
  read: (work) => work(writer),
  write,
});

/** `checkSite` looks at another site than the caller's own before anything is done in it. */
function callsOn(
  parts: EngineParts,
  caller: Caller,
  site: string,
  doors: DataAccess,
  checkSite: (other: Row) => void = () => undefined,
): Calls {
  const context = async (
    operation: Operation,
    input: Input,
    store: Reader,
  ): Promise<{ target: Target; context: Context }> => {
    if (operation.verb === 'unsupported') throw unsupported(operation.resource, operation.name);
    const target = targetOf(operation, input, caller, site);
    const made = contextOf(parts, caller, target.site, store, await zoneIn(target));
    if (target.site !== caller.site) {
      const other = await made.lookup('site', target.site);
      if (!other) throw noSite(target.site);
      checkSite(other);
    }
    if (operation.labels.length > 0) await checkLabels(operation, made);
    return { target, context: made };
  };
  const makeMany = (operation: Operation, input: Input): Promise<readonly Row[]> =>
    doors.write(async (writer) => {
      const { target, context: made } = await context(operation, input, writer);
      return (handlerOf(operation) as WriteManyHandler)({ ...made, store: writer }, target, input);
    });
  return {
    me: { id: caller.id, userName: caller.userName, site },
    async call(operation, input = {}) {
      if (!operation.writes) {
        return doors.read(async (reader) => {
          const { target, context: made } = await context(operation, input, reader);
          if (operation.verb !== 'special') return get(made, target);
          return (await (handlerOf(operation) as ReadHandler)(made, target, input))[0] ?? {};
        });
      }
      return doors.write(async (writer) => {
        const { target, context: made } = await context(operation, input, writer);
        const write = WRITES[operation.verb] ?? (handlerOf(operation) as WriteHandler);
        return write({ ...made, store: writer }, target, input);
      });
    },
    async *list(operation, input = {}, want: Want = {}) {
      if (operation.writes) return yield* await makeMany(operation, input);
      const { target, context: made } = await context(operation, input, doors.rows);
      if (operation.verb === 'list') yield* list(made, target, want);
      else yield* limited(want.limit, (handlerOf(operation) as ReadHandler | StreamHandler)(made, target, input));
    },
  };
}

async function* limited(
  limit: number | undefined,
  rows: Promise<readonly Row[]> | AsyncIterable<Row>,
): AsyncGenerator<Row> {
  let count = 0;
  for await (const row of rows instanceof Promise ? await rows : rows) {
    if (limit !== undefined && count++ >= limit) return;
    yield row;
  }
}

async function zoneIn(target: Target): Promise<Zone | undefined> {
  return typeof target.query.tz === 'string' ? zoneOf(target.query.tz) : undefined;
}

/** A piece of a transaction that is taken back alone where it throws; outside of one, a transaction. */
const savepointOn =
  (store: Store | Writer, within: InTransaction): InTransaction =>
  (work) =>
    'savepoint' in store ? store.savepoint(() => work(store)) : within(work);

function localOn(parts: EngineParts, caller: Caller, site: string, doors: DataAccess, store: Store | Writer): Local {
  const { rows: reader, write: within } = doors;
  const everySite = (resource: string): boolean => resource === 'site' && caller.isGlobalAdmin;
  const whole =
    (piece: InTransaction): Local['transaction'] =>
    (work, isKept) =>
      rolledBackUnless(isKept, (checked) =>
        piece((writer) =>
          failingWithPiece(writer, async (inside) => {
            const inner = writerAccess(writer, inside);
            const find = finderOn(parts, caller, site, writer);
            const local = localOn(parts, caller, site, inner, writer);
            return checked(await work({ ...callsOn(parts, caller, site, inner), find, local }));
          }),
        ),
      );
  const attempt = whole(savepointOn(store, within));
  return {
    transaction: whole(within),
    attempt,
    rehearse: (work) => attempt(work, () => false),
    history: historyOn(reader, (resource, id) => (everySite(resource) ? id : site), site),
    jobs: store.jobs,
    rights: async (question) => {
      const { explainRights } = await import('./rights/explain-rights.ts');
      return explainRights(contextOf(parts, caller, site, reader, undefined), question);
    },
    async as(user) {
      const other = callerOf(await callerIn(reader, { user }, user));
      const calls = callsOn(parts, other, other.site, doors);
      const find = finderOn(parts, other, other.site, reader);
      return { ...calls, find, local: localOn(parts, other, other.site, doors, store) };
    },
  };
}

/** Throws what is answered through the transaction where it is not to be kept, and answers it behind. */
async function rolledBackUnless<T>(
  isKept: ((answer: T) => boolean) | undefined,
  run: (checked: (answer: T) => T) => Promise<T>,
): Promise<T> {
  const notKept = new Error('not kept');
  let refused: { readonly answer: T } | undefined;
  try {
    return await run((answer) => {
      if (isKept === undefined || isKept(answer)) return answer;
      refused = { answer };
      throw notKept;
    });
  } catch (error) {
    if (error === notKept && refused) return refused.answer;
    throw error;
  }
}

/** Half of a failed write may stand in the store, so that nothing is kept even where the work goes on after it. */
async function failingWithPiece<T>(writer: Writer, work: (inside: InTransaction) => Promise<T>): Promise<T> {
  const failed: unknown[] = [];
  const answer = await work((piece) =>
    piece(writer).catch((error: unknown) => {
      failed.push(error);
      throw error;
    }),
  );
  if (failed.length > 0) throw failed[0];
  return answer;
}
