// Columns fill the members that they are called after, however people write the name.
import { describe, expect, it } from 'vitest';
import { take } from '../support/intake.ts';
import { newSite } from '../support/site.ts';

describe('a column', () => {
  it.each(['PrimaryTitle', 'primarytitle', 'primary-title', 'Primary Title', 'PRIMARY_TITLE', ' Primary title '])(
    'called %j fills PrimaryTitle',
    async (column) => {
      const { ada } = await newSite();
      const { changes } = await take(ada, 'individual', [`UserName,${column}`, 'ada,Chief']);
      expect(changes).toMatchObject([{ operation: 'update', id: ada.id, patch: { PrimaryTitle: 'Chief' } }]);
    },
  );

  it.each(['PrimaryReportsTo', 'Primary reports to'])('called %j names an individual', async (column) => {
    const { ada } = await newSite();
    const boss = await ada.make('individual', { UserName: 'boss' });
    const { changes } = await take(ada, 'individual', [`UserName,${column}`, 'ada,boss']);
    expect(changes).toMatchObject([{ patch: { PrimaryReportsTo: boss.ID } }]);
  });

  it.each(['PrimaryOrganizationID', 'PrimaryOrganization', 'primary-organization'])(
    'of a reference may leave the ID out: %s',
    async (column) => {
      const { ada } = await newSite();
      const sales = await ada.make('organization', { Name: 'Sales' });
      const { changes } = await take(ada, 'individual', [`UserName,${column}`, 'ada,Sales']);
      expect(changes).toMatchObject([{ patch: { PrimaryOrganizationID: sales.ID } }]);
    },
  );

  it('may be called after the kind of owner it names', async () => {
    const { ada } = await newSite();
    const sales = await ada.make('organization', { Name: 'Sales' });
    const { changes, said } = await take(
      ada,
      'dialog',
      ['Department,Individual,Name,DialogDate', 'Sales,,One,2026-05-20', ',ada,Two,2026-05-21'],
      { key: ['AncestorID', 'Name'] },
    );
    expect(said).toEqual([]);
    expect(changes).toMatchObject([{ body: { AncestorID: sales.ID } }, { body: { AncestorID: ada.id } }]);
  });

  it('of one kind of owner does not agree with another one in the same row', async () => {
    const { ada } = await newSite();
    await ada.make('organization', { Name: 'Sales' });
    const { said } = await take(ada, 'dialog', ['Department,Individual,Name,DialogDate', 'Sales,ada,One,2026-05-20'], {
      key: ['AncestorID', 'Name'],
    });
    expect(said).toEqual(['line 2, column Individual: says whose it is, and so does the column Department']);
  });

  it('is found by --map first', async () => {
    const { ada } = await newSite();
    const { changes } = await take(ada, 'individual', ['Login,UserName', 'ada,Chief'], {
      map: { Login: 'UserName', UserName: 'primary-title' },
    });
    expect(changes).toMatchObject([{ id: ada.id, patch: { PrimaryTitle: 'Chief' } }]);
  });

  it('is left out where --map gives it no member', async () => {
    const { ada } = await newSite();
    const { changes, said } = await take(ada, 'individual', ['UserName,Shoe size,PrimaryTitle', 'ada,43,Chief'], {
      map: { 'shoe size': '' },
    });
    expect(said).toEqual([]);
    expect(changes).toHaveLength(1);
  });

  it('that is read-only is noted and not read', async () => {
    const { ada } = await newSite();
    const { changes, tally } = await take(ada, 'individual', [
      'UserName,FullName,Created,PrimaryTitle',
      'ada,Somebody Else,nonsense,Chief',
    ]);
    expect([...tally.readOnly]).toEqual(['FullName', 'Created']);
    expect(changes[0]?.patch).toEqual({ PrimaryTitle: 'Chief' });
  });

  it('of a list of failed rows tells why they failed, and fills nothing', async () => {
    const { ada } = await newSite();
    const { changes, said } = await take(ada, 'individual', [
      'UserName,PrimaryTitle,_line,_error,_hint',
      'ada,Chief,7,was refused,ask',
    ]);
    expect(said).toEqual([]);
    expect(changes).toHaveLength(1);
  });
});

