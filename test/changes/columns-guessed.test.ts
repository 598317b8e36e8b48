// Columns that people call otherwise than the service: they are bound by synonyms, and never against a name.
import { describe, expect, it } from 'vitest';
import { take } from '../support/intake.ts';
import { newSite } from '../support/site.ts';

const HEADER = 'User name;Given name;Surname;E-mail address;Job title;Department;Reports to;Start date';

describe('a column', () => {
  it('is bound by what people call it, and that is kept to be shown', async () => {
    const { ada } = await newSite();
    const sales = await ada.make('organization', { Name: 'Sales' });
    const row = 'ina;Ina;Berg;ina@example.org;Clerk;Sales;ada;2026-03-31';
    const { changes, said, tally } = await take(ada, 'individual', [HEADER, row]);
    expect(said).toEqual([]);
    const body = { FirstName: 'Ina', LastName: 'Berg', Email: 'ina@example.org', PrimaryTitle: 'Clerk' };
    expect(changes).toMatchObject([{ body: { ...body, PrimaryOrganizationID: sales.ID, PrimaryReportsTo: ada.id } }]);
    expect([...tally.guessed].map((pair) => pair.join(' → '))).toEqual([
      'Given name → FirstName',
      'Surname → LastName',
      'E-mail address → Email',
      'Job title → PrimaryTitle',
      'Department → PrimaryOrganizationID',
      'Reports to → PrimaryReportsTo',
      'Start date → HireDate',
    ]);
  });

  it('that a list shows beside the ID of a reference names its record, unless the ID is in the file', async () => {
    const { ada } = await newSite();
    const sales = await ada.make('organization', { Name: 'Sales' });
    const header = 'UserName,PrimaryOrganizationName';
    const { changes, tally } = await take(ada, 'individual', [header, 'ada,Sales']);
    expect(changes).toMatchObject([{ patch: { PrimaryOrganizationID: sales.ID } }]);
    expect([...tally.guessed]).toEqual([['PrimaryOrganizationName', 'PrimaryOrganizationID']]);
    const both = await take(ada, 'individual', [`${header},PrimaryOrganizationID`, 'ada,Nowhere,Sales']);
    expect(both.changes).toMatchObject([{ patch: { PrimaryOrganizationID: sales.ID } }]);
    expect([...both.tally.readOnly]).toEqual(['PrimaryOrganizationName']);
  });

  it('of a name keeps its member; the synonym beside it is a fault', async () => {
    const { ada } = await newSite();
    const lines = ['UserName,PrimaryTitle,Title', 'ada,Chief,Dr.'];
    const { said, faults } = await take(ada, 'individual', lines);
    expect(said).toEqual(['line 1, column Title: is not a field of individuals']);
    expect(faults[0]?.hint).toBe(
      "The column PrimaryTitle fills PrimaryTitle. --map 'Title=<Field>' maps it to a field; --map 'Title=' leaves it out; --ignore-unknown leaves all such columns out.",
    );
    const { changes, tally } = await take(ada, 'individual', lines, { ignoreUnknown: true });
    expect(changes).toMatchObject([{ patch: { PrimaryTitle: 'Chief' } }]);
    expect([...tally.unknown]).toEqual(['Title']);
  });

  it.each([
    ['First name [givenName]', 'FirstName'],
    ['First Name [Required]', 'FirstName'],
    ['First Name (required) *', 'FirstName'],
    ['Sign-in [userPrincipalName]', 'UserName'],
    ['Designation', 'PrimaryTitle'],
    ['sn', 'LastName'],
    ['Reporting\nto', 'PrimaryReportsTo'],
    ['Manager Email', 'PrimaryReportsTo'],
    ['Org Unit', 'PrimaryOrganizationID'],
    ['Vorgesetzter', 'PrimaryReportsTo'],
    ['Nachname', 'LastName'],
    ['Date d’embauche', 'HireDate'],
    ['Prénom'.normalize('NFD'), 'FirstName'],
  ])('is read without the marks of forms, in the words of programs and languages: %j', async (column, field) => {
    const { ada } = await newSite();
    const { tally } = await take(ada, 'individual', [`"${column}",Suffix`, ',x'], { mode: 'create' });
    expect(tally.guessed.get(column)).toBe(field);
  });

  it('of passwords is guessed from no mark: forms hold masks there', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', ['UserName,Password [Required]', 'ada,****']);
    expect(said).toEqual(['line 1, column Password [Required]: is not a field of individuals']);
  });

  it('of a mark in round brackets is not called so', async () => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', ['UserName,Phone (Department)', 'ada,1']);
    expect(said).toEqual(['line 1, column Phone (Department): is not a field of individuals']);
  });

  it('is refused where two may be meant, and both are named', async () => {
    const { ada } = await newSite();
    const { said, faults } = await take(ada, 'individual', ['UserName,Manager,Supervisor', 'ada,ada,ada']);
    expect(said).toEqual(['line 1, column Supervisor: may mean PrimaryReportsTo, and so may the column Manager']);
    expect(faults[0]?.hint).toContain("--map 'Supervisor=PrimaryReportsTo' --map 'Manager='");
  });

  it('is what --map says', async () => {
    const { ada } = await newSite();
    const map = { Title: 'Prefix', Manager: '' };
    const { changes, tally } = await take(ada, 'individual', ['UserName,Title,Manager', 'ada,Dr.,nobody'], { map });
    expect(changes).toMatchObject([{ patch: { Prefix: 'Dr.' } }]);
    expect(tally.guessed.size).toBe(0);
    const { said } = await take(ada, 'individual', ['UserName,Title', 'ada,Dr.'], {
      map: { Title: 'Nonsense' },
      ignoreUnknown: true,
    });
    expect(said).toEqual(['line 1, column Title: is not a field of individuals, nor is Nonsense']);
  });

  it('may be mapped to what people call a field', async () => {
    const { ada } = await newSite();
    const map = { Platz: 'Job title' };
    const { changes } = await take(ada, 'individual', ['UserName,Platz', 'ada,Chief'], { map });
    expect(changes).toMatchObject([{ patch: { PrimaryTitle: 'Chief' } }]);
  });

  it.each([
    ['LastName, FirstName', 'Byron, Augusta Ada', { LastName: 'Byron', FirstName: 'Augusta Ada' }],
    ['Surname,Given name', ' Byron ,  Augusta ', { LastName: 'Byron', FirstName: 'Augusta' }],
    ['FirstName LastName', 'Augusta Byron', { LastName: 'Byron', FirstName: 'Augusta' }],
    ['FirstName LastName', 'Augusta Ada  Byron', { LastName: 'Byron', FirstName: 'Augusta Ada' }],
    ['LastName FirstName', 'Byron Augusta Ada', { LastName: 'Byron', FirstName: 'Augusta Ada' }],
  ])('may fill two fields: %s', async (fields, text, patch) => {
    const { ada } = await newSite();
    const map = { Employee: fields };
    const { changes, said } = await take(ada, 'individual', ['UserName,Employee', `ada,"${text}"`], { map });
    expect(said).toEqual([]);
    expect(changes).toMatchObject([{ patch }]);
  });

  it('of longer names says how they are split, and a word for none fills neither', async () => {
    const { ada } = await newSite();
    const rows = ['UserName,Employee', 'ada,Augusta Ada Byron', 'ada,N/D'];
    const map = { Employee: 'FirstName LastName' };
    const { tally } = await take(ada, 'individual', rows, { map, none: new Set(['n/d']), mode: 'update' });
    expect([...tally.splits]).toEqual([['Augusta Ada + Byron', 1]]);
    expect([...tally.nones]).toEqual([['N/D', 1]]);
  });

  it.each([
    ['Name', 'line 1, column Name: is not a field of individuals'],
    ['Full name', 'line 2: is new, and the file has no column for FirstName, LastName'],
  ])('of whole names says how they can be split: %s', async (column, fault) => {
    const { ada } = await newSite();
    await ada.make('organization', { Name: 'Sales' });
    const rows = [
      `UserName,${column},Email,Department,Title,Manager`,
      'ruben,Ruben de Wit,r@x.example,Sales,Rep,ada',
      'bo,Bo Ruben,b@x.example,Sales,Rep,ruben',
    ];
    const { said, faults } = await take(ada, 'individual', rows);
    expect(said[0]).toBe(fault);
    const [, name = '', fields = ''] = /^--map '([^=]+)=([^']+)'/.exec(faults[0]?.hint ?? '') ?? [];
    expect(fields).toBe('FirstName LastName');
    const { changes, tally } = await take(ada, 'individual', rows, { map: { [name]: fields } });
    expect(changes[0]?.body).toMatchObject({ FirstName: 'Ruben de', LastName: 'Wit' });
    expect([...tally.splits]).toEqual([['Ruben de + Wit', 1]]);
  });

  it('of whole names is a fault of the header alone: the rows are read as its hint says', async () => {
    const { ada } = await newSite();
    await ada.make('organization', { Name: 'Sales' });
    const { said } = await take(ada, 'individual', [
      'UserName,Name,Email,Department,Title,Manager',
      'ruben,Ruben de Wit,r@x.example,Sales,Rep,Bo Ruben',
      'bo,Bo Ruben,b@x.example,Sales,Rep,Ruben de Wit',
    ]);
    expect(said).toEqual([
      'line 1, column Name: is not a field of individuals',
      'line 2: stands below itself: ruben (line 2) → bo (line 3) → ruben (line 2)',
    ]);
    const names = ['UserName,FirstName,LastName,Name', 'ada,Ada,King,Countess'];
    const { faults } = await take(ada, 'individual', names);
    expect(faults[0]?.hint).toContain("--map 'Name=<Field>'");
  });

  it.each(['Byron', 'Byron, Ada'])('of two fields is refused where a cell is not two words: %s', async (text) => {
    const { ada } = await newSite();
    const map = { Employee: text.includes(',') ? 'LastName, FirstName' : 'FirstName LastName' };
    const cell = text.includes(',') ? `${text}, Countess` : text;
    const { changes, said, faults } = await take(ada, 'individual', ['UserName,Employee', `ada,"${cell}"`], { map });
    expect(changes).toEqual([]);
    expect(said[0]).toContain('line 2, column Employee: is not two texts with a');
    expect(faults[0]?.hint).toContain('each in a column of its own');
  });

  it('of two fields is refused where a cell has a comma, and others have none', async () => {
    const { ada } = await newSite();
    const [rows, map] = [['UserName,Employee', 'ada,"Byron, Ada"'], { Employee: 'FirstName LastName' }];
    const { changes, said, faults } = await take(ada, 'individual', rows, { map });
    expect(changes).toEqual([]);
    expect(said[0]).toContain('line 2, column Employee: has a comma, and --map splits it at a blank');
    expect(faults[0]?.hint).toContain('without the comma');
    const [, way = ''] = /--map 'Employee=([^']+)'/.exec(faults[0]?.hint ?? '') ?? [];
    const turned = await take(ada, 'individual', rows, { map: { Employee: way } });
    expect(turned.changes).toMatchObject([{ patch: { LastName: 'Byron', FirstName: 'Ada' } }]);
    const bare = ['UserName,Employee', 'ada,Ada Byron'];
    const { faults: ofBare } = await take(ada, 'individual', bare, { map: { Employee: way } });
    const [, back = ''] = /Where none has a comma: --map 'Employee=([^']+)'/.exec(ofBare[0]?.hint ?? '') ?? [];
    expect(await take(ada, 'individual', bare, { map: { Employee: back } })).toMatchObject({ said: [] });
  });

  it.each([
    ['UserDefined1 UserDefined2', 'a b c', { UserDefined1: 'a', UserDefined2: 'b c' }],
    ['UserDefined1 LastName', '7 van Dyk', { UserDefined1: '7', LastName: 'van Dyk' }],
  ])('of two fields that are not both names is cut behind its first word: %s', async (fields, cell, patch) => {
    const { ada } = await newSite();
    const rows = ['UserName,Employee', `ada,${cell}`];
    expect(await take(ada, 'individual', rows, { map: { Employee: fields } })).toMatchObject({ changes: [{ patch }] });
  });

  it('of whole names, where most have a comma, is a fault of the header alone that says how to split it', async () => {
    const { ada } = await newSite();
    await ada.make('organization', { Name: 'Sales' });
    const rows = [
      'UserName,Name,Email,Department,Title,Manager',
      'ruben,"de Wit, Ruben",r@x.example,Sales,Rep,ada',
      'bo,"Ruben, Bo",b@x.example,Sales,Rep,Ruben de Wit',
    ];
    const { said, faults } = await take(ada, 'individual', rows);
    expect(said).toEqual(['line 1, column Name: is not a field of individuals']);
    expect(faults[0]?.hint).toContain("--map 'Name=LastName, FirstName' at a comma");
    const { changes } = await take(ada, 'individual', rows, { map: { Name: 'LastName, FirstName' } });
    expect(changes).toMatchObject([{ body: { LastName: 'de Wit' } }, { body: { FirstName: 'Bo' } }]);
  });

  it('of departments and of what belongs to people is guessed too', async () => {
    const { ada } = await newSite();
    const top = await ada.make('organization', { Name: 'Top' });
    const { changes } = await take(ada, 'organization', ['Department,Parent department,Order', 'Sales,Top,3']);
    expect(changes).toMatchObject([{ body: { Name: 'Sales', Rank: 3, ParentID: top.ID } }]);
    const duties = await take(ada, 'accountability', ['Employee,Responsibility,Rank,Details', 'ada,Lead,1,Lead all']);
    expect(duties.said).toEqual([]);
    expect(duties.changes).toMatchObject([{ body: { AncestorID: ada.id, Name: 'Lead', Description: 'Lead all' } }]);
  });
});
