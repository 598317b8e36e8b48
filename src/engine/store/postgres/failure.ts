// Errors of PostgreSQL and of the network as service errors: they name the database, the reason and the way out.
import { type ErrorCode, ServiceError } from '../../../contract/errors.ts';

interface Failure {
  /** Beginnings of codes: SQLSTATE, those of the system and of TLS, and `LOST`. */
  readonly codes: readonly string[];
  /** `storage` without it. */
  readonly code?: ErrorCode;
  /** The end of a sentence that begins with the database's address; the whole of one about the input. */
  readonly says: string;
  /** Its sender reads the message, so it does not name the database. */
  readonly isAboutInput?: true;
  readonly hint: string;
}

/** The connection has ended without a word. */
const LOST = 'LOST';
/** The server's own answer does not come in time. */
const SILENT = 'SILENT';
/** The server has no TLS, and the address asks for it. */
const PLAIN = 'PLAIN';

/** A pooler that pm cannot work behind. */
export const POOLED = {
  says: 'is behind a pooler that gives its connections to others between two transactions',
  hint: 'Let it keep one for each session (PgBouncer: pool_mode = session), or name the server itself.',
};

/** The first row with a fitting code is used, so narrow codes come before wide ones. */
const FAILURES: readonly Failure[] = [
  {
    codes: ['53100'],
    code: 'disk_full',
    says: 'has no room to grow: the disk of the server is full',
    hint: 'Nothing of this change was kept. Make room there, then run it again.',
  },
  {
    codes: ['53300', '53400'],
    code: 'overloaded',
    says: 'takes no more connections',
    hint: 'Wait until other programs end theirs, or raise max_connections of the server.',
  },
  {
    codes: ['55P03', '40001', '40P01', '25P03'],
    code: 'busy',
    says: 'is busy: other programs did not finish in time',
    hint: 'Nothing of this change was kept. Wait for them to end, then run it again.',
  },
  {
    codes: ['57014'],
    code: 'busy',
    says: 'did not answer in time',
    hint: 'Nothing of this change was kept. Look what the server is doing (pg_stat_activity), then run it again.',
  },
  {
    codes: ['25006'],
    says: 'cannot be written: it is read-only there',
    hint: 'A standby only reads: name the server that it follows. Else look at default_transaction_read_only.',
  },
  {
    codes: ['42501'],
    says: 'does not let this user do that',
    hint: 'Give it the rights of the user who made the tables: GRANT … TO … An empty database it must own: ALTER DATABASE … OWNER TO …',
  },
  {
    codes: ['3F000'],
    says: 'has no schema for the tables',
    hint: 'The first schema of the search path must be there: ALTER DATABASE … SET search_path = public',
  },
  {
    codes: ['42P07', '42710'],
    says: 'is not a database of pm: a name that pm needs is taken there',
    hint: 'Name a database of its own: createdb makes an empty one.',
  },
  {
    codes: ['28'],
    says: 'refuses the login',
    hint: 'Look at the user in the address, and at its password: PGPASSWORD, or a line in ~/.pgpass or PGPASSFILE.',
  },
  {
    codes: ['3D000'],
    says: 'does not exist',
    hint: 'Look at the name; a new, empty one is made there by createdb. Its tables are made at the first use.',
  },
  {
    codes: [PLAIN],
    says: 'is on a server without TLS',
    hint: 'Let the server have TLS (ssl = on). On a network that no other person can read: ?sslmode=disable',
  },
  {
    codes: ['CERT_', 'ERR_TLS', 'DEPTH_ZERO', 'SELF_SIGNED', 'UNABLE_TO_', 'ERR_SSL', 'EPROTO'],
    says: 'has a server whose certificate is not trusted for its name',
    hint: 'Name the authority that signed it: ?sslrootcert=<file>. The certificate must hold the host of the address.',
  },
  {
    codes: ['XX001', 'XX002'],
    says: 'is damaged',
    hint: 'Stop the server and copy its files before anything else, then put a backup in their place.',
  },
  {
    codes: ['42P01', '42703', '42883', '0A000'],
    says: 'has other tables than this pm knows: they were changed meanwhile',
    hint: 'Install the newest pm, then run it again.',
  },
  {
    codes: ['23503'],
    code: 'conflict',
    says: 'a record would name another one that does not exist',
    isAboutInput: true,
    hint: 'Make the named record first, then run it again.',
  },
  {
    codes: ['22021', '22P05'],
    code: 'invalid',
    says: 'a text holds the character U+0000, which the database cannot keep',
    isAboutInput: true,
    hint: 'Leave that character out.',
  },
  { codes: ['26000', '42P05'], ...POOLED },
  {
    codes: ['57P', '08', 'ECONN', 'EPIPE', 'ENOENT', 'ENOTFOUND', 'EAI_', 'EHOST', 'ENET', 'ETIMEDOUT', 'EACCES'],
    code: 'unreachable',
    says: 'cannot be reached',
    hint: 'Look at the host and the port, and whether the server runs (pg_isready).',
  },
  {
    codes: [LOST, SILENT],
    code: 'unreachable',
    says: 'does not answer any more: the connection was cut',
    hint: 'Nothing of this change was kept. Look whether the server runs (pg_isready), then run it again.',
  },
  {
    codes: ['53', '54', '58', 'XX'],
    says: 'could not be read or written',
    hint: 'Look at the log of the server. Read the records again before you repeat the change.',
  },
];

/** A service error for an error of the server or the network; any other error unchanged. */
export function explained(address: string, error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  const failure = code && FAILURES.find(({ codes }) => codes.some((start) => code.startsWith(start)));
  if (!failure) return error;
  const { code: shown = 'storage', says, hint, isAboutInput } = failure;
  const said = isAboutInput ? says : `The database ${address} ${says} (${(error as Error).message})`;
  return new ServiceError(shown, said, { hint, cause: error });
}

/** The code of an error of the server, the network or TLS, explained or not; undefined for any other. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof ServiceError) return error.cause === undefined ? undefined : codeOf(error.cause);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Two transactions were in each other's way, so that one was taken back: run again it may succeed. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error) ?? '');

const CUT = ['57P', '08', 'ECONN', 'EPIPE', 'ETIMEDOUT', LOST, SILENT];

/** The connection ended, by whatever end: without a COMMIT before it the server keeps nothing of its transaction. */
export const isCut = (error: unknown): boolean => CUT.some((start) => codeOf(error)?.startsWith(start));

/** Does an error with which a statement failed end its connection? One of the server itself does where it is fatal. */
export const endsConnection = (error: unknown): boolean =>
  !(error instanceof Error && 'severity' in error) || error.severity === 'FATAL' || error.severity === 'PANIC';

const WORDS: readonly (readonly [says: RegExp, code: string])[] = [
  [/does not support SSL/i, PLAIN],
  [/^SASL: /, '28P01'],
  [/timeout/i, SILENT],
  [/terminated|connection error|not queryable|closed/i, LOST],
];

/** An error with a code: the driver has none for the end of a connection. */
export function withCode(error: unknown): unknown {
  if (codeOf(error) !== undefined || !(error instanceof Error)) return error;
  const code = WORDS.find(([says]) => says.test(error.message))?.[1];
  return code === undefined ? error : Object.assign(new Error(error.message, { cause: error }), { code });
}
