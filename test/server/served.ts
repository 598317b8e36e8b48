// An endpoint on a temporary engine, and the vocabulary of the tests that call it.
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import type { Backend, Session } from '../../src/contract/call.ts';
import { contract } from '../../src/contract/index.ts';
import { openServer, type ServerOptions } from '../../src/server/index.ts';
import { cheapDerivations } from '../support/derivations.ts';
import { newEngine, OWNER, type TestEngine } from '../support/engine.ts';

export const PASSWORD = 'Correct-horse-1';
export const BEGIN = new Date('2026-05-13T09:00:00.000Z');
/** An individual who is no administrator. */
export const BOB = 'bob';

/** The options of a request; without a user it has no credential. */
export interface Asked {
  readonly user?: string;
  readonly password?: string;
  readonly accept?: string;
  readonly type?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON. */
  json(): Member;
}

export type Member = Readonly<{ [name: string]: unknown }>;

export interface TestServer {
  readonly url: string;
  readonly engine: TestEngine;
  /** The administrator's session on the engine itself. */
  readonly session: Session;
  readonly lines: readonly string[];
  ask(method: string, path: string, asked?: Asked): Promise<Answered>;
  /** The same as the administrator. */
  asAda(method: string, path: string, asked?: Asked): Promise<Answered>;
  /** Stops to listen; the database stays open. */
  close(): Promise<void>;
}

/** One endpoint for all tests of a file. */
export function usingServer(options: Partial<ServerOptions> = {}): TestServer {
  let server: TestServer | undefined;
  cheapDerivations();
  beforeAll(async () => {
    server = await newServer(options);
  });
  afterAll(async () => {
    await server?.close();
    await server?.engine.end();
  });
  const now = (): TestServer => {
    if (!server) throw new Error('the endpoint has not begun');
    return server;
  };
  return {
    get url() {
      return now().url;
    },
    get engine() {
      return now().engine;
    },
    get session() {
      return now().session;
    },
    get lines() {
      return now().lines;
    },
    ask: (...words) => now().ask(...words),
    asAda: (...words) => now().asAda(...words),
    close: () => now().close(),
  };
}

export async function newServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const engine = await newEngine(BEGIN);
  const session = await engine.backend.open({ user: OWNER });
  const lines: string[] = [];
  await setPassword(session, session.me.id);
  await setPassword(session, await makeBob(session));
  const served = await openServer({
    backend: engine.backend,
    clock: () => BEGIN,
    log: (line) => lines.push(line),
    ...options,
  });
  const ask = (method: string, path: string, asked: Asked = {}): Promise<Answered> =>
    askAt(served.url, method, path, asked);
  return {
    url: served.url,
    engine,
    session,
    lines,
    ask,
    asAda: (method, path, asked = {}) => ask(method, path, { user: OWNER, ...asked }),
    close: () => served.close(),
  };
}

const unasked = (): never => {
  throw new Error('nothing is looked for');
};
const NOTHING_FOUND = {
  record: unasked,
  byName: unasked,
  byMembers: unasked,
  all: unasked,
  holding: unasked,
  forget: unasked,
};

/** An endpoint over a back end that a test made up; it takes every credential. */
export async function overBackend(session: Partial<Session>, options: Partial<ServerOptions> = {}) {
  const me = { id: 'x', userName: 'ada', site: 'y' };
  const backend: Backend = {
    open: async () => ({ me, call: async () => ({}), list: async function* () {}, find: NOTHING_FOUND, ...session }),
    login: async () => ({}),
    close: async () => undefined,
  };
  const lines: string[] = [];
  const served = await openServer({ backend, clock: () => BEGIN, log: (line) => lines.push(line), ...options });
  return { ...served, lines, ask: (method: string, path: string) => askAt(served.url, method, path, { user: 'ada' }) };
}

const setPassword = (session: Session, id: string) =>
  session.call(contract.individual.operations.setPassword, { body: { Individual: id, Password: PASSWORD } });

async function makeBob(session: Session): Promise<string> {
  let department = '';
  for await (const one of session.list(contract.organization.operations.list, { by: 'organizations' }))
    department = String(one.ID);
  const { ID } = await session.call(contract.individual.operations.create, {
    body: {
      FirstName: 'Bob',
      LastName: 'Burns',
      Email: 'bob@example.org',
      UserEmail: 'bob@example.org',
      UserName: BOB,
      PrimaryOrganizationID: department,
      PrimaryTitle: 'Fitter',
      PrimaryReportsTo: session.me.id,
    },
  });
  return String(ID);
}

export function askAt(url: string, method: string, path: string, asked: Asked = {}): Promise<Answered> {
  const { hostname, port } = new URL(url);
  const { user, password = PASSWORD, accept, type, body, headers } = asked;
  const options: RequestOptions = {
    ...{ method, path, port, host: hostname.replace(/[[\]]/g, ''), agent: false },
    headers: {
      ...(user === undefined ? {} : { authorization: basic(user, password) }),
      ...(accept === undefined ? {} : { accept }),
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(body === undefined || headers?.['transfer-encoding'] ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    const sent = request(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json: () => JSON.parse(text) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends bytes and answers all that comes back until the connection ends. */
export function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    socket.on('error', () => undefined).on('close', () => resolve(text));
  });
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** A department that can be made as it stands, below the site's first organization. */
export async function departmentBody(server: TestServer, members: Member = {}): Promise<string> {
  const [first] = (await server.asAda('GET', '/v4/organizations')).json() as unknown as readonly Member[];
  return JSON.stringify({ Name: 'Sales', Rank: 1, ParentID: first?.ID, ...members });
}
