// Creating and changing records: by flags, --set, --clear and --from, one or many, really or only as a plan.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company, individual } from './company.ts';

const pm = usingPm(company);

describe('create', () => {
  it('makes a record of its flags and prints it', async () => {
    const row = await pm(`${individual('carl', 'Carl Young', 'Labs', 'ann')} -o json`).row();
    expect(row).toMatchObject({ UserName: 'carl', FullName: 'Carl Young', PrimaryOrganizationName: 'Labs' });
    expect(await pm('individuals get carl -o json').row()).toEqual(row);
  });

  it('says first where the change goes', () =>
    pm('departments create --name X --rank 1 --parent Sales').says(/^▲ local as admin – 1 create\n/));

  it('fills in what pm knows by itself', async () => {
    const row = await pm(`${individual('carl', 'Carl Young', 'Labs', 'ann')} -o json`).row();
    expect(row).toMatchObject({ UserEmail: 'carl@example.org', IsAdmin: false, ParentID: null });
    await pm('colors create --rank 9 --name Gold --code ffd700').prints('Gold');
  });

  it('takes an ID', async () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const line = `departments create --id ${id} --name X --rank 1 --parent Sales -o id`;
    expect(await pm(line).id()).toBe(id);
    expect(await pm(line).id()).toBe(id);
    await pm.refuses(line.replace('--name X', '--name Y'), 7, id);
  });

  it('reads members from JSON, YAML and stdin, and flags win', async () => {
    writeFileSync(join(pm.home, 'one.json'), '{"Name": "One", "rank": 3}');
    writeFileSync(join(pm.home, 'two.yaml'), 'Name: Two\nRank: 4\nFocus: all\n');
    await pm('departments create --parent Sales --from one.json --fields Name,Rank').prints('One\t3');
    await pm('departments create --parent Sales --from two.yaml --fields Name,Rank,Focus').prints('Two\t4\tall');
    await pm('departments create --parent Sales --from two.yaml --name Other --fields Name,Rank').prints('Other\t4');
    await pm('departments create --parent Sales --from - --fields Name', { stdin: 'Name: Three\nRank: 1' }).prints(
      'Three',
    );
  });

  it('shows what it would make with -n, and makes nothing', async () => {
    const before = pm.dump();
    const rows = await pm(`${individual('carl', 'Carl Young', 'Labs', 'ann')} -n -o json`).rows();
    expect(rows).toContainEqual(expect.objectContaining({ Operation: 'create', Field: 'UserName', After: 'carl' }));
    await pm(`${individual('carl', 'Carl Young', 'Labs', 'ann')} -n`).says('dry run: nothing is changed');
    expect(pm.dump()).toEqual(before);
  });

  it('refuses with -n what it would refuse without', () =>
    pm.refuses(`${individual('ann', 'Carl Young', 'Labs', 'ann')} -n`, 7, 'UserName'));
});

describe('update', () => {
  it('keeps every other field', async () => {
    await pm('departments update Sales --emotional-goal joy --focus money').prints();
    const before = await pm('departments get Sales -o json').row();
    const after = await pm('departments update Sales --focus customers -o json').row();
    expect(after).toEqual({ ...before, Focus: 'customers' });
  });

  it('sets fields by name with --set, and empties them with --clear', async () => {
    await pm('individuals update ann --set suffix=Dr. --set Prefix=Ms --fields Prefix,Suffix').prints('Ms\tDr.');
    await pm('individuals update ann --clear prefix --clear Suffix --fields Prefix,Suffix -o json').prints('null');
    await pm('individuals update bob --set PrimaryReportsTo=admin').prints();
    await pm('individuals update ann --set "UserDefined1=a=b" --fields UserDefined1').prints('a=b');
  });

  it('refuses to set what is read-only', async () => {
    await pm.refuses('individuals update ann --set FullName=X', 2, 'Individual.FullName is read-only', 'pm explain');
    await pm.refuses('individuals update ann --clear FullName', 2, 'read-only');
    await pm.refuses('individuals update ann --set FullName', 2, 'has no value', '--set Field=value');
  });

  it('takes switches with and without a value', async () => {
    const admin = async (flags: string): Promise<unknown> =>
      (await pm(`individuals update ann ${flags} -o json`).row()).IsAdmin;
    expect(await admin('--is-admin')).toBe(true);
    expect(await admin('--is-admin false')).toBe(false);
    expect(await admin('--set IsAdmin=true')).toBe(true);
    expect(await admin('--is-admin=false')).toBe(false);
  });

  it('sends a record that was read back as it was', async () => {
    const before = await pm('individuals get ann -o json').prints();
    const told = await pm('individuals update ann --from - -o json', { stdin: before }).says();
    expect(JSON.parse(told.out)).toEqual(JSON.parse(before));
    expect(told.err).not.toContain('ignored');
  });

  it('changes several records, and prints a list', async () => {
    const rows = await pm('individuals update ann bob --primary-title Boss -o json').rows();
    expect(rows.map((row) => row.PrimaryTitle)).toEqual(['Boss', 'Boss']);
  });

  it('that fails for some does the others, and ends with 3', async () => {
    const some = await pm('individuals update ann bob --user-name fresh --fields UserName').fails(
      3,
      'UserName',
      'fresh',
    );
    expect(some.out).toBe('UserName\nfresh\n');
  });

  it('that fails for all ends with the code they have in common', async () => {
    await pm('individuals update ann bob --user-name admin').fails(7, 'UserName');
  });

  it('shows each member that would change with -n', async () => {
    const before = pm.dump();
    const rows = await pm('departments update Sales --focus x --rank 1 -n -o json').rows();
    const id = await pm('departments get Sales -o id').id();
    expect(rows).toEqual([
      { Operation: 'update', Name: 'Sales', Field: 'Focus', Before: null, After: 'x', Resource: 'departments', ID: id },
    ]);
    await pm('departments update Sales --focus x -n -o tsv --fields Field,After').prints('Field\tAfter\nFocus\tx\n');
    await pm('departments update Sales --focus x -n --fields Focus').fails(2, 'Focus');
    await pm('departments update Sales --rank 1 -n').says('Nothing would change.');
    expect(pm.dump()).toEqual(before);
  });

  it('leaves no job where nothing changes, and pm undo stays where it was', async () => {
    await pm('departments update Sales --focus x').says('Undo: pm undo');
    const before = pm.dump();
    await pm('departments update Sales --focus x').says('Nothing was changed.');
    expect(pm.dump()).toEqual(before);
    await pm('undo --yes').says('departments update');
    await pm('departments get Sales -o json').prints('"Focus": null');
  });

  it('reads stdin once', async () => {
    const told = await pm('individuals update - --from -', { stdin: 'ann' }).fails(2, 'stdin is named twice');
    expect(told.out).toBe('');
  });

  it('reads a picture from a file', async () => {
    writeFileSync(join(pm.home, 'a.png'), 'PNG');
    await pm('departments update Sales --picture @a.png -o json').prints('"Picture": "UE5H"');
  });
});

