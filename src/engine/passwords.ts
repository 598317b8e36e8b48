// Passwords are kept as scrypt hashes in PHC form (D21), never as they were typed.
import { promisify } from 'node:util';

const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };

/** A salted hash of a password: `$scrypt$ln=15,r=8,p=3$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  // Most commands have no password to hash, and loading this takes its time.
  const { randomBytes, scrypt } = await import('node:crypto');
  const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);
  const salt = randomBytes(16);
  const hash = await derive(password.normalize('NFC'), salt, 32, COST);
  return `$scrypt$ln=15,r=8,p=3$${unpadded(salt)}$${unpadded(hash)}`;
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
