// The IDs of many new records: GUIDs that come in order, whatever the clock does.
import { expect, it } from 'vitest';
import { orderedIDs } from '../../src/cli/changes/running.ts';
import { isGuid } from '../../src/contract/kinds.ts';

const many = (next: () => string, count: number): readonly string[] => Array.from({ length: count }, next);

/** A clock that tells these moments, and then stays at the last one. */
function clockOf(...moments: readonly number[]): () => number {
  let at = 0;
  return () => moments[Math.min(at++, moments.length - 1)] ?? 0;
}

it('makes GUIDs of version 7 with the moment in front', () => {
  const id = orderedIDs(() => 0x0192_3456_789a)();
  expect(isGuid(id)).toBe(true);
  expect(id).toMatch(/^01923456-789a-7000-[89ab]/);
});

it.each([
  ['goes on', clockOf(1, 2, 3, 4)],
  ['stands still', clockOf(1)],
  ['goes back', clockOf(5, 4, 3, 9, 1)],
])('makes them in order, and none twice, where the clock %s', (_, clock) => {
  const made = many(orderedIDs(clock), 10_000);
  expect(made).toEqual([...new Set(made)].sort());
});

it('lets nobody guess the next one', () => {
  const [one, other] = many(
    orderedIDs(() => 1),
    2,
  );
  expect(one?.slice(19)).not.toBe(other?.slice(19));
});
