// Whole numbers in flags and variables.
import { ServiceError } from '../contract/errors.ts';

/** Throws `usage` for a text that is no whole number in this range. */
export function whole(name: string, text: string, [least, most]: readonly [number, number]): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new ServiceError('usage', `${name} is "${text}"; it must be a whole number from ${least} to ${most}`);
}
