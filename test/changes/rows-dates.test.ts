// Dates are read as spreadsheets write them, and never guessed.
import { describe, expect, it } from 'vitest';
import { dateFormOf } from '../../src/changes/rows/cells.ts';
import type { ResourceName } from '../../src/contract/index.ts';
import { zoneOf } from '../../src/contract/zone.ts';
import { type IntakeWishes, run, take } from '../support/intake.ts';
import { newSite } from '../support/site.ts';

/** What a cell comes to as a date-time, and as a day: what it sets, or what is wrong with it. */
async function date(text: string, wishes: IntakeWishes = {}): Promise<unknown> {
  const { ada } = await newSite();
  const { changes, said } = await take(ada, 'individual', ['UserName,HireDate', `ada,"${text}"`], wishes);
  return said[0] ?? changes[0]?.patch?.HireDate;
}

async function day(text: string, wishes: IntakeWishes = {}): Promise<unknown> {
  const { ada } = await newSite();
  await ada.make('project', { Name: 'P' });
  const { changes, said } = await take(ada, 'project', ['Name,StartDateActual', `P,"${text}"`], {
    key: ['Name'],
    ...wishes,
  });
  return said[0] ?? changes[0]?.patch?.StartDateActual;
}

describe('a date', () => {
  it.each([
    ['2026-03-31', '2026-03-31T00:00:00+00:00'],
    ['2026-03-31T09:00:00+02:00', '2026-03-31T09:00:00+02:00'],
    ['31.03.2026', '2026-03-31T00:00:00+00:00'],
    ['1.2.2026', '2026-02-01T00:00:00+00:00'],
    ['31/03/2026', '2026-03-31T00:00:00+00:00'],
    ['3/31/2026', '2026-03-31T00:00:00+00:00'],
    ['2026/3/31', '2026-03-31T00:00:00+00:00'],
    ['5/5/2026', '2026-05-05T00:00:00+00:00'],
  ])('%s is %s', async (text, iso) => {
    expect(await date(text)).toBe(iso);
  });

  it.each([
    ['03/04/2026', '2026-04-03', '2026-03-04'],
    ['3-4-2026', '2026-04-03', '2026-03-04'],
  ])('%s is refused with both readings', async (text, one, other) => {
    expect(await date(text)).toBe(`line 2, column HireDate: is "${text}", which can be ${one} or ${other}`);
  });

  it.each([
    ['dd/mm/yyyy', '2026-04-03'],
    ['mm/dd/yyyy', '2026-03-04'],
    ['MM-DD-YYYY', '2026-03-04'],
  ])('is read as --date-format %s says', async (format, iso) => {
    const dates = dateFormOf(format);
    expect(await day(`03${dates?.mark}04${dates?.mark}2026`, { dates })).toBe(iso);
    expect(await day('2026-12-24', { dates })).toBe('2026-12-24');
  });

  it('that does not fit --date-format is refused', async () => {
    expect(await day('31/03/2026', { dates: dateFormOf('mm/dd/yyyy') })).toContain(
      'is "31/03/2026", which no calendar shows',
    );
  });

  it.each([
    ['03.04.2024', 'mm/dd/yyyy'],
    ['03-04-2024', 'dd/mm/yyyy'],
    ['3/4/2024', 'dd.mm.yyyy'],
  ])('%s has another mark than %s says, and is refused', async (text, format) => {
    expect(await day(text, { dates: dateFormOf(format) })).toContain(`is "${text}", and --date-format says`);
  });

  it.each(['29.02.2026', '31/04/2026', '2026-02-30', '0/0/2026'])('%s is on no calendar', async (text) => {
    expect(await date(text)).toContain(`is "${text}", which no calendar shows`);
  });

  it('whose year is cut short is refused', async () => {
    expect(await date('31/03/26')).toContain('is "31/03/26", whose year is cut short');
  });

  it('in words is refused with what to write', async () => {
    const { ada } = await newSite();
    const { faults } = await take(ada, 'individual', ['UserName,HireDate', 'ada,next week']);
    expect(faults[0]?.message).toContain('is "next week"');
    expect(faults[0]?.hint).toContain('such as 2026-03-31');
  });

  it('without an offset is midnight in the zone', async () => {
    const zone = await zoneOf('Europe/Berlin');
    expect(await date('31.03.2026', { zone })).toBe('2026-03-31T00:00:00+02:00');
    expect(await date('2026-01-31', { zone })).toBe('2026-01-31T00:00:00+01:00');
  });

  it('may have a time, which needs a zone', async () => {
    const zone = await zoneOf('Europe/Berlin');
    expect(await date('31.03.2026 9:05', { zone })).toBe('2026-03-31T09:05:00+02:00');
    expect(await date('2026-03-31 9:05:30', { zone })).toBe('2026-03-31T09:05:30+02:00');
    expect(await date('31.03.2026 9:05')).toContain('a date-time without an offset');
    const { ada } = await newSite();
    const { faults } = await take(ada, 'individual', ['UserName,HireDate', 'ada,2026-03-31 09:05']);
    expect(faults[0]?.hint).toContain('--tz');
  });

  it.each(['2026-03-31 00:00:00', '2026-03-31T00:00', '31.03.2026 0:00', '2026-03-31 00:00:00.000'])(
    'whose time is midnight, as in %s, is that day',
    async (text) => {
      expect(await date(text)).toBe('2026-03-31T00:00:00+00:00');
      expect(await day(text)).toBe('2026-03-31');
    },
  );
});

