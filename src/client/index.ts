// The client: a back end that calls a remote service over HTTP, and one individual's calls on it.
import { type Backend, CONCURRENCY, type Credential, type Input, type Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { contract, resourceNamed } from '../contract/index.ts';
import { isGuid, sameID } from '../contract/kinds.ts';
import type { Operation } from '../contract/operation.ts';
import { listAddresses } from '../contract/record-address.ts';
import { type Resource, type Row, singular } from '../contract/resource.ts';
import { isObject, nonEmpty } from '../text/defined.ts';
import { memberOrders } from '../wire/member-order.ts';
import type { Members } from '../wire/shape.ts';
import {
  type ClientOptions,
  type Connection,
  isGood,
  openConnection,
  type Request,
  type Response,
} from './connection.ts';
import { atAnyRoute, rerouting, VERSION } from './endpoint.ts';
import {
  badAnswerError,
  errorFromNoAnswer,
  errorFromResponse,
  type PreparedRequest,
  quietRefusalError,
  rethrow,
  unknownOutcomeError,
} from './errors.ts';
import { listedEtagKeeper, newEtagCache } from './etags.ts';
import { withFinder } from './finder.ts';
import { isNotFound } from './lists.ts';
import { NoAnswer } from './no-answer.ts';
import { backOff, delayAfter, MAX_DELAY_MS, type RetryResult } from './pace.ts';
import {
  type ClientContext,
  getCallByID,
  keepEtag,
  lookFor,
  type PreparedCall,
  prepare,
  read,
  recordIn,
  recordsIn,
  saysFailure,
  send,
} from './request.ts';
import type { Incoming } from './transport.ts';

export interface Client extends Backend {
  /** Sends a request as it is. Throws `unreachable`, `unknown_outcome`. */
  raw(request: Request): Promise<Response>;
  refusal(request: Request, response: Response): ServiceError;
}

/** Opens a client of one service; nothing is sent yet. Throws `usage` for an invalid address or route. */
export function openClient(options: ClientOptions): Client {
  const connection = openConnection(options);
  const reroute = rerouting(options.routes);
  const contextFor = (credential: Credential | undefined): ClientContext => ({
    connection,
    reroute,
    site: '',
    etags: newEtagCache(),
    credential,
    namespace: options.namespace,
    orders: memberOrders(),
    lacking: new Set(),
  });
  const prepareRaw = (request: Request): PreparedRequest => ({
    connection,
    request,
    writes: request.method !== 'GET',
    look: { do: 'request' },
  });
  return {
    async open(who) {
      if ('login' in who) return begin(contextFor(who), who);
      throw new ServiceError('usage', `${options.profile} is a remote service, and needs a login`, {
        next: { do: 'log-in', profile: options.profile },
      });
    },
    async login(credential) {
      connection.hide(credential);
      const body = { UserName: credential.login, Password: credential.password };
      return callOn(contextFor(undefined), contract.session.operations.login, { body });
    },
    raw: async (request) => (await send(prepareRaw(request))).response,
    refusal: (request, response) => errorFromResponse(prepareRaw(request), response),
    close: () => connection.close(),
  };
}

async function begin(context: ClientContext, { login }: Credential): Promise<Session> {
  const { get } = contract.individual.operations;
  const { ID, UserName, SiteID } = await callerOf(context);
  if (typeof ID !== 'string')
    throw badAnswerError(prepare(context, get, { by: 'mine' }), 'an individual without an ID');
  context.site = typeof SiteID === 'string' ? SiteID : '';
  const userName = typeof UserName === 'string' ? UserName : login.replace(/^.*\\/, '');
  return sessionOn(context, { id: ID, userName, site: context.site });
}

/** The individual of the credential. A service may have its addresses without /v4. */
async function callerOf(context: ClientContext): Promise<Row> {
  const { endpoint } = context.connection;
  const { base } = endpoint;
  const readMe = () => read(context, { operation: contract.individual.operations.get, input: { by: 'mine' } });
  return readMe().catch((error: unknown) => {
    if (!(error instanceof ServiceError) || !error.message.includes(' answered 404 ')) throw error;
    endpoint.base = base.slice(0, -VERSION.length);
    return readMe().catch(() => {
      endpoint.base = base;
      throw error;
    });
  });
}

/** Opens the session of `me`, the individual of the credential. */
function sessionOn(context: ClientContext, me: Session['me']): Session {
  return withFinder({
    me,
    readsAtOnce: context.connection.options.concurrency ?? CONCURRENCY.reads,
    call: (operation, input = {}) =>
      atAnyRoute(context.lacking, operation, input, (one) => callOn(context, operation, one)),
    list: (operation, input = {}, want = {}) => listOn(context, operation, input, want.limit),
  });
}

/** Sends one call and reads its record. */
async function callOn(context: ClientContext, operation: Operation, input: Input): Promise<Row> {
  refuseLocal(context, operation);
  if (operation.verb === 'create') return create(context, operation, input);
  if (operation.verb === 'get') return read(context, { operation, input });
  const call = prepare(context, operation, input);
  const { response, unsure } = await send(call);
  if (!isGood(response.status)) {
    // An earlier try has deleted it.
    if (unsure && operation.verb === 'delete' && isNotFound(errorFromResponse(call, response))) return {};
    throw errorFromResponse(call, response, unsure);
  }
  const row = recordIn(call, response);
  keepEtag(call, response, row);
  return row;
}

function refuseLocal({ connection }: ClientContext, { verb, resource, name }: Operation): void {
  if (verb !== 'local') return;
  const what = `${resourceNamed(resource).command} ${name}`;
  const message = `${what} is done by the embedded engine alone; ${connection.options.profile} is a remote one`;
  throw new ServiceError('usage', message, { hint: 'The embedded engine does it.', next: { do: 'use-engine' } });
}

async function* listOn(
  context: ClientContext,
  operation: Operation,
  input: Input,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Row> {
  refuseLocal(context, operation);
  if (operation.writes) return yield* createMany(prepare(context, operation, input));
  const { options } = context.connection;
  const keepEtag = listedEtagKeeper(context.etags, context.reroute, operation);
  let [call, next]: readonly [PreparedCall, Incoming | undefined] = await atAnyRoute(
    context.lacking,
    operation,
    input,
    async (one) => {
      const first = prepare(context, operation, one);
      return [first, await responseOf(first)];
    },
  );
  const takesDeleted = listAddresses(resourceNamed(operation.resource), 1).length > 0;
  const hidesDeleted = takesDeleted && Number(input.query?.deleted ?? 0) === 0;
  /** The IDs so far: a page may repeat records. */
  const known = new Set<unknown>();
  let left = limit;
  let inVain = 0;
  let page: PreparedCall | undefined = call;
  for (let tried = 0; page && left > 0; tried++) {
    try {
      const response: Incoming = next ?? (await responseOf(page));
      next = undefined;
      const around: { wrapper?: Members } = {};
      let isEmpty = true;
      for await (const row of recordsIn(page, response, (members) => (around.wrapper = members))) {
        isEmpty = false;
        if (known.size === known.add(row.ID ?? JSON.stringify(row)).size) continue;
        inVain = 0;
        if (hidesDeleted && row.Deleted === true) continue;
        keepEtag?.(row);
        yield row;
        left--;
        if (left === 0) return;
      }
      const { wrapper } = around;
      if (known.size === 0 && wrapper && !nonEmpty(wrapper) && hasCaller(operation, input))
        throw badAnswerError(call, '{} in place of individuals, one of whom asks');
      page = nextPage(page, { ...response, wrapper: { ...wrapper } }, known.size);
      // Some name a next page for ever: three in vain are the end where they are empty, and otherwise a ring.
      if (++inVain > 3 && isEmpty) return;
      if (inVain > 3 && page) throw incompleteError(page, `${known.size} records, and the same ones again`);
      tried = -1;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      // Yielded rows cannot be taken back, and a second list may differ from the first.
      if (known.size > 0) throw cutOffError(call, known.size, error);
      if (error.lasting || tried >= options.retries) throw errorFromNoAnswer(call, error);
      await options.pause(backOff(tried, options));
    }
  }
}

/** The list of all individuals is never empty. */
const hasCaller = ({ resource, verb }: Operation, { by = 'plain', query }: Input): boolean =>
  resource === 'individual' && verb === 'list' && by === 'plain' && Number(query?.deleted ?? 0) !== 1;

async function* createMany(call: PreparedCall): AsyncGenerator<Row> {
  const { response, unsure } = await send(call);
  if (!isGood(response.status)) throw errorFromResponse(call, response, unsure);
  yield* recordsIn(call, response);
}

/** Throws NoAnswer only if the list breaks off: the request itself is retried by the connection. */
async function responseOf(call: PreparedCall): Promise<Incoming> {
  const response = await call.connection.stream(call.request).catch((error: unknown) => rethrow(call, error));
  if ('bytes' in response) throw errorFromResponse(call, response);
  return response;
}

function cutOffError(call: PreparedCall, count: number, cause: NoAnswer): ServiceError {
  const what = singular(resourceNamed(call.operation.resource));
  const records = `${count} ${what} record${count === 1 ? '' : 's'}`;
  const message = `${errorFromNoAnswer(call, cause).message}; the list ends after ${records}`;
  const hint = 'Ask for the list again: what was printed is not all of it.';
  return new ServiceError('unreachable', message, { hint, cause });
}

/** Whether a service keeps the IDs of new records. If not, a lookup by ID proves nothing. */
const keepsIDs = new WeakMap<Connection, boolean>();

/**
 * The ID is made here, so that after a missing response the record can be looked up before a retry (D12). Throws
 * `unknown_outcome` if it cannot be found out whether the record was made.
 */
async function create(context: ClientContext, operation: Operation, given: Input): Promise<Row> {
  const resource = resourceNamed(operation.resource);
  const { connection } = context;
  const takesID = resource.id === 'guid' && resource.fields.ID !== undefined;
  const id = takesID ? String(given.body?.ID ?? connection.options.newID()) : undefined;
  const nulls = Object.entries(resource.fields).flatMap(([name, { nullOnly }]) => (nullOnly ? [[name, null]] : []));
  const body = { ...(id === undefined ? {} : { ID: id }), ...Object.fromEntries(nulls), ...given.body };
  const input = id === undefined ? given : { ...given, body };
  const prepared = prepare(context, operation, input);
  // A service that gives IDs of its own does not have this one.
  const shown = keepsIDs.get(connection) === false ? undefined : id;
  const call = id === undefined ? prepared : { ...prepared, look: lookFor(resource, shown) };
  const get = id === undefined ? undefined : getCallByID(operation, id);
  for (let sent = 0; ; sent++) {
    const outcome = await sendOnce(call);
    const made = createdRecord(call, outcome);
    if (made instanceof ServiceError) {
      // A record of this ID may be there because an earlier try has made it: also one of a proxy on the way.
      if (sent === 0 && made.code !== 'conflict') throw made;
    } else if (made) {
      return checkID(call, id, made, sent > 0);
    }
    const found =
      get && keepsIDs.get(connection) !== false
        ? await read(context, get).catch((error: unknown) => (isNotFound(error) ? null : undefined))
        : undefined;
    if (found) return found;
    if (made) throw made;
    // Unless the service is known to keep IDs, the record may exist under another one.
    const mayRepeat = found === null && keepsIDs.get(connection) === true;
    const wait = outcome instanceof NoAnswer ? 0 : delayAfter(outcome.response, sent, connection.options);
    if (!mayRepeat || sent >= connection.options.retries || wait > MAX_DELAY_MS) throw errorOf(call, outcome);
    if (wait > 0) await connection.options.pause(wait);
  }
}

type Outcome = RetryResult<Response> | NoAnswer;

/** Retries only while the request has certainly not left. */
const sendOnce = (call: PreparedCall): Promise<Outcome> =>
  call.connection
    .send(call.request)
    .catch((error: unknown) => (error instanceof NoAnswer && error.left ? error : rethrow(call, error)));

/** The new record, or the refusal; undefined if the record may have been made. */
function createdRecord(call: PreparedCall, outcome: Outcome): Row | ServiceError | undefined {
  if (outcome instanceof NoAnswer) return undefined;
  const { response, unsure } = outcome;
  if (!isGood(response.status)) {
    const refusal = errorFromResponse(call, response, unsure);
    return refusal.code === 'unknown_outcome' ? undefined : refusal;
  }
  try {
    return withLocation(resourceNamed(call.operation.resource), recordIn(call, response), response);
  } catch (error) {
    return error instanceof ServiceError && ['unauthorized', 'conflict'].includes(error.code) ? error : undefined;
  }
}

/** The new record with its ID, which a service may say in Location alone; zeros are none. */
function withLocation({ id }: Resource, row: Row, { headers: { location = '' } }: Response): Row {
  const { ID, ...others } = row;
  if (/[^0-]/.test(String(ID ?? ''))) return row;
  const last = (location.split(/[?#]/, 1)[0] ?? '').split('/').filter(Boolean).at(-1) ?? '';
  if (!(id === 'guid' ? isGuid(last) : /^\d{1,15}$/.test(last))) return others;
  return { ...others, ID: id === 'guid' ? last : Number(last) };
}

/** Learns from the new record whether the service keeps IDs. Throws if a retry has made a second record. */
function checkID(call: PreparedCall, id: string | undefined, made: Row, isRetry: boolean): Row {
  if (id === undefined || made.ID === undefined) return made;
  const isKept = sameID(made.ID, id);
  keepsIDs.set(call.connection, isKept);
  if (isKept || !isRetry) return made;
  throw unknownOutcomeError(call, 'the service gives IDs of its own, so there may be two of this record now');
}

function errorOf(call: PreparedCall, outcome: Outcome): Error {
  if (outcome instanceof NoAnswer) return errorFromNoAnswer(call, outcome);
  const { response, unsure } = outcome;
  return isGood(response.status) ? badAnswerError(call, 'no record') : errorFromResponse(call, response, unsure);
}

/** The members by which services say where the next page of a list is, and whether there is one. */
const NEXT = /^(@?odata\.)?(next(_?page)?(_?(link|url|token|cursor))?|continuation(_?token)?)$/i;
const TOTAL = /^(@?odata\.)?(count|total(_?(count|elements|items|records|results))?)$/i;
const PAGES = /^((total|number)_?(of_?)?pages|pages(_?(count|total))?|page_?(count|total))$/i;
const MORE = /^(has_?(more|next)|is_?truncated|incomplete)$/i;
const LAST = /^(is_?)?last(_?page)?$/i;

type Page = Pick<Response, 'status' | 'headers'> & { readonly wrapper: Members };

/**
 * The request of the page after this one; undefined after the last one. `count`: the records up to here. Throws `bad_answer`
 * where there is more and no address of the same service that shows it.
 */
function nextPage(call: PreparedCall, page: Page, count: number): PreparedCall | undefined {
  const { status, headers, wrapper } = page;
  if (saysFailure(wrapper)) throw quietRefusalError(call, { ...page, bytes: Buffer.from(JSON.stringify(wrapper)) });
  // Some say it in a member of its own: `links`, `meta`, `page`.
  const said = Object.assign({}, ...Object.values(wrapper).map(membersOf), wrapper);
  const next = linkIn(headers.link) ?? memberLike(said, NEXT);
  if (next !== undefined) return following(call, next, count);
  const total = Number(
    headers['x-total-count'] ?? /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] ?? memberLike(said, TOTAL),
  );
  if (total > count) throw incompleteError(call, `${count} of ${total} records`);
  const hasOther = Object.entries(said).some(([name, value]) => LAST.test(name) && /^false$/i.test(String(value)));
  const isPart = hasOther || (Number(memberLike(said, PAGES)) > 1 && !call.request.absolute);
  if (status === 206 || isPart || /^true$/i.test(String(memberLike(said, MORE))))
    throw incompleteError(call, `${count} records, and more`);
  return undefined;
}

function following(call: PreparedCall, link: unknown, count: number): PreparedCall {
  const next = membersOf(link).href ?? link;
  const { origin, base } = call.connection.endpoint;
  const { path, absolute } = call.request;
  const here = new URL(absolute ? path : `${base}${path}`, origin);
  const url = typeof next === 'string' && /^(https?:\/\/|[/?])/.test(next) ? new URL(next, here) : undefined;
  if (url?.origin !== origin || url.href === here.href) throw incompleteError(call, `${count} records, and more`);
  return { ...call, request: { ...call.request, path: `${url.pathname}${url.search}`, absolute: true } };
}

const incompleteError = ({ connection, request }: PreparedCall, what: string): ServiceError =>
  new ServiceError(
    'bad_answer',
    `${connection.endpoint.origin} answered GET ${request.path} with ${what}; it names no address for the others`,
    { hint: 'The list is not complete, so pm does not use it.' },
  );

const linkIn = (header = ''): string | undefined =>
  /<([^<>]*)>[^<]*;\s*rel\s*=\s*"?(?:[^",<]*\s)?next\b/i.exec(header)?.[1];

const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

/** The value of the first member of such a name that has one. */
const memberLike = (members: Members, name: RegExp): unknown =>
  Object.entries(members).find(
    ([one, value]) => name.test(one) && ![null, '', false, undefined].includes(value as null),
  )?.[1];
