// Passwords are kept as scrypt hashes in PHC form (D21); a new one ends what was begun with the old one.
import { promisify } from 'node:util';
import { CREDENTIAL_LIMITS } from '../../contract/call.ts';
import { invalid } from '../../contract/errors.ts';
import type { Change } from '../context.ts';
import { revoke } from './tokens.ts';

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
/** What one derivation works on takes this much memory, and no hash may ask for more. */
const MAX_HASH_MEMORY = 128 * COST.N * COST.r;
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;
/** No password has this hash; it makes an unknown name cost what a wrong password does. */
const NO_HASH: StoredHash = { cost: COST, salt: Buffer.alloc(16), hash: Buffer.alloc(32) };

type Options = Cost & { readonly maxmem: number };

/** A salted hash of a password: `$scrypt$ln=15,r=8,p=3$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const { randomBytes } = await crypto();
  const salt = randomBytes(16);
  const hash = await derive(password, salt, 32, COST);
  return `$scrypt$ln=${LOG_N},r=${COST.r},p=${COST.p}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** Does the password have this hash? Where there is none, or none that can be used, the answer costs as much. */
export async function verifyPassword(password: string, phc: string | undefined): Promise<boolean> {
  const kept = parseHash(phc ?? '');
  const { cost, salt, hash } = kept ?? NO_HASH;
  const derived = await derive(password, salt, hash.length, cost);
  const { timingSafeEqual } = await crypto();
  return timingSafeEqual(derived, hash) && kept !== undefined;
}

/** Undefined for a hash that is none, is too weak to trust, or would take too much to work out. */
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

/** Most commands have no password to check, and loading this takes its time. */
const crypto = () => import('node:crypto');

const MAX_CONCURRENT = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** Each derivation holds 32 MiB and a processor, so that a crowd at the door waits in line. */
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

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/**
 * Keeps the password's hash, and revokes the individual's session tokens; user tokens, which were made by hand, stay.
 * Throws `invalid` for a password that is longer than any that is let in.
 */
export async function setPasswordOf(change: Change, individual: string, password: string): Promise<void> {
  const { length } = password;
  const most = CREDENTIAL_LIMITS.password;
  if (length > most) {
    const message = `is ${length} characters long; the limit is ${most}`;
    throw invalid('the new password', [{ field: 'Password', code: 'too_long', message }]);
  }
  await change.store.setPasswordHash(change.site, individual, await hashPassword(password));
  const theirs = await change.store.tokens(change.site, individual);
  for (const token of theirs.filter(({ Kind }) => Kind === 'session')) await revoke(change, token);
}
