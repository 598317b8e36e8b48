// A connection to the server: its limits, its prepared statements, its errors as service errors.
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { Client, ClientConfig, QueryArrayResult } from 'pg';
import { ServiceError } from '../../../contract/errors.ts';
import { systemCode } from '../../../text/system-code.ts';
import type { Bound } from '../sql/steps.ts';
import type { Address } from './address.ts';
import { endsConnection, explained, withCode } from './failure.ts';
import { firstErrors, namesOfTexts, numbered } from './placeholders.ts';

export interface Result {
  /** Each in the order of the statement's columns. */
  readonly rows: readonly (readonly unknown[])[];
  /** The number of rows that were read or changed. */
  readonly count: number;
  /** The server's word for it: COMMIT, ROLLBACK, …. */
  readonly did: string;
}

/** Parameters of a statement; a list is an array there. */
export type Params = readonly (Bound | readonly Bound[])[];

/** It answers one statement after another. Later statements are sent at once, so that no round trip is waited for. */
export interface Connection {
  /** The address as people are shown it. */
  readonly address: string;
  /** No other connection has had it. */
  readonly id: string;
  /** The number of the server's process, as the server names it at the login. */
  readonly process: number | undefined;
  /** Runs a statement, which the server keeps prepared. */
  ask(sql: string, params?: Params): Promise<Result>;
  /** Runs statements without parameters, which the server does not keep. */
  exec(sql: string): Promise<Result>;
  /** Sends a statement together with the next one, which fails where this one does. A round trip is spared. */
  ahead(sql: string, params?: Params): void;
  /** Outside of a transaction: from time to time the server is to choose anew how it runs prepared statements. */
  renewPlans(): void;
  /** It answers nothing any more. */
  isLost(): boolean;
  close(): Promise<void>;
}

export interface Limits {
  /** How long the server may take to a connection, in milliseconds. */
  readonly connectMs: number;
  /** How long a statement may take. */
  readonly statementMs: number;
  /** How long it may wait for others. */
  readonly lockMs: number;
}

export const LIMITS: Limits = { connectMs: 5_000, statementMs: 60_000, lockMs: 10_000 };
/** For statements that change all records of a table: a day. */
export const UNLIMITED: Limits = { ...LIMITS, statementMs: 86_400_000, lockMs: 86_400_000 };

/** A transaction without statements for so long has lost its process. */
const IDLE_MS = 120_000;
/** How much longer than the server itself its answer is waited for. */
const GRACE_MS = 5_000;

/** The password is asked for with each connection. Throws `unreachable`, `storage`, `overloaded`. */
export async function connect(
  address: Address,
  password: () => string | undefined,
  limits: Limits = LIMITS,
): Promise<Connection> {
  const { default: pg } = await import('pg');
  const client = new pg.Client(configOf(address, password() ?? '', limits));
  let isLost = false;
  const lose = (): void => {
    isLost = true;
  };
  client.on('error', lose).on('end', lose);
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => undefined);
    throw explained(address.shown, withCode(error));
  }
  begin(client, limits);
  return connectionOn(address.shown, client, () => isLost, lose);
}

/** Runs `work` on a connection that is opened for it alone. */
export async function closedAfter<T>(
  open: () => Promise<Connection>,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await open();
  return work(connection).finally(() => connection.close());
}

/**
 * Makes the settings of the session, together with its first statement. A pooler takes a login at once, and lets the first
 * statement wait until the server has a connection for it.
 */
function begin(client: Client, limits: Limits): void {
  const none = Object.assign(new Error('none became free in time'), { code: '53300' });
  // All that waits fails by this, too.
  const timer = setTimeout(() => client.connection.stream.destroy(none), limits.connectMs);
  const answered = (): void => clearTimeout(timer);
  // A server that refuses them is used all the same: each statement has its time on this side, too.
  client.query(settingsOf(limits)).then(answered, answered);
}

/**
 * A pooler takes no such thing with the login, and some servers know less of it. Without the compiler (jit), since it took
 * seconds for a statement of roll-ups that ran for a tenth of one.
 */
const settingsOf = ({ statementMs, lockMs }: Limits): string =>
  `SELECT set_config(name, value, false) FROM (VALUES ('jit', 'off'), ('statement_timeout', '${statementMs}'),
  ('lock_timeout', '${lockMs}'), ('idle_in_transaction_session_timeout', '${IDLE_MS}')) AS wanted (name, value)
  WHERE current_setting(name, true) IS NOT NULL`;

