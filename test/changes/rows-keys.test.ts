// Rows are matched with the records that are there by their key.

import { describe, expect, it } from 'vitest';
import { keyText } from '../../src/changes/rows/keys.ts';
import type { ResourceName } from '../../src/contract/index.ts';
import { contract } from '../../src/contract/index.ts';
import { isFound } from '../../src/contract/same-values.ts';
import { run, take } from '../support/intake.ts';
import { newSite } from '../support/site.ts';

describe('the key of a file', () => {
  it('is the ID, where the file has one', async () => {
    const { ada } = await newSite();
    const { changes } = await take(ada, 'individual', ['ID,UserName', `${ada.id.toUpperCase()},ada2`]);
    expect(changes).toMatchObject([{ operation: 'update', id: ada.id, patch: { UserName: 'ada2' } }]);
  });

  it('is else the natural one of the resource, whatever the case', async () => {
    const { ada } = await newSite();
    const line = await ada.make('accountability', { Name: 'Budget' });
    const { changes } = await take(ada, 'accountability', ['Individual,Name,Rank', 'ada,BUDGET,7']);
    // The key finds the record, and is not written.
    expect(changes).toMatchObject([{ operation: 'update', id: line.ID }]);
    expect(changes[0]?.patch).toEqual({ Rank: 7 });
  });

  it('can be another one', async () => {
    const { ada } = await newSite();
    const bob = await ada.make('individual', { UserName: 'bob', Email: 'bob@example.org' });
    const rows = ['Email,UserName', 'Bob@Example.org,robert'];
    const { changes } = await take(ada, 'individual', rows, { key: ['email'] });
    expect(changes).toMatchObject([{ id: bob.ID, patch: { UserName: 'robert' } }]);
  });

  it('can be named by the column that fills it, whichever form the file has', async () => {
    const { ada } = await newSite();
    const bob = await ada.make('individual', { UserName: 'bob', Email: 'bob@example.org', UserDefined1: '7' });
    for (const key of ['No', 'E-mail', 'e mail'])
      for (const [name, text] of [
        ['rows.csv', 'No,E-mail,Job title\n7,bob@example.org,Chief\n'],
        ['rows.json', '[{"No": "7", "E-mail": "bob@example.org", "Job title": "Chief"}]'],
      ] as const) {
        const { changes } = await take(ada, 'individual', text, { name, key: [key], map: { No: 'UserDefined1' } });
        expect(changes).toMatchObject([{ id: bob.ID, patch: { PrimaryTitle: 'Chief' } }]);
      }
  });

  it('is said to be none where it names neither a field nor a column that fills one', async () => {
    const { ada } = await newSite();
    for (const key of ['Name', 'Badge']) {
      const { said, faults } = await take(ada, 'individual', ['Name,Email', '"Roe, Jane",j@example.com'], {
        key: [key],
        map: { Name: 'LastName, FirstName' },
      });
      expect(said).toContain(
        `line 1: is matched by ${key}, which is not a field of individuals and fills no single one`,
      );
      expect(faults[0]?.hint).toContain('Name a field, such as --key UserName,');
    }
  });

  it('holds dates as moments', async () => {
    const { ada } = await newSite();
    await ada.make('dialog', { AncestorID: ada.id, DialogDate: '2026-05-20T10:00:00+02:00', Name: 'One' });
    const { tally } = await take(ada, 'dialog', ['Individual,DialogDate,Name', 'ada,2026-05-20T08:00:00Z,One']);
    expect(tally).toMatchObject({ creates: 0 });
  });

  it('holds days as they are found one by one, also where all records of an owner are read', async () => {
    const { ada } = await newSite();
    const days = ['2026-05-20', '2026-05-21'];
    for (const day of days) await ada.make('task', { AncestorID: ada.id, EndDateProjected: `${day}T00:00:00+02:00` });
    const key = ['AncestorID', 'EndDateProjected'];
    const rows = ['Individual,EndDateProjected,Name', ...days.map((day) => `ada,${day},new`)];
    const { changes } = await take(ada, 'task', rows, { key });
    expect(changes.map(({ operation }) => operation)).toEqual(['update', 'update']);
  });

  it.each<[string, boolean, string, string]>([
    ['EndDateProjected', true, '2026-05-20', '2026-05-20T00:00:00+02:00'],
    ['Updated', true, '2026-05-20T08:00:00Z', '2026-05-20T10:00:00.0+02:00'],
    ['Updated', false, '2026-05-20T08:00:00.1234561Z', '2026-05-20T08:00:00.1234562Z'],
    ['Name', true, 'Budget', 'BUDGET'],
  ])('of %s fits (%s) where the record is found: %s and %s', (name, fits, one, other) => {
    const { fields } = contract.task;
    expect(isFound(fields[name as keyof typeof fields], one, other)).toBe(fits);
    expect(keyText(fields, [name], { [name]: one }) === keyText(fields, [name], { [name]: other })).toBe(fits);
  });

  it('may hold a null that is allowed', async () => {
    const { ada, id } = await newSite();
    const [bob, group] = [await ada.make('individual', { UserName: 'bob' }), await ada.make('securityGroup')];
    const plain = await ada.make('permission', { RowID: id, PrincipalID: bob.UserID, ChildType: null });
    const below = await ada.make('permission', { RowID: id, PrincipalID: bob.UserID, ChildType: 19 });
    const { changes, said } = await take(ada, 'permission', [
      'Row,Principal,ChildType,CreateState,ReadState,UpdateState,DeleteState,DelegateState',
      'site,bob,,deny,1,2,0,0',
      `${id},bob,department,deny,1,2,0,0`,
      `site,${group.Group},<null>,1,1,1,1,1`,
    ]);
    expect(said).toEqual([]);
    expect(changes.map(({ operation, id: record }) => [operation, record])).toEqual([
      ['update', plain.ID],
      ['update', below.ID],
      ['create', undefined],
    ]);
    expect(changes[2]?.body).toMatchObject({ RowID: id, ChildType: null });
  });

  it('needs its columns', async () => {
    const { ada } = await newSite();
    const lacks = async (
      resource: ResourceName,
      rows: readonly string[],
      options: Parameters<typeof take>[3],
      ...words: readonly string[]
    ): Promise<void> => {
      const { said, faults } = await take(ada, resource, rows, options);
      expect(said).toHaveLength(1);
      for (const one of words) expect(`${said} ${faults[0]?.hint}`).toContain(one);
    };
    await lacks(
      'individual',
      ['PrimaryTitle', 'Chief'],
      {},
      'line 1: has no column for UserName, which finds existing individuals',
      'and none for FirstName, LastName, Email, Department and Manager, which new ones need',
      "Add columns UserName, FirstName, LastName, Email, Department and Manager. One value for all rows: --set 'Manager=<value>'.",
    );
    const mailed = ['Email,PrimaryTitle', 'ada@example.com,Chief'];
    const byEmail = 'Match rows by another column: --key Email.';
    await lacks('individual', mailed, { mode: 'update' }, byEmail);
    const wrong = { key: ['Email'], mode: 'update' } as const;
    await lacks('individual', ['UserName', 'ada'], wrong, 'for Email', 'by another column: --key UserName.');
    for (const key of [[], ['AncestorID', 'Name', 'PeriodID']])
      await lacks('commitment', ['Individual,Name', 'ada,G'], { key, mode: 'update' }, 'Add a column Period');
  });

  it('is not needed where all rows are new', async () => {
    const { ada } = await newSite();
    const { changes } = await take(ada, 'accountability', ['Individual,Rank,Description', 'ada,1,x'], {
      mode: 'create',
      map: {},
    });
    expect(changes).toEqual([]);
    const comments = ['Individual,Body', 'ada,a', 'ada,a'];
    expect((await take(ada, 'comment', comments, { mode: 'create' })).tally.creates).toBe(2);
  });
});

