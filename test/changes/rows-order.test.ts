// Rows run in an order in which every state in between is allowed.
import { describe, expect, it } from 'vitest';
import { run, steps, take } from '../support/intake.ts';
import { type Asker, newSite } from '../support/site.ts';

/** A line of reports from the top down, the first one below ada. */
async function lineOf(ada: Asker, ...names: readonly string[]): Promise<void> {
  let boss = ada.id;
  for (const UserName of names)
    boss = String((await ada.make('individual', { UserName, FirstName: UserName, PrimaryReportsTo: boss })).ID);
}

const FILE = 'UserName,PrimaryReportsTo';

async function bossOf(ada: Asker, name: string): Promise<unknown> {
  const all = await ada.list('individual');
  const one = all.find(({ UserName }) => UserName === name);
  return all.find(({ ID }) => ID === one?.PrimaryReportsTo)?.UserName;
}

describe('a line of reports', () => {
  it.each([
    [['bob,cid', 'cid,dan', 'dan,ada']],
    [['cid,dan', 'bob,cid', 'dan,ada']],
    [['dan,ada', 'cid,dan', 'bob,cid']],
  ])('is turned round by rows in any order: %j', async (rows) => {
    const { ada } = await newSite();
    await lineOf(ada, 'bob', 'cid', 'dan');
    expect(await run(ada, 'individual', [FILE, ...rows])).toMatchObject({ counts: { done: 3 }, exit: 0, failures: [] });
    expect([await bossOf(ada, 'bob'), await bossOf(ada, 'cid'), await bossOf(ada, 'dan')]).toEqual([
      'cid',
      'dan',
      'ada',
    ]);
  });

  it('is turned round past records that the file leaves alone', async () => {
    const { ada } = await newSite();
    await lineOf(ada, 'bob', 'cid', 'dan', 'eve');
    // bob comes to stand below eve, who stays below dan; so dan goes first.
    expect(await run(ada, 'individual', [FILE, 'bob,eve', 'dan,ada'])).toMatchObject({ counts: { done: 2 }, exit: 0 });
    expect(await bossOf(ada, 'bob')).toBe('eve');
  });

  it('lets chiefs swap their places', async () => {
    const { ada } = await newSite();
    await lineOf(ada, 'bob', 'cid');
    expect(await run(ada, 'individual', [FILE, 'bob,cid', 'cid,ada'])).toMatchObject({ counts: { done: 2 }, exit: 0 });
    expect([await bossOf(ada, 'bob'), await bossOf(ada, 'cid')]).toEqual(['cid', 'ada']);
  });

  it('may begin with one who reports to themselves', async () => {
    const { ada } = await newSite();
    await lineOf(ada, 'bob', 'cid');
    expect(await run(ada, 'individual', [FILE, 'ada,cid', 'bob,bob'])).toMatchObject({ counts: { done: 2 }, exit: 0 });
  });
});

describe('a loop', () => {
  it('is told as a chain with names and lines', async () => {
    const { ada } = await newSite();
    await lineOf(ada, 'bob', 'cid', 'dan');
    const { said, faults } = await take(ada, 'individual', [FILE, 'bob,cid', 'cid,dan', 'dan,bob']);
    expect(said).toEqual(['line 2: stands below itself: bob (line 2) → cid (line 3) → dan (line 4) → bob (line 2)']);
    expect(faults[0]?.hint).toContain('Let one of them stand below another record.');
  });

  it('past records that the file leaves alone names them, too', async () => {
    const { ada } = await newSite();
    await lineOf(ada, 'bob', 'cid', 'dan');
    const { said } = await take(ada, 'individual', [FILE, 'bob,dan']);
    expect(said).toEqual(['line 2: stands below itself: bob (line 2) → dan → cid → bob (line 2)']);
  });

  it('past rows of the file that do not move names their lines', async () => {
    const { ada } = await newSite();
    await lineOf(ada, 'bob', 'cid');
    const { said } = await take(ada, 'individual', ['UserName,PrimaryReportsTo,Prefix', 'bob,cid,', 'cid,,Dr']);
    expect(said).toEqual(['line 2: stands below itself: bob (line 2) → cid (line 3) → bob (line 2)']);
  });

  it('of a department below itself is one', async () => {
    const { ada } = await newSite();
    const sales = await ada.make('organization', { Name: 'Sales' });
    const { said } = await take(ada, 'organization', ['ID,Parent', `${sales.ID},${sales.ID}`]);
    expect(said).toEqual(['line 2: stands below itself: Sales (line 2) → Sales (line 2)']);
  });

  it('is told for each of several, beside other faults', async () => {
    const { ada } = await newSite();
    await lineOf(ada, 'bob', 'cid', 'dan', 'eve', 'fay');
    const { said } = await take(ada, 'individual', [FILE, 'bob,cid', 'cid,bob', 'dan,eve', 'eve,dan', 'fay,zzz']);
    expect(said).toEqual([
      'line 2: stands below itself: bob (line 2) → cid (line 3) → bob (line 2)',
      'line 4: stands below itself: dan (line 4) → eve (line 5) → dan (line 4)',
      'line 6, column PrimaryReportsTo: cannot be used: there is no individual "zzz"',
    ]);
  });

  it('is none where a line is long', async () => {
    const { ada } = await newSite();
    const names = Array.from({ length: 300 }, (_, at) => `p${at}`);
    const rows = names.map((name, at) => `${name},${name},X,${name}@x.org,Clerk,Test,${names[at + 1] ?? 'ada'}`);
    const head = 'UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryOrganization,PrimaryReportsTo';
    const { changes, said } = await take(ada, 'individual', [head, ...rows]);
    expect(said).toEqual([]);
    expect(changes.map(({ line }) => line)).toEqual(names.map((_, at) => names.length + 1 - at));
  });
});

describe('a department that moves', () => {
  it('goes below one that comes out from below it first', async () => {
    const { ada, organization } = await newSite();
    const sales = await ada.make('organization', { Name: 'Sales', ParentID: organization });
    const emea = await ada.make('organization', { Name: 'EMEA', ParentID: sales.ID });
    const rows = ['ID,Parent', `${sales.ID},EMEA`, `${emea.ID},Test`];
    expect(steps((await take(ada, 'organization', rows)).changes)).toEqual(['update 3 ParentID', 'update 2 ParentID']);
    expect(await run(ada, 'organization', rows)).toMatchObject({ counts: { done: 2 }, exit: 0 });
  });
});
