// Answers one request without a network.
import type { Backend, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { appFor, type ServerOptions } from './index.ts';

interface OneRequest {
  readonly method: string;
  /** With the prefix and the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

interface OneAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** Answers as the endpoint would answer the caller of the session. */
export async function answerOnce(
  session: Session,
  { method, path, headers, body }: OneRequest,
  options: Pick<ServerOptions, 'clock' | 'log'>,
): Promise<OneAnswer> {
  const backend: Backend = {
    open: async () => session,
    login: () => Promise.reject(new ServiceError('unsupported', 'a login is asked of pm serve')),
    close: async () => undefined,
  };
  const { app } = appFor({ ...options, backend });
  try {
    const answer = await app.inject({
      method: method as 'GET',
      url: path,
      headers: { ...headers, authorization: ANYBODY },
      ...(body === undefined ? {} : { payload: Buffer.from(body) }),
    });
    const said = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
    return { status: answer.statusCode, headers: Object.fromEntries(said), bytes: answer.rawPayload };
  } finally {
    await app.close();
  }
}

/** The session is open already: whose credential it is does not matter. */
const ANYBODY = `Basic ${Buffer.from(':').toString('base64')}`;
