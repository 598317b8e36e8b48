// The tz parameter: the offset of the answer's dates, and the zone of dates without one (D25).
import { expect, it } from 'vitest';
import { each, newSite } from '../support/site.ts';

it.each([
  ['Europe/Berlin', '2026-05-13T11:00:00.000+02:00'],
  ['W. Europe Standard Time', '2026-05-13T11:00:00.000+02:00'],
  ['+05:30', '2026-05-13T14:30:00.000+05:30'],
  ['-08:00', '2026-05-13T01:00:00.000-08:00'],
  ['UTC', '2026-05-13T09:00:00.000+00:00'],
])('writes dates in the offset of %s', async (tz, Created) => {
  const { ada } = await newSite();
  expect(await ada.get('individual', ada.id, { tz })).toMatchObject({ Created, Updated: Created });
  expect(each(await ada.list('individual', 'plain', { tz }), 'Created')).toEqual([Created]);
});

it('uses the offset that was in force at each date', async () => {
  const { ada, at } = await newSite();
  at('2026-01-13T09:00:00Z');
  await ada.make('comment');
  at('2026-07-13T09:00:00Z');
  await ada.make('comment');
  const listed = await ada.list('comment', { individual: ada.id }, { tz: 'Europe/Berlin' });
  expect(each(listed, 'Created')).toEqual(['2026-07-13T11:00:00.000+02:00', '2026-01-13T10:00:00.000+01:00']);
});

it('shifts the date of the last comment, as it shifts every moment', async () => {
  const { ada } = await newSite();
  await ada.make('comment');
  const row = await ada.get('individual', ada.id, { tz: '+02:00' });
  expect(row.LastCommentDate).toBe('2026-05-13T11:00:00.000+02:00');
});

it('never shifts a day of the calendar', async () => {
  const { ada } = await newSite();
  const HireDate = '2020-02-01T00:00:00+00:00';
  const { ID } = await ada.make('individual', { HireDate });
  expect(await ada.get('individual', ID, { tz: '-08:00' })).toMatchObject({ HireDate });
  const DialogDate = '2026-05-20T10:00:00+02:00';
  const dialog = await ada.make('dialog', { DialogDate });
  expect(await ada.get('dialog', dialog.ID, { tz: '-08:00' })).toMatchObject({ DialogDate });
});

it('leaves what is stored as it is', async () => {
  const { ada } = await newSite();
  const made = await ada.make('project', {}, { tz: '+02:00' });
  expect(made.Created).toBe('2026-05-13T11:00:00.000+02:00');
  expect(await ada.get('project', made.ID)).toMatchObject({ Created: '2026-05-13T09:00:00.000+00:00' });
});
