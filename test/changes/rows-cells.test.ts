// A cell says nothing, clears, or holds a value, which its field reads.
import { describe, expect, it } from 'vitest';
import { escapeNull } from '../../src/changes/rows/cells.ts';
import { type IntakeWishes, take } from '../support/intake.ts';
import { newSite } from '../support/site.ts';

/** What a cell of ada's row comes to: the patch of its member, or what is wrong with it. */
async function cell(member: string, text: string, wishes: IntakeWishes = {}): Promise<unknown> {
  const { ada } = await newSite();
  await ada.change('individual', ada.id, { Prefix: 'Dr', UserDefined1: 'x', IsAdmin: true });
  const { changes, said } = await take(ada, 'individual', [`UserName;${member}`, `ada;"${text}"`], wishes);
  return said.length > 0 ? said : (changes[0]?.patch ?? 'nothing');
}

describe('a blank cell', () => {
  it('says nothing', async () => {
    expect(await cell('Prefix', '')).toBe('nothing');
  });

  it('clears where that is asked for', async () => {
    expect(await cell('Prefix', '', { blank: 'clear' })).toEqual({ Prefix: null });
  });

  it('cannot clear what is demanded', async () => {
    const said = ['line 2, column LastName: is required and cannot be cleared'];
    expect(await cell('LastName', '', { blank: 'clear' })).toEqual(said);
    expect(await cell('LastName', '  ', { blank: 'clear' })).toEqual(said);
  });

  it('of white space is blank', async () => {
    expect(await cell('PrimaryReportsTo', '  ')).toBe('nothing');
    expect(await cell('HireDate', '  ')).toBe('nothing');
    expect(await cell('LastName', '  ')).toBe('nothing');
    expect(await cell('UserDefined1', '  ')).toBe('nothing');
    expect(await cell('UserDefined1', '  ', { blank: 'clear' })).toEqual({ UserDefined1: null });
  });

  it('is no password, whatever blanks mean', async () => {
    expect(await cell('Password', '', { blank: 'clear' })).toBe('nothing');
  });
});

describe('<null>', () => {
  it('clears, and is counted', async () => {
    const { ada } = await newSite();
    await ada.change('individual', ada.id, { Prefix: 'Dr', Suffix: 'jr' });
    const { changes, tally } = await take(ada, 'individual', ['UserName,Prefix,Suffix', 'ada,<null>,<null>']);
    expect(changes[0]?.patch).toEqual({ Prefix: null, Suffix: null });
    expect(tally.clears).toBe(2);
  });

  it('takes a mark away', async () => {
    expect(await cell('IsAdmin', '<null>')).toEqual({ IsAdmin: false });
  });

  it.each(['LastName', 'PrimaryReportsTo', 'Email'])('cannot clear %s, which is required', async (member) => {
    expect(await cell(member, '<null>')).toEqual([`line 2, column ${member}: is required and cannot be cleared`]);
  });

  it('is written with a backslash where it is meant as a text', async () => {
    expect(await cell('UserDefined1', '\\<null>')).toEqual({ UserDefined1: '<null>' });
    expect(await cell('UserDefined1', '\\\\<null> and more')).toEqual({ UserDefined1: '\\<null> and more' });
  });

  it.each(['<null>', '\\<null>', '\\\\<null>', '<null> is no text', 'a <null>', '\\', ''])(
    'is kept apart from the text %j',
    async (text) => {
      const { ada } = await newSite();
      const rows = JSON.stringify([{ UserName: 'ada', UserDefined1: escapeNull(`x${text}`) }, { UserName: 'b' }]);
      await ada.make('individual', { UserName: 'b', UserDefined1: 'y' });
      const both = rows.replace('{"UserName":"b"}', JSON.stringify({ UserName: 'b', UserDefined1: escapeNull(text) }));
      const { changes } = await take(ada, 'individual', both, { name: 'rows.json' });
      expect(changes[0]?.patch).toEqual({ UserDefined1: `x${text}` });
      expect(changes[1]?.patch).toEqual(text === '' ? undefined : { UserDefined1: text });
    },
  );
});