describe('an unchanged file', () => {
  const zones = ['America/New_York', 'Asia/Tokyo'];

  it.each(zones)('of days changes nothing in the zone %s', async (name) => {
    const { ada } = await newSite();
    const project = await ada.make('project', { Name: 'P', StartDateActual: '2026-01-31' });
    const metric = await ada.make('metric');
    const files: readonly [ResourceName, readonly string[]][] = [
      ['individual', ['UserName,HireDate', 'ada,2026-01-31']],
      ['project', ['ID,StartDateActual', `${project.ID},2026-01-31`]],
      ['metricValue', ['MetricID,Date,Value', `${metric.ID},2026-01-31,1`, `${metric.ID},2026-02-01,2`]],
      ['period', ['StartDate,EndDate', '2027-01-01,2027-03-31']],
      ['dialog', ['AncestorID,DialogDate,Name', `${project.ID},2026-01-31,D`, `${project.ID},2026-02-01,E`]],
    ];
    for (const [resource, lines] of files) await run(ada, resource, lines);
    const zone = await zoneOf(name);
    for (const [resource, lines] of files) expect((await take(ada, resource, lines, { zone })).changes).toEqual([]);
  });

  it('with another offset written out changes the date', async () => {
    const { ada } = await newSite();
    await run(ada, 'individual', ['UserName,HireDate', 'ada,2026-01-01T00:00:00+00:00']);
    const { changes } = await take(ada, 'individual', ['UserName,HireDate', 'ada,2025-12-31T23:00:00-01:00']);
    expect(changes.map(({ patch }) => patch)).toEqual([{ HireDate: '2025-12-31T23:00:00-01:00' }]);
  });
});

describe('a day', () => {
  it.each([
    ['2026-03-31', '2026-03-31'],
    ['31.03.2026', '2026-03-31'],
    ['3/31/2026', '2026-03-31'],
  ])('%s is %s, in whatever zone', async (text, iso) => {
    expect(await day(text, { zone: await zoneOf('Asia/Tokyo') })).toBe(iso);
  });
});

describe('--date-format', () => {
  it.each([
    ['dd/mm/yyyy', { order: 'dmy', mark: '/' }],
    ['d.m.yyyy', { order: 'dmy', mark: '.' }],
    ['mm/dd/yyyy', { order: 'mdy', mark: '/' }],
    ['yyyy-mm-dd', { order: 'ymd', mark: '-' }],
    // Forms that no date is read by are none.
    ['d.m.yy', undefined],
    ['dd-mmm-yy', undefined],
    ['dd/mm.yyyy', undefined],
    ['mm/yyyy', undefined],
    ['dd/dd/yyyy', undefined],
    ['', undefined],
  ])('%s is %o', (format, form) => {
    expect(dateFormOf(format)).toEqual(form);
  });
});
