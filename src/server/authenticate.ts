// Authenticates a request by HTTP Basic, checks its Host header, and limits failed logins (D21).
import type { FastifyRequest } from 'fastify';
import { type Backend, CREDENTIAL_LIMITS, type Credential, type Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { clean } from '../text/escape.ts';
import { textKey } from '../text/text-key.ts';
import type { Limits } from './http-server.ts';

/** Opens the session of the request's credential. Throws `unauthorized`, `feature_off`, `too_many`. */
export async function authenticate(
  backend: Backend,
  limiter: LoginLimiter,
  { headers, ip }: FastifyRequest,
): Promise<Session> {
  const credential = credentialOf(headers.authorization);
  return limiter.run(credential.login, ip, () => backend.open(credential));
}

const HOST = /^(\[[0-9a-f:.]+\]|[^\s:/@[\]]+)(?::\d{1,5})?$/i;
const BASIC = /^basic +([a-z0-9+/]+={0,2}) *$/i;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const WILDCARDS = ['0.0.0.0', '[::]'];

/** Is this an address of the loopback interface? */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/** An address in a URL: IPv6 is in brackets. */
export const inUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/**
 * A check of the Host header against DNS rebinding: another site cannot call the endpoint under its own name.
 * HTTP/1.0 has no Host; every browser sends one. `bound` is the listening address, `more` holds further names. The
 * check throws `invalid`.
 */
export function hostCheck(bound: string, more: readonly string[]): (request: FastifyRequest) => void {
  const own = inUrl(bound).toLowerCase();
  const names = new Set([...LOOPBACK, ...more.map((name) => inUrl(name).toLowerCase())]);
  if (!WILDCARDS.includes(own)) names.add(own);
  return ({ headers: { host }, raw }) => {
    if (host === undefined && raw.httpVersion === '1.0') return;
    const name = HOST.exec(host ?? '')?.[1]?.toLowerCase();
    if (name !== undefined && names.has(name)) return;
    const what = host === undefined ? 'the request names no host' : `the host "${clean(host)}" is not served here`;
    throw new ServiceError('invalid', what, {
      hint: 'Whoever runs the endpoint allows it a name with --allow-host.',
    });
  };
}

/** The credential in the header. Throws `unauthorized` if it is missing or not HTTP Basic. */
function credentialOf(header: string | undefined): Credential {
  const pair = decoded(BASIC.exec(header ?? '')?.[1]);
  const colon = pair.indexOf(':');
  if (colon >= 0) return { login: pair.slice(0, colon), password: pair.slice(colon + 1) };
  const what =
    header === undefined ? 'no user name and password were sent' : 'the Authorization header is not readable';
  throw new ServiceError('unauthorized', `${what}; HTTP Basic is asked for`, { next: { do: 'log-in' } });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(base64: string | undefined): string {
  try {
    return utf8.decode(Buffer.from(base64 ?? '', 'base64'));
  } catch {
    return '';
  }
}

/** `retryAfter`: the seconds until the next login is tried. */
export class TooManyLogins extends ServiceError {
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('too_many', `too many logins have failed; the next one is looked at in ${retryAfter} s`);
    this.retryAfter = retryAfter;
  }
}

export interface LoginLimiter {
  /** Runs a login unless too many have failed. Throws `TooManyLogins`, else what the login throws. */
  run<T>(login: string, address: string, work: () => Promise<T>): Promise<T>;
}

interface Count {
  readonly key: string;
  readonly most: number;
  /** When logins failed, in milliseconds, the oldest first. */
  failed: readonly number[];
  /** Logins in progress: each of them may fail. */
  open: number;
}

const MINUTE = 60_000;

export function loginLimiter(clock: () => Date, limits: Limits): LoginLimiter {
  const counts = new Map<string, Count>();
  const waiting: (() => void)[] = [];
  const countOf = (key: string, most: number): Count => counts.get(key) ?? { key, most, failed: [], open: 0 };
  /** Waits while the logins in progress could exceed the limit if all of them failed. */
  const enter = async (user: string, address: string): Promise<readonly Count[]> => {
    for (;;) {
      const now = clock().getTime();
      const both = [countOf(user, limits.loginsOfUser), countOf(address, limits.loginsOfAddress)];
      for (const count of both) checkLimit(count, now);
      if (both.every((count) => recent(count, now).length + count.open < count.most)) {
        for (const count of both) {
          count.open++;
          counts.set(count.key, count);
        }
        return both;
      }
      await new Promise<void>((go) => waiting.push(go));
    }
  };
  return {
    async run(login, address, work) {
      const both = await enter(JSON.stringify([address, userOf(login)]), address);
      try {
        return await work();
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'unauthorized') {
          const now = clock().getTime();
          for (const count of both) count.failed = [...recent(count, now), now];
          prune(counts, counts.values(), now);
        }
        throw error;
      } finally {
        for (const count of both) count.open--;
        prune(counts, both, clock().getTime());
        for (const go of waiting.splice(0)) go();
      }
    },
  };
}

/** The user whose password is tried: in `admin\user` the administrator. A login that is too long is cut. */
const userOf = (login: string): string => textKey(login.slice(0, CREDENTIAL_LIMITS.login).replace(/\\.*$/s, ''));

/** The failures of the last minute, also after the clock was set back. */
const recent = ({ failed }: Count, now: number): readonly number[] =>
  failed.length === 0 ? failed : failed.filter((then) => now >= then && now - then < MINUTE);

function checkLimit(count: Count, now: number): void {
  const failed = recent(count, now);
  const oldest = failed.at(-count.most);
  if (oldest !== undefined) throw new TooManyLogins(Math.max(1, Math.ceil((oldest + MINUTE - now) / 1000)));
}

/** Deletes the counts without failures and open logins. A good login prunes its own, a failed one all. */
function prune(counts: Map<string, Count>, some: Iterable<Count>, now: number): void {
  for (const count of some) {
    if (count.open === 0 && recent(count, now).length === 0) counts.delete(count.key);
  }
}
