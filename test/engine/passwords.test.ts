// What is kept of a password, at its real cost (D21).
import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from '../../src/engine/auth/passwords.ts';
import { countDerivations } from '../support/derivations.ts';

const scrypts = countDerivations();
const PASSWORD = 'plain as day';

describe('the hash of a password', () => {
  it('fits that password alone, in either spelling of its letters', async () => {
    const hash = await hashPassword('Zo\u00eb');
    expect(await verifyPassword('Zoe\u0308', hash)).toBe(true);
    expect(await verifyPassword('Zoe', hash)).toBe(false);
  });

  it.each([
    ['none', undefined],
    ['no hash at all', 'plain as day'],
    ['one too weak', '$scrypt$ln=1,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['one too costly', '$scrypt$ln=30,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['one of no blocks', '$scrypt$ln=15,r=0,p=0$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ])('fits no password where it is %s, at the usual cost', async (_what, hash) => {
    expect(await verifyPassword('', hash)).toBe(false);
    expect(await verifyPassword(PASSWORD, hash)).toBe(false);
    expect(scrypts.count).toBe(2);
  });
});