describe('null of JSON', () => {
  it('clears, as <null> does', async () => {
    const { ada } = await newSite();
    await ada.change('individual', ada.id, { Prefix: 'Dr', Suffix: 'jr' });
    const { changes } = await take(ada, 'individual', '[{"UserName":"ada","Prefix":null,"Suffix":"<null>"}]', {
      name: 'rows.json',
    });
    expect(changes[0]?.patch).toEqual({ Prefix: null, Suffix: null });
  });

  it('is no ID, and no owner, where there is none', async () => {
    const { ada } = await newSite();
    const project = await ada.make('project', { Name: 'P' });
    const rows = JSON.stringify([{ ID: project.ID, ParentID: null, Name: 'Q' }]);
    const { changes } = await take(ada, 'project', rows, { name: 'rows.json' });
    expect(changes[0]?.patch).toEqual({ Name: 'Q' });
  });

  it('cannot clear an owner that is there', async () => {
    const { ada } = await newSite();
    const { ID } = await ada.make('accountability', { Name: 'Q' });
    const rows = JSON.stringify([{ ID, AncestorID: null }]);
    const { said } = await take(ada, 'accountability', rows, { name: 'rows.json' });
    expect(said).toEqual(['line 1, column AncestorID: is required and cannot be cleared']);
  });

  it('moves what need not be below another one to the top', async () => {
    const { ada } = await newSite();
    const above = await ada.make('project', { Name: 'P' });
    const below = await ada.make('project', { Name: 'Q', ParentID: above.ID, AncestorID: above.AncestorID });
    const rows = JSON.stringify([{ ID: below.ID, ParentID: null }]);
    const { changes } = await take(ada, 'project', rows, { name: 'rows.json' });
    expect(changes).toMatchObject([{ patch: { ParentID: null } }]);
  });
});

describe('an array or an empty object', () => {
  it.each([
    ['rows.json', '[{"UserName":"ada","Prefix":{}},{"UserName":"b", "Prefix":["x","y"], "IsAdmin": []}]'],
    ['rows.ndjson', '{"UserName":"ada","Prefix":{}}\n{"UserName":"b", "Prefix":["x","y"], "IsAdmin": []}\n'],
    ['rows.yaml', '- UserName: ada\n  Prefix: {}\n- {UserName: b, Prefix: [x, y], IsAdmin: []}\n'],
  ])('is not a single value, in %s', async (name, rows) => {
    const { ada } = await newSite();
    const { said } = await take(ada, 'individual', rows, { name });
    expect(said.filter((one) => !/is new/.test(one)).map((one) => one.replace(/^line \d, /, ''))).toEqual([
      'column Prefix: is not a single value',
      'column Prefix: is not a single value',
      'column IsAdmin: is not a single value',
    ]);
  });

  it('is a list of names, where the field holds several; an empty one clears', async () => {
    const { ada } = await newSite();
    const project = await ada.make('project', { Name: 'P' });
    const task = await ada.make('task', { ProjectID: project.ID, Name: 'T', Responsible: ada.id });
    const patchOf = async (Responsible: unknown, name = 'rows.json'): Promise<unknown> => {
      const rows = JSON.stringify([{ ID: task.ID, Responsible }]);
      const { changes, said } = await take(ada, 'task', rows, { name });
      return said.length > 0 ? said : (changes[0]?.patch ?? 'nothing');
    };
    expect(await patchOf(['ada'])).toBe('nothing');
    expect(await patchOf([])).toEqual({ Responsible: null });
    expect(await patchOf([])).toEqual(await patchOf(null));
    expect(await patchOf([ada.id], 'rows.yaml')).toBe('nothing');
    expect(await patchOf([{ ID: ada.id }])).toEqual(['line 1, column Responsible: is not a single value']);
  });
});

