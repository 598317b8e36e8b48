// The derivations of password hashes: held until a test lets them go, counted, or cheap for a whole file of tests.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';

type Derived = (error: null, hash: Buffer) => void;

interface HeldDerivations {
  /** How many have begun since they are held. */
  readonly begun: number;
  /** Lets all go, those to come too: each at once, with the hash of no password. */
  release(): void;
}

/** Holds all derivations that begin from now on, to the end of the test at the latest. */
export function holdDerivations(): HeldDerivations {
  const { scrypt } = crypto;
  const held: (() => void)[] = [];
  let begun = 0;
  let isHolding = true;
  const holding = (...args: readonly unknown[]): void => {
    begun++;
    const derive = (): void => (args.at(-1) as Derived)(null, Buffer.alloc(32, 1));
    if (isHolding) held.push(derive);
    else derive();
  };
  const release = (): void => {
    isHolding = false;
    for (const derive of held.splice(0)) derive();
  };
  crypto.scrypt = holding as typeof scrypt;
  syncBuiltinESMExports();
  onTestFinished(() => {
    release();
    crypto.scrypt = scrypt;
    syncBuiltinESMExports();
  });
  return {
    get begun() {
      return begun;
    },
    release,
  };
}

/** Makes all derivations of a file cheap; the hash still depends on the password and the salt. */
export function cheapDerivations(): void {
  const { scrypt } = crypto;
  beforeAll(() => {
    const cheap = (...args: readonly [string, Buffer, number, ...unknown[]]): void => {
      const [password, salt, length] = args;
      scrypt(password, salt, length, { N: 2 }, args.at(-1) as (error: Error | null, hash: Buffer) => void);
    };
    crypto.scrypt = cheap as unknown as typeof scrypt;
    syncBuiltinESMExports();
  });
  afterAll(() => {
    crypto.scrypt = scrypt;
    syncBuiltinESMExports();
  });
}

/** How often a password was derived in a test, and how many at once at most. */
export interface CountedDerivations {
  count: number;
  most: number;
}

/** Counts the derivations of each test, whatever they cost. */
export function countDerivations(): CountedDerivations {
  const counts = { count: 0, running: 0, most: 0 };
  beforeEach(() => {
    Object.assign(counts, { count: 0, running: 0, most: 0 });
    const { scrypt } = crypto;
    const counted = (...args: Parameters<typeof scrypt>): void => {
      const done = args.pop() as (error: Error | null, key: Buffer) => void;
      counts.count++;
      counts.most = Math.max(counts.most, ++counts.running);
      const told = (error: Error | null, key: Buffer): void => {
        counts.running--;
        done(error, key);
      };
      Reflect.apply(scrypt, crypto, [...args, told]);
    };
    crypto.scrypt = counted as typeof scrypt;
    syncBuiltinESMExports();
    onTestFinished(() => {
      crypto.scrypt = scrypt;
      syncBuiltinESMExports();
    });
  });
  return counts;
}
