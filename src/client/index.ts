// The client: a back end that calls a remote service over HTTP, and one individual's calls on it.
import { type Backend, CONCURRENCY, type Credential, type Input, type Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { contract, resourceNamed } from '../contract/index.ts';
import type { Operation } from '../contract/operation.ts';
import { type Row, singular } from '../contract/resource.ts';
import { memberOrders } from '../wire/member-order.ts';
import type { Members } from '../wire/shape.ts';
import { type ClientOptions, isGood, openConnection, type Request, type Response } from './connection.ts';
import { create } from './create.ts';
import { atAnyRoute, rerouting, VERSION } from './endpoint.ts';
import { badAnswerError, errorFromNoAnswer, errorFromResponse, type PreparedRequest, rethrow } from './errors.ts';
import { listedEtagKeeper, newEtagCache } from './etags.ts';
import { withFinder } from './finder.ts';
import { isNotFound } from './lists.ts';
import { NoAnswer } from './no-answer.ts';
import { backOff } from './pace.ts';
import { nextPage } from './pages.ts';
import {
  type ClientContext,
  keepEtag,
  type PreparedCall,
  prepare,
  read,
  recordIn,
  recordsIn,
  send,
} from './request.ts';
import type { Incoming } from './transport.ts';

export interface Client extends Backend {
  /** Sends a request as it is. Throws `unreachable`, `unknown_outcome`. */
  raw(request: Request): Promise<Response>;
  /** The error for a response of `raw`. */
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
      throw new ServiceError('usage', `${options.profile} is a remote service, which has to be shown who calls`, {
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
  let count = 0;
  let page: PreparedCall | undefined = call;
  for (let tried = 0; page && count < limit; tried++) {
    try {
      const response: Incoming = next ?? (await responseOf(page));
      next = undefined;
      let wrapper: Members = {};
      for await (const row of recordsIn(page, response, (members) => (wrapper = members))) {
        keepEtag?.(row);
        yield row;
        if (++count >= limit) return;
      }
      page = nextPage(page, { ...response, wrapper }, count);
      tried = -1;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      // Yielded rows cannot be taken back, and a second list may differ from the first.
      if (count > 0) throw cutOffError(call, count, error);
      if (error.lasting || tried >= options.retries) throw errorFromNoAnswer(call, error);
      await options.pause(backOff(tried, options));
    }
  }
}

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
