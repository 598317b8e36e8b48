// What becomes of a row, by what is asked for and by what is there.
import { describe, expect, it } from 'vitest';
import type { Mode } from '../../src/changes/rows/row-draft.ts';
import { type IntakeWishes, run, take } from '../support/intake.ts';
import { newSite } from '../support/site.ts';

type There = 'one that is there' | 'one that is there already so' | 'none' | 'a deleted one';

const MODES: readonly Mode[] = ['upsert', 'create', 'update', 'skip', 'delete', 'undelete'];

/** By mode: what becomes of a row for a record that is there, is so already, is not there, is deleted. */
const TABLE: Readonly<Record<Mode, readonly [string, string, string, string]>> = {
  upsert: ['update', 'unchanged', 'create', 'names a deleted accountability'],
  create: ['exists already', 'exists already', 'create', 'names a deleted accountability'],
  update: ['update', 'unchanged', 'names no existing accountability', 'names a deleted accountability'],
  skip: ['skipped', 'skipped', 'create', 'skipped'],
  delete: ['delete', 'delete', 'names no existing accountability', 'unchanged'],
  undelete: ['unchanged', 'unchanged', 'names no existing accountability', 'undelete'],
};
const THERE: readonly There[] = ['one that is there', 'one that is there already so', 'none', 'a deleted one'];

const KEY = ['AncestorID', 'Name'];
const rows = ['Individual,Name,Rank,Description', 'ada,Budget,7,x'];

async function become(there: There, wishes: IntakeWishes) {
  const { ada } = await newSite();
  if (there !== 'none') {
    const Rank = there === 'one that is there already so' ? 7 : 1;
    const line = await ada.make('accountability', { Name: 'Budget', Description: 'x', Rank });
    if (there === 'a deleted one') await ada.delete('accountability', line.ID);
  }
  return { ada, ...(await take(ada, 'accountability', rows, { key: KEY, ...wishes })) };
}

describe.each(MODES)('with the mode %s', (mode) => {
  it.each(THERE.map((there, at) => [there, TABLE[mode][at] ?? ''] as const))(
    'a row for %s: %s',
    async (there, what) => {
      const { changes, tally, said } = await become(there, { mode });
      const counted = tally.unchanged > 0 ? 'unchanged' : tally.skipped > 0 ? 'skipped' : undefined;
      const [one] = said.length > 0 ? said : [changes[0]?.operation ?? counted];
      expect(one?.replace('line 2: ', '')).toMatch(new RegExp(`^${what}`));
      expect(changes.length + tally.unchanged + tally.skipped + said.length).toBe(1);
      expect(tally.rows).toBe(1);
    },
  );
});

describe('a deleted record', () => {
  it('is brought back and changed with --on-deleted undelete', async () => {
    const { ada, changes, tally } = await become('a deleted one', { onDeleted: 'undelete' });
    expect(changes.map(({ operation }) => operation)).toEqual(['undelete', 'update']);
    expect(tally).toMatchObject({ undeletes: 1, updates: 1, unchanged: 0 });
    await run(ada, 'accountability', rows, { onDeleted: 'undelete' });
    expect(await ada.list('accountability', { individual: ada.id })).toMatchObject([{ Name: 'Budget', Rank: 7 }]);
  });

  it('is only brought back where it is as it should be', async () => {
    const { ada } = await newSite();
    const line = await ada.make('accountability', { Name: 'Budget' });
    await ada.delete('accountability', line.ID);
    const { changes, tally } = await take(ada, 'accountability', ['Individual,Name', 'ada,Budget'], {
      onDeleted: 'undelete',
    });
    expect(changes.map(({ operation }) => operation)).toEqual(['undelete']);
    expect(tally).toMatchObject({ undeletes: 1, updates: 0, unchanged: 0 });
  });

  it('stays, and a new one is made, with --on-deleted new', async () => {
    const { ada } = await become('a deleted one', {});
    await run(ada, 'accountability', rows, { onDeleted: 'new' });
    const all = await ada.list('accountability', { individual: ada.id }, { deleted: 2 });
    expect(all.map(({ Deleted, Rank }) => [Deleted, Rank])).toEqual([
      [true, 1],
      [false, 7],
    ]);
  });

  it('may be made anew where that is possible', async () => {
    const { faults } = await become('a deleted one', {});
    expect(faults[0]?.hint).toBe('--on-deleted undelete brings it back; --on-deleted new makes another one.');
  });

  it('is not made anew where rows are only to be changed', async () => {
    const { said, faults } = await become('a deleted one', { mode: 'update', onDeleted: 'new' });
    expect(said[0]).toContain('names a deleted accountability');
    expect(faults[0]?.hint).toBe('--on-deleted undelete brings it back; --mode update makes no other one.');
  });

  it('keeps its user name and its ID', async () => {
    const { ada } = await newSite();
    const bob = await ada.make('individual', { UserName: 'bob' });
    await ada.delete('individual', bob.ID);
    for (const file of [
      ['UserName', 'bob'],
      ['ID', String(bob.ID)],
    ]) {
      const { said } = await take(ada, 'individual', file, { onDeleted: 'new' });
      expect(said).toEqual([`line 2: cannot be made again: its ${file[0]} belongs to the deleted individual`]);
      const { faults } = await take(ada, 'individual', file);
      expect(faults[0]?.hint).toBe('--on-deleted undelete brings it back.');
    }
  });

  it('that was made anew is what other rows of the file mean', async () => {
    const { ada, organization } = await newSite();
    const old = await ada.make('organization', { Name: 'Sales', ParentID: organization });
    await ada.delete('organization', old.ID);
    await run(ada, 'organization', ['Parent,Name,Rank', 'Test,Sales,1', 'Sales,EMEA,1'], { onDeleted: 'new' });
    const all = await ada.list('organization');
    const sales = all.find(({ Name }) => Name === 'Sales');
    expect(sales?.ID).not.toBe(old.ID);
    expect(all.find(({ Name }) => Name === 'EMEA')?.ParentID).toBe(sales?.ID);
  });

  it('that only its owner hides is a fault, and for undelete as it should be', async () => {
    const { ada } = await newSite();
    const bob = await ada.make('individual', { UserName: 'bob' });
    const line = await ada.make('accountability', { Name: 'Budget', AncestorID: bob.ID });
    await ada.delete('individual', bob.ID);
    const file = ['ID,Rank', `${line.ID},7`];
    expect((await take(ada, 'accountability', file)).said).toEqual([
      'line 2: names a hidden accountability: what it belongs to is deleted',
    ]);
    expect((await take(ada, 'accountability', file, { mode: 'undelete' })).tally.unchanged).toBe(1);
  });
});

