// The order of lists, and the place of organizations and projects in their tree (D16).
import { expect, it } from 'vitest';
import type { Row } from '../../src/contract/resource.ts';
import { type Asker, each, newSite } from '../support/site.ts';

const places = (rows: readonly Row[]): readonly unknown[] =>
  rows.map(({ DisplayRank, Name, Level }) => [DisplayRank, Name, Level]);

const tree = async (ada: Asker): Promise<readonly unknown[]> => places(await ada.list('organization'));

it('goes by rank, then by name in any case, then by ID', async () => {
  const { ada } = await newSite();
  const made = [
    [2, 'alpha'],
    [1, 'Delta'],
    [1, 'charlie'],
    [1, 'Charlie'],
    [-3, 'Zulu'],
  ] as const;
  for (const [Rank, Name] of made) await ada.make('accountability', { Rank, Name });
  const listed = await ada.list('accountability', 'mine');
  expect(each(listed, 'Name')).toEqual(['Zulu', 'charlie', 'Charlie', 'Delta', 'alpha']);
});

it('compares names by what they mean: full width is plain, and letters beyond the first plane come last', async () => {
  const { ada } = await newSite();
  for (const Name of ['\u{1d49c}bc', '\ufb01sh', '\u{10400}', '\uffe6', 'FISH a']) {
    await ada.make('accountability', { Rank: 1, Name });
  }
  const listed = each(await ada.list('accountability', 'mine'), 'Name');
  expect(listed).toEqual(['\u{1d49c}bc', '\ufb01sh', 'FISH a', '\uffe6', '\u{10400}']);
});

it('lists individuals by last name', async () => {
  const { ada } = await newSite();
  await ada.make('individual', { FirstName: 'Zoe', LastName: 'abel' });
  await ada.make('individual', { FirstName: 'Ann', LastName: 'Zorn' });
  await ada.make('individual', { FirstName: 'Ann', LastName: 'Abel' });
  expect(each(await ada.list('individual'), 'FullOrderedName')).toEqual([
    'Abel, Ann',
    'abel, Zoe',
    'Administrator, ada',
    'Zorn, Ann',
  ]);
});

it('lists memberships and members of teams as the individuals that they name', async () => {
  const { ada } = await newSite();
  const department = await ada.make('organization', { Name: 'Yard' });
  const project = await ada.make('project', { Name: 'Hull' });
  const names = ['Zorn', 'abel', 'Moss', 'Abel', 'Kim'];
  for (const LastName of names) {
    const person = await ada.make('individual', { FirstName: 'Ann', LastName });
    await ada.make('organizationMember', { IndividualID: person.ID, OrganizationID: department.ID });
    await ada.make('teamMember', { IndividualID: person.ID, TaskID: project.ID });
  }
  const sorted = ['Abel', 'Abel', 'Kim', 'Moss', 'Zorn'];
  const last = (rows: readonly Row[], member: string): readonly string[] =>
    rows.map((row) =>
      String(row[member])
        .replace(/^Ann |, Ann$/g, '')
        .replace('abel', 'Abel'),
    );
  expect(last(await ada.list('organizationMember', { department: department.ID }), 'Name')).toEqual(sorted);
  expect(last(await ada.list('teamMember', { project: project.ID }), 'IndividualFullOrderedName')).toEqual(sorted);
});

it('lists dialogs newest first and commitments by due date, as instants', async () => {
  const { ada } = await newSite();
  const late = '2026-05-20T00:30:00+02:00';
  const early = '2026-05-19T23:00:00-02:00';
  for (const date of [late, early]) {
    await ada.make('dialog', { DialogDate: date });
    await ada.make('commitment', { DueDate: date });
  }
  expect(each(await ada.list('dialog'), 'DialogDate')).toEqual([early, late]);
  expect(each(await ada.list('commitment', { individual: ada.id }), 'DueDate')).toEqual([late, early]);
});

it('lists departments as a tree, each with its place in it', async () => {
  const { ada, id } = await newSite();
  const sales = await ada.make('organization', { Rank: 2, Name: 'Sales' });
  const works = await ada.make('organization', { Rank: 1, Name: 'Works' });
  await ada.make('organization', { Rank: 12, Name: 'North', ParentID: sales.ID });
  await ada.make('organization', { Rank: 3, Name: 'South', ParentID: sales.ID });
  await ada.make('organization', { Rank: 1, Name: 'Paint', ParentID: works.ID });
  await ada.make('organization', { Rank: 2, Name: 'Second', ParentID: id });
  expect(await tree(ada)).toEqual([
    ['1', 'Test', 1],
    ['1.1', 'Works', 2],
    ['1.1.1', 'Paint', 3],
    ['1.2', 'Sales', 2],
    ['1.2.3', 'South', 3],
    ['1.2.12', 'North', 3],
    ['2', 'Second', 1],
  ]);
  const north = (await ada.list('organization'))[5];
  expect(north).toMatchObject({ RankOrder: '0001.0002.0012', RowType: 56 });
  expect([...Buffer.from(String(north?.RankPath), 'base64')]).toEqual([0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 12]);
});

