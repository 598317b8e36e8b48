// Cells name other records: those that are there, and those that the same file makes.
import { describe, expect, it } from 'vitest';
import { run, steps, take } from '../support/intake.ts';
import { type Asker, newSite } from '../support/site.ts';

const NEW = 'FirstName,LastName,Email,UserName,PrimaryTitle,PrimaryOrganization,PrimaryReportsTo';
const person = (name: string, boss: string, place = 'Test'): string =>
  `${name},Best,${name}@example.org,${name}.b,Clerk,${place},${boss}`;

/** Whom each individual reports to, by user name. */
async function bosses(ada: Asker): Promise<Record<string, unknown>> {
  const all = await ada.list('individual');
  const named = new Map(all.map(({ ID, UserName }) => [ID, UserName]));
  return Object.fromEntries(all.map(({ UserName, PrimaryReportsTo }) => [UserName, named.get(PrimaryReportsTo ?? '')]));
}

describe('a cell names a record that is there', () => {
  it.each(['bob', 'BOB', 'bob@example.org', 'Bob Best', 'id'])('by %s', async (name) => {
    const { ada } = await newSite();
    const bob = await ada.make('individual', {
      UserName: 'bob',
      Email: 'bob@example.org',
      UserEmail: 'bob@example.org',
      FirstName: 'Bob',
      LastName: 'Best',
    });
    const said = name === 'id' ? String(bob.ID).toUpperCase() : name;
    const { changes } = await take(ada, 'individual', ['UserName,PrimaryReportsTo', `ada, ${said} `]);
    expect(changes[0]?.patch).toEqual({ PrimaryReportsTo: bob.ID });
  });

  it('by the path of a department', async () => {
    const { ada, organization } = await newSite();
    const [sales, support] = [
      await ada.make('organization', { Name: 'Sales', ParentID: organization }),
      await ada.make('organization', { Name: 'Support', ParentID: organization }),
    ];
    await ada.make('organization', { Name: 'EMEA', ParentID: sales.ID });
    const emea = await ada.make('organization', { Name: 'EMEA', ParentID: support.ID });
    const { changes } = await take(ada, 'individual', ['UserName,PrimaryOrganization', 'ada,Support/EMEA']);
    expect(changes[0]?.patch).toEqual({ PrimaryOrganizationID: emea.ID });
    const { said, faults } = await take(ada, 'individual', ['UserName,PrimaryOrganization', 'ada,EMEA']);
    expect(said[0]).toContain('column PrimaryOrganization: cannot be used: "EMEA" fits 2 departments (');
    expect(faults[0]?.hint).toContain('Sales/EMEA');
  });

  it('by its number', async () => {
    const { ada } = await newSite();
    await ada.make('project', { Name: 'P', PhaseID: 1 });
    const { changes } = await take(ada, 'project', ['Name,PhaseID', 'P,2'], { key: ['Name'] });
    expect(changes[0]?.patch).toEqual({ PhaseID: 2 });
    const { said } = await take(ada, 'project', ['Name,PhaseID', 'P,999'], { key: ['Name'] });
    expect(said).toEqual(['line 2, column PhaseID: cannot be used: no project phase of this site has this ID']);
  });
});

describe('a cell that names nothing', () => {
  it.each([
    ['bobb', 'cannot be used: there is no individual "bobb"'],
    ['aaaaaaaa-0000-4000-8000-00000000000f', 'cannot be used: no individual of this site has this ID'],
    ['id:aaaaaaaa-0000-4000-8000-00000000000f', 'cannot be used: no individual of this site has this ID'],
    ['aaaaaaaa-0000', 'cannot be used: "aaaaaaaa-0000" looks like a GUID, but is not one'],
    ['x'.repeat(3000), 'is longer than any name'],
  ])('is a fault: %.40s', async (name, message) => {
    const { ada } = await newSite();
    const { faults, error } = await take(ada, 'individual', ['UserName,PrimaryReportsTo', `ada,${name}`]);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ line: 2, column: 'PrimaryReportsTo' });
    expect(faults[0]?.message).toContain(message);
    expect(error?.message.length).toBeLessThan(400);
  });

  it('is a fault where only a deleted record has the name', async () => {
    const { ada } = await newSite();
    const bob = await ada.make('individual', { UserName: 'bob' });
    await ada.delete('individual', bob.ID);
    const { faults } = await take(ada, 'individual', ['UserName,PrimaryReportsTo', 'ada,bob']);
    expect(faults[0]).toMatchObject({ message: 'cannot be used: the individual "bob" is deleted' });
    expect(faults[0]?.hint).toContain('undelete');
  });

  it('is shown once in what people read', async () => {
    const { ada } = await newSite();
    const { error } = await take(ada, 'individual', ['UserName,PrimaryReportsTo', 'ada,zzz']);
    expect(error?.message.match(/zzz/g)).toHaveLength(1);
  });

  it('is a fault of each row that names it', async () => {
    const { ada } = await newSite();
    await ada.make('individual', { UserName: 'bob' });
    const { said } = await take(ada, 'individual', ['UserName,PrimaryReportsTo', 'ada,zzz', 'bob,zzz']);
    expect(said.map((one) => one.slice(0, 6))).toEqual(['line 2', 'line 3']);
  });
});

