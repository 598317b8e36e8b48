// Ends a run with what this machine lacks, and how many tests were skipped for want of it.
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { inWords, isMissing, type Need } from './needs.ts';

export default class Skipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
    const counts = new Map<Need, number>();
    for (const test of skipped) for (const need of missingOf(test)) counts.set(need, (counts.get(need) ?? 0) + 1);
    if (counts.size === 0) return;
    const lines = [...counts].sort().map(([need, count]) => `  ${String(count).padStart(5)}  ${inWords(need)}`);
    console.log(`Tests skipped, since this machine lacks:\n${lines.join('\n')}`);
  }
}

const missingOf = (test: TestCase): readonly Need[] => (test.tags as readonly Need[]).filter(isMissing);