it('keeps a tree together although its parents tie by rank, and even by name', async () => {
  const { ada } = await newSite();
  const first = await ada.make('organization', { Rank: 1, Name: 'Sales' });
  const second = await ada.make('organization', { Rank: 1, Name: 'Sales' });
  const parents = [first.ID, second.ID];
  for (const ParentID of [...parents, ...parents]) await ada.make('organization', { Rank: 1, Name: 'Below', ParentID });
  const listed = await ada.list('organization');
  const below = each(listed, 'Name').map((name, at) => [name, listed[at]?.ParentID]);
  const [one, other] = each(listed, 'ID').filter((id) => parents.includes(String(id)));
  expect(below.slice(2, 4)).toEqual([
    ['Below', one],
    ['Below', one],
  ]);
  expect(below.slice(5)).toEqual([
    ['Below', other],
    ['Below', other],
  ]);
});

it('sorts a name that begins another one first, with all that is below it', async () => {
  const { ada } = await newSite();
  const longer = await ada.make('organization', { Rank: 1, Name: 'Sales North' });
  const shorter = await ada.make('organization', { Rank: 1, Name: 'Sales' });
  await ada.make('organization', { Rank: 9, Name: 'Zebra', ParentID: shorter.ID });
  await ada.make('organization', { Rank: 1, Name: 'Ant', ParentID: longer.ID });
  expect(each(await ada.list('organization'), 'Name')).toEqual(['Test', 'Sales', 'Zebra', 'Sales North', 'Ant']);
});

it('gives everything below its new place when a department moves or changes its rank', async () => {
  const { ada } = await newSite();
  const sales = await ada.make('organization', { Rank: 1, Name: 'Sales' });
  const north = await ada.make('organization', { Rank: 1, Name: 'North', ParentID: sales.ID });
  const oslo = await ada.make('organization', { Rank: 5, Name: 'Oslo', ParentID: north.ID });
  await ada.change('organization', sales.ID, { Rank: 7 });
  expect(await ada.get('organization', oslo.ID)).toMatchObject({ DisplayRank: '1.7.1.5', Level: 4 });
  const works = await ada.make('organization', { Rank: 2, Name: 'Works' });
  await ada.change('organization', north.ID, { ParentID: works.ID, Rank: 3 });
  expect(await tree(ada)).toEqual([
    ['1', 'Test', 1],
    ['1.2', 'Works', 2],
    ['1.2.3', 'North', 3],
    ['1.2.3.5', 'Oslo', 4],
    ['1.7', 'Sales', 2],
  ]);
  expect(await ada.history('organization', oslo.ID)).toHaveLength(1);
});

it('places what is deleted too, so that it comes back where it belongs', async () => {
  const { ada } = await newSite();
  const sales = await ada.make('organization', { Rank: 1 });
  const north = await ada.make('organization', { Rank: 1, ParentID: sales.ID });
  await ada.delete('organization', north.ID);
  await ada.change('organization', sales.ID, { Rank: 4 });
  expect(await ada.undelete('organization', north.ID)).toMatchObject({ DisplayRank: '1.4.1' });
});

it('lists projects as a tree, those without a rank last', async () => {
  const { ada, organization, id } = await newSite();
  await ada.make('project', { Rank: null, Name: 'Someday' });
  const ship = await ada.make('project', { Rank: 2, Name: 'Ship' });
  await ada.make('project', { Rank: 1, Name: 'Hull', ParentID: ship.ID });
  await ada.make('project', { Rank: 1, Name: 'Dock' });
  const wanted = [
    ['1', 'Dock', 1],
    ['2', 'Ship', 1],
    ['2.1', 'Hull', 2],
    ['-', 'Someday', 1],
  ];
  expect(places(await ada.list('project', { site: id }))).toEqual(wanted);
  expect(places(await ada.list('project', { department: organization }))).toEqual(wanted);
});

it('lists the comments on the caller as theirs, without deleted ones', async () => {
  const { ada, as } = await newSite();
  const ines = await ada.make('individual');
  const about = await ada.make('comment', { AncestorID: ines.ID, Body: 'About you' });
  const gone = await ada.make('comment', { AncestorID: ines.ID });
  await ada.delete('comment', gone.ID);
  await ada.make('comment', { Body: 'About me' });
  expect(await (await as(ines.UserName)).list('comment', 'mine')).toEqual([about]);
});
