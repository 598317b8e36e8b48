// The calls of one individual on the engine.
import type { Calls, Input, ListOptions, Local, Session } from '../contract/call.ts';
import { ServiceError, unsupported } from '../contract/errors.ts';
import type { JobStore } from '../contract/jobs.ts';
import type { Operation, Verb } from '../contract/operation.ts';
import type { Row } from '../contract/resource.ts';
import { zoneOf } from '../contract/zone.ts';
import { type Caller, type Change, type Context, callerIn, callerOf, contextOf, type EngineParts } from './context.ts';
import { type AccessCheck, finderOn } from './records/find.ts';
import { historyOn, oldHistoryOn } from './records/history.ts';
import { create, get, list, remove, undelete, update } from './records/verbs.ts';
import { checkInterface, checkLabels } from './rights/labels.ts';
import type { Handler, ReadHandler, StreamHandler, WriteHandler } from './specials/index.ts';
import type { Reader, Store, Writer } from './store/port.ts';
import { noSite, type Target, targetOf } from './target.ts';

const WRITES: Readonly<Partial<Record<Verb, WriteHandler>>> = { create, update, delete: remove, undelete };

/** Loaded on demand: ordinary operations need no handler of their own. */
const handlerFor = async (operation: Operation): Promise<Handler> =>
  (await import('./specials/index.ts')).handlerOf(operation);

/** Opens an individual's calls over the interface, in its own site; each call is a transaction of its own. */
export function openRemoteSession(parts: EngineParts, caller: Caller): Session {
  const { me, call, list: listed } = callsOn(parts, caller, caller.site, storeAccess(parts.store), checkInterface);
  return {
    me,
    find: finderOn(parts, caller, caller.site, parts.store, checkListLabels),
    call: async (operation, input) => call(remotelyServed(operation), input),
    list: (operation, input, want) => listed(remotelyServed(operation), input, want),
  };
}

/** Opens an individual's calls in one site where the database is, with what only the embedded engine can do. */
export const openLocalSession = (parts: EngineParts, caller: Caller, site: string): Session =>
  sessionOn(parts, caller, site, storeAccess(parts.store));

const sessionOn = (
  parts: EngineParts,
  caller: Caller,
  site: string,
  access: DataAccess,
): Session & { readonly local: Local } => ({
  ...callsOn(parts, caller, site, access),
  find: finderOn(parts, caller, site, access.rows),
  local: localOn(parts, caller, site, access),
});

/** Over the interface, records can be found where the labels of their list allow it. */
const checkListLabels: AccessCheck = async ({ operations: { list: listing, get: reading } }, context) => {
  const operation = listing ?? reading;
  if (operation) await checkLabels(operation, context);
};

/** Operations without an address check no rights: only the owner of the database may call them. */
function remotelyServed(operation: Operation): Operation {
  if (operation.verb !== 'local') return operation;
  throw new ServiceError('forbidden', `${operation.resource} ${operation.name} is done only where the database is`, {
    hint: 'Run the command on the machine that holds it.',
  });
}

type InTransaction = <T>(work: (writer: Writer) => Promise<T>) => Promise<T>;

/** How calls reach the data: through the store, or through the writer of a transaction. */
interface DataAccess {
  /** For the rows of a list. */
  readonly rows: Reader;
  /** For several reads of one state. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  readonly write: InTransaction;
  /** Whether a write is a transaction of its own, which can be run again. */
  readonly isOwn: boolean;
  /** A part of a transaction that is rolled back alone where it throws; outside of one, a transaction. */
  readonly savepoint: InTransaction;
  readonly jobs: JobStore;
}

const storeAccess = (store: Store): DataAccess => ({
  rows: store,
  read: (work) => store.snapshot(work),
  write: (work) => store.transaction(work),
  isOwn: true,
  savepoint: (work) => store.transaction(work),
  jobs: store.jobs,
});

const writerAccess = (writer: Writer, write: InTransaction): DataAccess => ({
  rows: writer,
  read: (work) => work(writer),
  write,
  isOwn: false,
  savepoint: (work) => writer.savepoint(() => work(writer)),
  jobs: writer.jobs,
});

