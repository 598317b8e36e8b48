// What the journal keeps of a row that failed: a text of an older pm stays as it was, what is to be done is a command.
import { expect, it } from 'vitest';
import { openServing } from '../../src/cli/serving.ts';
import type { RowError } from '../../src/contract/jobs.ts';
import { plannedIn } from '../faults/ground.ts';
import { NOW, usingPm } from '../support/pm.ts';

const pm = usingPm();

/** A job of one row, which failed so. */
async function failed(error: Omit<RowError, 'code'>): Promise<string> {
  const job = await plannedIn(pm.home, 1);
  const { backend } = await openServing({ home: pm.home, owner: 'admin', clock: () => NOW });
  const { local } = await backend.open({ user: 'admin' });
  const result = { error: { code: 'drifted', ...error } } as const;
  await local?.jobs.mark(job, [{ from: 1, to: 1, state: 'failed', result }]);
  await backend.close();
  return job;
}

const OLD = 'Look at it, then plan the change again; or run it with --on-drift overwrite.';

it.each([
  ['the words of an older pm', { message: 'x', hint: OLD }, OLD],
  ['a way on', { message: 'x', next: { do: 'get', resource: 'color', id: '4' } }, 'pm colors get 4 -p local shows it.'],
  ['both', { message: 'x', hint: 'Wait.', next: { do: 'overwrite-drift' } }, /^Wait\. .*: --on-drift overwrite$/],
] as const)('%s', async (_what, error, wanted) => {
  const [row] = await pm(`jobs show ${await failed(error)} --rows -o json -p local`).rows();
  if (typeof wanted === 'string') expect(row?.Hint).toBe(wanted);
  else expect(row?.Hint).toMatch(wanted);
});
