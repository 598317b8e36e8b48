// Rows of a file on a service: records that are brought back, and members that a service changes with others.
import { beforeEach, describe, expect, it } from 'vitest';
import { usingServedCompany } from './served-company.ts';

const { pm, remote, file } = usingServedCompany();
const bob = async () => (await pm('individuals list --deleted 2 --where "UserName = \'bob\'" -o json').rows())[0];

beforeEach(() => {
  file('rows.csv', 'UserName,UserDefined1', 'bob,Q');
  file('users.csv', 'User', 'bob');
});

describe('a deleted record comes back', () => {
  beforeEach(() => remote('individuals delete bob --yes').prints());

  const WAYS = [
    ['import individuals rows.csv --key UserName --on-deleted undelete', 'Q'],
    ['import individuals rows.csv --key UserName --mode undelete', null],
    ['each users.csv -- individuals undelete {User}', null],
  ] as const;
  it.each(WAYS)('by %s, as its dry run says, and goes again by an undo', async (line, text) => {
    const [command = '', ...rest] = line.split(' -- ');
    const lineWith = (flag: string) => [`${command} ${flag}`, ...rest].join(' -- ');
    await remote(lineWith('-n')).says('1 undelete');
    expect(await bob()).toMatchObject({ Deleted: true });
    await remote(lineWith('--yes')).says('Undo: pm undo');
    expect(await bob()).toMatchObject({ Deleted: false, UserDefined1: text });
    await remote('undo --yes').prints();
    expect(await bob()).toMatchObject({ Deleted: true });
  });

  it('by a plan, before which it was not shown', async () => {
    await remote('plan individuals rows.csv --key UserName --on-deleted undelete --out back.plan').says('2 changes');
    await remote('apply back.plan -n').says('1 undelete');
    await remote('apply back.plan --yes').says('Undo: pm undo');
    expect(await bob()).toMatchObject({ Deleted: false, UserDefined1: 'Q' });
  });
});

it('an e-mail address is changed, and its old name with it', async () => {
  await remote('individuals update bob --email bob@new.example').says('Undo: pm undo');
  expect(await bob()).toMatchObject({ Email: 'bob@new.example', UserEmail: 'bob@new.example' });
  file('emails.csv', 'UserName,Email', 'ann,ann@new.example', 'bob,bob@newer.example');
  await remote('import individuals emails.csv --yes').says('Undo: pm undo');
  await remote('undo --yes').prints();
  expect(await bob()).toMatchObject({ Email: 'bob@new.example', UserEmail: 'bob@new.example' });
});

it('the same file that is given twice at once makes its records once', async () => {
  file('values.csv', 'Name,Rank,Description', 'Care,1,x', 'Calm,2,x');
  const line = 'import core-values values.csv --yes -o json';
  const ended = await Promise.allSettled([remote(line).prints(), remote(line).prints()]);
  expect(ended.map(({ status }) => status).sort()).toContain('fulfilled');
  const names = (await pm('core-values list -o json').rows()).map(({ Name }) => String(Name));
  expect(names.filter((name) => name === 'Care' || name === 'Calm').sort()).toEqual(['Calm', 'Care']);
});
