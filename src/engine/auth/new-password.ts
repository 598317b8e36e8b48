// A new password ends what was begun with the old one (D21).
import { CREDENTIAL_LIMITS } from '../../contract/call.ts';
import { invalid } from '../../contract/errors.ts';
import type { Change } from '../context.ts';
import { hashPassword } from './passwords.ts';
import { revoke } from './tokens.ts';

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
  await change.store.keepSecret(change.site, individual, await hashPassword(password));
  const theirs = await change.store.tokens(change.site, individual);
  for (const token of theirs.filter(({ Kind }) => Kind === 'session')) await revoke(change, token);
}