describe('the entry of a dialog on a basic role', () => {
  it('takes a moment as it is shown, with the zone that is named', async () => {
    const dialog = await pm('dialogs create --individual ann --dialog-date 2026-03-01 -o id').id();
    const line = ['dialogs', 'update', dialog, '--dialog-date', '2026-07-01 12:00'];
    await pm(line).fails(7, 'without an offset', '--tz Europe/Berlin');
    await pm([...line, '--tz', 'Europe/Berlin']).prints();
    const { DialogDate } = await pm(`dialogs get ${dialog} -o json`).row();
    expect(new Date(String(DialogDate)).toISOString()).toBe('2026-07-01T10:00:00.000Z');
  });

  it('is written and read by its two ends', async () => {
    const role = await pm('basic-roles create --individual ann --rank 1 --name Guide -o id').id();
    const dialog = await pm('dialogs create --individual ann --dialog-date 2026-03-01 -o id').id();
    const ends = `--basic-role ${role} --dialog ${dialog}`;
    await pm(`basic-role-dialogs update ${ends} --description good`).prints('good');
    await pm(`basic-role-dialogs get ${ends}`).prints('good');
    await pm(`basic-role-dialogs list --basic-role ${role}`).prints('good');
  });
});

describe('under CI', () => {
  const env = { CI: 'true' };
  const refused = [2, 'under CI the profile must be named', '-p local', 'PM_PROFILE=local'] as const;

  it('a change needs a named profile', async () => {
    await pm('departments update Sales --rank 9', { env }).fails(...refused);
    await pm('departments update Sales --rank 9 -p local', { env }).prints();
    await pm('departments update Sales --rank 8', { env: { ...env, PM_PROFILE: 'local' } }).prints();
  });

  it.each([
    'departments list',
    'departments get Sales',
    'departments tree',
    'departments update Sales --rank 9 -n',
    'individuals show ann',
    'find ann',
    'export departments',
    'history departments Sales',
    'log',
    'jobs list',
    'whoami',
    'can ann read department Sales',
    'api GET /me',
  ])('so does what reads: %s', async (line) => {
    await pm(line, { env }).fails(...refused);
    await pm(`${line} -p local`, { env }).prints();
  });

  it.each(['doctor', 'profiles list', 'config list', 'explain individuals', 'help where', '--help'])(
    'what reads no record needs none: %s',
    async (line) => {
      await pm(line, { env }).prints();
    },
  );
});

it('the login of a service without its address is not taken for the site on this machine', async () => {
  const env = { PM_USER: 'ann' };
  for (const there of [env, { ...env, CI: 'true' }])
    await pm('departments list', { env: there }).fails(
      2,
      'PM_USER is set, and PM_URL, the address of the service, is not',
      '-p local',
    );
  await pm('departments list -p local', { env }).prints('Sales');
});

describe('what is said twice', () => {
  it('is one record, which is changed once', async () => {
    await pm('individuals update ann ann@example.org --suffix Dr --yes').says('1 update');
    await pm('undo --yes').says('1 update');
  });

  it.each([
    'individuals update ann --suffix A --clear Suffix',
    'individuals update ann --suffix A --set Suffix=B',
    'individuals update ann --set Suffix=A --clear suffix',
  ])('is refused where it is one member: %s', async (line) => {
    await pm(`${line} --yes`).fails(7, 'is said by another flag, too', 'Leave one of the two out.');
  });
});
