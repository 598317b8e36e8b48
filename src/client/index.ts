// The client: a back end that calls a remote service over HTTP.
import type { Backend, Credential, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { contract } from '../contract/index.ts';
import { type ClientOptions, openConnection, type Request, type Response } from './connection.ts';
import { badAnswerError, errorFromResponse, type PreparedRequest } from './errors.ts';
import { newEtagCache } from './etags.ts';
import { type ClientContext, prepare, send } from './request.ts';
import { rerouting } from './routes.ts';
import { callOn, sessionOn } from './session.ts';

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
    etags: newEtagCache(),
    credential,
    namespace: options.namespace,
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
  const { ID, UserName, SiteID } = await callOn(context, get, { by: 'mine' });
  if (typeof ID !== 'string')
    throw badAnswerError(prepare(context, get, { by: 'mine' }), 'an individual without an ID');
  const userName = typeof UserName === 'string' ? UserName : login.replace(/^.*\\/, '');
  return sessionOn(context, { id: ID, userName, site: typeof SiteID === 'string' ? SiteID : '' });
}
