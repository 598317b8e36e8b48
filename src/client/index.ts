// The client: a back end that asks a remote service over HTTP.
import type { Backend, Credential, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { contract } from '../contract/index.ts';
import type { Row } from '../contract/resource.ts';
import { type ClientOptions, openLine, type Request, type Whole } from './connection.ts';
import { etagMemory } from './etags.ts';
import { NoAnswer } from './no-answer.ts';
import { type About, badAnswer, refusalOf, silenceOf } from './refusals.ts';
import { aboutOf, type Talk } from './request.ts';
import { reroute } from './routes.ts';
import { callOn, sessionOn } from './session.ts';

export interface Client extends Backend {
  /** One request as somebody wrote it, and the answer as it came. Throws `unreachable`, `unknown_outcome`. */
  raw(request: Request): Promise<Whole>;
  /** The error that an answer of `raw` means. */
  refusal(request: Request, whole: Whole): ServiceError;
}

/** Speaks to one service. Throws `usage` for an address or a route that cannot be used; nothing is sent yet. */
export function openClient(options: ClientOptions): Client {
  const line = openLine(options);
  const rerouted = reroute(options.routes);
  const talkOf = (credential: Credential | undefined): Talk => ({
    line,
    rerouted,
    credential,
    namespace: options.namespace,
  });
  const rawAbout = (request: Request): About => ({
    request,
    writes: request.method !== 'GET',
    look: { do: 'request' },
  });
  return {
    async open(who) {
      if ('login' in who) return begin(talkOf(who), who);
      throw new ServiceError('usage', `${options.profile} is a remote service, which has to be shown who calls`, {
        next: { do: 'log-in', profile: options.profile },
      });
    },
    async login(credential) {
      line.see(credential);
      const { login, password } = credential;
      const body = { UserName: login, Password: password };
      return callOn(talkOf(undefined), etagMemory(), contract.session.operations.login, { body });
    },
    async raw(request) {
      try {
        return (await line.ask(request)).answer;
      } catch (error) {
        throw error instanceof NoAnswer ? silenceOf(line, rawAbout(request), error) : error;
      }
    },
    refusal: (request, whole) => refusalOf(line, rawAbout(request), whole),
    close: () => line.close(),
  };
}

async function begin(talk: Talk, { login }: Credential): Promise<Session> {
  const { get } = contract.individual.operations;
  const etags = etagMemory();
  const me: Row = await callOn(talk, etags, get, { by: 'mine' });
  if (typeof me.ID !== 'string') {
    throw badAnswer(talk.line, aboutOf(talk, get, { by: 'mine' }), 'an individual without an ID');
  }
  const userName = typeof me.UserName === 'string' ? me.UserName : login.replace(/^.*\\/, '');
  const site = typeof me.SiteID === 'string' ? me.SiteID : '';
  return sessionOn(talk, { id: me.ID, userName, site }, etags);
}
