// The findings of the doctor: of each check its state, with advice.
import { ServiceError } from '../../contract/errors.ts';
import { callingOf } from '../output/calling.ts';
import { adviceOf } from '../output/next.ts';

export interface Finding {
  readonly Check: string;
  readonly State: 'ok' | 'warning' | 'fault' | 'unknown';
  readonly Found: string;
  readonly Advice: string | null;
}

export const ok = (Check: string, Found: string, Advice: string | null = null): Finding => ({
  Check,
  State: 'ok',
  Found,
  Advice,
});

export const bad = (Check: string, State: 'warning' | 'fault' | 'unknown', Found: string, Advice: string): Finding => ({
  Check,
  State,
  Found,
  Advice,
});

/** An error as a finding. Errors that are no ServiceError are thrown again. */
export function faultOf(check: string, error: unknown, env = process.env): Finding {
  if (!(error instanceof ServiceError)) throw error;
  const { message: Found, next } = error;
  // Of what the doctor itself was to show, the address is left to look at.
  const advised = next?.do === 'find-trouble' ? { hint: 'Does the service run, and is that its address?' } : error;
  return { Check: check, State: 'fault', Found, Advice: adviceOf(advised, callingOf({ env })) ?? null };
}
