// A service that counts the states of rights otherwise: words are sent as its own numbers, and none is invented (D18).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fakeServer, ME } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';
import { strangeService } from '../support/strange-service.ts';

const pm = usingPm();
const DEPARTMENT = 'd0000000-0000-4000-8000-00000000000d';
const RIGHT = 'e0000000-0000-4000-8000-00000000000e';
const run = (line: readonly string[]) => pm(line, { env: { PM_PASSWORD: 'secret', PM_PROFILE: 's' } });

/** On its site one row says Not Set 5 and Allow 3; nothing says Deny, which is 7. */
async function service() {
  const server = await fakeServer();
  onTestFinished(() => server.close());
  const strange = strangeService(server, { states: [5, 3, 7] });
  const marks = { SiteID: ME.SiteID, Deleted: false, DeletedByRef: false };
  strange.put('departments', { ID: DEPARTMENT, ParentID: null, Rank: 1, Name: 'Operations', ...marks });
  strange.put('permissions', {
    ...{ ID: 1, RowID: ME.SiteID, PrincipalID: ME.ID, ChildType: null, ReadState: 3, ReadText: 'Allow' },
    ...Object.fromEntries(['Create', 'Update', 'Delete', 'Delegate'].map((action) => [`${action}State`, 5])),
    ...Object.fromEntries(['Create', 'Update', 'Delete', 'Delegate'].map((action) => [`${action}Text`, 'Not Set'])),
  });
  await pm(['profiles', 'add', 's', '--url', server.url, '--user', 'ann', '--overwrite']).says();
  return strange;
}

const creating = (read: string): readonly string[] => [
  ...['permissions', 'create', '--department', 'Operations', '--principal', 'ann', '--read-state', read],
  ...['--create-state', 'Not Set', '--update-state', 'Not Set', '--delete-state', 'Not Set'],
  ...['--delegate-state', 'Not Set'],
];

it('words are sent as the numbers that its rows show, in a command and in a file', async () => {
  const strange = await service();
  await run(creating('Allow')).says('Undo');
  expect(strange.all('permissions')[1]).toMatchObject({ ReadState: 3, CreateState: 5, DelegateState: 5 });
  const file = join(pm.home, 'rights.csv');
  const columns = 'RowID,PrincipalID,ChildType,CreateState,ReadState,UpdateState,DeleteState,DelegateState';
  writeFileSync(file, `${columns}\nOperations,ann,project,Not Set,Allow,unset,Allow,9\n`);
  await run(['import', 'permissions', file, '--mode', 'create', '--yes']).says('Undo');
  expect(strange.all('permissions')[2]).toMatchObject({
    CreateState: 5,
    ReadState: 3,
    UpdateState: 5,
    DelegateState: 9,
  });
});

it('a word whose number nothing shows is refused, and nothing is sent; any number is taken', async () => {
  const strange = await service();
  await run(creating('Deny')).fails(7, 'whose number on this service is not known', '--state Deny=7');
  expect(strange.received()).toEqual({});
  await run(creating('7')).says('Undo');
  expect(strange.all('permissions')[1]).toMatchObject({ ReadState: 7 });
});

it('a row of the object itself shows the number of a word, for a new right and for a change of one', async () => {
  const strange = await service();
  strange.put('permissions', {
    ...strange.all('permissions')[0],
    ...{ ID: RIGHT, RowID: DEPARTMENT, DeleteState: 7, DeleteText: 'Deny' },
  });
  await run(creating('Deny')).says('Undo');
  expect(strange.all('permissions')[2]).toMatchObject({ ReadState: 7, CreateState: 5 });
  await run(['permissions', 'update', RIGHT, '--department', 'Operations', '--read-state', 'Deny']).says('Undo');
  expect(strange.all('permissions')[1]).toMatchObject({ ID: RIGHT, ReadState: 7 });
});

it('the profile says what no row shows', async () => {
  const strange = await service();
  await pm(['profiles', 'add', 's', '--state', 'Deny=7']).says('Changed');
  await pm('profiles show s -o json').prints('"States": "Deny=7"');
  await run(creating('Deny')).says('Undo');
  expect(strange.all('permissions')[1]).toMatchObject({ ReadState: 7, CreateState: 5 });
  await pm(['profiles', 'add', 's', '--state', 'Refuse=7']).fails(2, 'not a word with its number');
});
