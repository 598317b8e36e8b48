// pm can --who and --what: everybody who may do something, and all that somebody may do.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(async (run) => {
  await company(run);
  await run('security-groups add-member Leaders bob').prints();
});

const GRANT = 'allow update on individual ann to bob';

describe('pm can --who', () => {
  it('lists everybody who may, by name, with the reason', async () => {
    await pm('permissions set Leaders allow update department Sales').prints();
    await pm('permissions set ann allow update department Sales/EMEA').prints();
    await pm('can --who update department Sales/EMEA -o table').prints(
      /^UserName +FullName +By +Through +On\n/,
      /^admin +\S.* administrator$/m,
      /^ann +Ann Smith +permission +department "EMEA"$/m,
      /^bob +Bob Stone +permission +Leaders +department "Sales"$/m,
    );
  });

  it('leaves out who may not, and the reason says as what somebody may', async () => {
    const rows = await pm('can --who update individual ann -o json').rows();
    expect(rows.map(({ UserName, By }) => [UserName, By])).toEqual([
      ['admin', 'administrator'],
      ['ann', 'self'],
    ]);
    await pm('tasks create --individual bob --name Oil').prints();
    const id = await pm('tasks list --individual bob -o id').id();
    const readers = await pm(`can --who read task ${id} -o json`).rows();
    expect(readers.map(({ UserName, By }) => `${UserName} ${By}`).sort()).toEqual([
      'admin administrator',
      'ann manager',
      'bob self',
    ]);
  });

  it('answers as pm can does of each of them', async () => {
    await pm('permissions set Leaders allow delete individual ann').prints();
    const may = (await pm('can --who delete individual ann -o json').rows()).map(({ UserName }) => UserName);
    for (const who of ['admin', 'ann', 'bob'])
      expect((await pm(`can ${who} delete individual ann`)).exit).toBe(may.includes(who) ? 0 : 5);
  });

  it('is asked of a new record in its owner, and says what a row is about', async () => {
    await pm('permissions set bob allow create department Sales --child-type project').prints();
    const [, bob] = await pm('can --who create project in department Sales -o json --sort UserName').rows();
    expect(bob).toMatchObject({ UserName: 'bob', On: 'department "Sales"', About: 'project', Through: null });
  });

  it('tells what of a global administrator is left to global ones', async () => {
    await pm('individuals update bob --is-admin true').prints();
    await pm('can --who update individual admin -o csv').prints(/^bob,Bob Stone,administrator,,,,"UserName, IsAdmin,/m);
    const rows = await pm('can --who delete individual admin -o json').rows();
    expect(rows.map(({ UserName }) => UserName)).toEqual(['admin']);
  });

  it('has the columns of every list, and IDs only where they are asked for', async () => {
    expect(await pm('can --who read department Sales').prints()).toMatch(
      /^UserName\tFullName\tBy\tThrough\tOn\tAbout\tExcept\n/,
    );
    await pm('can --who read department Sales -o id --where "UserName = \'ann\'"').prints(/^[0-9a-f-]{36}\n$/);
    await pm('can --who read department Sales --ids', { columns: 120 }).prints(/UserName.*ID/);
  });

  it('shows with --why what was looked at for each of them', async () => {
    await pm('permissions set bob allow update department Sales').prints();
    const out = await pm('can --who update department Sales --why').prints(
      /^May "\S.*" update the department "Sales"\?\nAn administrator may do everything/,
      / Allow +Bob Stone .* decides +\S{36}$/m,
    );
    expect(out.match(/^May /gm)).toHaveLength(2);
    const one = await pm([
      'can',
      '--who',
      'update',
      'department',
      'Sales',
      '--why',
      '--where',
      "UserName = 'bob'",
    ]).prints();
    expect(one.match(/^May /gm)).toHaveLength(1);
    await pm.refuses('can --who update department Sales --why -o json', 2, '--why is a text for people');
  });

  it('is for administrators', () =>
    pm('can --who read department Sales --as bob').fails(5, 'asking who may do something'));
});

describe('pm can of all that belongs to one', () => {
  it('says of how many records, and yes where it is each of them', async () => {
    await pm('can ann update accountabilities in individual ann').prints(/^yes: 2 of 2\n$/);
    expect(await pm('can bob update accountabilities in individual ann')).toMatchObject({
      exit: 5,
      out: 'no: 0 of 2\n',
    });
    expect(await pm('can ann read comments in department Sales')).toMatchObject({
      exit: 5,
      out: 'no: there are none to ask about, whatever the rights\n',
    });
    await pm(['can', 'bob', ...'update accountabilities in individual ann --if'.split(' '), GRANT]).prints(
      /^yes: 2 of 2\n$/,
    );
  });

  it('is what a name of the owner leads to', async () => {
    const { err } = await pm('can ann read accountability ann').fails(6, 'there is no accountability "ann"');
    expect(err).toContain('Of all that one has: accountabilities in individual ann');
    // Departments have no accountabilities.
    expect((await pm('can ann read accountability Sales').fails(6)).err).not.toContain('Of all that one has');
    await pm.refuses('can ann read colors in department Sales', 2, 'colors do not belong to a department');
    await pm.refuses('can ann read comments in department Sales --why', 2, '--why is of one record', 'by its ID');
    await pm.refuses('can ann read comments --why', 2, 'Write: comments <name or ID>');
  });

  it('lists with --who who may, and for how many of them', async () => {
    const rows = await pm('can --who update accountabilities in individual ann -o json').rows();
    expect(rows.map(({ UserName, Records, By }) => [UserName, Records, By])).toEqual([
      ['admin', '2 of 2', 'administrator'],
      ['ann', '2 of 2', 'self'],
    ]);
    await pm(['can', '--who', ...'update accountabilities in individual ann --if'.split(' '), GRANT]).prints(
      /^bob\t.*2 of 2/m,
    );
    await pm('can --who read comments in department Sales').says('There are none to ask about.');
    await pm.refuses('can --who read comments in department Sales --why', 2, '--why is of one record');
  });
});

describe('pm can --what', () => {
  it('counts by kind and action, with what allows it, in 80 columns', async () => {
    await pm('permissions set Leaders allow update department Sales --child-type project').prints();
    const out = await pm('can bob --what', { columns: 80 }).prints(
      /^individuals +all +1\/3 +self, everybody$/m,
      /^departments +all +everybody$/m,
    );
    const lines = out.replaceAll(/\u001b\[\d+m/g, '').split('\n');
    expect(lines[0]).toMatch(/^Resource +Read +Create +Update +Delete +Delegate +By$/);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(out).not.toContain('dialogs');
    await pm('can admin --what', { columns: 80 }).prints(/^individuals +all +all +all +all +all +administrator$/m);
  });

  it('gives numbers to programs', async () => {
    const rows = await pm('can bob --what -o json').rows();
    expect(rows.find(({ Resource }) => Resource === 'individuals')).toEqual({
      ...{ Resource: 'individuals', Records: 3, Read: 3, Create: 0, Update: 1, Delete: 0, Delegate: 0 },
      ...{ Owners: 1, By: 'self, everybody' },
    });
  });

  it('tells of one kind what allows how many of it', async () => {
    await pm('permissions set Leaders allow update department Sales').prints();
    const rows = await pm('can bob --what departments -o json').rows();
    expect(rows).toContainEqual({
      ...{ Action: 'update', Allowed: 2, Of: 4, By: 'permission', Through: 'Leaders' },
      ...{ On: 'department "Sales"', About: null },
    });
    expect(rows).toContainEqual(expect.objectContaining({ Action: 'delete', Allowed: 0, Of: 4 }));
    await pm('can bob --what departments -o table').prints(/^update +2 +4 +permission +Leaders +department "Sales"$/m);
  });

  it('tells of one record which actions, and what could be created in it', async () => {
    await pm('permissions set bob allow update,delete department Sales').prints();
    const rows = await pm('can bob --what department Sales -o json').rows();
    const may = new Map(rows.map(({ Action, Allowed }) => [Action, Allowed]));
    expect(Object.fromEntries(may)).toMatchObject({
      ...{ read: true, update: true, delete: true, delegate: false },
      ...{ 'create projects': false, 'create comments': true },
    });
  });

  it('tells somebody of themselves', async () => {
    await pm('can me --what --as bob').prints('individuals');
    await pm('can ann --what --as bob').fails(5, 'asking what somebody else may do');
  });
});

describe('with --if', () => {
  const GRANT = 'allow update on department Sales to bob';
  const asked = (line: string, ...more: readonly string[]) => pm([...line.split(' '), '--if', GRANT, ...more]);

  it('who may and what one may are told as they would be, and nothing is changed', async () => {
    const before = pm.dump();
    const who = asked('can --who update department Sales -o json');
    await who.says(`As it would be with "${GRANT}". Nothing is changed.`);
    expect((await who.rows()).map(({ UserName, By }) => [UserName, By])).toEqual([
      ['admin', 'administrator'],
      ['bob', 'permission'],
    ]);
    const actions = await asked('can bob --what department Sales -o json').rows();
    expect(actions.find(({ Action }) => Action === 'update')).toMatchObject({ Allowed: true, By: 'permission' });
    const kinds = await asked('can bob --what -o json').rows();
    expect(kinds.find(({ Resource }) => Resource === 'departments')).toMatchObject({ Update: 2 });
    const sources = await asked('can bob --what departments -o json').rows();
    expect(sources).toContainEqual(expect.objectContaining({ Action: 'update', Allowed: 2, By: 'permission' }));
    expect(pm.dump()).toEqual(before);
  });

  it('shows with --why what would be looked at', async () => {
    await asked('can --who update department Sales', '--why').prints(/ Allow +Bob Stone .* decides +\S{36}$/m);
  });

  it('is what they are once the right is given', async () => {
    const imagined = await asked('can bob --what -o csv').prints();
    const holders = await asked('can --who update department Sales -o csv').prints();
    await pm('permissions set bob allow update department Sales').prints();
    expect(await pm('can bob --what -o csv').prints()).toBe(imagined);
    expect(await pm('can --who update department Sales -o csv').prints()).toBe(holders);
  });

  it('refuses a text that is no right', async () => {
    await pm.refuses(
      ['can', '--who', 'update', 'department', 'Sales', '--if', 'nonsense'],
      2,
      'is not a right in words',
    );
  });
});

it.each<[string, ...string[]]>([
  ['can', 'pm can needs <who>'],
  ['can bob', 'pm can needs <action>'],
  ['can bob update', 'pm can needs <what>'],
  ['can --who', 'pm can needs <action>'],
  ['can --who update', 'pm can needs <what>'],
  ['can --what', 'pm can needs <who>'],
  ['can --who fly department Sales', 'is not an action'],
  ['can bob --what nonsense', 'there is no resource'],
  ['can bob --who --what', '--who and --what do not go together'],
  ['can bob --what --why', '--what and --why do not go together'],
])('refuses %s', async (line, ...wanted) => {
  await pm.refuses(line, 2, ...wanted);
});
