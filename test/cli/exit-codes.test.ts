// The exit codes of the table in `pm help exit-codes`: scripts rely on them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/contract/errors.ts';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

describe('the exit code', () => {
  it('is 0 when it is done, or there is nothing to do', async () => {
    await pm('individuals list').prints();
    await pm('departments update Sales --rank 1').prints();
    await pm('departments update Sales --rank 1 -n').says('Nothing would change.');
  });

  it.each([
    [2, 'individuals lst'],
    [2, 'individuals list --nonsense'],
    [2, 'individuals list -o nonsense'],
    [2, 'individuals update ann --from nothing.json'],
    [2, 'accountabilities create'],
    [5, 'individuals update ann --is-admin --as ann'],
    [6, 'individuals get nobody'],
    [7, 'departments update Sales --rank one'],
    [7, 'accountabilities get Keep'],
    [7, 'individuals delete me --yes'],
    [12, 'departments delete Sales'],
  ])('is %i of: %s', async (exit, line) => {
    await pm.refuses(line, exit);
  });

  it('is 3 when some were done', async () => {
    await pm('individuals get ann nobody').fails(3);
  });

  it('is 10 when the file cannot be used', async () => {
    writeFileSync(join(pm.home, 'local.db'), 'no database at all. '.repeat(1000));
    await pm('individuals list').fails(10);
  });

  it('of every error code is one of the table', async () => {
    const text = await pm('help exit-codes').prints();
    const known = [...text.matchAll(/^ {2}(\d+) {2}/gm)].map(([, code]) => Number(code));
    expect(Object.values(ERRORS).filter(({ exit }) => !known.includes(exit))).toEqual([]);
  });

  it('is 70 for a defect, which says how to report it', async () => {
    const now = (): Date => {
      throw new TypeError('the clock has stopped');
    };
    await pm('individuals list', { now }).fails(70, 'a defect in pm', 'the clock has stopped', 'PM_DEBUG=1');
    const { err } = await pm('individuals list', { now, env: { PM_DEBUG: '1' } }).fails(70);
    expect(err).toMatch(/^ +at /m);
  });
});
