// Each line of the log names the job that did it, and nobody else's: whatever came in the same second, over the interface, or
// before it by the clock. A request never holds it.
import { expect, it, onTestFinished } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { company } from '../cli/company.ts';
import { clientOn } from '../support/backends.ts';
import { fakeServer, json, ME } from '../support/fake-server.ts';
import { inLong } from '../support/long.ts';
import { NOW, usingPm } from '../support/pm.ts';
import { randomOf } from '../support/random-site.ts';
import { servedAsProd } from '../support/served.ts';

const PASSWORD = 'Correct-horse-1';
const CHANGES = inLong(30, 500);
const pm = usingPm(async (run) => {
  await company(run);
  await run('individuals update ann --is-admin true').prints();
  await run('passwd ann --new-password-stdin', { stdin: PASSWORD }).says('is set');
});
servedAsProd(pm, { user: 'ann' });

it('the log names the job of every line', async () => {
  const random = randomOf(7);
  const wanted: unknown[] = [];
  for (let n = 0; n < CHANGES; n++) {
    const jump = [0, 0, 0, 400, -86_400_000, 86_400_000][Math.floor(random() * 6)] ?? 0;
    const now = new Date(NOW.getTime() + jump);
    const who = random() < 0.5 ? 'ann' : 'bob';
    const line = `individuals update ${who} --suffix S${n} --yes`;
    if (random() < 0.3) {
      await pm(`${line} -p prod`, { now: () => now, env: { PM_PASSWORD: PASSWORD } }).prints();
      wanted.unshift([`S${n}`, null]);
    } else {
      await pm(`${line} -p local`, { now: () => now }).prints();
      const [job] = await pm('jobs list -p local --limit 1 -o json').rows();
      wanted.unshift([`S${n}`, String(job?.Job).slice(0, 8)]);
    }
  }
  const lines = await pm(`log -p local --field Suffix --limit ${CHANGES} -o json`).rows();
  expect(lines.map(({ Changes, Job }) => [/S\d+$/.exec(String(Changes))?.[0], Job])).toEqual(wanted);
});

it('no request holds the job of its call', async () => {
  const server = await fakeServer();
  onTestFinished(() => server.close());
  server.does(json(ME));
  const client = clientOn(`${server.url}/v4`);
  onTestFinished(() => client.close());
  const session = await client.open({ login: 'ann', password: PASSWORD });
  const job = 'b0000000-0000-4000-8000-000000000001';
  const body = { FirstName: 'Ann' };
  await session.call(contract.individual.operations.update, {
    params: { id: String(ME.ID) },
    body,
    cause: { job, row: 77 },
  });
  const sent = server.requests.map(({ method, url, headers, body: text }) =>
    JSON.stringify({ method, url, headers, text }),
  );
  expect(sent.filter((one) => one.includes('"PUT"'))).not.toEqual([]);
  expect(sent.filter((one) => one.includes(job) || one.includes('cause'))).toEqual([]);
});
