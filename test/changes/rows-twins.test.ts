// No file makes a twin of what is there: rows are matched by the resource's own key, also where all are to be new.
import { describe, expect, it } from 'vitest';
import type { ResourceName } from '../../src/contract/index.ts';
import { run, take } from '../support/intake.ts';
import { type Asker, newSite } from '../support/site.ts';

/** Files that fill the key of their resource. */
const FILES: readonly (readonly [ResourceName, readonly string[]])[] = [
  ['accountability', ['Individual,Name,Rank,Description', 'ada,Budget,1,x']],
  ['basicRole', ['Individual,Name,Rank', 'ada,Clerk,1']],
  ['organization', ['Name,Parent,Rank', 'Sales,Test,1']],
  ['organization', ['Name,Rank', 'Second,2']],
  ['project', ['Name,Department,PhaseID', 'Roof,Test,1']],
  ['securityGroup', ['Group', 'Carers']],
  ['color', ['Name,Code,Rank', 'Sea,#00ff00,9']],
  ['color', ['ID,Name,Code,Rank', '999,Sea,#00ff00,9']],
  [
    'individual',
    [
      'UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryOrganization,PrimaryReportsTo',
      'bob,Bob,Best,b@example.org,Clerk,Test,ada',
    ],
  ],
];

describe('a file that is imported twice with --mode create', () => {
  it.each(FILES)('is refused the second time: %s %j', async (resource, rows) => {
    const { ada } = await newSite();
    await run(ada, resource, rows, { mode: 'create' });
    const { changes, said, faults } = await take(ada, resource, rows, { mode: 'create' });
    expect(changes).toEqual([]);
    expect(said[0]).toMatch(/^line 2: exists already: the [a-z ]+ ".+" \(.+\)$/);
    expect(faults[0]?.hint).toBe('Leave --mode out to change it.');
  });

  it('is refused where two of its rows have one key, and says it once where they are the same', async () => {
    const { ada } = await newSite();
    const rows = ['Individual,Name,Rank,Description', 'ada,a,1,x', 'ada,a,1,x', 'ada,a,2,y'];
    const { said } = await take(ada, 'accountability', rows, { mode: 'create' });
    expect(said).toEqual(['line 4: has the same Individual and Name as line 2, and other values']);
    expect((await take(ada, 'accountability', rows.slice(0, 3), { mode: 'create' })).tally).toMatchObject({
      creates: 1,
      repeated: 1,
    });
  });

  it('tells rows of one name apart by more columns of the key', async () => {
    const { ada } = await newSite();
    const rows = ['Individual,Name,Rank,Description', 'ada,a,1,x', 'ada,a,2,y'];
    const key = ['AncestorID', 'Name', 'Description'];
    expect((await take(ada, 'accountability', rows, { mode: 'create', key })).tally.creates).toBe(2);
  });
});

/** A department B below X, beside A. */
async function moving(): Promise<{ ada: Asker; ids: Record<'A' | 'B' | 'X', string> }> {
  const { ada, organization } = await newSite();
  const make = async (Name: string, ParentID: unknown) =>
    String((await ada.make('organization', { Name, ParentID: String(ParentID) })).ID);
  const [X, A] = [await make('X', organization), await make('A', organization)];
  return { ada, ids: { A, X, B: await make('B', X) } };
}

describe('a department whose name another one has elsewhere', () => {
  it.each(['upsert', 'create', 'skip'] as const)('is not made beside it with --mode %s', async (mode) => {
    const { ada, ids } = await moving();
    const { changes, faults } = await take(ada, 'organization', ['Name,Parent,Rank', 'B,A,1'], { mode });
    expect(changes).toEqual([]);
    expect(faults).toMatchObject([
      {
        message: 'is new, but there is a "B" already, below "X"',
        hint: `${mode === 'upsert' ? 'To move it with this file: --key Name. ' : ''}For a second one of that name: --key ParentID,Name.`,
        next: { do: 'move', resource: 'organization', id: ids.B, below: ids.A },
      },
    ]);
  });

  it('is moved where its name alone is the key, below a row that is new, too', async () => {
    const { ada, ids } = await moving();
    const { changes } = await take(ada, 'organization', ['Name,Parent,Rank', 'New,A,1', 'B,New,1'], { key: ['Name'] });
    expect(changes).toMatchObject([
      { operation: 'create', body: { Name: 'New' } },
      { operation: 'update', id: ids.B, patch: { ParentID: changes[0]?.id } },
    ]);
  });

  it('is made where the key says so, and is there then', async () => {
    const { ada } = await moving();
    const rows = ['Name,Parent,Rank', 'B,A,1'];
    const key = ['ParentID', 'Name'];
    await run(ada, 'organization', rows, { key });
    expect((await take(ada, 'organization', rows, { key })).tally.unchanged).toBe(1);
    expect((await take(ada, 'organization', rows, { key, mode: 'create' })).said[0]).toContain('exists already');
  });

  it('is made where a row of the file means the other one, or both are new', async () => {
    const { ada } = await moving();
    const rows = ['Name,Parent,Rank', 'B,X,1', 'B,A,1', 'New,A,2', 'New,X,2'];
    expect((await take(ada, 'organization', rows)).tally.creates).toBe(3);
  });

  it('is made where the other one is deleted, or is the one above it', async () => {
    const { ada, ids } = await moving();
    expect((await take(ada, 'organization', ['Name,Parent,Rank', 'A,A,1'])).tally.creates).toBe(1);
    await ada.delete('organization', ids.B);
    expect((await take(ada, 'organization', ['Name,Parent,Rank', 'B,A,1'])).tally.creates).toBe(1);
  });

  it('names no place that the file has yet to make', async () => {
    const { ada } = await moving();
    const { faults } = await take(ada, 'organization', ['Name,Parent,Rank', 'New,A,1', 'B,New,1']);
    expect(faults[0]?.message).toContain('there is a "B" already');
    expect(faults[0]).not.toHaveProperty('next');
  });
});
