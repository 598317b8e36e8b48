// Files of tests that share a process and its modules: each one leaves the process as it has found it, in whatever order they run.
import crypto from 'node:crypto';
import { afterAll, expect, vi } from 'vitest';

/** What a test may change of its process. */
function processState() {
  const umask = process.umask(0o077);
  process.umask(umask);
  const listeners = process.eventNames().map((name) => [String(name), process.listenerCount(name)] as const);
  return {
    umask,
    listeners: Object.fromEntries(listeners.filter(([name]) => name.startsWith('SIG') || name.startsWith('un'))),
    env: { ...process.env },
    cwd: process.cwd(),
    exitCode: process.exitCode,
    scrypt: crypto.scrypt,
    clock: Date.now,
    random: Math.random,
  };
}

const found = processState();

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  expect(processState()).toEqual(found);
});
