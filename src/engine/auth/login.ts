// Authenticates callers over the interface by their credentials (D21).
import { createHmac, hash, randomBytes } from 'node:crypto';
import { CREDENTIAL_LIMITS, type Credential, type PasswordGuard } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isGuid } from '../../contract/kinds.ts';
import type { Row } from '../../contract/resource.ts';
import { oncePer, valueAt } from '../../text/once-per.ts';
import { type Caller, callerOf } from '../caller.ts';
import { contextOf, type EngineParts, type Writing, writeDate } from '../context.ts';
import { checkInterface } from '../rights/labels.ts';
import type { Login, Reader, StoredToken, TokenKind } from '../store/port.ts';
import { verifyPassword } from './passwords.ts';
import { expiryOf, goodToken, isGood, issue } from './tokens.ts';

/** Checks credentials; its caches live as long as it does. */
export function authenticatorOn(parts: EngineParts) {
  const verifiedSince = passwordVerifier(parts);
  const recordUse = tokenUseRecorder(parts);
  const check = async (claim: Claim, guard: PasswordGuard = (verify) => verify()): Promise<Authenticated> => {
    const found = await parts.store.login(claim.userName);
    const authenticated =
      claim.by === 'password'
        ? await byPassword(parts.store, found, claim, (actor) => verifiedSince(actor, claim, guard))
        : await byToken(parts, found, claim, recordUse);
    checkInterface(found?.site);
    return authenticated;
  };
  const cache = loginCache();
  return {
    /** Throws `unauthorized`; `feature_off` where the site may not be used over the interface (D3). */
    async authenticate(credential: Credential, guard?: PasswordGuard): Promise<Caller> {
      const version = parts.store.version();
      const known = cache.find(credential, version, parts.clock().getTime());
      if (known) return known;
      const authenticated = await check(claimOf(credential), guard);
      cache.keep(credential, version, authenticated);
      return authenticated.caller;
    },
    /** A session token for a password. A token gets none: it would outlive its revocation in it. */
    async login(credential: Credential, guard?: PasswordGuard): Promise<Row> {
      const claim = claimOf(credential);
      if (claim.by !== 'password' || claim.actor !== undefined) throw unauthorized();
      return beginSession(parts, (await check(claim, guard)).caller);
    },
  };
}

/** Every failure costs one derivation, so that its time does not tell which user names exist (D21). */
async function byPassword(
  store: Reader,
  user: Login | undefined,
  claim: PasswordClaim,
  verifiedSince: (actor: Login | undefined) => Promise<number>,
): Promise<Authenticated> {
  const actor = claim.actor === undefined ? user : await store.login(claim.actor);
  const since = await verifiedSince(actor);
  if (!user || !actor) throw unauthorized();
  const caller = { ...callerOf(user.individual), showedPassword: claim.actor === undefined };
  if (claim.actor !== undefined && !mayActAs(callerOf(actor.individual), caller)) throw unauthorized();
  return { caller, since, until: since + MINUTE };
}

/** An administrator of one site may not act as a global administrator. */
const mayActAs = (actor: Caller, user: Caller): boolean =>
  actor.isGlobalAdmin || (actor.isAdmin && actor.site === user.site && !user.isGlobalAdmin);

/** A token of a site never gives global rights, whatever user it is used with. */
async function byToken(
  { store, clock }: EngineParts,
  user: Login | undefined,
  claim: TokenClaim,
  recordUse: RecordUse,
): Promise<Authenticated> {
  if (!user) throw unauthorized();
  const caller = { ...callerOf(user.individual), showedPassword: false };
  const token = await goodToken(store, caller.site, claim, writeDate(clock()));
  if (!token || (token.Kind !== 'site' && token.IndividualID !== caller.id)) throw unauthorized();
  const since = recordUse(caller.site, token);
  const ends = token.Expires === null ? Number.POSITIVE_INFINITY : Date.parse(token.Expires);
  const known = token.Kind === 'session' ? { ...caller, sessionToken: token.ID } : caller;
  return {
    caller: token.Kind === 'site' ? { ...caller, isGlobalAdmin: false } : known,
    since,
    until: Math.min(since + MINUTE, ends),
  };
}

/**
 * Caches verified passwords by a keyed hash of the password and of all that invalidates it: its hash, and any change of the
 * individual. A password that was shown lately is no guess.
 */
function passwordVerifier({ clock }: EngineParts) {
  const verified = expiringSet(clock, MINUTE);
  const shown = expiringSet(clock, HALF_A_DAY);
  const verifying = new Map<string, Promise<boolean>>();
  /** The same login at the same time is verified once, also of an unknown name: a program begins with many requests. */
  const verify = (key: string, password: string, hash: string | undefined): Promise<boolean> =>
    valueAt(verifying, key, () => verifyPassword(password, hash).finally(() => verifying.delete(key)));
  const secretKey = randomBytes(32);
  const digest = (...parts: readonly unknown[]): string =>
    createHmac('sha256', secretKey).update(JSON.stringify(parts)).digest('base64url');
  /** When the password was last verified, in milliseconds. Throws `unauthorized`. */
  return async (
    login: Login | undefined,
    { userName, actor = userName, password }: PasswordClaim,
    guard: PasswordGuard,
  ): Promise<number> => {
    const { individual, passwordHash: hash } = login ?? {};
    const proof = digest(individual?.ID, hash, password);
    const key = digest(proof, individual?.Updated);
    const since = verified.since(key);
    if (since !== undefined) return since;
    const check = async (): Promise<number> => {
      // The guard may have let others go first who showed the same.
      const meanwhile = verified.since(key);
      if (meanwhile !== undefined) return meanwhile;
      if (!(await verify(digest(key, actor), password, hash))) throw unauthorized();
      shown.add(proof);
      return verified.add(key);
    };
    return shown.since(proof) === undefined ? guard(check) : check();
  };
}

