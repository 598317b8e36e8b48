// A worker of pm serve --workers that is killed under load: its own requests fail, no others, and another one takes its place.
import { expect, it } from 'vitest';
import { loadOn, servedByWorkers, until } from './workers.ts';

const CONNECTIONS = 16;

it('fails at most one request of each of its connections, is said in the log, and is replaced', async () => {
  const { url, workers, err } = await servedByWorkers();
  const [first = 0, second = 0] = workers();
  const load = loadOn(url, '/v4/me', CONNECTIONS, true);
  await load.more(300);
  process.kill(first, 'SIGKILL');
  await load.more(300);
  await until(() => workers().length === 2);
  expect(workers()).toContain(second);
  expect(workers()).not.toContain(first);
  const { failed } = load.counts;
  expect(failed).toBeLessThanOrEqual(CONNECTIONS);
  await load.more(1000);
  load.stop();
  await load.ended;
  expect(load.counts.failed).toBe(failed);
  expect([...load.counts.statuses.keys()]).toEqual([200]);
  await until(() => err().includes(`"worker":${first},"ended":"SIGKILL"`));
});
