// The consequences of the first deletions and moves of a job: to look for them takes longer than to make the change.
import type { Session } from '../../contract/call.ts';
import type { RunOptions } from '../run/options.ts';
import { consequencesOf, hasConsequences } from './consequence.ts';

/** On a service each takes a dozen requests. */
export const consequenceLimit = ({ local }: Session): number => (local ? 10_000 : 10);

/** Looks for the consequences of so many rows; undefined for each later row that has any. */
export function firstConsequences(most: number): NonNullable<RunOptions['consequencesOf']> {
  let count = 0;
  return async (session, row, now) => {
    if (!hasConsequences(row, now)) return [];
    return ++count > most ? undefined : consequencesOf(session, row, now);
  };
}
