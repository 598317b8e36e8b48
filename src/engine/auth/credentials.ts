// Reads the five pairs of user and password by which one may log in (D21).
import { CREDENTIAL_LIMITS, type Credential } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isGuid } from '../../contract/kinds.ts';
import type { TokenKind } from '../store/port.ts';

/** What a credential says: who somebody wants to be, and by what they show that they may. */
export type Claim = PasswordClaim | TokenClaim;

export interface PasswordClaim {
  readonly by: 'password';
  readonly userName: string;
  /** The administrator whose password it is, where one acts as the user. */
  readonly actor: string | undefined;
  readonly password: string;
}

export interface TokenClaim {
  readonly by: 'token';
  readonly userName: string;
  readonly kind: TokenKind;
  readonly token: string;
}

const TOKEN = /^\{(Site|User|Session)Token\}(.+)$/;
const KINDS: Readonly<Record<string, TokenKind>> = { Site: 'site', User: 'user', Session: 'session' };

/**
 * A password may look like a token's prefix; only a GUID behind it makes it a token. Throws `unauthorized` for a name or
 * a password that is longer than any there is, with the words for an unknown one.
 */
export function claimOf({ login, password }: Credential): Claim {
  if (login.length > CREDENTIAL_LIMITS.login || password.length > CREDENTIAL_LIMITS.password) throw unauthorized();
  const [, prefix = '', token = ''] = TOKEN.exec(password) ?? [];
  const kind = KINDS[prefix];
  if (kind && isGuid(token)) return { by: 'token', userName: login, kind, token };
  const at = login.indexOf('\\');
  const actor = at < 0 ? undefined : login.slice(0, at);
  return { by: 'password', userName: login.slice(at + 1), actor, password };
}

/** One answer for every reason, so that nobody learns which names there are. */
export const unauthorized = (): ServiceError =>
  new ServiceError('unauthorized', 'nobody is known by this user name and password or token', {
    hint: 'Check both. A token may have been revoked or have run out: log in again, or ask an administrator.',
    next: { do: 'log-in' },
  });
