// The embedded engine: a back end that follows the service's rules on a store.
import type { Backend, Calls, Input, ListOptions, Local, Session, TransactionSession } from '../contract/call.ts';
import { ServiceError, unsupported } from '../contract/errors.ts';
import type { Operation, Verb } from '../contract/operation.ts';
import type { Row } from '../contract/resource.ts';
import { zoneOf } from '../contract/zone.ts';
import { after } from '../text/all-of.ts';
import { once, oncePer } from '../text/once-per.ts';
import { gatheredReads } from './batch/gathered-reads.ts';
import { type Caller, callerIn, callerOf, siteNamed } from './caller.ts';
import { type Context, contextOf, type EngineParts, findIn, type Writing } from './context.ts';
import {
  type DataAccess,
  failIfPieceFailed,
  type InTransaction,
  keepingMarked,
  partsOfRuns,
  repeatedIDs,
  rolledBackUnless,
  storeAccess,
  writerAccess,
} from './data-access.ts';
import { withEffects } from './records/effects.ts';
import { type AccessCheck, finderOn } from './records/find.ts';
import { historyOn } from './records/history.ts';
import { get, list } from './records/read-verbs.ts';
import { treePlaceOf } from './records/tree.ts';
import { create, remove, undelete, update } from './records/verbs.ts';
import { adminOnly, checkInterface, checkLabels, isAdministrator } from './rights/labels.ts';
import type { Handler, ReadHandler, StreamHandler, WriteHandler } from './specials/index.ts';
import type { NewSite } from './specials/sites.ts';
import type { Reader, Stored } from './store/port.ts';
import { noSite, targetOf } from './target.ts';

export { computedFields } from './records/computed.ts';

interface Options extends EngineParts {
  /** The user name of the default caller; without such a user the first global administrator. */
  readonly owner: string;
}

export function openEngine(options: Options): Backend {
  const { store } = options;
  const authenticator = once(async () => (await import('./auth/login.ts')).authenticatorOn(options));
  // Who calls again before the data changes is the same caller.
  const remoteSession = oncePer((caller: Caller) => remoteSessionOn(options, caller));
  return {
    async open(who, guard) {
      if ('login' in who) return remoteSession(await (await authenticator()).authenticate(who, guard));
      const row = await callerIn(store, who, options.owner);
      const caller = callerOf(row);
      const site = who.site === undefined ? caller.site : await siteNamed(store, who.site, caller);
      return sessionOn(options, caller, site, storeAccess(store));
    },
    login: async (credential, guard) => (await authenticator()).login(credential, guard),
    close: () => store.close(),
  };
}

/** Fills an empty store with its first site (D1). */
export async function makeFirstSite(parts: EngineParts, site: NewSite): Promise<Stored> {
  const { makeSite } = await import('./specials/sites.ts');
  const ids = repeatedIDs(parts.newID);
  return parts.store.transaction((store) => {
    const ofRun = { ...parts, newID: ids() };
    const adminID = ofRun.newID();
    const creator = { id: adminID, userName: site.admin, site: '', isAdmin: true, isGlobalAdmin: true };
    return makeSite(contextOf(ofRun, creator, '', store), { ...site, adminID });
  });
}

const WRITES: Readonly<Partial<Record<Verb, WriteHandler>>> = { create, update, delete: remove, undelete };

/** Loaded on demand: ordinary operations need no handler of their own. */
const handlerFor = async (operation: Operation): Promise<Handler> =>
  (await import('./specials/index.ts')).handlerOf(operation);

/** An individual's calls over the interface, in its own site; each call is a transaction of its own. */
const remoteSessionOn = (parts: EngineParts, caller: Caller): Session => ({
  ...callsOn(parts, caller, caller.site, { ...storeAccess(parts.store), isRemote: true }),
  find: finderOn(parts, caller, caller.site, parts.store, checkListLabels),
});

