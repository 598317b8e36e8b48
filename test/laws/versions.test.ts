// Files of every version of the tables exist somewhere, so that no version is ever changed; a change makes a new one.
import { describe, expect, it } from 'vitest';
import { DATABASE, JOURNAL } from '../../src/engine/store/schema/versions.ts';
import { databaseText, journalText, keptText, sha256 } from '../support/versions.ts';

const KINDS = [
  { name: 'DATABASE', kind: DATABASE, prefix: 'database', text: databaseText() },
  { name: 'JOURNAL', kind: JOURNAL, prefix: 'journal', text: journalText() },
];

describe.each(KINDS)('the versions of $name', ({ name, kind: { versions }, prefix, text }) => {
  const newest = versions.at(-1);
  const numbers = versions.map(({ number }) => number);

  it('end with the tables and keys of today', async () => {
    const line = `{ number: ${Number(newest?.number) + 1}, sha256: '${sha256(text)}' }`;
    const advice = `the tables or their keys changed: add the line ${line} to ${name} in src/engine/store/schema/versions.ts, and run npx vitest run -u`;
    if (newest?.sha256 !== sha256(text)) expect(text, advice).toBe(keptText(prefix, Number(newest?.number)));
    expect(newest?.sha256, advice).toBe(sha256(text));
    await expect(text).toMatchFileSnapshot(`../snapshots/schema/${prefix}-${newest?.number}.sql`);
  });

  it('are numbered one after the other', () => {
    expect(numbers).toEqual(numbers.map((_, i) => Number(numbers[0]) + i));
  });

  it('are what they were when they were added', () => {
    const kept = numbers.slice(0, -1).map((number) => sha256(keptText(prefix, number) ?? ''));
    expect(kept, 'put back the files of test/snapshots/schema, or the lines').toEqual(
      versions.slice(0, -1).map(({ sha256: hash }) => hash),
    );
  });
});
