// A service that gives no answer, or fails inside: what the journal knows is shown, and no fault is found in a file for it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type FakeServer, fakeServer, ME, says } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';
import { strangeService } from '../support/strange-service.ts';

const pm = usingPm();
const PERSON = 'a0000000-0000-4000-8000-000000000010';
let server: FakeServer;

const run = (line: string) => pm(line, { env: { PM_PASSWORD: 'secret', PM_PROFILE: 's', PM_RETRIES: '0' } });

beforeEach(async () => {
  server = await fakeServer();
  onTestFinished(() => server.close());
  const marks = { SiteID: ME.SiteID, Deleted: false, DeletedByRef: false };
  const person = { ID: PERSON, UserName: 'user10', FirstName: 'Bo', LastName: 'Lim', Suffix: 'BA', ...marks };
  strangeService(server).put('individuals', person);
  await pm(['profiles', 'add', 's', '--url', server.url, '--user', 'ann']).says();
});

describe('while a service is down', () => {
  beforeEach(async () => {
    await run('individuals update user10 --suffix MA').says('Undo');
    await server.close();
  });

  it.each<[string, readonly string[]]>([
    ['jobs list', ['individuals update', 'ended']],
    ['jobs show', ['individuals update', 'ended']],
    [`history individuals ${PERSON}`, ['Suffix', 'BA', 'MA']],
    ['log', ['Suffix', PERSON]],
    ['undo -n', ['Suffix', 'MA', 'BA']],
  ])('pm %s shows what the journal knows', async (line, wanted) => {
    const [{ Job = '' } = {}] = await run('jobs list -o json').rows();
    await run(line === 'jobs show' ? `jobs show ${String(Job)}` : line).prints(...wanted);
  });

  it('what needs the service says that it gives no answer', async () => {
    await run('undo --yes').fails(8, 'gave no answer');
    await run('history individuals user10').fails(8, 'gave no answer');
    await run('whoami').fails(8, 'gave no answer');
  });
});

describe('an import', () => {
  it.each(['departments', 'users'])(
    'is refused in one line where the service fails to answer its %s',
    async (group) => {
      const deployed = server.handler();
      server.does((request, response) =>
        request.url.startsWith(`/v4/${group}`)
          ? says(500, 'Timeout expired')(request, response)
          : deployed(request, response),
      );
      const file = join(pm.home, 'people.csv');
      const rows = Array.from({ length: 60 }, (_, n) => `user${n},Ops ${n},MA`);
      writeFileSync(file, `UserName,PrimaryOrganizationID,Suffix\n${rows.join('\n')}\n`);
      const { err } = await run(`import individuals ${file} --key UserName --yes`).fails(8, `500 to GET /${group}`);
      expect(err.split('\n').filter((line) => line.includes('Timeout expired'))).toHaveLength(1);
      expect(err).not.toMatch(/line \d+, column/);
    },
  );
});