/**
 * The server chooses how it runs a prepared statement by the size of the tables at that time. Its choice for an empty table
 * reads all of a large one, and until the server analyses that, which may take a minute, it chooses nothing else by itself.
 */
const NEW_PLANS = 'DISCARD PLANS';
/** After how many statements of a connection. */
const PLANS_LAST = 1_000;

interface Query {
  readonly text: string;
  readonly name?: string;
  readonly values?: (Bound | readonly Bound[])[];
}

function connectionOn(address: string, client: Client, isLost: () => boolean, lose: () => void): Connection {
  let before: Query[] = [];
  let count = 0;
  const inOnePiece = corkedByTurn(client);
  const errorOf = firstErrors();
  const nameOf = namesOfTexts();
  const queryOf = (sql: string, params: Params = []): Query => {
    const { text } = numbered(sql);
    const name = nameOf(text);
    return { text, ...(name === undefined ? {} : { name }), values: [...params] };
  };
  const answer = (query: Query) =>
    client.query<unknown[]>({ ...query, rowMode: 'array' }).catch((error: unknown) => {
      throw errorOf(query.name, error);
    });
  const asked = async (query: Query): Promise<Result> => {
    const queries = [...before, query];
    before = [];
    count += queries.length;
    inOnePiece();
    try {
      return await lastOf(queries.map(answer));
    } catch (error) {
      if (endsConnection(error)) lose();
      throw explained(address, withCode(error));
    }
  };
  return {
    address,
    id: crypto.randomUUID(),
    process: (client as Client & { readonly processID?: number }).processID,
    ask: (sql, params) => asked(queryOf(sql, params)),
    ahead: (sql, params) => void before.push(params === undefined ? { text: sql } : queryOf(sql, params)),
    exec: (sql) => asked({ text: sql }),
    renewPlans() {
      if (count < PLANS_LAST || isLost()) return;
      count = 0;
      inOnePiece();
      // Some servers keep no plans, and know no such statement.
      client.query(NEW_PLANS).catch(() => undefined);
    },
    isLost,
    close() {
      lose();
      return client.end().catch(() => undefined);
    },
  };
}

/** All statements of one turn of the event loop go in one piece: each piece is a call of the system, and wakes the server. */
function corkedByTurn({ connection: { stream } }: Client): () => void {
  let isCorked = false;
  const uncork = (): void => {
    isCorked = false;
    stream.uncork();
  };
  return () => {
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    process.nextTick(uncork);
  };
}

/** The last statement answers. Where some fail, the first error is thrown, before later statements fail for it. */
async function lastOf(answers: readonly Promise<QueryArrayResult<unknown[]>>[]): Promise<Result> {
  const settled = await Promise.allSettled(answers);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  const last = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])).at(-1);
  // Of several statements in one text the last one answers, too.
  const found: QueryArrayResult<unknown[]> | undefined = Array.isArray(last) ? last.at(-1) : last;
  return { rows: found?.rows ?? [], count: found?.rowCount ?? 0, did: found?.command ?? '' };
}

function configOf(address: Address, password: string, { connectMs, statementMs }: Limits): ClientConfig {
  return {
    host: address.host,
    port: address.port,
    user: address.user,
    database: address.name,
    // As a function, so that no other place is looked at for it.
    password: () => password,
    ssl: address.tls === 'none' ? false : tlsOf(address),
    application_name: address.application,
    enableChannelBinding: address.bindsChannel,
    client_encoding: 'UTF8',
    keepAlive: true,
    pipeline: true,
    connectionTimeoutMillis: address.connectMs ?? connectMs,
    query_timeout: statementMs + GRACE_MS,
    types: { getTypeParser: (type: number) => PARSERS.get(type) ?? String },
  };
}

/** By the number of the type: smallint, integer, bigint, oid, real, double precision, numeric; and boolean, as 0 or 1. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map([
  ...[20, 21, 23, 26, 700, 701, 1700].map((type) => [type, Number] as const),
  [16, (text: string) => Number(text === 't')] as const,
]);

/** The host is named, since TLS would else compare the certificate of an IP address with "localhost". */
function tlsOf({ host, tls, rootFile }: Address): ConnectionOptions {
  return {
    host,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(rootFile === undefined ? {} : { ca: certificates(rootFile) }),
    ...(tls === 'signed' ? { checkServerIdentity: () => undefined } : {}),
  };
}

function certificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = systemCode(error) ?? 'unknown';
    throw new ServiceError('storage', `the file of authorities ${file} cannot be read: ${why}`, { cause: error });
  }
}
