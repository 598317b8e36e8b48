// Values that a service has and the rules of today would refuse: they stop no change of another member.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fakeServer, ME } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';
import { strangeService } from '../support/strange-service.ts';

const pm = usingPm();
const LONG = 'L'.repeat(60);

it('an export of them is imported again, and only what changes is held to the limits', async () => {
  const server = await fakeServer();
  onTestFinished(() => server.close());
  const service = strangeService(server);
  const marks = { SiteID: ME.SiteID, Deleted: false, DeletedByRef: false };
  const ID = 'a0000000-0000-4000-8000-000000000010';
  service.put('individuals', { ID, UserName: 'user10', FirstName: 'Bo', LastName: LONG, Suffix: 'BA', ...marks });
  await pm(['profiles', 'add', 's', '--url', server.url, '--user', 'ann']).says();
  const run = (line: string) => pm(line, { env: { PM_PASSWORD: 'secret', PM_PROFILE: 's' } });
  const out = await run('export individuals').prints(LONG);
  const file = join(pm.home, 'people.csv');
  const imported = (text: string) => {
    writeFileSync(file, text);
    return run(`import individuals ${file} --key UserName --yes`);
  };
  await imported(out).says('2 unchanged');
  await imported(out.replace('BA', 'MA')).says('1 update');
  expect(service.all('individuals')[1]).toMatchObject({ LastName: LONG, Suffix: 'MA' });
  await imported(out.replace(LONG, `${LONG}L`)).fails(7, 'LastName', '50');
});
