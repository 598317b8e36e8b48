// A service that does not have every address of the interface: single reads are not deployed.
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type FakeServer, fakeServer, type Handler, ME, says } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';
import { type StrangeService, strangeService } from '../support/strange-service.ts';

const pm = usingPm();
const PERSON = 'a0000000-0000-4000-8000-000000000010';
const KEEP = 'b0000000-0000-4000-8000-000000000010';
const marks = { SiteID: ME.SiteID, Deleted: false, DeletedByRef: false };
let server: FakeServer;
let service: StrangeService;

const NO_ROUTE = says(404, '{"Message":"No HTTP resource was found that matches the request URI \'/v4/x\'."}');
const WORDLESS = says(404, '');

/** Answers single reads as a service does that has no address for them. */
function withoutSingleReads(answer: Handler): void {
  const deployed = server.handler();
  server.does((request, response) =>
    request.method === 'GET' && /\/(individuals|accountabilities|colors)\/[^/]+$/.test(request.url)
      ? answer(request, response)
      : deployed(request, response),
  );
}

beforeEach(async () => {
  server = await fakeServer();
  onTestFinished(() => server.close());
  service = strangeService(server);
  service.put('individuals', {
    ID: PERSON,
    UserName: 'user10',
    FirstName: 'Bo',
    LastName: 'Lim',
    Suffix: null,
    ...marks,
  });
  service.put('accountabilities', { ID: KEEP, AncestorID: PERSON, Name: 'Keep', Rank: 1, ...marks });
  await pm(['profiles', 'add', 's', '--url', server.url, '--user', 'ann']).says();
});

const run = (line: string) => pm(line, { env: { PM_PASSWORD: 'secret', PM_PROFILE: 's' } });

describe.each([
  ['says that there is no such address', NO_ROUTE],
  ['says nothing', WORDLESS],
])('where a single read %s', (_, answer) => {
  beforeEach(() => withoutSingleReads(answer));

  it('a deletion is journaled with the record of a list, and taken back', async () => {
    await run('individuals delete user10 --yes').says('Undo: pm undo');
    expect(service.all('individuals')[1]).toMatchObject({ Deleted: true });
    await run('undo --yes').prints('ended');
    expect(service.all('individuals')[1]).toMatchObject({ Deleted: false });
  });

  it('so is that of a record which only the list of its owner shows', async () => {
    await run('accountabilities delete Keep --individual user10 --yes').says('Undo: pm undo');
    await run('undo --yes').prints('ended');
    expect(service.all('accountabilities')[0]).toMatchObject({ Deleted: false });
  });

  it('an update changes the record that a list shows, and loses nothing', async () => {
    await run('individuals update user10 --suffix MA').says('Undo: pm undo');
    expect(service.all('individuals')[1]).toMatchObject({ Suffix: 'MA', FirstName: 'Bo', LastName: 'Lim' });
  });
});

describe('a service that says that it has no such address', () => {
  beforeEach(() => withoutSingleReads(NO_ROUTE));

  it('has its records shown out of lists', async () => {
    expect(await run(`individuals get ${PERSON} -o json`).row()).toMatchObject({ UserName: 'user10' });
  });

  it('is told as such, with the way to name another address', async () => {
    const id = 'c0000000-0000-4000-8000-000000000099';
    const told = ['404', 'No HTTP resource was found', `--route 'individual.get.plain=GET /individuals/{id}?tz'`];
    await run(`individuals get ${id}`).fails(7, ...told);
  });
});

describe('a route of the profile that names the site', () => {
  const asked = () => server.requests.filter(({ url }) => url.includes('/sites/')).map(({ url }) => url);

  it('is that of the session, or the one of --site', async () => {
    const route = 'individual.list.plain=GET /sites/{siteId}/individuals';
    await pm(['profiles', 'add', 's', '--route', route]).says();
    await run('individuals list').prints('user10');
    const other = '33333333-3333-4333-8333-333333333333';
    await run(`individuals list --site ${other}`);
    expect(asked()).toEqual([`/v4/sites/${ME.SiteID}/individuals`, `/v4/sites/${other}/individuals`]);
  });
});
