// A stop of pm serve --workers: every request that was sent is answered, and no process is left.
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { loadOn, servedByWorkers, until } from './workers.ts';

it('answers under load all that was sent, and ends all workers', async () => {
  const { child, url, workers } = await servedByWorkers();
  const pids = workers();
  expect(pids).toHaveLength(2);
  const load = loadOn(url, '/v4/me', 24);
  await load.more(500);
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await load.ended;
  expect(await gone).toEqual([0, null]);
  expect(load.counts.failed).toBe(0);
  expect([...load.counts.statuses.keys()]).toEqual([200]);
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('a worker that gets a signal alone finishes what was sent, and another one takes its place', async () => {
  const { url, workers, err } = await servedByWorkers();
  const [first = 0] = workers();
  const load = loadOn(url, '/v4/me', 24, true);
  await load.more(200);
  process.kill(first, 'SIGTERM');
  await load.more(500);
  load.stop();
  await load.ended;
  expect(load.counts.failed).toBe(0);
  expect([...load.counts.statuses.keys()]).toEqual([200]);
  await until(() => err().includes(`"worker":${first},"ended":"exit 0"`));
});

it('a second signal waits for nothing', async () => {
  const { child, url, workers } = await servedByWorkers();
  const pids = workers();
  const load = loadOn(url, '/v4/me', 4);
  await load.more(4);
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  child.kill('SIGTERM');
  await gone;
  await load.ended;
  for (const pid of pids) await ended(pid);
});

async function ended(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
