// pm serve --workers: several processes answer under one address, write in turns, and log whole lines.
import { rmSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { servedHome } from '../support/served-home.ts';
import { spawnPm } from '../support/terminal.ts';
import { linesToEach, servedByWorkers, usingWorkers } from './workers.ts';

const fleet = usingWorkers();

it('prints one address, at which each worker answers and is ready', async () => {
  const three = await servedByWorkers(3);
  expect(three.workers()).toHaveLength(3);
  expect(three.out().match(/^Serving /gm)).toHaveLength(1);
  expect((await fetch(`${three.url}/readyz`)).status).toBe(200);
});

it('says of a port that is taken what one process says, and leaves no worker', async () => {
  const { url } = fleet();
  const home = await servedHome();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { exit, err } = await spawnPm(['serve', '--workers', '2', '--port', new URL(url).port], home);
  expect([exit, err]).toEqual([2, expect.stringContaining('another program listens there already')]);
});

it('takes changes at each worker, none of them busy, and shows them at the other', async () => {
  const lines = await linesToEach(fleet());
  const { body: me } = await lines[0].ask('GET', '/v4/me');
  const bodies = Array.from({ length: 120 }, (_, n) => ({
    ID: crypto.randomUUID(),
    AncestorID: me.ID,
    Rank: n,
    Name: `Promise ${n}`,
    Description: 'What it means',
  }));
  const made = await Promise.all(bodies.map((body, n) => statusOf(lines[n % 2 === 0 ? 0 : 1], body)));
  expect(made.filter((status) => status !== 200)).toEqual([]);
  for (const [n, { ID }] of bodies.entries())
    expect((await lines[n % 2 === 0 ? 1 : 0].ask('GET', `/v4/accountabilities/${ID}`)).status).toBe(200);
  const logged = fleet().err().trimEnd().split('\n');
  for (const line of logged) expect(() => JSON.parse(line)).not.toThrow();
  expect(logged.filter((line) => line.includes('"POST"'))).toHaveLength(bodies.length);
});

const statusOf = async (line: Awaited<ReturnType<typeof linesToEach>>[0], body: object): Promise<number> =>
  (await line.ask('POST', '/v4/accountabilities', { body })).status;
