// The language of `--where`.
import { describe, expect, test } from 'vitest';
import { compileWhere } from '../../src/cli/output/where.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import type { Row } from '../../src/contract/resource.ts';
import { zoneOf } from '../../src/contract/zone.ts';
import { FIELDS, idOf, item, NOW } from './output-printed.ts';

const holds = (filter: string, members: Row): boolean => compileWhere([filter], FIELDS, NOW)(item(members));

const ROW: Row = {
  ID: idOf(7),
  Rank: 5,
  Name: "O'Brien Straße",
  Description: null,
  IsOpen: true,
  Weight: 0.5,
  HireDate: '2026-03-01T00:00:00+02:00',
  Due: '2026-04-30',
  Updated: '2026-03-31T11:00:00+00:00',
  RowType: 56,
};

describe('conditions', () => {
  test.each([
    ['Rank = 5', true],
    ['rank=5', true],
    ['Rank != 5', false],
    ['Rank < 5', false],
    ['Rank <= 5', true],
    ['Rank > -5', true],
    ['Rank >= 6', false],
    ["Rank = '5'", true],
    ['Weight = .5', true],
    ['Weight < 1e2', true],
    ["Name = 'o''BRIEN straße'", true],
    ["Name = 'O''Brien'", false],
    ["Name ~ '^o''b'", true],
    ["Name ~ 'b.*E$'", true],
    ["Name !~ 'x'", true],
    ["Name ~~ 'OBRIEN strasse'", true],
    ["Name ~~ 'ob'", true],
    ["Name !~~ 'strasze'", true],
    ["Rank ~~ '5'", true],
    ["Name > 'a' and Name < 'p'", true],
    ["Name in ('x', 'o''brien straße')", true],
    ["Name not in ('x', 'y')", true],
    ["Rank ~ '^5$'", true],
    ['IsOpen = true', true],
    ['IsOpen = FALSE', false],
    ['Description is null', true],
    ['Description is not null', false],
    ['Description = null', true],
    ["Description = ''", false],
    ["Description != 'x'", true],
    ["Description !~ 'x'", true],
    ["Description ~~ ''", false],
    ["Description !~~ 'x'", true],
    ["Description > 'a'", false],
    ["not Description > 'a'", true],
    ['Rank in (1, null)', false],
    ['Description in (null)', true],
    [`ID = '${idOf(7).toUpperCase()}'`, true],
    [`ID = ${idOf(7)}`, true],
    ["RowType = 'Department'", true],
    ["RowType in ('organization', 4)", false],
  ])('%s is %s', (filter, answer) => {
    expect(holds(filter, ROW)).toBe(answer);
  });
});

describe('dates', () => {
  test.each([
    ['Updated = 2026-03-31T13:00:00+02:00', true],
    ["Updated = '2026-03-31T13:00:00+02:00'", true],
    ['Updated >= -1h', true],
    ['Updated >= -59h', true],
    ['Updated >= -3540min', true],
    ['Updated < -1d', false],
    ['Updated < 1d', true],
    ['Updated < +2w', true],
    ['Updated > -1mo', true],
    ['Updated > -1y', true],
    ['HireDate = 2026-03-01', true],
    ['HireDate >= 2026-03-02', false],
    ['HireDate >= -30d', false],
    ['HireDate >= -31d', true],
    ["Due = '2026-04-30'", true],
    ['Due <= 1mo', true],
    ['Due <= +29d', false],
    ["Due ~ '^2026-'", true],
  ])('%s is %s', (filter, answer) => {
    expect(holds(filter, ROW)).toBe(answer);
  });

  test.each([
    ['Due < 2026-03-31T12:00:00+10:00', true],
    ['HireDate = 2026-05-05', true],
    ['HireDate < 2026-05-06', true],
    ['HireDate > 2026-05-04', true],
    ['HireDate = 2026-05-05T00:00:00Z', false],
    ['HireDate = 2026-05-04T20:00:00Z', true],
    ['HireDate in (2026-05-06, 2026-05-04T20:00:00Z)', true],
    ['HireDate in (2026-05-06, 2026-05-05)', true],
    ['HireDate not in (2026-05-04, 2026-05-05T06:00:00Z)', true],
    ['HireDate != 2026-05-05', false],
  ])('of days are compared as written with days, else as moments: %s', (filter, answer) => {
    expect(holds(filter, item({ Due: '2026-03-31', HireDate: '2026-05-05T06:00:00+10:00' }))).toBe(answer);
  });

  test.each(['+10:00', '-08:00'])(
    'of days with the offset %s are compared as moments with a time from now',
    (offset) => {
      const soon = new Date(NOW.getTime() + 30 * 60_000 + (offset === '+10:00' ? 10 : -8) * 3_600_000);
      const row = { HireDate: soon.toISOString().slice(0, 19) + offset };
      expect(holds('HireDate > -1h and HireDate < +1h', row)).toBe(true);
      expect(holds('HireDate > +1h', row)).toBe(false);
    },
  );

  test('a month from the end of January is the end of February', () => {
    const end = compileWhere(['Due = 1mo'], FIELDS, new Date('2026-01-31T00:00:00Z'));
    expect(end(item({ Due: '2026-02-28' }))).toBe(true);
  });

  test('a day without a time begins at midnight of the zone', async () => {
    const zone = await zoneOf('+02:00');
    const filter = compileWhere(['Updated = 2026-03-31'], FIELDS, NOW, zone);
    expect(filter(item({ Updated: '2026-03-30T22:00:00Z' }))).toBe(true);
    expect(filter(item({ Updated: '2026-03-31T00:00:00Z' }))).toBe(false);
  });
});

