// Sets passwords. A derivation takes long, so that a call that is a transaction of its own derives before it: its first
// run ends where the checks are passed and the hash is needed, and is rolled back (D21).
import { CREDENTIAL_LIMITS } from '../../contract/call.ts';
import { type Fault, invalid } from '../../contract/errors.ts';
import type { Writing } from '../context.ts';
import { hashPassword } from './passwords.ts';
import { revoke } from './tokens.ts';

/**
 * Stores the password's hash, and revokes the individual's session tokens; user tokens, which were made by hand, stay.
 * Throws `invalid` for a password that is too short or too long.
 */
export async function setPasswordOf(writing: Writing, individual: string, password: string): Promise<void> {
  const faults = passwordFaults(writing, password);
  if (faults.length > 0) throw invalid('the new password', faults);
  const hash = await (writing.hashOf ?? hashPassword)(password);
  await writing.store.setPasswordHash(writing.site, individual, hash);
  const tokens = await writing.store.tokens(writing.site, individual);
  for (const token of tokens.filter(({ Kind }) => Kind === 'session')) await revoke(writing, token);
}

/** The faults of its length, in UTF-16 units (D13). */
export function passwordFaults({ minPassword }: Writing, { length }: string): readonly Fault[] {
  const most = CREDENTIAL_LIMITS.password;
  if (length > most)
    return [{ field: 'Password', code: 'too_long', message: `is ${length} characters long; the limit is ${most}` }];
  if (length >= minPassword) return [];
  const message = `is ${length} characters long; a new one has at least ${minPassword}`;
  return [{ field: 'Password', code: 'too_short', message, hint: 'A sentence is a good password.' }];
}

/**
 * Runs a transaction, and where it needs the hash of a new password, derives it and runs the transaction again. Everything
 * is checked in the first run, so that only an allowed change costs a derivation.
 */
export async function derivingBefore<T>(
  transaction: (hashOf: NonNullable<Writing['hashOf']>) => Promise<T>,
): Promise<T> {
  const needed = new Error('the hash of a new password is derived outside of transactions');
  let wanted = '';
  try {
    return await transaction(async (password) => {
      wanted = password;
      throw needed;
    });
  } catch (error) {
    if (error !== needed) throw error;
    const hash = await hashPassword(wanted);
    return transaction(async () => hash);
  }
}
