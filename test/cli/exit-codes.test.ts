// The exit codes of the table in `pm help exit-codes`: scripts rely on them.
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/contract/errors.ts';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

describe('the exit code', () => {
  it('is 5 where the caller has no right to it', () => pm.refuses('individuals update ann --is-admin --as ann', 5));

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
