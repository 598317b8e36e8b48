// One change of a service that is told to end: what was sent is waited for, so that what is said of it is true.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeServer, json, ME } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';
import { PM } from '../support/terminal.ts';

const pm = usingPm();
const NAMES = { FirstName: 'Ann', LastName: 'Smith', Email: 'ann@example.org', UserEmail: null };
const POST = { PrimaryOrganizationID: ME.SiteID, PrimaryTitle: 'Head', PrimaryReportsTo: ME.ID, ParentID: null };
const ANN = { ...ME, ...NAMES, ...POST };

/** A change whose answer waits; `told` is what the command says until it ends. */
async function changing() {
  const server = await fakeServer();
  onTestFinished(() => server.close());
  let answer = (): void => undefined;
  const isSent = new Promise<void>((resolve) =>
    server.does((request, response) => {
      if (request.method !== 'PUT') return json(request.url.endsWith('/me') ? ME : ANN)(request, response);
      answer = () => json({ ...ANN, FirstName: 'Anna' })(request, response);
      return resolve();
    }),
  );
  const words = ['individuals', 'update', ME.ID, '--first-name', 'Anna', '-o', 'json'];
  const env = { PM_HOME: pm.home, PM_URL: server.url, PM_USER: 'ann', PM_PASSWORD: 'x', PM_RETRIES: '0' };
  const child = spawn(process.execPath, [PM, ...words], { env: { PATH: process.env.PATH, ...env } });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  const isTold = new Promise<void>((resolve) =>
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
      if (err.includes('Interrupted')) resolve();
    }),
  );
  const told = once(child, 'close').then(([exit]) => ({ exit, out, err }));
  await isSent;
  child.kill('SIGINT');
  await isTold;
  return { child, answer: () => answer(), told, env };
}

describe('a change that is interrupted', () => {
  it('ends with the answer of the service, and says that it was made', async () => {
    const { answer, told } = await changing();
    answer();
    const { exit, out, err } = await told;
    expect({ exit, row: JSON.parse(out) }).toMatchObject({ exit: 0, row: { FirstName: 'Anna' } });
    expect(err).toContain('Interrupted: pm finishes the running requests first.');
    expect(err).toContain('Undo: pm undo');
  });

  it('ends at once the second time, and its job knows that it may be made', async () => {
    const { child, told, env } = await changing();
    child.kill('SIGINT');
    expect((await told).exit).toBe(130);
    const [job] = await pm('jobs list -o json', { env }).rows();
    expect(job).toMatchObject({ State: 'stopped', Done: 0, Total: 1 });
  });
});
