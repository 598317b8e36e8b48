// pm help coverage: the table of operations, which the facts about the service are compared with.
import { describe, expect, it } from 'vitest';
import { factsOf } from '../laws/facts.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();

describe('pm help coverage', () => {
  it('has a line for every operation of the service, with its source', async () => {
    const operations = factsOf('operations.tsv').filter(({ source }) => source !== 'local');
    const text = await pm('help coverage').prints(`${operations.length} operations:`);
    for (const { method, path, source } of operations) {
      const words = [method, path, source?.replace(', unsupported', '')].map((word) => escaped(word ?? ''));
      expect(text).toMatch(new RegExp(`^  ${words[0]} +${words[1]} .*${words[2]}$`, 'im'));
    }
  });

  it('names the command of an operation', async () => {
    await pm('help coverage').prints(
      /PUT +\/accountabilities\/\{id\}\/undelete +pm accountabilities undelete +document/,
    );
  });
});

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
