// How records are named: a GUID, me, a natural key, or a word in front that says which.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company, individual } from './company.ts';

const pm = usingPm(async (fresh) => {
  await company(fresh);
  await fresh('departments create --name EMEA --rank 1 --parent Labs').prints();
  await fresh('departments create --name R/D --rank 2 --parent Labs').prints();
});

const userName = (ref: string): Promise<string> =>
  pm(['individuals', 'get', ref, '--fields', 'UserName', '-o', 'csv']).prints();
const department = async (ref: string): Promise<unknown> =>
  (await pm(['departments', 'get', ref, '-o', 'json']).row()).DisplayRank;

describe('an individual', () => {
  it.each([
    ['its user name', 'ann'],
    ['its user name in capitals', 'ANN'],
    ['its e-mail', 'ann@example.org'],
    ['its full name', 'Ann Smith'],
    ['name:', 'name:Ann Smith'],
    ['email:', 'email:ann@example.org'],
  ])('is named by %s', async (_what, ref) => {
    expect(await userName(ref)).toContain('ann');
  });

  it('is named by its ID, in any case, with and without id:', async () => {
    const id = await pm('individuals get ann -o id').id();
    expect(await userName(id)).toContain('ann');
    expect(await userName(id.toUpperCase())).toContain('ann');
    expect(await userName(`id:${id}`)).toContain('ann');
  });

  it('is me', async () => {
    expect(await userName('me')).toContain('admin');
    await pm('individuals get me --as bob --fields UserName').prints('bob');
    await pm('individuals get --mine --fields UserName').prints('admin');
  });

  it('is near what a keyboard without its letters writes', async () => {
    await pm(individual('jm', 'Jörg Müller', 'Sales', 'me')).prints();
    await pm.refuses('individuals get joerg', 6, 'Did you mean Jörg Müller?');
    await pm.refuses(['individuals', 'get', 'Mueller, Joerg'], 6, 'Did you mean Jörg Müller?');
    await pm('individuals delete jm --yes').prints();
  });

  it('is not looked for by its name where an e-mail is meant', () =>
    pm.refuses('individuals get email:ann', 6, 'there is no individual "email:ann"'));
});

describe('a department', () => {
  it('is named by its name', async () => expect(await department('Sales')).toBe('1.1'));

  it('is named by the end of its path, where that is one', async () => {
    expect(await department('Sales/EMEA')).toBe('1.1.1');
    expect(await department('Local/Labs/EMEA')).toBe('1.2.1');
    expect(await department('path:labs/emea')).toBe('1.2.1');
  });

  it('has a slash in its name where that is escaped', async () => {
    expect(await department('R\\/D')).toBe('1.2.2');
    expect(await department('Labs/R\\/D')).toBe('1.2.2');
    expect(await department('name:R/D')).toBe('1.2.2');
  });

  it('is ambiguous by a name that several have, and the error says how to tell them apart', () =>
    pm.refuses('departments get EMEA', 7, '"EMEA" fits 2 departments', 'of Sales', 'of Labs', 'path:Sales/EMEA'));
});

describe('a list item', () => {
  it('is named by its name, where that is one', () => pm('accountabilities get Sell').prints('Sell more'));

  it('is named by its name under its owner', async () => {
    await pm('accountabilities get Keep --individual ann').prints('Keep customers');
    await pm('accountabilities get Keep --individual bob').prints('Keep promises');
    await pm('accountabilities update Keep --individual bob --rank 7').prints('Keep promises');
    await pm('accountabilities delete Keep --individual bob --yes').prints('Keep promises');
    await pm('accountabilities undelete Keep --individual bob').prints('Keep promises');
  });

  it('is not found under another owner, by its name or its ID', async () => {
    const id = await pm('accountabilities get Sell -o id').id();
    await pm.refuses('accountabilities get Sell --individual bob', 6, 'there is no accountability "Sell"');
    await pm.refuses(`accountabilities get ${id} --individual bob`, 6, `there is no accountability "${id}"`);
    await pm.refuses(`accountabilities delete ${id} --individual bob --yes`, 6, `there is no accountability "${id}"`);
  });
});

describe('other records', () => {
  it('are named by their whole number', async () => {
    await pm('colors get 1 -o yaml').prints('ID: 1');
    await pm('colors get id:1 -o yaml').prints('ID: 1');
    await pm('colors get Below -o yaml').prints('ID: 1');
  });

  it('are named by their two ends', async () => {
    await pm('department-members get --individual ann --department Sales').prints('Ann Smith');
    await pm('department-members update --individual ann --department Sales --title Head').prints('Head');
    await pm('individuals get ann -o json').prints('"PrimaryTitle": "Head"');
  });

  it('are the settings of the site acted in, where nothing is named', async () => {
    await pm('site-settings update --threshold1 5').prints('5');
    await pm('site-settings get').prints('5');
    await pm('site-settings get Local').prints('5');
    await pm('site-settings update --threshold1 90 --threshold2 80').says('usually ascend from 0 to 100');
  });

  it('are sites, by name or ID', async () => {
    const id = await pm('sites get Local -o id').id();
    expect(await pm(`sites get ${id} -o id`).id()).toBe(id);
  });

  it('that are principals are individuals by name, and sent as their UserID', async () => {
    const states = '--read-state 1 --create-state 0 --update-state 0 --delete-state 0 --delegate-state 0';
    const row = await pm(`permissions create --principal ann --on-site ${states} -o json`).row();
    const ann = await pm('individuals get ann -o json').row();
    expect(row.PrincipalID).toBe(ann.UserID);
    expect(row.PrincipalID).not.toBe(ann.ID);
    await pm('permissions list').prints('Ann Smith');
  });
});

describe('many records', () => {
  it('are read from stdin where - is written', async () => {
    const stdin = await pm('individuals list -o id').prints();
    const rows = await pm('individuals get - -o json', { stdin }).rows();
    expect(rows.map((row) => row.UserName)).toEqual(['admin', 'ann', 'bob']);
  });

  it('are a list, even of one, where - is written', async () => {
    expect(await pm('individuals get - -o json', { stdin: 'ann\n' }).rows()).toHaveLength(1);
  });

  it('are found as far as they are there, with exit code 3', async () => {
    const told = await pm('individuals get ann nobody bob --fields UserName -o ndjson').fails(3, '"nobody"');
    expect(told.out).toBe('{"UserName":"ann"}\n{"UserName":"bob"}\n');
  });

  it('that are all missing end with the exit code they have in common', async () => {
    await pm('individuals get nobody noone').fails(6, '"nobody"', '"noone"');
  });
});

describe('deleted records', () => {
  it('are not found by name, and the error says how to bring them back', async () => {
    await pm('individuals delete bob --yes').prints();
    await pm.refuses('individuals get bob', 6, 'is deleted', /pm individuals undelete /);
  });

  it('are all that undelete looks among', async () => {
    const [first] = await pm('departments list -o json --where "Name = \'EMEA\'"').rows();
    await pm(`departments delete ${first?.ID} --yes`).prints();
    expect(await pm('departments undelete EMEA -o id').id()).toBe(first?.ID);
    await pm.refuses('departments undelete EMEA', 6, 'there is no deleted department "EMEA"', '--deleted 1');
  });

  it('are shown with --deleted', async () => {
    await pm('individuals delete bob --yes').prints();
    await pm('individuals get bob --deleted 1 --fields UserName,Deleted').prints('bob\ttrue');
    await pm('individuals get ann --deleted 2 --fields UserName,Deleted').prints('ann\tfalse');
    await pm.refuses('individuals get ann --deleted 1', 6, 'there is no deleted individual');
  });
});