describe('rows that name each other', () => {
  it('are made in any order, by user name, e-mail or full name', async () => {
    const { ada } = await newSite();
    const rows = [
      NEW,
      person('Dan', 'cid.b'),
      person('Cid', 'BOB@example.org'),
      person('Bob', 'Ann Best'),
      person('Ann', 'ada'),
    ];
    const summary = await run(ada, 'individual', rows);
    expect(summary).toMatchObject({ counts: { done: 4 }, exit: 0 });
    expect(await bosses(ada)).toEqual({
      ada: 'ada',
      'Ann.b': 'ada',
      'Bob.b': 'Ann.b',
      'Cid.b': 'Bob.b',
      'Dan.b': 'Cid.b',
    });
  });

  it('may name themselves, at the top', async () => {
    const { ada } = await newSite();
    expect(await run(ada, 'individual', [NEW, person('Ann', 'Ann.b')])).toMatchObject({ counts: { done: 1 }, exit: 0 });
    expect(await bosses(ada)).toMatchObject({ 'Ann.b': 'Ann.b' });
  });

  it('may use the name that a row gives to a record, or the one it has', async () => {
    const { ada } = await newSite();
    const bob = await ada.make('individual', { UserName: 'bob' });
    const cid = await ada.make('individual', { UserName: 'cid' });
    for (const name of ['bob', 'robert']) {
      const { changes } = await take(ada, 'individual', [
        'ID,UserName,PrimaryReportsTo',
        `${cid.ID},,${name}`,
        `${bob.ID},robert,ada`,
      ]);
      expect(changes.find(({ id }) => id === cid.ID)?.patch).toEqual({ PrimaryReportsTo: bob.ID });
    }
  });

  it('are a fault where two have the name', async () => {
    const { ada } = await newSite();
    const rows = [NEW, person('Ann', 'ada'), person('Bob', 'ann Best'), person('Ann', 'ada').replace('Ann.b', 'ann2')];
    const { said } = await take(ada, 'individual', rows);
    expect(said).toEqual(['line 3, column PrimaryReportsTo: names several rows of this file']);
  });

  it('stay named where they have faults of their own', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', [NEW, person('Bob', 'ann.b'), person('Ann', 'zzz')]);
    expect(said).toEqual(['line 3, column PrimaryReportsTo: cannot be used: there is no individual "zzz"']);
  });
});

describe('departments', () => {
  it('are made below new departments, whose key is that of a new parent, in any order', async () => {
    const { ada } = await newSite();
    const rows = ['Name,Parent,Rank', 'Alps,EMEA,1', 'EMEA,Sales,1', 'Sales,Test,1'];
    expect(await run(ada, 'organization', rows)).toMatchObject({ counts: { done: 3 }, exit: 0 });
    expect((await ada.list('organization')).map(({ Name, Level }) => [Name, Level])).toEqual([
      ['Test', 1],
      ['Sales', 2],
      ['EMEA', 3],
      ['Alps', 4],
    ]);
    const again = await take(ada, 'organization', rows);
    expect(again.tally).toMatchObject({ unchanged: 3, creates: 0, updates: 0 });
  });

  it('of one name are told apart by their paths', async () => {
    const { ada } = await newSite();
    const rows = [
      'Name,Parent,Rank',
      ...[
        'Alps,Sales/EMEA,1',
        'Alps,Support/EMEA,1',
        'EMEA,Sales,1',
        'EMEA,Support,1',
        'Sales,Test,1',
        'Support,Test,2',
      ],
    ];
    expect(await run(ada, 'organization', rows)).toMatchObject({ counts: { done: 6 }, exit: 0 });
    expect((await ada.list('organization')).map(({ Name }) => Name)).toEqual([
      'Test',
      ...['Sales', 'EMEA', 'Alps'],
      ...['Support', 'EMEA', 'Alps'],
    ]);
    const { said } = await take(ada, 'organization', [...rows, 'Rhine,EMEA,2']);
    expect(said).toEqual(['line 8, column Parent: names several rows of this file']);
  });

  it('may be called like the one they are part of', async () => {
    const { ada } = await newSite();
    await ada.make('organization', { Name: 'Sales' });
    expect(await run(ada, 'organization', ['Name,Parent,Rank', 'Sales,Sales,1'])).toMatchObject({
      counts: { done: 1 },
    });
    expect((await ada.list('organization')).map(({ Name, Level }) => [Name, Level])).toEqual([
      ['Test', 1],
      ['Sales', 2],
      ['Sales', 3],
    ]);
  });

  it('of the site are organizations, and a blank parent is a fault', async () => {
    const { ada, id } = await newSite();
    await run(ada, 'organization', ['Name,Parent,Rank', 'Second,site,2']);
    expect((await ada.list('organization')).at(-1)).toMatchObject({ Name: 'Second', ParentID: id, RowType: 4 });
    const { tally } = await take(ada, 'organization', ['Name,Parent,Rank', `Second,${id},2`]);
    expect(tally.unchanged).toBe(1);
    const hint = 'Name what it belongs to; site is the whole site.';
    const blank = await take(ada, 'organization', ['Name,Parent,Rank', 'Third,,3']);
    expect(blank.faults).toMatchObject([{ line: 2, hint }]);
    const cleared = await take(ada, 'organization', ['Name,Parent,Rank', 'Third,<null>,3'], { blank: 'clear' });
    expect(cleared.faults).toMatchObject([{ line: 2, message: 'is empty', hint }]);
  });

  it('that are the key of each other in a ring are told as a loop', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'organization', ['Name,Parent,Rank', 'A,B,1', 'B,A,1']);
    expect(said).toEqual(['line 2: stands below itself: A (line 2) → B (line 3) → A (line 2)']);
  });
});

describe('projects', () => {
  it('are made below new projects', async () => {
    const { ada } = await newSite();
    const rows = ['Name,Parent,Department,PhaseID', 'Roof,House,Test,1', 'House,,Test,1'];
    const { changes, said } = await take(ada, 'project', rows, { mode: 'create' });
    expect(said).toEqual([]);
    expect(steps(changes)).toEqual(['create 3', 'create 2']);
    expect(await run(ada, 'project', rows, { mode: 'create' })).toMatchObject({ counts: { done: 2 }, exit: 0 });
  });
});
