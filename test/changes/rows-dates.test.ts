// Dates are read as spreadsheets write them, and never guessed.
import { describe, expect, it } from 'vitest';
import { type DateForms, dateFormOf } from '../../src/changes/rows/dates.ts';
import type { ResourceName } from '../../src/contract/index.ts';
import { zoneOf } from '../../src/contract/zone.ts';
import { type IntakeWishes, run, take } from '../support/intake.ts';
import { newSite } from '../support/site.ts';

/** The form of all columns. */
function all(format: string): DateForms {
  const form = dateFormOf(format);
  if (!form) throw new Error(`${format} is no form`);
  return new Map([['', { column: '', form }]]);
}

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
    const dates = all(format);
    const mark = format.slice(2, 3);
    expect(await day(`03${mark}04${mark}2026`, { dates })).toBe(iso);
    expect(await day('2026-12-24', { dates })).toBe('2026-12-24');
  });

  it('that does not fit --date-format is refused', async () => {
    expect(await day('31/03/2026', { dates: all('mm/dd/yyyy') })).toContain(
      'is "31/03/2026", which is not a real date',
    );
  });

  it.each([
    ['03.04.2024', 'mm/dd/yyyy'],
    ['03-04-2024', 'dd/mm/yyyy'],
    ['3/4/2024', 'dd.mm.yyyy'],
  ])('%s has another mark than %s says, and is refused', async (text, format) => {
    expect(await day(text, { dates: all(format) })).toContain(`is "${text}", and --date-format says`);
  });

  it('has another mark than the form says, and is read where it can be read one way only', async () => {
    expect(await day('31.03.2026', { dates: all('dd/mm/yyyy') })).toBe('2026-03-31');
    expect(await day('31.03.2026', { dates: all('mm/dd/yyyy') })).toBe('2026-03-31');
    expect(await day('2.3.2026', { dates: all('dd/mm/yyyy') })).toBe('2026-03-02');
  });

  it.each(['29.02.2026', '31/04/2026', '2026-02-30', '0/0/2026'])('%s is on no calendar', async (text) => {
    expect(await date(text)).toContain(`is "${text}", which is not a real date`);
  });

  it('whose year is cut short is refused', async () => {
    expect(await date('31/03/26')).toContain('is "31/03/26", with a short year');
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

describe('a date that can be read one way only', () => {
  it.each([
    ['20230105', '2023-01-05'],
    ['19991231', '1999-12-31'],
    ['5-Jan-2023', '2023-01-05'],
    ['17 June 2003', '2003-06-17'],
    ['17-JUN-2003', '2003-06-17'],
    ['January 5, 2023', '2023-01-05'],
    ['Jan. 5, 2023', '2023-01-05'],
    ['5th March 2023', '2023-03-05'],
    ['2023-Sept-05', '2023-09-05'],
    ['5. März 2023', '2023-03-05'],
    ['1er août 2023', '2023-08-01'],
    ['31 déc. 2023', '2023-12-31'],
    ['1/15/2023 12:00:00 AM', '2023-01-15'],
    ['15/1/2023 12:00 am', '2023-01-15'],
    ['Jan 5, 2023 12:00 AM', '2023-01-05'],
  ])('is read without a form: %s', async (text, iso) => {
    expect(await day(text)).toBe(iso);
  });

  it('may have a time before or after noon', async () => {
    const zone = await zoneOf('UTC');
    expect(await date('1/15/2023 12:30 PM', { zone })).toBe('2023-01-15T12:30:00+00:00');
    expect(await date('1/15/2023 1:30:15 PM', { zone })).toBe('2023-01-15T13:30:15+00:00');
    expect(await date('1/15/2023 12:05 AM', { zone })).toBe('2023-01-15T00:05:00+00:00');
    expect(await date('1/15/2023 13:05 PM', { zone })).toContain('which is not a time of day');
  });

  it.each(['20230230', '20231301', '12345678', '01022023', '31-Feb-2023', '5-Foo-2023', 'Jan Feb 2023', 'June 2023'])(
    'is none: %s',
    async (text) => {
      expect(await day(text)).toContain(`is "${text}"`);
    },
  );

  it('is not one whose day may be the month, whatever its time', async () => {
    expect(await date('1/5/2023 12:00:00 AM')).toContain('which can be 2023-05-01 or 2023-01-05');
  });
});

describe('the hint on dates of a column that can be read two ways', () => {
  const open = "Say --date-format 'HireDate=dd/mm/yyyy' or 'HireDate=mm/dd/yyyy'.";

  /** The hints on the last of these dates, without a form or with it. */
  async function hintOn(dates: readonly string[], format?: string): Promise<string> {
    const { ada } = await newSite();
    const rows = dates.map((text, at) => `p${at},${text}`);
    for (const at of dates.keys()) await ada.make('individual', { UserName: `p${at}` });
    const wishes = format === undefined ? {} : { dates: all(format) };
    const { faults } = await take(ada, 'individual', ['UserName,HireDate', ...rows], wishes);
    return faults.map(({ hint }) => hint).join('\n');
  }

  it('names the forms that read what was read before', async () => {
    expect(await hintOn(['05/05/2026', '03/04/2026'])).toContain(open);
    expect(await hintOn(['31.12.2026', '12-31-2026', '03/04/2026'])).toContain(open);
    expect(await hintOn(['31/12/2026', '03/04/2026'])).toContain("Say --date-format 'HireDate=dd/mm/yyyy'. A date");
    expect(await hintOn(['12/31/2026', '03/04/2026'])).toContain("Say --date-format 'HireDate=mm/dd/yyyy'. A date");
    expect(await hintOn(['31/12/2026', '03/04/26'])).toContain("Say --date-format 'HireDate=dd/mm/yy': 00 to 29");
  });

  it('says which are to be made alike where no form reads all', async () => {
    const mixed = ['31/12/2026', '12/31/2026', '03/04/2026'];
    const alike = 'No form reads both "31/12/2026" and "12/31/2026": write one of the two such as 2026-03-31.';
    expect(await hintOn(mixed)).toBe(alike);
    expect(await hintOn(mixed, 'dd/mm/yyyy')).toBe('Write it as 2026-12-31.');
    expect(await hintOn(['31/12/2026', '2026-12-31', '03/04/2026'], 'dd/mm/yyyy')).toBe('');
  });
});

describe('a year of two digits', () => {
  it.each(['17-JUN-03', '17 June 03', 'Jun 17, 03', '17.06.03', '03-06-17'])('is a fault: %s', async (text) => {
    expect(await day(text)).toContain(`is "${text}", with a short year`);
  });

  it.each([
    ['01.02.29', 'dd.mm.yy', '2029-02-01'],
    ['01.02.30', 'dd.mm.yy', '1930-02-01'],
    ['1/2/00', 'mm/dd/yy', '2000-01-02'],
    ['99-12-31', 'yy-mm-dd', '1999-12-31'],
    ['17-JUN-03', 'dd-mmm-yy', '2003-06-17'],
    ['Jun 17, 03', 'mmm d, yy', '2003-06-17'],
    ['03 Jun 17', 'yy mmm dd', '2003-06-17'],
    ['01.02.1998', 'dd.mm.yy', '1998-02-01'],
  ])('%s is read where the form %s says so', async (text, format, iso) => {
    expect(await day(text, { dates: all(format) })).toBe(iso);
  });

  it.each([
    ['01.02.03', 'dd.mm.yyyy', 'with a short year'],
    ['17-JUN-03', 'dd-mmm-yyyy', 'with a short year'],
    ['Jun 17, 03', 'dd-mmm-yy', 'with a short year'],
    ['01/02/03', 'dd.mm.yy', '--date-format says "."'],
    ['03/04/2023', 'dd-mmm-yyyy', 'which can be 2023-04-03 or 2023-03-04'],
    ['31.04.23', 'dd.mm.yy', 'which is not a real date'],
  ])('and any other date that does not fit is a fault: %s and %s', async (text, format, why) => {
    expect(await day(text, { dates: all(format) })).toContain(`is "${text}", ${why}`.replace(', --', ', and --'));
  });
});

describe('the number of a day', () => {
  it.each([
    ['1', '1900-01-01'],
    ['59', '1900-02-28'],
    ['61', '1900-03-01'],
    ['45292', '2024-01-01'],
    ['20240101', '2024-01-01'],
    ['2024-01-01', '2024-01-01'],
  ])('%s is read as %s where the form is excel', async (text, iso) => {
    expect(await day(text, { dates: all('excel') })).toBe(iso);
  });

  it.each(['0', '60', '2958466', '03/04/2024'])('%s is a fault all the same', async (text) => {
    expect(await day(text, { dates: all('excel') })).toMatch(/^line 2, column StartDateActual: is "/);
  });

  it('is a fault without a form', async () => {
    expect(await day('45292')).toContain('is "45292", a date as a spreadsheet numbers it');
  });
});

describe('a form', () => {
  it.each([
    ['dd/mm/yyyy', { order: 'dmy', mark: '/', isShort: false }],
    ['d.m.yyyy', { order: 'dmy', mark: '.', isShort: false }],
    ['mm/dd/yyyy', { order: 'mdy', mark: '/', isShort: false }],
    ['yyyy-mm-dd', { order: 'ymd', mark: '-', isShort: false }],
    ['d.m.yy', { order: 'dmy', mark: '.', isShort: true }],
    ['dd-mmm-yy', { order: 'dmy', mark: undefined, isShort: true }],
    ['mmmm d, yyyy', { order: 'mdy', mark: undefined, isShort: false }],
    ['Excel', 'excel'],
    // Forms that no date is read by are none.
    ['dd/mm.yyyy', undefined],
    ['mm/yyyy', undefined],
    ['dd/dd/yyyy', undefined],
    ['yyyy/dd/mm', undefined],
    ['d.d.mmm', undefined],
    ['', undefined],
  ])('%s is %o', (format, form) => {
    expect(dateFormOf(format)).toEqual(form);
  });
});
