// Periods, and the commitments that are made for them (D13, D28).
import { expect, it } from 'vitest';
import { refuses } from '../support/refuses.ts';
import { each, newSite } from '../support/site.ts';

const day = (date: string): string => `${date}T00:00:00+00:00`;

it('holds whole days, whatever time its dates have', async () => {
  const { ada } = await newSite();
  const period = await ada.make('period', {
    StartDate: '2027-01-01T17:30:00+01:00',
    EndDate: '2027-03-31T08:15:00.5+02:00',
  });
  expect(period).toMatchObject({
    StartDate: '2027-01-01T00:00:00+01:00',
    EndDate: '2027-03-31T00:00:00+02:00',
    DateSpan: '2027-01-01 to 2027-03-31',
  });
});

it('may be a single day, and never ends before it starts', async () => {
  const { ada } = await newSite();
  const one = await ada.make('period', { StartDate: day('2027-05-01'), EndDate: day('2027-05-01') });
  expect(one.DateSpan).toBe('2027-05-01 to 2027-05-01');
  const wrong = { EndDate: day('2027-04-30') };
  await refuses(ada.change('period', one.ID, wrong)).with('invalid', 'EndDate is 2027-04-30, before the first day');
});

it('counts its commitments, whenever they are due, and the projects under way in it, its last day included', async () => {
  const { ada, id } = await newSite();
  const due = (date: string, PeriodID: number) => ada.make('commitment', { DueDate: date, PeriodID });
  await due('2026-04-01T00:00:00+00:00', 2);
  await due('2026-08-01T00:00:00+00:00', 2);
  await due('2026-05-01T00:00:00+00:00', 3);
  const running = (from: string, to: string | null) =>
    ada.make('project', { StartDateActual: from, EndDateActual: to });
  await running('2026-02-01', '2026-04-01');
  await running('2026-06-30', null);
  await ada.make('project', { StartDateProjected: '2026-05-01' });
  await ada.make('project');
  expect((await ada.list('period', { site: id })).map((row) => [row.TotalCommitments, row.TotalProjects])).toEqual([
    [0, 1],
    [2, 3],
    [1, 2],
    [0, 2],
  ]);
});

it('lists the commitments of the period that contains today, where none is asked for', async () => {
  const { ada, at } = await newSite();
  for (const PeriodID of [1, 2, 3]) await ada.make('commitment', { PeriodID, Name: `For ${PeriodID}` });
  const listed = async (query = {}) => each(await ada.list('commitment', { individual: ada.id }, query), 'Name');
  expect(await listed()).toEqual(['For 2']);
  expect(await listed({ period: 3 })).toEqual(['For 3']);
  at('2026-06-30T23:59:00Z');
  expect(await listed()).toEqual(['For 2']);
  at('2026-07-01T00:00:00Z');
  expect(await listed()).toEqual(['For 3']);
});

it('takes the one begun last of two that contain today', async () => {
  const { ada } = await newSite();
  const year = await ada.make('period', { StartDate: day('2026-01-01'), EndDate: day('2026-12-31') });
  await ada.make('commitment', { PeriodID: year.ID, Name: 'For the year' });
  await ada.make('commitment', { PeriodID: 2, Name: 'For the quarter' });
  expect(each(await ada.list('commitment', { individual: ada.id }), 'Name')).toEqual(['For the quarter']);
});

it('takes the period begun last, where none contains today', async () => {
  const { ada, at } = await newSite();
  await ada.make('commitment', { PeriodID: 4, Name: 'For the last' });
  at('2031-02-01');
  expect(each(await ada.list('commitment', { individual: ada.id }), 'Name')).toEqual(['For the last']);
});

it('takes what is due in the calendar quarter, where no period has begun', async () => {
  const { ada, at } = await newSite();
  for (const due of ['2025-03-31', '2025-04-01', '2025-06-30', '2025-07-01']) {
    await ada.make('commitment', { PeriodID: 1, DueDate: day(due), Name: due });
  }
  at('2025-05-01');
  expect(each(await ada.list('commitment', { individual: ada.id }), 'Name')).toEqual(['2025-04-01', '2025-06-30']);
});

it('does not find a period that is not there', async () => {
  const { ada } = await newSite();
  await refuses(ada.list('commitment', { individual: ada.id }, { period: 99 })).with('not_found', 'period 99');
});

it('lists the commitments of one ancestor by its type', async () => {
  const { ada, organization } = await newSite();
  const sales = await ada.make('organization');
  const ancestors = { organization, department: sales.ID, individual: ada.id };
  for (const [Name, AncestorID] of Object.entries(ancestors)) await ada.make('commitment', { AncestorID, Name });
  const types = { organization: 4, department: 56, individual: 39 };
  for (const [type, AncestorID] of Object.entries(ancestors)) {
    expect(await ada.list('commitment', { dashboard: [AncestorID, type] })).toMatchObject([
      { Name: type, AncestorType: types[type as keyof typeof types] },
    ]);
  }
  expect(each(await ada.list('commitment', { department: sales.ID }), 'Name')).toEqual(['department']);
});

it('lists those of one type that a dashboard has counted', async () => {
  const { ada, organization } = await newSite();
  const sales = await ada.make('organization');
  await ada.make('commitment', { AncestorID: sales.ID, Name: 'Of sales' });
  expect(each(await ada.list('commitment', { dashboard: [organization, 'department'] }), 'Name')).toEqual(['Of sales']);
  expect(await ada.list('commitment', { dashboard: [sales.ID, 'organization'] })).toEqual([]);
  await refuses(ada.list('commitment', { dashboard: [organization, 'project'] })).with('invalid', /type/);
});

it('counts the measures of a commitment', async () => {
  const { ada } = await newSite();
  const made = await ada.make('commitment', { Measure1Completed: true, Measure4Completed: true });
  expect(made).toMatchObject({ MeasuresCompleted: 2, MeasuresTotal: 5 });
  expect(await ada.change('commitment', made.ID, { Measure4Completed: false })).toMatchObject({ MeasuresCompleted: 1 });
});
