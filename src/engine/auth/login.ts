// Who somebody is who calls from outside, by the credential they show (D21).
import { createHmac, randomBytes } from 'node:crypto';
import { CREDENTIAL_LIMITS, type Credential } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isGuid } from '../../contract/kinds.ts';
import type { Row } from '../../contract/resource.ts';
import { type Caller, type Change, callerOf, contextOf, type EngineParts, writeDate } from '../context.ts';
import { checkInterface } from '../rights/labels.ts';
import type { Reader, Stored, StoredToken, TokenKind } from '../store/port.ts';
import { individualNamed } from './callers.ts';
import { verifyPassword } from './passwords.ts';
import { type Authenticated, expiringSet, isWithinAMinute, loginCache, MINUTE } from './recent-logins.ts';
import { expiryOf, goodToken, isGood, issue } from './tokens.ts';

export interface Authenticator {
  /** Throws `unauthorized`; `feature_off` where the site may not be used over the interface (D3). */
  authenticate(credential: Credential): Promise<Caller>;
  /** A session token for a password: nothing else gets one, or a token that was revoked would live on in it. */
  login(credential: Credential): Promise<Row>;
}

/** Checks credentials; what it remembers of good ones ends with it. */
export function authenticatorOn(parts: EngineParts): Authenticator {
  const provenSince = passwordVerifier(parts);
  const noteUse = tokenUseRecorder(parts);
  const admit = async (claim: Claim): Promise<Authenticated> => {
    const admitted =
      claim.by === 'password'
        ? await byPassword(parts.store, claim, provenSince)
        : await byToken(parts, claim, noteUse);
    const { site } = admitted.caller;
    checkInterface(await parts.store.get('site', site, site));
    return admitted;
  };
  const lately = loginCache();
  return {
    async authenticate(credential) {
      const version = parts.store.version();
      const known = lately.find(credential, version, parts.clock().getTime());
      if (known) return known;
      const admitted = await admit(claimOf(credential));
      lately.keep(credential, version, admitted);
      return admitted.caller;
    },
    async login(credential) {
      const claim = claimOf(credential);
      if (claim.by !== 'password' || claim.actor !== undefined) throw unauthorized();
      return beginSession(parts, (await admit(claim)).caller);
    },
  };
}

/** Whatever is wrong, one derivation is paid for: of a hash that nobody has where there is none (D21). */
async function byPassword(store: Reader, claim: PasswordClaim, provenSince: VerifiedSince): Promise<Authenticated> {
  const user = await individualNamed(store, claim.userName);
  const actor = claim.actor === undefined ? user : await individualNamed(store, claim.actor);
  const since = await provenSince(actor, claim.password);
  if (since === undefined || !user || !actor) throw unauthorized();
  const caller = callerOf(user);
  if (claim.actor !== undefined && !mayActAs(callerOf(actor), caller)) throw unauthorized();
  return { caller, since, until: since + MINUTE };
}

/** An administrator of one site does not become one of every site by acting as somebody who is. */
const mayActAs = (actor: Caller, user: Caller): boolean =>
  actor.isGlobalAdmin || (actor.isAdmin && actor.site === user.site && !user.isGlobalAdmin);

/** A site's token reaches no further than the site, whoever it is used as. */
async function byToken({ store, clock }: EngineParts, claim: TokenClaim, noteUse: RecordUse): Promise<Authenticated> {
  const user = await individualNamed(store, claim.userName);
  if (!user) throw unauthorized();
  const caller = callerOf(user);
  const token = await goodToken(store, caller.site, claim, writeDate(clock()));
  if (!token || (token.Kind !== 'site' && token.IndividualID !== caller.id)) throw unauthorized();
  const since = noteUse(caller.site, token);
  const ends = token.Expires === null ? Number.POSITIVE_INFINITY : Date.parse(token.Expires);
  return {
    caller: token.Kind === 'site' ? { ...caller, isGlobalAdmin: false } : caller,
    since,
    until: Math.min(since + MINUTE, ends),
  };
}

/** Answers since when it is known that the password is theirs, in milliseconds; undefined where it is not. */
type VerifiedSince = (individual: Stored | undefined, password: string) => Promise<number | undefined>;

/** Remembers good passwords by a keyed hash, together with all that ends them: another password, any change of the individual. */
function passwordVerifier({ store, clock }: EngineParts): VerifiedSince {
  const memory = expiringSet(clock);
  const secretKey = randomBytes(32);
  return async (individual, password) => {
    const hash = individual && (await store.passwordHash(String(individual.SiteID), String(individual.ID)));
    const bound = JSON.stringify([individual?.ID, individual?.Updated, hash, password]);
    const key = createHmac('sha256', secretKey).update(bound).digest('base64url');
    const since = memory.since(key);
    if (since !== undefined) return since;
    return (await verifyPassword(password, hash)) ? memory.add(key) : undefined;
  };
}

/** Answers the moment of the use that is noted. */
type RecordUse = (site: string, token: StoredToken) => number;

/** Writes when a token was last used, once a minute at most; no call waits for it, and none fails with it. */
function tokenUseRecorder({ store, clock }: EngineParts): RecordUse {
  const noted = expiringSet(clock);
  return (site, { ID, Kind, Created, LastUsed }) => {
    const now = clock();
    const written = Date.parse(LastUsed ?? '');
    const before = noted.since(ID) ?? (isWithinAMinute(written, now.getTime()) ? written : undefined);
    if (before !== undefined) return before;
    const since = noted.add(ID);
    const used = writeDate(now);
    store
      .transaction((writer) => writer.useToken(site, ID, used, expiryOf(Kind, Created, used)))
      .catch(() => undefined);
    return since;
  };
}

async function beginSession(parts: EngineParts, caller: Caller): Promise<Row> {
  return parts.store.transaction(async (store) => {
    const change: Change = { ...contextOf(parts, caller, caller.site, store, undefined), store };
    const theirs = await store.tokens(caller.site, caller.id);
    for (const old of theirs.filter((one) => !isGood(one, change.now))) await store.deleteToken(caller.site, old.ID);
    const { token } = await issue(change, 'session', caller.id);
    return { Site: caller.site, Token: token, UserName: caller.userName };
  });
}

/** What a credential says: who somebody wants to be, and by what they show that they may. */
type Claim = PasswordClaim | TokenClaim;

interface PasswordClaim {
  readonly by: 'password';
  readonly userName: string;
  /** The administrator whose password it is, where one acts as the user. */
  readonly actor: string | undefined;
  readonly password: string;
}

interface TokenClaim {
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