describe('a value', () => {
  it('of a text keeps its zeros and spaces', async () => {
    expect(await cell('UserDefined1', ' 00012 ')).toEqual({ UserDefined1: ' 00012 ' });
  });

  it.each([
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('of a mark is %s', async (text, value) => {
    const { ada } = await newSite();
    const bob = await ada.make('individual', { UserName: 'bob', IsAdmin: !value });
    const { changes } = await take(ada, 'individual', ['UserName,IsAdmin', `bob,${text}`]);
    expect(changes).toMatchObject([{ id: bob.ID, patch: { IsAdmin: value } }]);
  });

  it('that is a number or a mark by itself is read like its text', async () => {
    const { ada } = await newSite();
    const rows = JSON.stringify([{ UserName: 'ada', UserDefined1: 12, UserDefined2: true, IsAdmin: 0 }]);
    const { changes } = await take(ada, 'individual', rows, { name: 'rows.json' });
    expect(changes[0]?.patch).toEqual({ UserDefined1: '12', UserDefined2: 'true', IsAdmin: false });
  });

  it('of a choice is its number or its word', async () => {
    const { ada } = await newSite();
    const { changes } = await take(
      ada,
      'permission',
      [
        'RowID,PrincipalID,ReadState,CreateState,UpdateState,DeleteState,DelegateState,ChildType',
        'site,ada,allow,Deny,Not Set,2,0,department',
        'SITE,ada,1,1,1,1,1,<null>',
      ],
      { mode: 'create' },
    );
    expect(changes).toMatchObject([
      { body: { ReadState: 1, CreateState: 2, UpdateState: 0, DeleteState: 2, DelegateState: 0, ChildType: 19 } },
      { body: { ReadState: 1, ChildType: null } },
    ]);
  });

  it('of a choice is none of its other words', async () => {
    const { ada } = await newSite();
    const rows = ['PrincipalID,ReadState,ChildType', 'ada,maybe,cat'];
    const { said, faults } = await take(ada, 'permission', rows, { mode: 'create' });
    expect(faults[0]?.hint).toBe('Write one of them, by its word or number.');
    expect(said).toEqual([
      'line 2, column ReadState: is "maybe"; allowed are 0 (Not Set), 1 (Allow), 2 (Deny)',
      'line 2, column ChildType: is "cat"; allowed are null, organization, metric, dialog, project, department',
    ]);
  });

  it('of bytes is base64', async () => {
    const { ada } = await newSite();
    await ada.make('organization', { Name: 'Sales' });
    const { changes } = await take(ada, 'organization', ['Name,Picture', 'Sales,AAEC'], { key: ['Name'] });
    expect(changes[0]?.patch).toEqual({ Picture: 'AAEC' });
    const { faults } = await take(ada, 'organization', ['Name,Picture', 'Sales,?'], { key: ['Name'] });
    expect(faults).toMatchObject([{ column: 'Picture', message: 'is "?", not base64 text' }]);
  });

  it.each([
    ['1.5', 1.5],
    ['1,5', 1.5],
    ['-12,25', -12.25],
    ['1234,567', 1234.567],
    ['1,2340', 1.234],
    ['1.2340', 1.234],
    ['1234.567', 1234.567],
    ['1.25', 1.25],
    ['0,125', 0.125],
    ['1e3', 1000],
  ])('of a number is %s where semicolons part the cells', async (text, value) => {
    const { ada } = await newSite();
    await ada.make('project', { Name: 'P' });
    const { changes } = await take(ada, 'project', ['Name;HoursProjected', `P;${text}`], { key: ['Name'] });
    expect(changes[0]?.patch).toEqual({ HoursProjected: value });
  });

  it.each(['1,234', '1.234'])(
    'of a number is refused where its comma or point may part thousands: %s',
    async (text) => {
      const { ada } = await newSite();
      await ada.make('project', { Name: 'P' });
      const { said } = await take(ada, 'project', ['Name;HoursProjected', `P;${text}`], { key: ['Name'] });
      expect(said).toEqual([`line 2, column HoursProjected: is "${text}", which can be 1.234 or 1234`]);
    },
  );

  it.each(['12', '12.0', '12.00', '1.000', '12.5'])(
    'of a whole number may have a point and zeros: %s',
    async (text) => {
      const { ada } = await newSite();
      await ada.make('project', { Name: 'P' });
      const { changes, said } = await take(ada, 'project', ['Name,Rank', `P,${text}`], { key: ['Name'] });
      if (text.startsWith('12') && !text.endsWith('5')) expect(changes[0]?.patch).toEqual({ Rank: 12 });
      else expect(said).toEqual([`line 2, column Rank: is "${text}", not a whole number`]);
    },
  );

  it('of a number has no comma where commas part the cells', async () => {
    const { ada } = await newSite();
    await ada.make('project', { Name: 'P' });
    const { said } = await take(ada, 'project', ['Name,HoursProjected', 'P,"1,5"'], { key: ['Name'] });
    expect(said).toEqual(['line 2, column HoursProjected: is "1,5", not a number']);
  });

  it.each(['1.234,5', '98,75 %'])('of a number that is none says how one is written: %s', async (text) => {
    const { ada } = await newSite();
    await ada.make('project', { Name: 'P' });
    const { faults } = await take(ada, 'project', ['Name;HoursProjected', `P;${text}`], { key: ['Name'] });
    expect(faults.map(({ hint }) => hint)).toEqual([expect.stringContaining('such as 1234.5, without a percent sign')]);
  });

  it('that is too long is shown in part', async () => {
    const { ada } = await newSite();
    const { faults, error } = await take(ada, 'permission', ['PrincipalID,ReadState', `ada,${'x'.repeat(100_000)}`], {
      mode: 'create',
    });
    expect(faults.filter(({ column }) => column === 'ReadState')).toHaveLength(1);
    expect(error?.message.length).toBeLessThan(600);
  });
});
