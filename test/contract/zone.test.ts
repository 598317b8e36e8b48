// D25: which time zones are understood, and what offset each has when.
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/contract/errors.ts';
import { zoneOf } from '../../src/contract/zone.ts';

const offset = async (zone: string, local: string): Promise<string> => (await zoneOf(zone)).offsetOf(local);

const WINTER = '2026-01-15T12:00:00';
const SUMMER = '2026-07-15T12:00:00';

describe('a time zone', () => {
  it.each([
    ['Europe/Berlin', '+01:00', '+02:00'],
    ['America/New_York', '-05:00', '-04:00'],
    ['America/St_Johns', '-03:30', '-02:30'],
    ['Australia/Sydney', '+11:00', '+10:00'],
    ['Asia/Kolkata', '+05:30', '+05:30'],
    ['UTC', '+00:00', '+00:00'],
  ])('may be an IANA zone: %s', async (zone, winter, summer) => {
    expect(await offset(zone, WINTER)).toBe(winter);
    expect(await offset(zone, SUMMER)).toBe(summer);
  });

  it.each([
    ['+05:30', '+05:30'],
    ['-08:00', '-08:00'],
    ['+0545', '+05:45'],
    ['+2', '+02:00'],
    ['UTC+3', '+03:00'],
    ['gmt-03:30', '-03:30'],
    ['+14:00', '+14:00'],
    ['-14:00', '-14:00'],
    ['-00:00', '+00:00'],
  ])('may be a fixed offset: %s', async (zone, written) => {
    expect(await offset(zone, WINTER)).toBe(written);
    expect(await offset(zone, SUMMER)).toBe(written);
  });

  it.each(['Z', 'z'])('may be %s, which is UTC', async (zone) => {
    expect(await offset(zone, SUMMER)).toBe('+00:00');
  });

  it.each([
    ['eastern standard time', '-04:00'],
    ['US EASTERN STANDARD TIME', '-04:00'],
    ['pacific sa standard time', '-04:00'],
    ['pacific standard time (mexico)', '-07:00'],
    ['w. europe standard time', '+02:00'],
    ['utc-02', '-02:00'],
  ])('may be a Windows zone in any case: %s', async (zone, summer) => {
    expect(await offset(zone, SUMMER)).toBe(summer);
  });

  it('is not an offset whose plus sign became a blank in an address, and says how that is written', async () => {
    await expect(zoneOf(' 05:30')).rejects.toThrow(/%2B/);
  });

  it.each([
    ['W. Europe Standard Time', '+01:00', '+02:00'],
    ['Eastern Standard Time', '-05:00', '-04:00'],
    ['India Standard Time', '+05:30', '+05:30'],
    ['Nepal Standard Time', '+05:45', '+05:45'],
  ])('may have a Windows name: %s', async (zone, winter, summer) => {
    expect(await offset(zone, WINTER)).toBe(winter);
    expect(await offset(zone, SUMMER)).toBe(summer);
  });

  it.each(['Europe/Bärlin', 'Berlin', 'W. Europe Standard', '', '   ', '+', '+14:01', '+05:60', '+99', '5', '../UTC'])(
    'that nobody knows is refused, and the refusal says what to write: "%s"',
    async (zone) => {
      const refusal: unknown = await zoneOf(zone).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ServiceError);
      expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining(`tz "${zone}"`) });
    },
  );

  it.each([' 05:30', '05:30', '%2B05:30'])(
    'that has lost its sign is refused with how it is written: "%s"',
    async (zone) => {
      await expect(zoneOf(zone)).rejects.toThrow(
        'an offset begins with + or -; in an address + stands for a blank, and is written %2B',
      );
    },
  );
});

describe('on the day the clocks are set', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29T01:59:59', '+01:00'],
    ['Europe/Berlin', '2026-03-29T03:00:00', '+02:00'],
    ['Europe/Berlin', '2026-10-25T01:59:59', '+02:00'],
    ['Europe/Berlin', '2026-10-25T03:00:00', '+01:00'],
    ['America/New_York', '2026-03-08T01:59:59', '-05:00'],
    ['America/New_York', '2026-03-08T03:00:00', '-04:00'],
    ['America/New_York', '2026-11-01T00:59:59', '-04:00'],
    ['America/New_York', '2026-11-01T02:00:00', '-05:00'],
    ['Pacific/Apia', '2011-12-29T23:59:59', '-10:00'],
    ['Pacific/Apia', '2011-12-31T00:00:00', '+14:00'],
  ])('a time that they show once has its own offset: %s %s', async (zone, local, written) => {
    expect(await offset(zone, local)).toBe(written);
  });

  it.each([
    ['Europe/Berlin', '2026-10-25T02:30:00', '+02:00'],
    ['America/New_York', '2026-11-01T01:30:00', '-04:00'],
    ['Australia/Lord_Howe', '2026-04-05T01:45:00', '+11:00'],
  ])('a time that they show twice is the first of the two: %s %s', async (zone, local, first) => {
    expect(await offset(zone, local)).toBe(first);
  });

  it.each([
    ['Europe/Berlin', '2026-03-29T02:30:00', '+01:00', '2026-03-29T03:30:00+02:00'],
    ['America/New_York', '2026-03-08T02:30:00', '-05:00', '2026-03-08T03:30:00-04:00'],
    ['Australia/Lord_Howe', '2026-10-04T02:15:00', '+10:30', '2026-10-04T02:45:00+11:00'],
  ])('a time that they skip is that much later: %s %s', async (zone, local, written, meant) => {
    const berlin = await zoneOf(zone);
    expect(berlin.offsetOf(local)).toBe(written);
    expect(berlin.shift(local + written)).toBe(meant);
  });
});

describe('a date shifted into a zone', () => {
  it.each([
    ['Europe/Berlin', '2026-07-15T12:00:00Z', '2026-07-15T14:00:00+02:00'],
    ['Europe/Berlin', '2026-01-15T23:30:00+00:00', '2026-01-16T00:30:00+01:00'],
    ['-03:30', '2026-01-01T01:00:00Z', '2025-12-31T21:30:00-03:30'],
    ['UTC', '2026-03-31T09:00:00+05:30', '2026-03-31T03:30:00+00:00'],
    ['UTC', '1955-11-05T06:15:00.25-07:00', '1955-11-05T13:15:00.25+00:00'],
  ])('is the same instant: %s %s', async (name, written, shifted) => {
    const answer = (await zoneOf(name)).shift(written);
    expect(answer).toBe(shifted);
    expect(Date.parse(answer)).toBe(Date.parse(written));
  });

  it.each([
    ['Europe/Berlin', '9999-12-31T23:59:59+00:00'],
    ['America/New_York', '0001-01-01T00:00:00Z'],
  ])('stays as it is where the years 1 to 9999 would be left: %s %s', async (name, written) => {
    expect((await zoneOf(name)).shift(written)).toBe(written);
  });

  it('keeps all seven digits of its seconds', async () => {
    const zone = await zoneOf('+01:00');
    expect(zone.shift('2025-07-18T09:37:32.9277012+00:00')).toBe('2025-07-18T10:37:32.9277012+01:00');
  });
});
