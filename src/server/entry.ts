// The door: by which name the endpoint was called, and who calls (D21).
import type { Credential } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';

const HOST = /^(\[[0-9a-f:.]+\]|[^\s:/@[\]]+)(?::\d{1,5})?$/i;
const BASIC = /^basic +([a-z0-9+/]+={0,2}) *$/i;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const WILDCARDS = ['0.0.0.0', '[::]'];

/** Answers to this machine's own addresses alone? */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/** How an address stands in a URL. */
export const inUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/**
 * A check of the Host header: a page of another site, whose name was made to lead here, is turned away.
 * `bound` is the address that is listened on. The check throws `invalid`.
 */
export function hostCheck(bound: string, more: readonly string[]): (header: string | undefined) => void {
  const own = inUrl(bound).toLowerCase();
  const names = new Set([...LOOPBACK, ...more.map((name) => inUrl(name).toLowerCase())]);
  if (!WILDCARDS.includes(own)) names.add(own);
  return (header) => {
    const name = HOST.exec(header ?? '')?.[1]?.toLowerCase();
    if (name !== undefined && names.has(name)) return;
    throw new ServiceError('invalid', 'the host that the request names is not served here', {
      hint: 'Whoever runs the endpoint allows it a name with --allow-host.',
    });
  };
}

/** The two halves of HTTP Basic. Throws `unauthorized` for a header that is missing or of another scheme. */
export function credentialOf(header: string | undefined): Credential {
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
