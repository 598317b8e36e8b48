// The exit code of many records: the worst for whoever repeats the command comes first.
import { expect, it } from 'vitest';
import { exitOfRun } from '../../src/changes/run/counts.ts';
import { type ErrorCode, ServiceError } from '../../src/contract/errors.ts';

const stopped = (code: ErrorCode) => new ServiceError(code, 'x');
const codes = (...all: readonly ErrorCode[]): ReadonlySet<ErrorCode> => new Set(all);

it.each<[number, string, ...Parameters<typeof exitOfRun>]>([
  [0, 'all were done', { done: 3 }, codes()],
  [0, 'there was nothing to do', {}, codes()],
  [130, 'it was interrupted, whatever else', { done: 1, unknown: 1 }, codes('invalid'), stopped('interrupted')],
  [10, 'the journal could not be kept', { unknown: 1 }, codes(), stopped('disk_full')],
  [70, 'a row met a defect, whatever else', { done: 1, unknown: 1, failed: 1 }, codes('internal')],
  [10, 'a row met a database that cannot be used', { done: 1, failed: 1 }, codes('storage', 'invalid')],
  [9, 'some are unknown', { done: 1, unknown: 1 }, codes('unknown_outcome')],
  [9, 'some are unknown, and others failed', { unknown: 1, failed: 1 }, codes('unknown_outcome', 'invalid')],
  [3, 'some were done', { done: 1, failed: 1 }, codes('invalid')],
  [3, 'some were done, and others drifted', { done: 1, drifted: 1 }, codes('drifted')],
  [6, 'none was done, all for one reason', { failed: 2 }, codes('not_found')],
  [7, 'none was done, for reasons of one code', { failed: 2 }, codes('invalid', 'conflict')],
  [3, 'none was done, for several reasons', { failed: 2 }, codes('not_found', 'invalid')],
  [8, 'the service was never reached', { pending: 2 }, codes(), stopped('unreachable')],
  [3, 'the service was reached for a while', { done: 1, pending: 2 }, codes(), stopped('unreachable')],
])('is %i where %s', (exit, _when, ...how) => {
  expect(exitOfRun(...how)).toBe(exit);
});
