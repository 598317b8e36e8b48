// The address of a database on a server: postgres://user@host:port/name?sslmode=…, as libpq reads it. It has no password.
import { ServiceError } from '../../../contract/errors.ts';

/** How the server is proven: not at all, by who signed its certificate, or by its name, too. */
type Tls = 'none' | 'signed' | 'named';

export interface Address {
  /** A name, an IP address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly name: string;
  readonly tls: Tls;
  /** A file of PEM certificates that are trusted instead of the usual authorities. */
  readonly rootFile?: string;
  /** A file of passwords, in the form of .pgpass. */
  readonly passFile?: string;
  /** How the server's lists of connections call pm. */
  readonly application: string;
  /** How long the server may take to a connection, in milliseconds; undefined for the usual limit. */
  readonly connectMs?: number;
  /** The login proves that it goes through this TLS connection, where the server offers that. */
  readonly bindsChannel: boolean;
  /** The address as people are shown it. */
  readonly shown: string;
}

const SCHEME = /^postgres(?:ql)?:\/\//i;
const PORT = 5432;
const FORM = 'Write it as postgres://user@host:5432/name';
/** By their names in libpq. `allow` and `prefer` go on in plain text where the server has no TLS, so they are refused. */
const TLS: Readonly<Record<string, Tls>> = {
  disable: 'none',
  require: 'named',
  'verify-ca': 'signed',
  'verify-full': 'named',
};
const PARAMS = ['host', 'passfile', 'sslmode', 'sslrootcert', 'application_name', 'connect_timeout', 'channel_binding'];

export const isAddress = (text: string): boolean => SCHEME.test(text);

/**
 * Reads an address; `user` is the user if the address names none. `from` names the flag or variable in errors, which
 * never repeat a password. Throws `usage`.
 */
export function addressOf(text: string, user: string, from: string): Address {
  const url = urlIn(text, from);
  const params = paramsIn(url, from);
  const host = params.host ?? decoded(url.hostname.replace(/^\[|\]$/g, ''));
  const name = decoded(url.pathname.slice(1));
  if (host === '' || name === '') throw wrong(from, `names no ${host === '' ? 'host' : 'database'}`, FORM);
  const port = Number(url.port || PORT);
  const named = decoded(url.username) || user;
  const tls = tlsOf(params.sslmode, host, from);
  const socket = host.startsWith('/') ? `?host=${encodeURIComponent(host)}` : '';
  return {
    host,
    port,
    user: named,
    name,
    tls,
    application: params.application_name ?? 'pm',
    ...connectLimit(params.connect_timeout, from),
    bindsChannel: bindsChannel(params.channel_binding, tls, from),
    ...(params.sslrootcert === undefined ? {} : { rootFile: params.sslrootcert }),
    ...(params.passfile === undefined ? {} : { passFile: params.passfile }),
    shown: `postgres://${encodeURIComponent(named)}@${socket ? '' : url.hostname}:${port}/${encodeURIComponent(name)}${socket}`,
  };
}

function urlIn(text: string, from: string): URL {
  if (!isAddress(text)) throw wrong(from, 'is not the address of a PostgreSQL database', FORM);
  // With a socket's folder no host is named, which a user name in front of it would make unreadable.
  const whole = text.replace(SCHEME, 'postgres://').replace(/@(?=[:/])/, '@socket');
  if (!URL.canParse(whole)) throw wrong(from, 'cannot be read', FORM);
  const url = new URL(whole);
  if (hasPassword(whole)) throw passwordGiven(from);
  return url;
}

/** An empty one counts: a password was meant to be there. */
function hasPassword(text: string): boolean {
  const [authority = ''] = text.slice('postgres://'.length).split(/[/?#]/);
  return authority.slice(0, Math.max(0, authority.lastIndexOf('@'))).includes(':');
}

/** Parameters that hosters and other programs add, and that change nothing for pm. */
const PASSED_OVER =
  /^(?:(?:keepalives(?:_\w+)?|tcp_user_timeout|gssencmode|load_balance_hosts|pgbouncer|connection_limit|pool_timeout|supa)=.*|target_session_attrs=(?:any|primary|read-write)|schema=public|ssl=(?:true|1)|client_encoding=utf-?8)$/i;

function paramsIn(url: URL, from: string): Readonly<Partial<Record<string, string>>> {
  const given = [...url.searchParams].filter((param) => !PASSED_OVER.test(param.join('=')));
  if (given.some(([name]) => name === 'password')) throw passwordGiven(from);
  const unknown = given.map(([name]) => name).filter((name) => !PARAMS.includes(name));
  if (unknown.includes('service'))
    throw wrong(from, 'names a service file, which pm does not read', `${FORM}, with what the file says.`);
  if (unknown.length > 0) {
    const what = unknown.length === 1 ? 'a parameter that is' : 'parameters that are';
    throw wrong(
      from,
      `has ${what} not known: ${unknown.join(', ')}`,
      `Leave that out. Parameters are: ${PARAMS.join(', ')}`,
    );
  }
  return Object.fromEntries(given);
}

/** Without a mode, only a connection within this machine goes without TLS. */
function tlsOf(mode: string | undefined, host: string, from: string): Tls {
  if (mode === undefined) return isHere(host) ? 'none' : 'named';
  const tls = Object.hasOwn(TLS, mode) ? TLS[mode] : undefined;
  if (tls !== undefined) return tls;
  throw wrong(from, `says sslmode=${mode}`, `It can be ${Object.keys(TLS).join(', ')}; without it, TLS is verified.`);
}

/** Seconds, as libpq counts them: 0 is no limit of its own, and 1 is taken for 2. */
function connectLimit(seconds: string | undefined, from: string): Pick<Address, 'connectMs'> {
  if (seconds === undefined || /^0+$/.test(seconds)) return {};
  if (/^\d{1,6}$/.test(seconds)) return { connectMs: Math.max(2, Number(seconds)) * 1_000 };
  throw wrong(from, `says connect_timeout=${seconds}`, 'It is a whole number of seconds.');
}

function bindsChannel(mode: string | undefined, tls: Tls, from: string): boolean {
  if (mode === undefined || mode === 'disable') return false;
  if (mode === 'prefer' || (mode === 'require' && tls !== 'none')) return tls !== 'none';
  throw wrong(from, `says channel_binding=${mode}`, 'It can be disable, prefer or, with TLS, require.');
}

/** Is the host this machine, which no word to it leaves? */
export const isHere = (host: string): boolean => /^(?:\/|localhost$|127\.|::1$)/.test(host);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const wrong = (from: string, what: string, hint: string): ServiceError =>
  new ServiceError('usage', `${from} ${what}`, { hint });

const passwordGiven = (from: string): ServiceError =>
  wrong(
    from,
    'holds a password, which others can read there',
    'Leave it out of the address, and put it in PGPASSWORD, or in a file that PGPASSFILE names.',
  );
