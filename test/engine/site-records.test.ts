// What a site has for itself: its colors, settings, phases and features.
import { expect, it } from 'vitest';
import { refuses } from '../support/refuses.ts';
import { each, newSite } from '../support/site.ts';

it('tells the colors that a site begins with, whatever became of its own', async () => {
  const { ada, id } = await newSite();
  const born = await ada.list('color');
  const { ID } = born[0] ?? {};
  await ada.change('color', ID, { Name: 'Oops', Code: 'ff0000' });
  const defaults = await ada.answers('color', 'defaults');
  expect(defaults).toEqual(born);
  expect(await ada.answers('color', 'defaults', { site: id })).toEqual(defaults);
  expect((await ada.list('color', { site: id }))[0]).toMatchObject({ ID, Name: 'Oops', Code: 'ff0000' });
});

it('shows on the site the color of its lowest level', async () => {
  const { ada, id } = await newSite();
  await ada.make('color', { Rank: 0, Code: 'ABCDEF' });
  expect((await ada.list('site')).find(({ ID }) => ID === id)).toMatchObject({ BelowThresholdColor: 'ABCDEF' });
});

it.each([
  [30, 20, 10],
  [-1, 0, 50],
  [60, 80, 101],
])('stores thresholds of a site that do not ascend from 0 to 100 (D41): %i, %i, %i', async (...shares) => {
  const { ada, id } = await newSite();
  const [Threshold1, Threshold2, Threshold3] = shares;
  await ada.change('siteSetting', id, { Threshold1, Threshold2, Threshold3 });
  expect(await ada.get('siteSetting', id)).toMatchObject({ Threshold1, Threshold2, Threshold3 });
});

it('refuses a color code that is none', async () => {
  const { ada } = await newSite();
  await refuses(ada.make('color', { Code: 'green' })).with('invalid', /Code.*six digits/);
});

it('tells the phases that a site begins with', async () => {
  const { ada, id } = await newSite();
  expect(await ada.answers('phase', 'defaults', { site: id })).toEqual(await ada.list('phase', { site: id }));
});

it('reads and replaces the settings of a site', async () => {
  const { ada, id } = await newSite();
  const before = await ada.get('siteSetting', id);
  expect(before).toMatchObject({ ID: id, Threshold1: 60, Threshold2: 80, Threshold3: 100, ShowMetrics: true });
  const after = await ada.put('siteSetting', id, { ...before, Threshold1: 50, ShowMetrics: false });
  expect(after).toEqual({ ...before, Threshold1: 50, ShowMetrics: false });
  const { Threshold2: _, ...without } = before;
  await refuses(ada.put('siteSetting', id, without)).with('invalid', 'Threshold2 is required');
});

it('keeps the members of a site that we do not know', async () => {
  const { ada, id } = await newSite();
  const body = { Name: 'Test', Comment: 'A', Category: 'B', Theme: 'dark' };
  expect(await ada.put('site', id, body)).toMatchObject({ Theme: 'dark', RowType: 1 });
});

it('orders core values by rank and name', async () => {
  const { ada, id } = await newSite();
  for (const [Rank, Name] of [
    [2, 'Candour'],
    [1, 'Joy'],
    [1, 'Calm'],
  ]) {
    await ada.make('coreValue', { Rank, Name });
  }
  expect(each(await ada.list('coreValue'), 'Name')).toEqual(['Calm', 'Joy', 'Candour']);
  expect(await ada.list('coreValue', { site: id })).toEqual(await ada.list('coreValue'));
});
