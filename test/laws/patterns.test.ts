// No regular expression of the sources takes more than linear time: a stranger chooses what it reads.
import { describe, expect, it, vi } from 'vitest';
import { filledWith, firstSlow } from '../support/linear.ts';
import { inLong, isLong } from '../support/long.ts';
import { isUnbounded, patternsOf } from '../support/patterns.ts';
import { filesUnder } from './imports.ts';

vi.stubEnv('RECHECK_BACKEND', 'pure');
const { checkSync } = await import('recheck');

const { literals, composed } = patternsOf(filesUnder('src').filter((file) => file.endsWith('.ts')));
const unbounded = literals.filter(isUnbounded);

/** Expressions that are put together, and why none of them is worth an attack. */
const COMPOSED: readonly (readonly [file: string, why: string])[] = [
  ['src/cli/output/drawn.ts', 'one of the signs that are drawn'],
  ['src/cli/output/where-condition.ts', 'the tokens of --where: a word of the own command line'],
  ['src/cli/output/where-condition.ts', 'the expression that the caller writes'],
  ['src/cli/rights/question.ts', 'a word of the own command line'],
  ['src/cli/rights/question.ts', 'a word of the own command line'],
  ['src/engine/store/journal/job-letters.ts', 'a run of one letter'],
  ['src/text/escape.ts', 'single characters'],
  ['src/text/escape.ts', 'single characters'],
];

/** Milliseconds for one expression. The analysis tells within them what is vulnerable, or nothing. */
const PATIENCE = inLong(100, 60_000);

describe('the expressions of the sources', () => {
  it('are found', () => {
    expect(literals.length).toBeGreaterThan(200);
    expect(unbounded.length).toBeGreaterThan(100);
  });

  it('are literals but for a few', () => {
    expect([...composed].sort()).toEqual(COMPOSED.map(([file]) => file));
  });

  it('are linear', () => {
    const found = unbounded.filter(({ source, flags }) => {
      const { status } = checkSync(source, flags, { checker: 'automaton', timeout: PATIENCE });
      return status === 'vulnerable';
    });
    expect(found).toEqual([]);
  });

  it('that are not, are found', () => {
    expect(checkSync('0+$', '', { checker: 'automaton' }).status).toBe('vulnerable');
  });
});

describe.runIf(isLong)('the time of an expression', () => {
  it.each(unbounded)('/$source/$flags of $file', async ({ source, flags }) => {
    const pattern = new RegExp(source, flags);
    for (const unit of textsFor(source))
      expect([unit, await firstSlow((text) => text.replace(pattern, ''), filledWith(unit, '', '\0'))]).toEqual([
        unit,
        undefined,
      ]);
  });
});

/** What the expression can be made to run on: each character it names, those of its classes, and pairs of them. */
function textsFor(source: string): readonly string[] {
  const named = source.replace(/\\[dwsbBp]|\(\?[:=!<]+|[\\^$.*+?()[\]{}|]/g, ' ').match(/\S/g) ?? [];
  const single = [...new Set([...named, '0', 'a', ' ', '\\', '"', '<', '/'])].filter((one) => one !== '\0');
  const pairs = [...source.matchAll(/\\?(\S)/g)].map(([, one = '']) => one).join('');
  return [...single, pairs, '<a', '"a', '=1'];
}