/** Answers when the recorded use was, in milliseconds. */
type RecordUse = (site: string, token: StoredToken) => number;

/** Writes when a token was last used, at most once a minute. No call waits for the write or fails with it. */
function tokenUseRecorder({ store, clock }: EngineParts): RecordUse {
  const recorded = expiringSet(clock, MINUTE);
  return (site, { ID, Kind, Created, LastUsed }) => {
    const now = clock();
    const written = Date.parse(LastUsed ?? '');
    const before = recorded.since(ID) ?? (isWithin(MINUTE, written, now.getTime()) ? written : undefined);
    if (before !== undefined) return before;
    const since = recorded.add(ID);
    const used = writeDate(now);
    store
      .transaction((writer) => writer.useToken(site, ID, used, expiryOf(Kind, Created, used)))
      .catch(() => undefined);
    return since;
  };
}

async function beginSession(parts: EngineParts, caller: Caller): Promise<Row> {
  return parts.store.transaction(async (store) => {
    const writing: Writing = contextOf(parts, caller, caller.site, store);
    const tokens = await store.tokens(caller.site, caller.id);
    for (const old of tokens.filter((one) => !isGood(one, writing.now))) await store.deleteToken(caller.site, old.ID);
    const { token } = await issue(writing, 'session', caller.id);
    return { Site: caller.site, Token: token, UserName: caller.userName };
  });
}

/** A parsed credential. */
type Claim = PasswordClaim | TokenClaim;

interface PasswordClaim {
  readonly by: 'password';
  readonly userName: string;
  /** An administrator with this password, who acts as the user. */
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
 * A password may begin like a token; only a prefix with a GUID behind it is a token. Throws `unauthorized` for a name or
 * a password above the limit of length, and for a name that no database on a server can look up, as for an unknown one.
 */
export function claimOf({ login, password }: Credential): Claim {
  if (login.length > CREDENTIAL_LIMITS.login || password.length > CREDENTIAL_LIMITS.password) throw unauthorized();
  if (login.includes('\0')) throw unauthorized();
  const [, prefix = '', token = ''] = TOKEN.exec(password) ?? [];
  const kind = KINDS[prefix];
  if (kind && isGuid(token)) return { by: 'token', userName: login, kind, token };
  const at = login.indexOf('\\');
  const actor = at < 0 ? undefined : login.slice(0, at);
  return { by: 'password', userName: login.slice(at + 1), actor, password };
}

/** The same error for every reason, so that it does not tell which user names exist. */
const unauthorized = (): ServiceError =>
  new ServiceError('unauthorized', 'no user has this user name and password or token', {
    hint: 'Check both. A token may be revoked or expired: log in again, or ask an administrator.',
    next: { do: 'log-in' },
  });

/** A caller, and the time in which its credential need not be checked again, in milliseconds. */
interface Authenticated {
  readonly caller: Caller;
  readonly since: number;
  readonly until: number;
}

/** Bounds the memory that valid credentials can take. */
const MAX_LOGINS = 1_000;

/** Caches callers by keyed hashes of their credentials, while the data has one version; without one it caches nothing. */
function loginCache() {
  const secretKey = randomBytes(32).toString('base64url');
  const known = new Map<string, Authenticated>();
  let cachedVersion: string | undefined;
  const keyOf = oncePer(({ login, password }: Credential): string =>
    hash('sha256', `${secretKey}${login}\0${password}`, 'base64url'),
  );
  return {
    /** The caller of this credential, where nothing has changed since it was checked. */
    find(credential: Credential, version: string | undefined, now: number): Caller | undefined {
      if (version === undefined || version !== cachedVersion || known.size === 0) return undefined;
      const found = known.get(keyOf(credential));
      return found && now >= found.since && now < found.until ? found.caller : undefined;
    },
    /** `version` is that of the data before the credential was checked. */
    keep(credential: Credential, version: string | undefined, authenticated: Authenticated): void {
      if (version === undefined) return;
      if (version !== cachedVersion || known.size >= MAX_LOGINS) known.clear();
      cachedVersion = version;
      known.set(keyOf(credential), authenticated);
    },
  };
}

const MINUTE = 60_000;
const HALF_A_DAY = 12 * 60 * MINUTE;

/** Its keys expire after so many milliseconds. They are kept in order of time, so that the expired ones are at the front. */
function expiringSet(clock: () => Date, lasts: number) {
  const since = new Map<string, number>();
  const isFresh = (then: number): boolean => isWithin(lasts, then, clock().getTime());
  return {
    /** When the key was added, in milliseconds; undefined if it was not or has expired. */
    since(key: string): number | undefined {
      const then = since.get(key);
      return then !== undefined && isFresh(then) ? then : undefined;
    },
    /** Answers the current time in milliseconds. */
    add(key: string): number {
      for (const [old, then] of since) {
        if (isFresh(then)) break;
        since.delete(old);
      }
      since.delete(key);
      const now = clock().getTime();
      since.set(key, now);
      return now;
    },
  };
}

/** False for a moment in the future: setting the clock back extends nothing. */
const isWithin = (lasts: number, then: number, now: number): boolean => now >= then && now - then < lasts;