describe('a fault of the columns', () => {
  it('is one that nobody knows, and says which is meant', async () => {
    const { ada } = await newSite();
    const { faults } = await take(ada, 'individual', ['UserName,PrimaryTitel,Shoe size', 'ada,Chief,43']);
    expect(faults).toMatchObject([
      { line: 1, message: 'has 2 columns that are not fields of individuals: PrimaryTitel, Shoe size' },
    ]);
    expect(faults[0]?.hint).toBe(
      "PrimaryTitel: Did you mean PrimaryTitle? --ignore-unknown leaves them out; --map 'PrimaryTitel=PrimaryTitle' maps one of them to a field.",
    );
  });

  it('is one of all that nobody knows, of which the first are named', async () => {
    const { ada } = await newSite();
    const columns = Array.from({ length: 40 }, (_, at) => `Ballast ${at}`);
    const lines = [['UserName', ...columns].join(), ['ada', ...columns].join()];
    const { said } = await take(ada, 'individual', lines);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/^line 1: has 40 columns that are not fields of individuals: Ballast 0, .*Ballast 19, …$/);
    const left = await take(ada, 'individual', lines, { ignoreUnknown: true });
    expect(left.said).toEqual([]);
  });

  it('knows the kinds of owners, too', async () => {
    const { ada } = await newSite();
    const { faults } = await take(ada, 'dialog', ['Departmant,Name,DialogDate', 'Sales,One,2026-05-20']);
    expect(faults[0]?.hint).toContain('Did you mean Department?');
  });

  it('is a second column for one member', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', ['UserName,PrimaryTitle,primary-title', 'ada,Chief,Boss']);
    expect(said).toEqual(['line 1, column primary-title: fills PrimaryTitle, as the column PrimaryTitle does']);
  });

  it('is a mapped column that the file has not, or a member that is none', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', ['UserName,Job', 'ada,Chief'], {
      map: { Title: 'PrimaryTitle', Job: 'Jobs' },
    });
    expect(said).toEqual([
      'line 1, column Job: is not a field of individuals, nor is Jobs',
      'line 1, column Title: is mapped, but the file has no such column',
    ]);
  });

  it('is that there is none which can be set', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', ['FullName,Created', 'Ada,2026-01-01']);
    expect(said).toEqual(['line 1: has no column that fills a field']);
  });

  it.each([
    ['Full name', {}],
    ['Employee', { map: { Employee: 'FullName' } }],
    ['Employee', {}],
    ['Mitarbeiter', {}],
  ])('is that of people there are whole names alone, and says how these find them: %s %j', async (column, options) => {
    const { ada } = await newSite();
    await ada.make('individual', { UserName: 'bo', FirstName: 'Bo', LastName: 'Berg', Email: 'bo@example.org' });
    const rows = [`${column},Reason`, 'Bo Berg,moved'];
    const asked = { ...options, ignoreUnknown: column === 'Full name' || 'map' in options, mode: 'delete' as const };
    const { faults } = await take(ada, 'individual', rows, asked);
    const hint = faults[0]?.hint ?? '';
    expect(hint).toContain(`--map '${column}=LastName, FirstName' at a comma`);
    const [, way = ''] = /--map '[^']+=([^']+)' splits it before its last word/.exec(hint) ?? [];
    const bound = { map: { [column]: way }, ignoreUnknown: true, mode: 'delete' as const };
    const { faults: keyless } = await take(ada, 'individual', rows, bound);
    const [, key = ''] = /--key (\w+,\w+)/.exec(keyless[0]?.hint ?? '') ?? [];
    const { changes } = await take(ada, 'individual', rows, { ...bound, key: key.split(',') });
    expect(changes).toMatchObject([{ operation: 'delete' }]);
  });

  it('is told once, beside the columns that the file lacks', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', ['UserNme,PrimaryTitle', 'ada,Chief', 'bob,Clerk']);
    const needed = 'FirstName, LastName, Email, Department and Manager, which new ones need';
    expect(said).toEqual([
      'line 1, column UserNme: is not a field of individuals',
      `line 1: has no column for UserName, which finds existing individuals, and none for ${needed}`,
    ]);
  });

  it.each([
    ['is no field', 'UserName,Shoe', '', 'is not a field of individuals'],
    ['is mapped to none', 'UserName,Shoe', 'Jobs', 'is not a field of individuals, nor is Jobs'],
    ['is not there', 'UserName', 'Title', 'is mapped, but the file has no such column'],
    ['fills what one before it fills', 'UserName,Suffix,Shoe', 'Suffix', 'fills Suffix, as the column Suffix does'],
  ])('that %s hides neither what new rows lack nor a value that is none', async (_, header, field, fault) => {
    const { ada } = await newSite();
    const lines = [`${header},IsAdmin`, `ada${',x'.repeat(header.split(',').length - 1)},maybe`];
    const rows = [...lines, `new${',x'.repeat(header.split(',').length)}`.replace(/x$/, 'true')];
    const { said } = await take(ada, 'individual', rows, { map: field === '' ? {} : { Shoe: field } });
    expect(said).toEqual([
      `line 1, column Shoe: ${fault}`,
      'line 2, column IsAdmin: is "maybe", not true or false',
      expect.stringMatching(/^line 3: is new, and the file has no column for FirstName, LastName, Email, Department/),
    ]);
  });

  it('in members is told once for all records', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', '[{"UserName":"ada","Shoe":1},\n{"Shoe":2,"UserName":"ada"}]', {
      name: 'rows.json',
    });
    expect(said).toEqual(['line 1, column Shoe: is not a field of individuals']);
  });
});

