// All that is wrong with a file is told at once: what it is made of, what its cells hold, and what they mean.
import { describe, expect, it } from 'vitest';
import { take } from '../support/intake.ts';
import { newSite } from '../support/site.ts';

describe('the faults of a file', () => {
  it('are told together, by line', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'accountability', [
      'Individual,Name,Rank,Description',
      'ada,a,first,x',
      'ada,b,2',
      'zzz,c,3,x',
      'ada,d,4,',
      'ada,e,5,x',
      'ada,e,6,x',
    ]);
    expect(said).toEqual([
      'line 2, column Rank: is "first", not a whole number',
      'line 3, column Description: has 3 cells where the header has 4',
      'line 4, column Individual: cannot be used: there is no individual "zzz"',
      'line 5, column Description: is required',
      'line 7: has the same Individual and Name as line 6, and other values',
    ]);
  });

  it('are told together also where rows may name each other', async () => {
    const { ada } = await newSite();
    for (const UserName of ['bob', 'cid', 'dan']) await ada.make('individual', { UserName });
    const { said } = await take(ada, 'individual', [
      'UserName,PrimaryReportsTo,IsAdmin',
      'bob,cid,',
      'cid,bob,',
      'dan,zzz,perhaps',
      'ada',
    ]);
    expect(said).toEqual([
      'line 2: stands below itself: bob (line 2) → cid (line 3) → bob (line 2)',
      'line 4, column IsAdmin: is "perhaps", not true or false',
      'line 4, column PrimaryReportsTo: cannot be used: there is no individual "zzz"',
      'line 5, column PrimaryReportsTo: has 1 cell where the header has 3',
    ]);
  });

  it('are told beside a loop of rows that have faults of their own, by what these rows say', async () => {
    const { ada } = await newSite();
    for (const UserName of ['bob', 'cid']) await ada.make('individual', { UserName });
    const { ID: eve } = await ada.make('individual', { UserName: 'eve' });
    await ada.make('individual', { UserName: 'dan', PrimaryReportsTo: eve });
    const { said } = await take(ada, 'individual', [
      'UserName,PrimaryReportsTo,IsAdmin',
      'bob,cid,',
      'cid,bob,perhaps',
      'dan,zzz,',
      'eve,dan,',
    ]);
    expect(said).toEqual([
      'line 2: stands below itself: bob (line 2) → cid (line 3) → bob (line 2)',
      'line 3, column IsAdmin: is "perhaps", not true or false',
      'line 4, column PrimaryReportsTo: cannot be used: there is no individual "zzz"',
    ]);
  });

  it('are told by the e-mails of people whose file has no user names', async () => {
    const { ada } = await newSite();
    await ada.make('organization', { Name: 'Sales' });
    const { said } = await take(ada, 'individual', [
      'FirstName,LastName,Email,Department,Title,PrimaryReportsTo',
      'Bob,Bell,bob@x.example,Sales,Rep,Cid Cole',
      'Cid,Cole,cid@x.example,Sales,Rep,Bob Bell',
      'Dan,,dan@x.example,Sales,Rep,ada',
      'Eve,East,eve@x.example,Sales,Rep,ada',
      'Eve,East,eve@x.example,Sales,Head,ada',
    ]);
    expect(said).toEqual([
      'line 1: has no column for UserName, which finds existing individuals',
      'line 2: stands below itself: bob@x.example (line 2) → cid@x.example (line 3) → bob@x.example (line 2)',
      'line 4, column LastName: is required',
      'line 6: has the same Email as line 5, and other values',
    ]);
  });

  it('of a column that says who has left hide no person', async () => {
    const { ada } = await newSite();
    for (const UserName of ['bob', 'cid']) await ada.make('individual', { UserName });
    const { said } = await take(ada, 'individual', [
      'UserName,PrimaryReportsTo,IsAdmin,Active',
      'bob,cid,,perhaps',
      'cid,bob,perhaps,yes',
      'gone,zzz,perhaps,no',
    ]);
    expect(said).toEqual([
      'line 2, column Active: is "perhaps", not true or false',
      'line 2: stands below itself: bob (line 2) → cid (line 3) → bob (line 2)',
      'line 3, column IsAdmin: is "perhaps", not true or false',
    ]);
  });

  it('of a header, of cells and of new rows are told together', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', ['UserName,PrimaryReportsTo,Nonsense,IsAdmin', 'bob,zzz,1,perhaps']);
    expect(said).toEqual([
      'line 1, column Nonsense: is not a field of individuals',
      'line 2, column IsAdmin: is "perhaps", not true or false',
      'line 2, column PrimaryReportsTo: cannot be used: there is no individual "zzz"',
      'line 2: is new, and the file has no column for FirstName, LastName, Email, Department, Title',
    ]);
  });

  it('are all counted where they are too many to be told', async () => {
    const { ada } = await newSite();
    const rows = Array.from({ length: 1500 }, (_, at) => (at < 1200 ? 'ada' : `ada,n${at},x,x`));
    const { error, faults } = await take(ada, 'accountability', ['Individual,Name,Rank,Description', ...rows]);
    expect(faults).toHaveLength(1000);
    expect(error?.total).toBe(1500);
  });

  it('show a value once, and its odd signs by their codes', async () => {
    const { ada } = await newSite();
    const { error, faults } = await take(ada, 'individual', ['UserName,IsAdmin', 'ada,per\u001bhaps ']);
    expect(faults).toMatchObject([
      { value: 'per\u001bhaps', hint: 'Write true or false, yes or no, y or n, t or f, on or off, 1 or 0.' },
    ]);
    expect(error?.faults.map(({ message }) => message)).toEqual(['is "per\\u001bhaps", not true or false']);
    expect(error?.exit).toBe(7);
  });
});
