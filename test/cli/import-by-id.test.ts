// An import by ID on services that other people have written: a record that is there is changed, and none is made beside it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { fakeServer, ME } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';
import { type StrangeService, strangeService } from '../support/strange-service.ts';

const pm = usingPm();
const run = (line: string) => pm(line, { env: { PM_PASSWORD: 'secret', PM_PROFILE: 's' } });
const OPERATIONS = 'd0000000-0000-4000-8000-00000000000d';
const LABS = 'd0000000-0000-4000-8000-00000000000e';
const COMMENT = 'c0000000-0000-4000-8000-00000000000c';
const OTHER = 'c0000000-0000-4000-8000-00000000000d';
const THIRD = 'c0000000-0000-4000-8000-00000000000e';
const marks = { SiteID: ME.SiteID, Deleted: false, DeletedByRef: false };

const file = (...lines: readonly string[]): string => {
  writeFileSync(join(pm.home, 'rows.csv'), `${lines.join('\n')}\n`);
  return 'rows.csv';
};

async function serviceThat(givesIDs: boolean): Promise<StrangeService> {
  const server = await fakeServer();
  onTestFinished(() => server.close());
  const service = strangeService(server, { givesIDs });
  for (const [ID, Name] of [
    [OPERATIONS, 'Operations'],
    [LABS, 'Labs'],
  ])
    service.put('departments', { ID, ParentID: null, Rank: 1, Name, ...marks });
  service.put('comments', { ID: COMMENT, AncestorID: OPERATIONS, Body: 'Hello', ...marks });
  await pm(['profiles', 'add', 's', '--url', server.url, '--user', 'ann', '--overwrite']).says();
  return service;
}

describe.each([true, false])('where the service gives IDs of its own: %s', (givesIDs) => {
  let service: StrangeService;
  beforeEach(async () => {
    service = await serviceThat(givesIDs);
  });
  const bodies = () => service.all('comments').map(({ Body }) => Body);

  it('a comment is changed by its ID and its owner', async () => {
    const rows = file('ID,AncestorID,Body', `${COMMENT},Operations,Changed`);
    await run(`import comments ${rows} --key ID --yes`).says('1 update');
    expect(bodies()).toEqual(['Changed']);
  });

  it.each([
    ['in braces', (id: string) => `{${id.toUpperCase()}}`],
    ['without dashes', (id: string) => id.replaceAll('-', '')],
  ])('IDs that another program writes %s are the same, in a file and on the command line', async (_, written) => {
    const rows = file('ID,AncestorID,Body', `${written(COMMENT)},${written(OPERATIONS)},Changed`);
    await run(`import comments ${rows} --key ID --yes`).says('1 update');
    expect(service.all('comments')).toMatchObject([{ ID: COMMENT, AncestorID: OPERATIONS, Body: 'Changed' }]);
    expect(await run(`departments get ${written(LABS)} -o json`).row()).toMatchObject({ Name: 'Labs' });
  });

  it('a row without an owner is refused', async () => {
    await run(`import comments ${file('ID,Body', `${COMMENT},Changed`)} --key ID --yes`).fails(7, 'cannot be matched');
    expect(service.received()).toEqual({});
  });

  it('an ID that the list of its owner lacks is a new comment with that ID, or the import stops and can be undone', async () => {
    const rows = file('ID,AncestorID,Body', `${OTHER},Labs,One`, `${THIRD},Labs,Two`);
    const importing = run(`import comments ${rows} --key ID --yes`);
    if (givesIDs) await importing.fails(3, 'did not set ID as wanted', 'pm undo');
    else await importing.says('2 creates');
    expect(bodies()).toEqual(givesIDs ? ['Hello', 'One'] : ['Hello', 'One', 'Two']);
    await run('undo --yes').says('delete');
    const live = service.all('comments').filter(({ Deleted }) => Deleted !== true);
    expect(live.map(({ Body }) => Body)).toEqual(['Hello']);
  });
});

it('a number that is not there makes no new record: the service gives the numbers', async () => {
  const service = await serviceThat(false);
  const rows = file('ID,Rank,Name,Code', '999,9,Above,112233');
  await run(`import colors ${rows} --key ID --yes`).fails(
    7,
    'line 2 names no existing color: ID "999"',
    'The service gives their IDs itself: leave --key out, and rows are matched by Name.',
  );
  expect(service.received()).toEqual({});
  await run(`import colors ${rows} --yes`).says('1 create');
  await run(`import colors ${rows} --yes`).says('Nothing to change.');
});