describe('dates as other services write them', () => {
  test.each([
    ['/Date(1772316000000)/', true],
    ['/Date(1772316000000+0200)/', true],
    ['/Date(1709251200000)/', false],
    [1_772_316_000_000, true],
    [1_772_316_000, true],
    [1_709_251_200, false],
  ])('%s', (HireDate, wanted) => {
    expect(holds('HireDate > 2026-01-01', { ...ROW, HireDate })).toBe(wanted);
  });
});

describe('and, or, not and parentheses', () => {
  const truths = [true, false];
  const cases = truths.flatMap((a) => truths.flatMap((b) => truths.map((c) => [a, b, c] as const)));
  test.each(cases)('of %s, %s and %s', (a, b, c) => {
    const row = { IsOpen: a, Rank: b ? 1 : 0, Weight: c ? 1 : 0 };
    const [A, B, C] = ['IsOpen = true', 'Rank = 1', 'Weight = 1'];
    expect(holds(`${A} or ${B} and ${C}`, row)).toBe(a || (b && c));
    expect(holds(`(${A} or ${B}) AND ${C}`, row)).toBe((a || b) && c);
    expect(holds(`not ${A} and ${B}`, row)).toBe(!a && b);
    expect(holds(`not (${A} and ${B}) or not not ${C}`, row)).toBe(!(a && b) || c);
  });

  test('several filters must all hold', () => {
    const filter = compileWhere(['Rank = 1 or Rank = 2', 'IsOpen = true'], FIELDS, NOW);
    expect(filter(item({ Rank: 2, IsOpen: true }))).toBe(true);
    expect(filter(item({ Rank: 2, IsOpen: false }))).toBe(false);
  });

  test('no filter lets everything through', () => {
    expect(compileWhere([], FIELDS, NOW)(item())).toBe(true);
  });
});

describe('mistakes', () => {
  const error = (filter: string): ServiceError => {
    try {
      compileWhere([filter], FIELDS, NOW);
    } catch (thrown) {
      if (thrown instanceof ServiceError) return thrown;
    }
    throw new Error(`${filter} was accepted`);
  };

  test('a text without the quote at its end is called so', () => {
    expect(error("Name = 'a1").message).toContain("the text 'a1 has no quote at its end");
  });

  test.each(['Name > 5', 'Description <= -2.5'])('a number beside a text is not compared by size: %s', (filter) => {
    expect(error(filter).message).toMatch(/is a text, and .* a number/);
    expect(error(filter).hint).toContain('single quotes');
  });

  /** The part of the filter that is underlined. */
  const underlined = (filter: string): string => {
    const [, shown = '', marks = ''] = error(filter).message.split('\n');
    return shown.slice(marks.indexOf('^'), marks.lastIndexOf('^') + 1);
  };

  test('the wrong word is underlined in the line below', () => {
    const { code, message, hint } = error("Rank > 1 and Nmae = 'x'");
    expect(code).toBe('usage');
    expect(message).toBe('filter: there is no field "Nmae" here\n  Rank > 1 and Nmae = \'x\'\n               ^^^^');
    expect(hint).toBe('Did you mean Name?');
  });

  test.each([
    ['Rank >> 1', '>'],
    ['Rank 1', '1'],
    ["Rank = 'x'", "'x'"],
    ['Rank = 1.5', '1.5'],
    ['IsOpen = 2', '2'],
    ['Updated > 2026-02-30', '2026-02-30'],
    ["Updated > 'soon'", "'soon'"],
    ["ID = 'x'", "'x'"],
    ['Name = Smith', 'Smith'],
    ['Name = "Smith"', '"Smith"'],
    ["Name ~ '('", "'('"],
    ['Name ~ 5', '5'],
    ["Name = 'x", "'x"],
    ['Rank = 1 Rank = 2', 'Rank'],
    ['Rank == 1', '='],
    ['Rank = 1 && Rank = 2', '&& Rank = 2'],
    ['Rank is 5', '5'],
    ['Rank in 5', '5'],
    ['Rank in (1 2)', '2'],
    ['Rank not 5', '5'],
    ['Rank < null', 'null'],
    ['(Rank = 1))', ')'],
    ['Rank = 12abc', '12abc'],
  ])('%s underlines %s', (filter, part) => {
    expect(underlined(filter).trim()).toBe(part);
  });

  test.each(['', '   ', 'Rank', 'Rank =', '(Rank = 1', 'Rank = 1 and', 'not'])(
    '"%s" ends too early, and the end is marked',
    (filter) => {
      const [first, shown = '', marks = ''] = error(filter).message.split('\n');
      expect(first).toContain('the end');
      expect(marks.indexOf('^')).toBe(shown.length);
    },
  );

  test('letters that take two cells are underlined by as many', () => {
    expect(error('日本 = 1').message.split('\n').slice(1)).toEqual(['  日本 = 1', '  ^^^^']);
  });

  test('a filter cannot steer the terminal', () => {
    expect(error('Rank = \x1b[2J').message).not.toContain('\x1b');
  });
});
