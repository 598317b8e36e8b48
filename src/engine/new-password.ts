// A new password ends what was begun with the old one (D21).
import type { Change } from './context.ts';
import { hashPassword } from './passwords.ts';
import { revoke } from './tokens.ts';

/** Keeps the password's hash, and revokes the individual's session tokens; user tokens, which were made by hand, stay. */
export async function setPasswordOf(change: Change, individual: string, password: string): Promise<void> {
  await change.store.keepSecret(change.site, individual, await hashPassword(password));
  const theirs = await change.store.tokens(change.site, individual);
  for (const token of theirs.filter(({ Kind }) => Kind === 'session')) await revoke(change, token);
}
