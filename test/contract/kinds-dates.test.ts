// D13: which dates are taken, how they are kept, and which ones mean the same.
import { beforeAll, describe, expect, it } from 'vitest';
import { RULES } from '../../src/contract/kinds.ts';
import { type Zone, zoneOf } from '../../src/contract/zone.ts';
import { refusalOf } from './refusal.ts';

let berlin: Zone;
beforeAll(async () => {
  berlin = await zoneOf('Europe/Berlin');
});

describe.each(['date', 'stamp'] as const)('a %s', (kind) => {
  it.each([
    ['2026-03-31T09:00:00+00:00', '2026-03-31T09:00:00+00:00'],
    ['2026-03-31T09:00:00.1234567-05:30', '2026-03-31T09:00:00.1234567-05:30'],
    ['2026-03-31t09:00:00z', '2026-03-31T09:00:00Z'],
    ['2026-03-31T09:00+14:00', '2026-03-31T09:00:00+14:00'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59Z'],
  ])('keeps the offset it was written with: %s', (text, written) => {
    expect(RULES[kind].check(text)).toBe(written);
    expect(RULES[kind].read(text)).toBe(written);
  });

  it.each([
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00+14:01',
    '2026-01-01T00:00:00+05:75',
  ])('is one that a calendar and a clock show, not %s', (text) => {
    expect(refusalOf(RULES[kind].check(text))).toContain('not a real date and time');
    expect(refusalOf(RULES[kind].read(text))).toContain('not a real date and time');
  });

  it.each(['0001-01-01T00:00:00+05:00', '9999-12-31T23:59:59-05:00'])(
    'lies in the years 1 to 9999 in UTC, not %s',
    (text) => {
      expect(refusalOf(RULES[kind].check(text))).toContain('outside the years 1 to 9999');
      expect(refusalOf(RULES[kind].read(text))).toContain('outside the years 1 to 9999');
    },
  );

  it('has no year 0', () => {
    expect(refusalOf(RULES[kind].check('0000-12-31T00:00:00Z'))).toContain('not a real date');
    expect(RULES[kind].check('0001-01-01T00:00:00Z')).toBe('0001-01-01T00:00:00Z');
    expect(RULES[kind].check('9999-12-31T23:59:59.9999999Z')).toBe('9999-12-31T23:59:59.9999999Z');
  });

  it.each(['', 'today', '31.03.2026', '2026-3-31T09:00:00Z', '2026-03-31 09:00:00Z', '2026-03-31T09:00:00.12345678Z'])(
    'is not "%s"',
    (text) => {
      expect(refusalOf(RULES[kind].check(text))).toContain('not a date-time');
    },
  );

  it('needs an offset, unless a zone is given that says it', () => {
    expect(refusalOf(RULES[kind].check('2026-07-15T09:00:00'))).toContain('without an offset');
    expect(RULES[kind].check('2026-07-15T09:00:00', berlin)).toBe('2026-07-15T09:00:00+02:00');
    expect(RULES[kind].check('2026-01-15T09:00:00Z', berlin)).toBe('2026-01-15T09:00:00Z');
  });

  it('may lack its time in a flag or a file, not in a body: then it is midnight in the zone', () => {
    expect(RULES[kind].read('2026-07-15', berlin)).toBe('2026-07-15T00:00:00+02:00');
    expect(RULES[kind].read('2026-07-15')).toBe('2026-07-15T00:00:00+00:00');
    expect(refusalOf(RULES[kind].read('2026-02-30', berlin))).toContain('not a real date');
    expect(refusalOf(RULES[kind].check('2026-07-15', berlin))).toContain('not a date-time');
  });

  it('is the same as another spelling of its instant', () => {
    const { same } = RULES[kind];
    expect(same('2026-07-15T09:00:00+02:00', '2026-07-15T07:00:00Z')).toBe(true);
    expect(same('2026-07-15T09:00:00.5Z', '2026-07-15T09:00:00.5000000+00:00')).toBe(true);
    expect(same('2026-07-15T09:00:00Z', '2026-07-15T09:00:01Z')).toBe(false);
    expect(same('2026-07-15T09:00:00.1234567Z', '2026-07-15T09:00:00.1234568Z')).toBe(false);
    expect(same(null, null)).toBe(true);
    expect(same(null, '2026-07-15T09:00:00Z')).toBe(false);
  });
});

describe('a day', () => {
  it('is a date, or a date-time with its offset, kept as it was written', () => {
    expect(RULES.day.check('2026-03-31')).toBe('2026-03-31');
    expect(RULES.day.check('2026-03-31T09:00:00+02:00')).toBe('2026-03-31T09:00:00+02:00');
    expect(RULES.day.read('2024-02-29')).toBe('2024-02-29');
  });

  it('is null where it is empty', () => {
    expect(RULES.day.check('')).toBeNull();
    expect(RULES.day.read('  ')).toBeNull();
  });

  it.each(['2026-02-29', '2026-04-31', '2026-13-01', '2026-03-31T09:00:00', '31/03/2026', 'soon'])(
    'is not %s',
    (text) => {
      expect(refusalOf(RULES.day.check(text))).toMatch(/^is /);
    },
  );

  it('is not shifted by a zone', () => {
    expect(RULES.day.check('2026-03-31', berlin)).toBe('2026-03-31');
  });
});
