// Who was let in a moment ago, and still is: the credential is the same, and nothing at all has changed in the database (D21).
import { createHmac, randomBytes } from 'node:crypto';
import type { Credential } from '../../contract/call.ts';
import type { Caller } from '../context.ts';

/** A caller, and between which moments they need not show anew who they are: milliseconds. */
export interface Admitted {
  readonly caller: Caller;
  readonly since: number;
  readonly until: number;
}

export interface LetIn {
  /** The caller who was let in by this credential, if nothing has changed since. */
  find(credential: Credential, version: string, now: number): Caller | undefined;
  /** `version` is that of the data before anything was read to let them in. */
  keep(credential: Credential, version: string, admitted: Admitted): void;
}

/** So that nobody fills the memory with good credentials of their own. */
const MOST = 1_000;

/** Remembers no credential, only keyed hashes of them. */
export function letInLately(): LetIn {
  const secretKey = randomBytes(32);
  const known = new Map<string, Admitted>();
  let at: string | undefined;
  const keyOf = ({ login, password }: Credential): string =>
    createHmac('sha256', secretKey).update(`${login}\0${password}`).digest('base64url');
  return {
    find(credential, version, now) {
      if (version !== at || known.size === 0) return undefined;
      const found = known.get(keyOf(credential));
      return found && now >= found.since && now < found.until ? found.caller : undefined;
    },
    keep(credential, version, admitted) {
      if (version !== at || known.size >= MOST) known.clear();
      at = version;
      known.set(keyOf(credential), admitted);
    },
  };
}
