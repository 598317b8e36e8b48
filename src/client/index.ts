// The client: a back end that asks a remote service over HTTP.
import type { Backend, Credential, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { contract } from '../contract/index.ts';
import type { Row } from '../contract/resource.ts';
import { type ClientOptions, openConnection, type Request, type Response } from './connection.ts';
import { badAnswerError, errorFromNoAnswer, errorFromResponse, type PreparedRequest } from './errors.ts';
import { newEtagCache } from './etags.ts';
import { NoAnswer } from './no-answer.ts';
import { type ClientContext, prepare } from './request.ts';
import { rerouting } from './routes.ts';
import { callOn, sessionOn } from './session.ts';

export interface Client extends Backend {
  /** One request as somebody wrote it, and the answer as it came. Throws `unreachable`, `unknown_outcome`. */
  raw(request: Request): Promise<Response>;
  /** The error that an answer of `raw` means. */
  refusal(request: Request, response: Response): ServiceError;
}

/** Speaks to one service. Throws `usage` for an address or a route that cannot be used; nothing is sent yet. */
export function openClient(options: ClientOptions): Client {
  const connection = openConnection(options);
  const reroute = rerouting(options.routes);
  const contextFor = (credential: Credential | undefined): ClientContext => ({
    connection,
    reroute,
    credential,
    namespace: options.namespace,
  });
  const rawAbout = (request: Request): PreparedRequest => ({
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
      const { login, password } = credential;
      const body = { UserName: login, Password: password };
      return callOn(contextFor(undefined), newEtagCache(), contract.session.operations.login, { body });
    },
    async raw(request) {
      try {
        return (await connection.send(request)).response;
      } catch (error) {
        throw error instanceof NoAnswer ? errorFromNoAnswer(connection, rawAbout(request), error) : error;
      }
    },
    refusal: (request, response) => errorFromResponse(connection, rawAbout(request), response),
    close: () => connection.close(),
  };
}

async function begin(context: ClientContext, { login }: Credential): Promise<Session> {
  const { get } = contract.individual.operations;
  const etags = newEtagCache();
  const me: Row = await callOn(context, etags, get, { by: 'mine' });
  if (typeof me.ID !== 'string') {
    throw badAnswerError(context.connection, prepare(context, get, { by: 'mine' }), 'an individual without an ID');
  }
  const userName = typeof me.UserName === 'string' ? me.UserName : login.replace(/^.*\\/, '');
  const site = typeof me.SiteID === 'string' ? me.SiteID : '';
  return sessionOn(context, { id: me.ID, userName, site }, etags);
}