/** `checkSite` throws where nothing may be done in a site that is not the caller's own. */
function callsOn(
  parts: EngineParts,
  caller: Caller,
  site: string,
  access: DataAccess,
  checkSite: (other: Row) => void = () => undefined,
): Calls {
  const enter = async (
    operation: Operation,
    input: Input,
    store: Reader,
  ): Promise<{ target: Target; context: Context }> => {
    if (operation.verb === 'unsupported') throw unsupported(operation.resource, operation.name);
    const target = targetOf(operation, input, caller, site);
    const { tz } = target.query;
    const zone = typeof tz === 'string' ? await zoneOf(tz) : undefined;
    const made = contextOf(parts, caller, target.site, store, zone);
    if (target.site !== caller.site) {
      const other = await made.lookup('site', target.site);
      if (!other) throw noSite(target.site);
      checkSite(other);
    }
    if (operation.labels.length > 0) await checkLabels(operation, made);
    return { target, context: made };
  };
  const write = async <T extends Row | readonly Row[]>(operation: Operation, input: Input): Promise<T> => {
    const run = (hashing: Pick<Change, 'hashOf'> = {}) =>
      access.write(async (writer) => {
        const { target, context } = await enter(operation, input, writer);
        const handler = WRITES[operation.verb] ?? (await handlerFor(operation));
        return (handler as WriteHandler<T>)({ ...context, ...hashing, store: writer }, target, input);
      });
    if (!access.isOwn || !Object.keys(input.body ?? {}).some(isPassword)) return run();
    const { derivingBefore } = await import('./auth/new-password.ts');
    return derivingBefore((hashOf) => run({ hashOf }));
  };
  return {
    me: { id: caller.id, userName: caller.userName, site },
    async call(operation, input = {}) {
      if (operation.writes) return write<Row>(operation, input);
      return access.read(async (reader) => {
        const { target, context } = await enter(operation, input, reader);
        if (operation.verb !== 'special') return get(context, target);
        return (await ((await handlerFor(operation)) as ReadHandler)(context, target, input))[0] ?? {};
      });
    },
    async *list(operation, input = {}, want: ListOptions = {}) {
      if (operation.writes) return yield* await write<readonly Row[]>(operation, input);
      const { target, context } = await enter(operation, input, access.rows);
      if (operation.verb === 'list') return yield* list(context, target, want);
      const read = (await handlerFor(operation)) as ReadHandler | StreamHandler;
      yield* limited(want.limit, read(context, target, input));
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

/** Members are named in any case (D11). */
const isPassword = (name: string): boolean => name.toLowerCase() === 'password';

function localOn(parts: EngineParts, caller: Caller, site: string, access: DataAccess): Local {
  const everySite = (resource: string): boolean => resource === 'site' && caller.isGlobalAdmin;
  const asTransaction =
    (inTransaction: InTransaction): Local['transaction'] =>
    (work, isKept) =>
      rolledBackUnless(isKept, (checked) =>
        inTransaction((writer) =>
          failIfPieceFailed(writer, async (write) =>
            checked(await work(sessionOn(parts, caller, site, writerAccess(writer, write)))),
          ),
        ),
      );
  const savepoint = asTransaction(access.savepoint);
  const contextIn = (reader: Reader): Context => contextOf(parts, caller, site, reader, undefined);
  return {
    transaction: asTransaction(access.write),
    savepoint,
    rehearse: (work) => savepoint(work, () => false),
    snapshot: (work) =>
      access.read((reader) =>
        work(sessionOn(parts, caller, site, { ...access, rows: reader, read: (piece) => piece(reader) })),
      ),
    history: {
      ...historyOn(access.rows, (resource, id) => (everySite(resource) ? id : site), site),
      ...oldHistoryOn({ rows: access.rows, write: access.write, caller, site }),
    },
    jobs: access.jobs,
    rights: async (question) =>
      (await import('./rights/explain-rights.ts')).explainRights(contextIn(access.rows), question),
    dependents: (resource, id) =>
      access.read(async (reader) =>
        (await import('./records/dependents.ts')).dependentsOf(contextIn(reader), resource, id),
      ),
    whoMay: (wish) =>
      access.read(async (reader) => (await import('./rights/who-may.ts')).whoMay(contextIn(reader), wish)),
    whatMay: (who, resources) =>
      access.read(async (reader) => (await import('./rights/what-may.ts')).whatMay(contextIn(reader), who, resources)),
    async as(user) {
      const other = callerOf(await callerIn(access.rows, { user }, user));
      return sessionOn(parts, other, other.site, access);
    },
  };
}

/** Rolls back where `isKept` refuses the answer, which is answered all the same. */
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

/** Throws the first failure of a piece, even where `work` goes on after it: half of its writes may be in the store. */
async function failIfPieceFailed<T>(writer: Writer, work: (write: InTransaction) => Promise<T>): Promise<T> {
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
