// pm can on a remote service: what records show of the caller, and no more.
import { describe, expect, it } from 'vitest';
import { fakeServer, json, ME } from '../support/fake-server.ts';
import { type Pm, usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const ROW = 'permissions set bob allow update department Sales -p local';
const pm = usingPm(async (one: Pm) => {
  await company(one);
  await one('tasks create --individual bob --name Oil').prints();
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
  await one('passwd bob --new-password-stdin', { stdin: PASSWORD }).says('is set');
});
const remote = (line: string | readonly string[]) =>
  pm([...(typeof line === 'string' ? line.split(' ') : line), '-p', 'prod'], { env: { PM_PASSWORD: PASSWORD } });

describe('the engine behind pm serve', () => {
  servedAsProd(pm, { user: 'bob' });

  it('says of oneself what the engine itself says', async () => {
    await pm(ROW).prints();
    for (const asked of [
      ...['read department Sales', 'update department Sales', 'delete department Sales', 'delegate department Sales'],
      ...['update department Sales/EMEA', 'update individual bob', 'update individual ann'],
    ]) {
      const here = await pm(`can bob ${asked} -p local`);
      const there = await remote(`can bob ${asked}`);
      expect.soft({ asked, ...there }).toEqual({ asked, ...here, err: '' });
      expect.soft({ asked, ...(await remote(`can me ${asked}`)) }).toEqual({ asked, ...there });
    }
  });

  /** What it does not tell, and how that is asked. */
  const UNTOLD: readonly (readonly [string, string | readonly string[]])[] = [
    ['of others', 'can ann read department Sales'],
    ['of new records', 'can bob create project in department Sales'],
    ['why', 'can bob update department Sales --why'],
    ['who might', ['can', '--who', 'update', 'department', 'Sales', '--if', 'allow update on department Sales to bob']],
    ['what one might', ['can', 'bob', '--what', '--if', 'allow update on department Sales to bob']],
    ['what if', ['can', 'bob', 'update', 'department', 'Sales', '--if', 'allow update on department Sales to bob']],
  ];
  it(`does not tell ${UNTOLD.map(([what]) => what).join(', ')}, and says what to look at instead`, async () => {
    const before = pm.dump();
    for (const [, line] of UNTOLD)
      await remote(line).fails(2, 'prod is a remote service', 'CanRead', 'pm permissions list');
    expect(pm.dump()).toEqual(before);
  });

  it('tells an administrator of others by --as', async () => {
    const there = await pm('can me update individual ann -p prod --as ann', {
      env: { PM_PASSWORD: PASSWORD, PM_USER: 'admin' },
    });
    expect(there).toMatchObject({ out: 'yes\n', exit: 0 });
  });

  it('lists of those who may what it shows, and says that others are not told', async () => {
    await pm(ROW).prints();
    await pm('permissions set Leaders allow update department Sales -p local').prints();
    await pm('permissions set bob allow delegate department Sales -p local').prints();
    const { out } = await remote('can --who update department Sales -o json').fails(
      3,
      'prod is a remote service, and does not say who else may',
    );
    const rows = JSON.parse(out) as { UserName: string; By: string; Through: string }[];
    expect(rows.map(({ UserName, By, Through }) => [UserName ?? null, By, Through ?? null]).sort()).toEqual([
      [null, 'permission', null],
      [null, 'permission', 'Leaders'],
      ['bob', 'the record', null],
    ]);
    await remote('can --who create project in department Sales').fails(2, 'does not answer this');
    await remote('can --who update department Sales --why').fails(2, 'does not answer this');
  });

  it('tells oneself which actions a record shows', async () => {
    await pm(ROW).prints();
    for (const record of ['department Sales', 'individual bob', 'individual ann']) {
      const here = await pm(`can bob --what ${record} -p local -o json`).rows();
      const there = JSON.parse((await remote(`can bob --what ${record} -o json`)).out) as unknown;
      expect(there).toEqual(here.slice(0, 4).map(({ Action, Allowed }) => ({ Action, Allowed })));
      await remote(`can ann --what ${record}`).fails(2, 'does not answer this');
    }
  });

  it('counts what the records of some kinds show of oneself', async () => {
    await pm(ROW).prints();
    const here = await pm('can bob --what -p local -o json').rows();
    const there = JSON.parse((await remote('can bob --what -o json')).out) as Record<string, unknown>[];
    expect(there.map(({ Resource }) => Resource)).toEqual(['departments', 'individuals', 'dialogs']);
    for (const row of there.slice(0, 2))
      expect(here.find(({ Resource }) => Resource === row.Resource)).toMatchObject(row);
    await remote('can bob --what tasks').fails(2, 'does not answer this');
  });

  it('tells of a task that it is read, and no more than its records show', async () => {
    const [task] = await pm('tasks list --individual bob -o json -p local').rows();
    await remote(`can bob read task ${task?.ID}`).prints('yes');
    await remote(`can bob delete task ${task?.ID}`).fails(2, 'does not answer this');
  });

  it('finds no record that may not be read', async () => {
    await pm('permissions set bob deny read department Labs -p local').prints();
    await remote('can bob read department Labs').fails(6, 'Labs');
  });
});

describe('another service', () => {
  it('that shows no such member does not tell; that it answers tells that it is read', async () => {
    const fake = await fakeServer();
    try {
      await pm(`profiles add prod --url ${fake.url} --user ann`).says('Added');
      fake.does(json({ ...ME, FirstName: 'Ann' }));
      await remote(`can me update individual ${ME.ID}`).fails(2, 'prod is a remote service');
      await remote(`can me read individual ${ME.ID}`).prints('yes');
      fake.does(json({ ...ME, FirstName: 'Ann', CanUpdate: true }));
      await remote(`can me update individual ${ME.ID}`).prints(/^yes\n$/);
      fake.does(json({ ...ME, FirstName: 'Ann', CanUpdate: false }));
      expect((await remote(`can me update individual ${ME.ID}`).fails(5)).out).toBe('no\n');
    } finally {
      await fake.close();
    }
  });
});
