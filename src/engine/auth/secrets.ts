// Passwords and tokens (D21). Passwords are stored as scrypt hashes in PHC format; tokens are random, shown once, and stored
// only as a hash. Setting a password ends the sessions of the individual.
import { promisify } from 'node:util';
import { CREDENTIAL_LIMITS } from '../../contract/call.ts';
import { invalid } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { withoutTrailing } from '../../text/trailing.ts';
import { type Change, writeDate } from '../context.ts';
import { log } from '../records/history.ts';
import type { Reader, StoredToken, TokenKind } from '../store/port.ts';

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}
interface StoredHash {
  readonly cost: Cost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const LOG_N = 15;
const COST: Cost = { N: 2 ** LOG_N, r: 8, p: 3 };
const MAX_MEMORY = 64 * 1024 * 1024;
/** The memory of one derivation in bytes; a stored hash that needs more is refused. */
const MAX_HASH_MEMORY = 128 * COST.N * COST.r;
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;
/** No password has this hash. It makes an unknown name cost as much time as a wrong password. */
const NO_HASH: StoredHash = { cost: COST, salt: Buffer.alloc(16), hash: Buffer.alloc(32) };

type Options = Cost & { readonly maxmem: number };

/** A salted hash of a password: `$scrypt$ln=15,r=8,p=3$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const { randomBytes } = await crypto();
  const salt = randomBytes(16);
  const hash = await derive(password, salt, 32, COST);
  return `$scrypt$ln=${LOG_N},r=${COST.r},p=${COST.p}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** Whether the password has this hash. A missing or unusable hash takes the same time. */
export async function verifyPassword(password: string, phc: string | undefined): Promise<boolean> {
  const stored = parseHash(phc ?? '');
  const { cost, salt, hash } = stored ?? NO_HASH;
  const derived = await derive(password, salt, hash.length, cost);
  const { timingSafeEqual } = await crypto();
  return timingSafeEqual(derived, hash) && stored !== undefined;
}

/** Undefined for a malformed hash, and for one that is too weak or too expensive. */
function parseHash(phc: string): StoredHash | undefined {
  const [, ln, r, p, salt = '', hash = ''] = PHC.exec(phc) ?? [];
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) };
  const isSane =
    Number(ln) >= 14 && cost.r >= 1 && cost.p >= 1 && cost.p <= 8 && 128 * cost.N * cost.r <= MAX_HASH_MEMORY;
  return isSane ? { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') } : undefined;
}

async function derive(password: string, salt: Buffer, length: number, cost: Cost): Promise<Buffer> {
  const { scrypt } = await crypto();
  const work = promisify<string, Buffer, number, Options, Buffer>(scrypt);
  return withSlot(() => work(password.normalize('NFC'), salt, length, { ...cost, maxmem: MAX_MEMORY }));
}

/** Loaded on demand: most commands check no password and use no token. */
const crypto = () => import('node:crypto');

const MAX_CONCURRENT = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** Limits concurrent derivations, each of which takes 32 MiB and a processor. */
async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running < MAX_CONCURRENT) running++;
  else await new Promise<void>((go) => waiting.push(go));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

const unpadded = (bytes: Buffer): string => withoutTrailing(bytes.toString('base64'), '=');

/**
 * Stores the password's hash, and revokes the individual's session tokens; user tokens, which were made by hand, stay.
 * Throws `invalid` for a password above the limit of length.
 */
export async function setPasswordOf(change: Change, individual: string, password: string): Promise<void> {
  const { length } = password;
  const most = CREDENTIAL_LIMITS.password;
  if (length > most) {
    const message = `is ${length} characters long; the limit is ${most}`;
    throw invalid('the new password', [{ field: 'Password', code: 'too_long', message }]);
  }
  await change.store.setPasswordHash(change.site, individual, await hashPassword(password));
  const tokens = await change.store.tokens(change.site, individual);
  for (const token of tokens.filter(({ Kind }) => Kind === 'session')) await revoke(change, token);
}

interface Issued {
  readonly token: string;
  readonly row: StoredToken;
}

const HOUR = 3_600_000;
const SESSION_IDLE = 12 * HOUR;
const SESSION_MAX = 30 * 24 * HOUR;

/** Creates a token, of the site where `individual` is null. History records the creation without the token. */
export async function issue(change: Change, kind: TokenKind, individual: string | null): Promise<Issued> {
  const { randomBytes, randomUUID } = await crypto();
  const token = randomUUID();
  const row: StoredToken = {
    // IDs have one length, so that none is a prefix of another, and are no part of the token.
    ID: randomBytes(6).toString('hex'),
    Kind: kind,
    IndividualID: individual,
    Created: change.now,
    LastUsed: null,
    Expires: expiryOf(kind, change.now, change.now),
  };
  await change.store.insertToken(change.site, row, await hashOf(token));
  await log(change, resourceNamed('token'), row, 'create', undefined);
  return { token, row };
}

export async function revoke(change: Change, row: StoredToken): Promise<void> {
  await change.store.deleteToken(change.site, row.ID);
  await log(change, resourceNamed('token'), row, 'delete', row);
}

/** The token of that kind; undefined where there is none or it has expired. */
export async function goodToken(
  store: Reader,
  site: string,
  { kind, token }: { readonly kind: TokenKind; readonly token: string },
  now: string,
): Promise<StoredToken | undefined> {
  const row = await store.token(site, await hashOf(token));
  return row?.Kind === kind && isGood(row, now) ? row : undefined;
}

/** Dates of the engine sort as text. */
export const isGood = ({ Expires }: StoredToken, now: string): boolean => Expires === null || now < Expires;

/** When a token expires that was used now: a session after some hours, others never. */
export function expiryOf(kind: TokenKind, created: string, used: string): string | null {
  if (kind !== 'session') return null;
  return writeDate(new Date(Math.min(Date.parse(used) + SESSION_IDLE, Date.parse(created) + SESSION_MAX)));
}

/** A random token needs no salt and no slow hash. */
async function hashOf(token: string): Promise<string> {
  const { createHash } = await crypto();
  return createHash('sha256').update(token.toLowerCase()).digest('base64url');
}