describe('a column that says whether a record is deleted', () => {
  const HEADERS = ['Deleted', 'deleted', 'DELETED BY REF', 'DeletedByRef'];
  it.each(HEADERS)('is %s, and its rows are skipped however true is written', async (header) => {
    const { ada } = await newSite();
    const texts = ['true', 'TRUE', ' True ', '1', 'false', 'FALSE', '0', ''];
    const lines = texts.map((text, at) => `ada,Line ${at},1,x,${text}`);
    const { changes, tally, said } = await take(ada, 'accountability', [
      `Individual,Name,Rank,Description,${header}`,
      ...lines,
    ]);
    expect(said).toEqual([]);
    expect([changes.length, tally.skipped]).toEqual([4, 4]);
  });

  it('is refused where it says neither, and left out where it is mapped to nothing', async () => {
    const { ada } = await newSite();
    const rows = ['Individual,Name,Rank,Description,Deleted', 'ada,One,1,x,WAHR', 'ada,Two,2,x,'];
    const { said, faults } = await take(ada, 'accountability', rows);
    expect(said).toEqual(['line 2, column Deleted: is "WAHR", not true or false']);
    expect(faults[0]?.hint).toContain('--map Deleted=');
    const { changes } = await take(ada, 'accountability', rows, { map: { Deleted: '' } });
    expect(changes).toHaveLength(2);
  });
});

describe('records that name members of their own', () => {
  it('each fill what they name', async () => {
    const { ada } = await newSite();
    const boss = await ada.make('individual', { UserName: 'boss' });
    const rows = '{"UserName":"ada","PrimaryTitle":"Chief"}\n{"Prefix":"Dr","UserName":"boss"}\n';
    const { changes, said } = await take(ada, 'individual', rows, { name: 'rows.ndjson' });
    expect(said).toEqual([]);
    expect(changes.map(({ id, patch }) => [id, patch])).toEqual([
      [ada.id, { PrimaryTitle: 'Chief' }],
      [boss.ID, { Prefix: 'Dr' }],
    ]);
  });
});
