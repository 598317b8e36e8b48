// The command line on a remote service: the same as on the embedded engine, as far as its addresses go. What it reads:
// test/client/same-as-local.test.ts.
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeServer, json, ME } from '../support/fake-server.ts';
import { type Pm, usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const withPassword = async (one: Pm): Promise<void> => {
  await company(one);
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
};
const pm = usingPm(withPassword);
servedAsProd(pm);

const env = { PM_PASSWORD: PASSWORD };
const remote = (line: string, more: { stdin?: string } = {}) => pm(`${line} -p prod`, { env, ...more });

describe('a change', () => {
  it('names the service, is made there, and changes nothing else', async () => {
    const before = await pm('individuals get ann -o json -p local').row();
    await remote('individuals update ann --primary-title Boss').says('▲ prod (http://127.0.0.1:', '1 update');
    const after = await pm('individuals get ann -o json -p local').row();
    expect(after).toEqual({ ...before, PrimaryTitle: 'Boss', Updated: after.Updated });
  });

  it('is planned from what is read, and not sent, with -n', async () => {
    const before = pm.dump();
    const [row] = await remote('individuals update ann --primary-title Boss -n -o json').rows();
    expect(row).toMatchObject({ Operation: 'update', Field: 'PrimaryTitle', Before: 'Member', After: 'Boss' });
    const gone = await remote('individuals delete ann -n -o json').rows();
    expect(gone).toMatchObject([{ Operation: 'delete', Field: 'Deleted', Before: 'false', After: 'true' }]);
    expect(pm.dump()).toEqual(before);
  });

  it('makes, deletes and brings back', async () => {
    const id = await remote('departments create --name Lab2 --rank 9 --parent Sales -o id').id();
    await remote('departments delete Lab2').fails(12, '--yes');
    await remote('departments delete Lab2 --yes').prints();
    await remote(`departments get ${id}`).fails(6, 'undelete');
    await remote('departments get Lab2').fails(6, 'is deleted', 'pm departments undelete');
    expect(await remote('departments get Lab2 --deleted 1 -o json').row()).toMatchObject({ ID: id, Deleted: true });
    await remote('departments undelete Lab2').prints();
    await remote('departments get Sales/Lab2 -o id').prints(id);
  });

  it('of records without an address of their own is made by their list', async () => {
    const id = await remote('core-values create --name Trust --rank 1 -o id').id();
    await remote('core-values update Trust --description Always').prints();
    expect(await remote(`core-values get ${id} -o json`).row()).toMatchObject({ Name: 'Trust', Description: 'Always' });
    await remote(`core-values delete ${id} --confirm prod:1`).prints();
    await remote(`core-values update ${id} --rank 2`).fails(6, 'there is no ');
  });

  it('that came too late is refused', async () => {
    const fake = await fakeServer();
    try {
      await pm(`profiles add prod --url ${fake.url}`).says('Changed');
      const names = { FirstName: 'Ann', LastName: 'Smith', Email: 'ann@example.org', UserEmail: null };
      const post = { PrimaryOrganizationID: ME.SiteID, PrimaryTitle: 'Head', PrimaryReportsTo: ME.ID, ParentID: null };
      const record = { ...ME, ...names, ...post };
      const drifted = (_heard: unknown, response: import('node:http').ServerResponse) =>
        void response.writeHead(412, { 'content-type': 'application/json' }).end('{}');
      fake.does(json(ME), json(record, { etag: '"one"' }), drifted);
      await remote(`individuals update ${ME.ID} --first-name Anna`).fails(7, 'answered 412', 'Read it again');
      expect(fake.requests[2]?.headers['if-match']).toBe('"one"');
    } finally {
      await fake.close();
    }
  });

  it('that the server ignores is a failure, and is told', async () => {
    const fake = await fakeServer();
    try {
      await pm(`profiles add prod --url ${fake.url}`).says('Changed');
      fake.does(json({ ...ME, FirstName: 'Ann' }));
      await remote(`individuals update ${ME.ID} --first-name Anna`).fails(3, 'the service did not set FirstName');
    } finally {
      await fake.close();
    }
  });

  it('of many on a protected profile needs their number', async () => {
    await pm('profiles add prod --protected').says('Changed');
    const ids = Array.from({ length: 26 }, (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`).join(
      ' ',
    );
    await remote(`departments delete ${ids} --yes`).fails(12, 'prod is protected', '--confirm prod:26');
  });
});

describe('a name', () => {
  it('that several records have is refused with each of them', async () => {
    await remote('departments create --name EMEA --rank 2 --parent Labs').prints();
    await remote('departments get EMEA').fails(7, 'fits 2 departments', 'path');
    await remote('departments get Labs/EMEA').prints('EMEA');
  });

  it('is looked up in the list of its owner, who has to be named', async () => {
    await remote('accountabilities get Keep').fails(2, 'only for one owner', '--individual <ref>');
    await remote('accountabilities get Keep --individual bob').prints('Keep promises');
    await remote('comments get 0f8fad5b-d9cb-469f-a165-70867728950e').fails(
      2,
      '--department <ref>',
      '--individual <ref>',
    );
  });

  it('that is nobody’s is told with what is near', async () => {
    await remote('individuals get an').fails(6, 'ann');
    await remote('individuals get nobody').fails(6, 'pm individuals list');
  });
});

describe('another site', () => {
  let other: string;
  beforeEach(async () => {
    other = await pm('sites create Second --admin zoe -p local -o id').id();
  });

  it('is named in every address', async () => {
    const people = await remote('individuals list --site Second -o json').rows();
    expect(people.map(({ UserName }) => UserName)).toEqual(['zoe']);
    expect(await remote(`departments list --site ${other} -o json`).rows()).toMatchObject([{ Name: 'Second' }]);
  });

  it('is refused where an address cannot name it: it would mean one’s own', async () => {
    await remote('accountabilities list --mine --site Second').fails(2, 'no address that names a site');
    await remote('departments create --name X --rank 1 --parent Second --site Second').fails(2, 'names a site');
    await remote('individuals list --site Third').fails(6, 'no site "Third"');
  });
});

describe('pm doctor', () => {
  it('finds all well, and what it cannot tell', async () => {
    const rows = await remote('doctor -o json').rows();
    const found = Object.fromEntries(rows.map(({ Check, State }) => [Check, State]));
    expect(found).toMatchObject({
      node: 'ok',
      sqlite: 'ok',
      database: 'ok',
      service: 'ok',
      trial: 'unknown',
    });
    expect(rows.filter(({ State }) => State === 'fault')).toEqual([]);
  });

  it('tries what it cannot tell, after it was agreed to, and leaves nothing', async () => {
    await remote('doctor --probe').fails(12, '--yes');
    const before = await pm('core-values list -p local').prints();
    const rows = await remote('doctor --probe --yes -o json').rows();
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ Check: 'IDs', State: 'ok' }),
        expect.objectContaining({ Check: 'PUT', State: 'ok' }),
        expect.objectContaining({ Check: 'XML', State: 'ok' }),
        expect.objectContaining({ Check: 'DELETE', State: 'ok' }),
      ]),
    );
    expect(await pm('core-values list -p local').prints()).toBe(before);
  });

  it('says what is wrong, and what to do', async () => {
    const { out } = await pm('doctor -p prod -o json', { env: { PM_PASSWORD: 'wrong' } }).fails(11);
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ Check: 'service', State: 'fault' }));
    expect(out).not.toContain('wrong');
  });
});
