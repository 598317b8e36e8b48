// User names are handed on from row to row, and no two individuals ever have the same one.
import { describe, expect, it } from 'vitest';
import { run, steps, take } from '../support/intake.ts';
import { type Asker, each, newSite } from '../support/site.ts';

async function people(ada: Asker, ...names: readonly string[]): Promise<readonly unknown[]> {
  const made = [];
  for (const UserName of names) made.push(await ada.make('individual', { UserName }));
  return each(made, 'ID');
}

/** The user names of these individuals, once the file has run without a failure. */
async function namesAfter(ada: Asker, ids: readonly unknown[], rows: readonly string[]): Promise<readonly unknown[]> {
  const { exit, failures } = await run(ada, 'individual', rows, { key: ['ID'] });
  expect({ exit, failures }).toEqual({ exit: 0, failures: [] });
  const all = await ada.list('individual');
  return ids.map((id) => all.find(({ ID }) => ID === id)?.UserName);
}

describe('user names', () => {
  it('are swapped in three steps, all in the plan', async () => {
    const { ada } = await newSite();
    const ids = await people(ada, 'bob', 'cid');
    const rows = ['ID,UserName', `${ids[0]},cid`, `${ids[1]},bob`];
    const { changes } = await take(ada, 'individual', rows);
    expect(steps(changes)).toEqual(['update 2 UserName', 'update 3 UserName', 'update 2 UserName']);
    expect(changes[0]?.patch).toEqual({ UserName: `aside-${ids[0]}` });
    expect(await namesAfter(ada, ids, rows)).toEqual(['cid', 'bob']);
  });

  it('go round in a ring of three', async () => {
    const { ada } = await newSite();
    const ids = await people(ada, 'bob', 'cid', 'dan');
    const rows = ['ID,UserName', `${ids[0]},cid`, `${ids[1]},dan`, `${ids[2]},bob`];
    expect((await take(ada, 'individual', rows)).changes).toHaveLength(4);
    expect(await namesAfter(ada, ids, rows)).toEqual(['cid', 'dan', 'bob']);
  });

  it('are handed down a line, the last one first', async () => {
    const { ada } = await newSite();
    const ids = await people(ada, 'bob', 'cid', 'dan');
    const rows = ['ID,UserName', `${ids[0]},cid`, `${ids[1]},dan`, `${ids[2]},eve`];
    expect(steps((await take(ada, 'individual', rows)).changes)).toEqual([
      'update 4 UserName',
      'update 3 UserName',
      'update 2 UserName',
    ]);
    expect(await namesAfter(ada, ids, rows)).toEqual(['cid', 'dan', 'eve']);
  });

  it('are given up before a new individual takes them', async () => {
    const { ada } = await newSite();
    const [bob] = await people(ada, 'bob');
    const rows = [
      'ID,UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryOrganization,PrimaryReportsTo',
      'aaaaaaaa-0000-4000-8000-000000000001,bob,New,Bob,new@example.org,Clerk,Test,ada',
      `${bob},bob.old,,,,,,`,
    ];
    expect(await namesAfter(ada, [bob, 'aaaaaaaa-0000-4000-8000-000000000001'], rows)).toEqual(['bob.old', 'bob']);
  });

  it('are lent out where the one who takes it is to be the chief of the one who has it', async () => {
    const { ada } = await newSite();
    const [bob] = await people(ada, 'bob');
    const boss = 'aaaaaaaa-0000-4000-8000-000000000001';
    const rows = [
      'ID,UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryOrganization,PrimaryReportsTo',
      `${bob},bob.old,,,,,,${boss}`,
      `${boss},bob,New,Bob,new@example.org,Clerk,Test,ada`,
    ];
    const { changes } = await take(ada, 'individual', rows);
    expect(steps(changes)).toEqual(['update 2 UserName', 'create 3', 'update 2 UserName PrimaryReportsTo']);
    expect(await namesAfter(ada, [bob, boss], rows)).toEqual(['bob.old', 'bob']);
  });

  it('are swapped while chiefs are swapped, too', async () => {
    const { ada } = await newSite();
    const bob = await ada.make('individual', { UserName: 'bob' });
    const cid = await ada.make('individual', { UserName: 'cid', PrimaryReportsTo: bob.ID });
    const rows = ['ID,UserName,PrimaryReportsTo', `${bob.ID},cid,${cid.ID}`, `${cid.ID},bob,ada`];
    expect(await namesAfter(ada, [bob.ID, cid.ID], rows)).toEqual(['cid', 'bob']);
  });

  it('that only change their case are nobody else’s', async () => {
    const { ada } = await newSite();
    const ids = await people(ada, 'bob');
    expect(await namesAfter(ada, ids, ['ID,UserName', `${ids[0]},Bob`])).toEqual(['Bob']);
  });
});
