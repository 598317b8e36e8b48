// A dry run of an undo, and of a plan, on a service: what has changed since is found, as the run would find it.
import { beforeEach, describe, expect, it } from 'vitest';
import { usingServedCompany } from './served-company.ts';

const { pm, remote, file } = usingServedCompany();
const CHANGED = 'has changed since the plan was made';
const SINCE = 'has changed since the change that is taken back';

beforeEach(() => {
  file('q4.csv', 'UserName,PrimaryTitle', 'ann,Chief', 'bob,Chief');
});

describe('where a record has changed since', () => {
  it('a plan leaves it out, tells why, and shows the others with their names', async () => {
    await remote('plan individuals q4.csv --out q4.plan').says('2 changes');
    await pm('individuals update ann --primary-title Boss').prints();
    const { out } = await remote('apply q4.plan -n -o json').fails(3, `line 2: the individual Ann Smith`, CHANGED);
    expect(JSON.parse(out)).toMatchObject([{ Name: 'bob', Field: 'PrimaryTitle', Before: 'Member', After: 'Chief' }]);
    await remote('apply q4.plan -n').fails(3, '1 of these changes would fail.');
    await remote('apply q4.plan --yes -o json').fails(3, `line 2: the individual Ann Smith`, CHANGED);
  });

  it('an undo leaves it out, and --on-drift overwrite shows what is there now', async () => {
    await remote('import individuals q4.csv --yes').prints();
    const [job] = await remote('jobs list -o json').rows();
    await pm('individuals update ann --primary-title Boss').prints();
    const undo = `undo ${String(job?.Job)}`;
    const { out } = await remote(`${undo} -n -o json`).fails(3, 'the individual Ann Smith', SINCE);
    expect(JSON.parse(out)).toMatchObject([{ Name: 'bob', Before: 'Chief', After: 'Member' }]);
    expect(await remote(`${undo} -n --on-drift overwrite -o json`).rows()).toMatchObject([
      { Name: 'bob', Before: 'Chief', After: 'Member' },
      { Name: 'ann', Before: 'Boss', After: 'Member' },
    ]);
    await remote(`${undo} --yes -o json`).fails(3, 'the individual Ann Smith', SINCE);
  });

  it('an undo passes over what is taken back already', async () => {
    await remote('import individuals q4.csv --yes').prints();
    const [job] = await remote('jobs list -o json').rows();
    await pm('individuals update ann --primary-title Member').prints();
    expect(await remote(`undo ${String(job?.Job)} -n -o json`).rows()).toMatchObject([{ Name: 'bob' }]);
  });

  it('a plan makes nothing that another one has made by now', async () => {
    const row = 'bob,Sail,3,Sails';
    file('new.csv', 'Individual,Name,Rank,Description', row);
    await remote('plan accountabilities new.csv --out new.plan').says('1 change');
    await remote('import accountabilities new.csv --yes').prints();
    await remote('apply new.plan -n').fails(7, 'line 2: another accountability has this');
  });
});

describe('what rows of the same plan change or make first', () => {
  it('is no drift of an undo', async () => {
    const keep = String(await pm('accountabilities list --individual bob -o id').id());
    file('each.csv', 'Name', 'One', 'Two');
    await remote(`each each.csv --yes --on-drift overwrite -- accountabilities update ${keep} --name {Name}`).prints();
    await remote('undo -n').says('2 updates');
    expect((await remote('undo -n -o json').rows()).map(({ After }) => After)).toEqual(['One', 'Keep']);
  });

  it('is there for the rows behind it', async () => {
    file('new.csv', 'Name,Parent,Rank', 'North,Local,8', 'Polar,North,1');
    await remote('plan departments new.csv --out new.plan').says('2 changes');
    const names = (await remote('apply new.plan -n -o json').rows()).filter(({ Field }) => Field === 'Name');
    expect(names.map(({ After }) => After)).toEqual(['North', 'Polar']);
  });
});