describe('a new record', () => {
  it.each(['Email', 'UserEmail'])(
    'has what pm knows by itself, such as the address of a file with %s',
    async (name) => {
      const { ada } = await newSite();
      const { changes } = await take(ada, 'individual', [
        `UserName,FirstName,LastName,${name},PrimaryTitle,PrimaryOrganization,PrimaryReportsTo`,
        'bob,Bob,Best,bob@example.org,Clerk,Test,ada',
      ]);
      const address = { Email: 'bob@example.org', UserEmail: 'bob@example.org' };
      expect(changes).toMatchObject([{ operation: 'create', line: 2, body: address }]);
    },
  );

  it('lacks nothing, or every lack is told', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', ['UserName,FirstName', 'bob,']);
    expect(said).toEqual([
      'line 2: is new, and the file has no column for LastName, Email, Department, Title, Manager',
      'line 2, column FirstName: is required',
    ]);
  });
});

describe('a change', () => {
  it('of an owner is a fault', async () => {
    const { ada } = await newSite();
    const bob = await ada.make('individual', { UserName: 'bob' });
    const line = await ada.make('accountability', { Name: 'Budget' });
    const { said } = await take(ada, 'accountability', ['ID,Individual,Rank', `${line.ID},bob,7`]);
    expect(said).toEqual([`line 2, column Individual: is ${ada.id} in the record, and cannot change`]);
    expect(bob.ID).not.toBe(ada.id);
  });

  it('holds only what differs', async () => {
    const { ada } = await newSite();
    const bob = await ada.make('individual', { UserName: 'bob', HireDate: '2026-01-01T00:00:00+01:00', Prefix: 'Dr' });
    const { changes } = await take(ada, 'individual', [
      'UserName,Prefix,HireDate,Suffix',
      'bob,Dr,2025-12-31T23:00:00Z,jr',
    ]);
    // The same moment with another offset may be another day.
    expect(changes).toMatchObject([{ id: bob.ID }]);
    expect(changes[0]?.patch).toEqual({ HireDate: '2025-12-31T23:00:00Z', Suffix: 'jr' });
  });
});

describe('a deletion', () => {
  it('of what stands below comes first', async () => {
    const { ada, organization } = await newSite();
    const sales = await ada.make('organization', { Name: 'Sales', ParentID: organization });
    await ada.make('organization', { Name: 'EMEA', ParentID: sales.ID });
    const summary = await run(ada, 'organization', ['Parent,Name', 'Test,Sales', 'Sales,EMEA'], { mode: 'delete' });
    expect(summary).toMatchObject({ counts: { done: 2 }, exit: 0 });
    const all = await ada.list('organization', 'plain', { deleted: 1 });
    expect(all.map(({ Deleted }) => Deleted)).toEqual([true, true]);
  });

  it('of what cannot come back is one, too', async () => {
    const { ada } = await newSite();
    const value = await ada.make('coreValue', { Name: 'Calm' });
    const { changes } = await take(ada, 'coreValue', ['Name', 'Calm'], { mode: 'delete' });
    expect(changes).toMatchObject([{ operation: 'delete', id: value.ID }]);
  });
});
