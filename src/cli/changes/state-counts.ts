// How many rows of a job came to each state, as every table of jobs shows it.
import { integer } from '../../contract/field.ts';

export const STATE_COUNTS = {
  Done: integer('read-only'),
  Failed: integer('read-only'),
  Unknown: integer('read-only'),
  Skipped: integer('read-only'),
  Drifted: integer('read-only'),
  Pending: integer('read-only'),
} as const;
