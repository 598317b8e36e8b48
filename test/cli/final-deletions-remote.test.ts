// Deletions without an undelete on a remote service: the record is read before, and an undo makes it again; of one that
// cannot be read nothing is promised.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { fakeServer, ME } from '../support/fake-server.ts';
import { type Member, usingPm } from '../support/pm.ts';
import { serve } from '../support/served.ts';
import { strangeService } from '../support/strange-service.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const MEASURES = [1, 2, 3, 4, 5].map((n) => `--measure${n} m --measure${n}-completed false`).join(' ');
const pm = usingPm(async (one) => {
  await company(one);
  await one('department-members create --individual ann --department Labs --title Guest --primary false').prints();
  await one('permissions set bob allow read department Labs').prints();
  await one(
    `commitments create --department Labs --name Grow --completed false --due-date 2026-06-30 --period 1 ${MEASURES}`,
  ).prints();
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});
const remote = (line: string) => pm(`-p prod ${line}`, { env: { PM_PASSWORD: PASSWORD } });

describe.each(['department-members', 'permissions', 'commitments'])('of one of the %s', (command) => {
  let before: Member = {};
  let id = '';
  const listed = () => pm(`${command} list --department Labs -o json -p local`).rows();
  beforeEach(async () => {
    await serve(pm);
    const [one] = await listed();
    before = one ?? {};
    id = String(before.ID);
  });

  it('whose owner is named, an undo makes the same record again', async () => {
    const { err } = await remote(`${command} delete ${id} --department Labs --confirm prod:1`).says('Undo: pm undo');
    expect(err).not.toContain('will not bring');
    expect(await listed()).toEqual([]);
    await remote('undo --yes').says('1 create');
    const { ID, ...rest } = before;
    expect(await listed()).toMatchObject([command === 'commitments' ? rest : before]);
  });

  it('whose owner is not named, pm says that no undo brings it back, and what to name', async () => {
    const stored = pm.dump();
    const { err } = await remote(`${command} delete ${id} --yes`).fails(
      12,
      'deleting 1 record for good needs a confirmation: pm undo will not bring it back',
      '--confirm prod:1',
    );
    expect(err).toMatch(/To read it first, name the owner: .*--department <ref>/);
    expect(err).not.toMatch(/anew|come back/);
    expect(pm.dump()).toEqual(stored);
  });

  it('whose owner is not named, the deletion is no undo of something older', async () => {
    await remote(`departments update Labs --focus Later`).says('Undo');
    const { err } = await remote(`${command} delete ${id} --confirm prod:1`).says('will not bring these');
    expect(err).not.toMatch(/Undo: |Nothing was changed/);
    expect(await listed()).toEqual([]);
    const [job] = await remote('jobs list -o json').rows();
    await remote(`undo ${job?.Job} --yes`).fails(7, 'can be undone', 'An undo will not bring these');
    await remote('undo --yes').fails(7, 'cannot be undone; the newest that can is ', 'departments update');
  });

  it('is refused where another owner is named than it has', async () => {
    const stored = pm.dump();
    await remote(`${command} delete ${id} --department Sales --confirm prod:1`).fails(6, 'there is no');
    expect(pm.dump()).toEqual(stored);
  });

  it('is no row of an each that names no owner', async () => {
    const stored = pm.dump();
    writeFileSync(join(pm.home, 'ids.csv'), `ID\n${id}\n`);
    await remote(`each ids.csv --confirm prod:1 -- ${command} delete {ID}`).fails(7, 'line 2', 'name the owner');
    await remote(`each ids.csv --confirm prod:1 -- ${command} delete {ID} --department Labs`).says('1 delete');
    expect(pm.dump()).not.toEqual(stored);
    await remote('undo --yes').says('1 create');
    expect(await listed()).toHaveLength(1);
  });
});

/** A permission on a department, at a service that other people have written. */
async function foreign(habits: Parameters<typeof strangeService>[1]) {
  const server = await fakeServer();
  onTestFinished(() => server.close());
  const service = strangeService(server, habits);
  const DEPARTMENT = 'd0000000-0000-4000-8000-00000000000d';
  const right = { RowID: DEPARTMENT, PrincipalID: ME.ID, ChildType: null, ReadState: 1, UpdateState: 2 };
  const id = 'b0000000-0000-4000-8000-00000000000b';
  service.put('departments', { ID: DEPARTMENT, ParentID: null, Rank: 1, Name: 'Operations', SiteID: ME.SiteID });
  service.put('permissions', { ID: id, ...right, CreateState: 0, DeleteState: 0, DelegateState: 0, SiteID: ME.SiteID });
  await pm(`profiles add prod --url ${server.url} --user ann`).says('Added');
  return { service, id, right };
}

it.each([true, false])(
  'a service that other people have written gets it again, with IDs of its own: %s',
  async (own) => {
    const { service, id, right } = await foreign({ givesIDs: own });
    await remote(`permissions delete ${id} --department Operations --confirm prod:1`).says('Undo');
    await remote('undo --yes').says('1 create');
    expect(service.all('permissions')).toMatchObject([own ? right : { ID: id, ...right }]);
  },
);

it('a service that answers {} and keeps the record has not deleted it', async () => {
  const { service, id } = await foreign({ pretends: true });
  await remote(`permissions delete ${id} --department Operations --confirm prod:1`).fails(
    3,
    `the permission ${id} is still there: the service answered its deletion, and did not make it`,
    'pm permissions list',
  );
  expect(service.all('permissions')).toHaveLength(1);
  service.habits = { ...service.habits, pretends: false };
  await remote(`permissions delete ${id} --department Operations --confirm prod:1`).says('Undo');
  expect(service.all('permissions')).toEqual([]);
});
