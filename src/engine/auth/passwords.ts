// Passwords are stored as scrypt hashes in PHC format (D21). A derivation takes 32 MiB and a processor for about a tenth of
// a second, so that few run at once, and few wait.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ServiceError } from '../../contract/errors.ts';
import { withoutTrailing } from '../../text/trailing.ts';

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

/** A salted hash of a password: `$scrypt$ln=15,r=8,p=3$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await newInTurn(() => derive(password, salt, 32, COST));
  return `$scrypt$ln=${LOG_N},r=${COST.r},p=${COST.p}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** Whether the password has this hash. A missing or unusable hash takes the same time. */
export async function verifyPassword(password: string, phc: string | undefined): Promise<boolean> {
  const stored = parseHash(phc ?? '');
  const { cost, salt, hash } = stored ?? NO_HASH;
  const derived = await derive(password, salt, hash.length, cost);
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

function derive(password: string, salt: Buffer, length: number, cost: Cost): Promise<Buffer> {
  const work = promisify<string, Buffer, number, Cost & { readonly maxmem: number }, Buffer>(scrypt);
  return inTurn(() => work(password.normalize('NFC'), salt, length, { ...cost, maxmem: MAX_MEMORY }));
}

/** All derivations, and among them those of new passwords: who changes a password in a loop leaves a turn to the logins. */
const inTurn = turns(2, 64);
const newInTurn = turns(1, 16);

const unpadded = (bytes: Buffer): string => withoutTrailing(bytes.toString('base64'), '=');

/** Runs so many works at once, and lets so many more wait. What it answers throws `overloaded` where too many wait already. */
export function turns(concurrent: number, mostWaiting: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < concurrent) running++;
    else if (waiting.length >= mostWaiting) throw overloaded();
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

const overloaded = (): ServiceError =>
  new ServiceError('overloaded', 'too many passwords are being checked or set; nothing was changed', {
    hint: 'Try again in a few seconds.',
  });
