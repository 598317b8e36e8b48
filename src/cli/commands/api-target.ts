// Who answers a request of pm api: the service of a remote profile, or the embedded engine, as pm serve would.
import type { Request, Response } from '../../client/connection.ts';
import { endpointOf } from '../../client/endpoint.ts';
import { ERRORS, ServiceError } from '../../contract/errors.ts';
import type { Syntax } from '../../wire/media.ts';
import type { Context } from '../context.ts';
import { credentialFor } from '../profiles/profiles.ts';

export interface Target extends Pick<Request, 'credential'> {
  /** Whom the request is sent as. */
  readonly login: string;
  readonly origin: string;
  /** The path of the interface. */
  readonly base: string;
  readonly syntax: Syntax;
  send(request: Request): Promise<Response>;
  /** The error for an answer that is no success. */
  refusal(request: Request, response: Response): Promise<ServiceError>;
}

export const targetOf = (context: Context): Promise<Target> =>
  context.settings.remote ? serviceTarget(context) : engineTarget(context);

async function serviceTarget({ settings, io, client }: Context): Promise<Target> {
  const { remote } = settings;
  const opened = await client();
  if (!remote) throw new Error('a client without a remote profile');
  const credential = credentialFor(remote, settings.as, io);
  return {
    ...endpointOf(remote.url, remote.allowHttp),
    ...{ credential, login: credential.login, syntax: settings.wire ?? remote.wire ?? 'json' },
    send: opened.raw,
    refusal: async (request, response) => opened.refusal(request, response),
  };
}

async function engineTarget(context: Context): Promise<Target> {
  const session = await context.session();
  const { answerOnce } = await import('../../server/one-request.ts');
  const { clock, log } = { clock: () => context.io.now(), log: () => undefined };
  return {
    ...{ login: session.me.userName, origin: 'http://localhost', base: '/v4', syntax: context.settings.wire ?? 'json' },
    send: (request) => answerOnce(session, request, { clock, log }),
    async refusal({ method, path }, { status, headers, bytes }) {
      const { readProblem } = await import('../../wire/problem.ts');
      const { code = 'invalid', detail, faults } = readProblem(status, headers['content-type'], bytes);
      return new ServiceError(code, detail || `${ERRORS[code].title}: ${method} ${path}`, { faults });
    },
  };
}