/** An individual's calls in one site where the database is, with all that only the embedded engine can do. */
const sessionOn = (parts: EngineParts, caller: Caller, site: string, access: DataAccess): TransactionSession => ({
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
const notRemote = ({ resource, name }: Operation): ServiceError =>
  new ServiceError('forbidden', `${resource} ${name} works only on the machine that holds the database`, {
    hint: 'Run the command there.',
  });

function callsOn(parts: EngineParts, caller: Caller, site: string, access: DataAccess): Calls {
  const checkEntry = async (operation: Operation, context: Context): Promise<void> => {
    if (context.site !== caller.site) {
      const other = await context.lookup('site', context.site);
      if (!other) throw noSite(context.site);
      if (access.isRemote) checkInterface(other);
    }
    if (operation.labels.length > 0) await checkLabels(operation, context);
  };
  const enter = <S extends Reader>(operation: Operation, input: Input, store: S, entering = parts) => {
    if (access.isRemote && operation.verb === 'local') throw notRemote(operation);
    if (operation.verb === 'unsupported') throw unsupported(operation.resource, operation.name);
    const target = targetOf(operation, input, caller, site);
    const { tz } = target.query;
    return after(typeof tz === 'string' ? zoneOf(tz) : undefined, (zone) => {
      const context = contextOf(entering, caller, target.site, store, { zone, cause: input.cause });
      const entered = { target, context };
      if (target.site === caller.site && operation.labels.length === 0) return entered;
      return checkEntry(operation, context).then(() => entered);
    });
  };
  const write = <T extends Row | readonly Row[]>(operation: Operation, input: Input): Promise<T> => {
    const ofRun = partsOfRuns(parts, access);
    const run = (hashing?: Pick<Writing, 'hashOf'>) =>
      access.write<T>((writer) =>
        after(enter(operation, input, writer, ofRun()), ({ target, context }) =>
          after<Handler, T>(WRITES[operation.verb] ?? handlerFor(operation), (handler) =>
            (handler as WriteHandler<T>)(hashing ? { ...context, ...hashing } : context, target, input),
          ),
        ),
      );
    return access.isOwn && Object.keys(input.body ?? {}).some(isPassword) ? hashingBefore(run) : run();
  };
  return {
    me: { id: caller.id, userName: caller.userName, site },
    call(operation, input = {}) {
      if (operation.writes) return write<Row>(operation, input);
      return access.read(async (reader) => {
        const { target, context } = await enter(operation, input, reader);
        if (operation.verb !== 'special') return await get(context, target);
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

/** Hashes of new passwords are derived before the transaction, which others wait for. */
async function hashingBefore<T>(run: (hashing: Pick<Writing, 'hashOf'>) => Promise<T>): Promise<T> {
  const { derivingBefore } = await import('./auth/new-password.ts');
  return derivingBefore((hashOf) => run({ hashOf }));
}

/** Members are named in any case (D11). */
const isPassword = (name: string): boolean => name.toLowerCase() === 'password';

function localOn(parts: EngineParts, caller: Caller, site: string, access: DataAccess): Local {
  const asTransaction =
    (inTransaction: InTransaction): Local['transaction'] =>
    (work, isKept) => {
      const ofRun = partsOfRuns(parts, access);
      return rolledBackUnless(isKept, (checked) =>
        inTransaction((writer) =>
          failIfPieceFailed(writer, async (write) =>
            checked(await work(sessionOn(ofRun(), caller, site, writerAccess(writer, write)))),
          ),
        ),
      );
    };
  const rehearsal = asTransaction((work) => access.rehearsal((writer) => work(keepingMarked(writer))));
  const contextIn = (reader: Reader): Context => contextOf(parts, caller, site, reader);
  const read = <T>(work: (context: Context) => Promise<T>): Promise<T> =>
    access.read((reader) => work(contextIn(reader)));
  return {
    transaction: asTransaction(access.write),
    savepoint: asTransaction(access.savepoint),
    async batch(reads, work, durability) {
      const { inBatch } = await import('./batch/in-batch.ts');
      const inOne: InTransaction = (piece) => access.savepoint((own) => inBatch(own, site, reads, piece), durability);
      return asTransaction(inOne)(work);
    },
    gatheredFinder() {
      const { reader, together, forget } = gatheredReads(access.rows);
      return { find: { ...finderOn(parts, caller, site, reader), forget }, together };
    },
    rehearse: (work) => rehearsal(work, () => false),
    snapshot: (work) =>
      access.read(
        (reader) => work(sessionOn(parts, caller, site, { ...access, rows: reader, read: (piece) => piece(reader) })),
        'once',
      ),
    get history() {
      return historyOn(access, caller, site);
    },
    get jobs() {
      return withEffects(access.jobs(), access.rows);
    },
    rights: async (question) =>
      (await import('./rights/explain-rights.ts')).explainRights(contextIn(access.rows), question),
    naming: (resource, field, ids) => findIn({ store: access.rows, site }, resource, { naming: { field, ids } }),
    marked: async (resource, id) => (await access.marked?.(resource, id)) ?? new Map(),
    whoMay: (wish) => read(async (context) => (await import('./rights/who-may.ts')).whoMay(context, wish)),
    whatMay: (who, resources) =>
      read(async (context) => (await import('./rights/what-may.ts')).whatMay(context, who, resources)),
    rightsPicture: () => read(async (context) => (await import('./rights/compare-rights.ts')).rightsPicture(context)),
    rightsReasons: (pairs, isLate) =>
      read(async (context) => (await import('./rights/compare-rights.ts')).rightsReasons(context, pairs, isLate)),
    async past(moment) {
      if (!isAdministrator({ caller, site })) throw adminOnly('looking into the past');
      const { store, last } = await parts.store.past(site, moment, treePlaceOf);
      const at = new Date(last.at);
      const session = sessionOn({ ...parts, store, clock: () => at }, caller, site, storeAccess(store));
      return { session, at, before: last.before, close: store.close };
    },
    async as(user) {
      const other = callerOf(await callerIn(access.rows, { user }, user));
      return sessionOn(parts, other, other.site, access);
    },
  };
}