describe('a row', () => {
  it('without its key is a fault', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', ['UserName,PrimaryTitle', ',Chief', 'ada,Chief']);
    expect(said).toEqual(['line 2: has no UserName, which finds its record']);
  });

  it('with the key of another row is a fault', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', ['UserName,PrimaryTitle', 'ada,Chief', 'ADA,Boss']);
    expect(said).toEqual(['line 3: has the same UserName as line 2, and other values']);
  });

  it('with the key of another row is a fault also where all are to be new', async () => {
    const { ada } = await newSite();
    const id = 'aaaaaaaa-0000-4000-8000-000000000001';
    const rows = ['ID,Individual,Name,Rank,Description', `${id},ada,a,1,x`, `${id},ada,b,2,y`, ',ada,c,3,z'];
    const { said } = await take(ada, 'accountability', rows, { mode: 'create' });
    expect(said).toEqual(['line 3: has the same ID as line 2, and other values']);
  });

  it('that fits several records is a fault', async () => {
    const { ada } = await newSite();
    for (const Rank of [1, 2]) await ada.make('accountability', { Name: 'Budget', Rank });
    const { said, faults } = await take(ada, 'accountability', ['Individual,Name,Rank', 'ada,Budget,7']);
    expect(said[0]).toMatch(
      /^line 2: fits 2 accountabilities by its Individual and Name: [0-9a-f-]{36}, [0-9a-f-]{36}$/,
    );
    expect(faults[0]?.hint).toContain('--key ID');
  });

  it('fits the live one of several where the others are deleted', async () => {
    const { ada } = await newSite();
    const gone = await ada.make('accountability', { Name: 'Budget' });
    await ada.delete('accountability', gone.ID);
    const live = await ada.make('accountability', { Name: 'Budget' });
    const { changes } = await take(ada, 'accountability', ['Individual,Name,Rank', 'ada,Budget,700']);
    expect(changes).toMatchObject([{ id: live.ID }]);
  });

  it('with the ID of nothing makes a record of that ID', async () => {
    const { ada } = await newSite();
    const id = 'aaaaaaaa-0000-4000-8000-000000000001';
    await run(ada, 'accountability', ['ID,Individual,Name,Rank,Description', `${id},ada,a,1,x`]);
    expect(await ada.get('accountability', id)).toMatchObject({ Name: 'a', AncestorID: ada.id });
  });

  it('with the number of nothing is the record of its own key: a file of another site makes nothing twice', async () => {
    const { ada } = await newSite();
    const rows = ['ID,Name,Code,Rank', '9001,Night,#000001,9001', '9002,Dawn,#000002,9002'];
    expect((await run(ada, 'color', rows)).counts).toEqual({ done: 2 });
    expect((await take(ada, 'color', rows)).tally).toMatchObject({ creates: 0, unchanged: 2 });
    expect((await take(ada, 'color', [...rows, '9003,Noon,#000003,9003'])).tally).toMatchObject({ creates: 1 });
  });

  it('with the number of a record of another owner is the record of its own key', async () => {
    const { ada } = await newSite();
    const bob = await ada.make('individual');
    const other = await ada.make('commitment', { AncestorID: bob.ID });
    const mine = await ada.make('commitment', { Name: 'Sail' });
    const head = 'ID,Individual,Name,PeriodID,Completed';
    const { changes } = await take(ada, 'commitment', [head, `${other.ID},ada,Sail,${mine.PeriodID},true`]);
    expect(changes).toMatchObject([{ operation: 'update', id: String(mine.ID), patch: { Completed: true } }]);
  });

  it.each(['delete', 'update'] as const)('with the number of nothing is a fault of --mode %s', async (mode) => {
    const { ada } = await newSite();
    await ada.make('color', { Name: 'Night' });
    const { said } = await take(ada, 'color', ['ID,Name', '9001,Night'], { mode });
    expect(said).toEqual(['line 2: names no existing color: ID "9001"']);
  });

  it('with the number of nothing is new where another row is the record of its own key', async () => {
    const { ada } = await newSite();
    const night = await ada.make('color', { Name: 'Night' });
    const rows = ['ID,Name,Code,Rank', `${night.ID},Night,#000001,9001`, '9001,Night,#000002,9002'];
    expect((await take(ada, 'color', rows)).tally).toMatchObject({ creates: 1, updates: 1 });
  });

  it('that another one means by its own key is a fault', async () => {
    const { ada } = await newSite();
    const night = await ada.make('color', { Name: 'Night' });
    const rows = ['ID,Name,Code,Rank', '9001,Night,#000001,9001', `${night.ID},Night,#000002,9002`];
    expect((await take(ada, 'color', rows)).said).toEqual([
      'line 3: names by its ID the record that line 2 names by its Name',
    ]);
  });

  it('with a malformed ID is a fault', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'accountability', ['ID,Rank', '123,1']);
    expect(said).toEqual(['line 2, column ID: is "123", not a GUID such as 0f8fad5b-d9cb-469f-a165-70867728950e']);
  });
});
