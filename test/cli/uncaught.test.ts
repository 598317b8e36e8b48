// An error that nothing has caught ends pm as a defect, with its places in the sources: never with a line of the built program.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CommandResult } from '../support/pm.ts';
import { programCopy } from '../support/program-copy.ts';

/** Runs pm with a fault in what answers `pm --version`. */
function faulty(env: Readonly<Record<string, string>> = {}): CommandResult {
  const { run, folder } = programCopy();
  const fault = join(folder, 'fault.cjs');
  writeFileSync(
    fault,
    `const { includes } = Array.prototype;
    Array.prototype.includes = function (...args) {
      if (this[0] === '--version') throw new TypeError('no \\u001b[2J such thing');
      return includes.apply(this, args);
    };`,
  );
  return run('--version', { NODE_OPTIONS: `--require "${fault}"`, ...env });
}

it('says what, and where in the sources', () => {
  const { exit, out, err } = faulty();
  expect({ exit, out }).toEqual({ exit: 70, out: '' });
  expect(err).toMatch(/^error: this is a defect in pm, which ends here: no \\x1b\[2J such thing\nhint: Report that/);
  expect(err).toMatch(/^ {4}at main \(src\/cli\/main\.ts:\d+:\d+\)$/m);
  expect(err.split('\n').filter((line) => line.length > 200)).toEqual([]);
});

it('is one object for a program', () => {
  const { exit, err } = faulty({ PM_ERRORS: 'json' });
  expect(exit).toBe(70);
  expect(JSON.parse(err)).toMatchObject({
    code: 'internal',
    category: 'defect',
    exit: 70,
    message: expect.stringContaining('such thing'),
    stack: expect.stringContaining('src/cli/main.ts:'),
  });
});
