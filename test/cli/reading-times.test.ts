// Times by the clock of who reads; programs get them as the service wrote them.
import { describe, expect, it, vi } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const NOON = '2026-03-31T12:00:00.000+00:00';
const at = (columns: number, env: Readonly<Record<string, string>> = {}, hours = 0) => ({
  columns,
  env: { PM_COLOR: 'never', ...env },
  now: () => new Date(Date.parse(NOON) + hours * 3_600_000),
});
const created = async (line: string, setting: ReturnType<typeof at>): Promise<string | undefined> =>
  /\nCreated +(.*)/.exec(await pm(line, setting).prints())?.[1];

describe('a time on a terminal', () => {
  it('is in the zone of the system, with how long ago', async () => {
    expect(await created('individuals get ann', at(100, { TZ: 'Europe/Berlin' }, 2))).toBe(
      '2026-03-31 14:00:00 +02:00  2 h ago',
    );
  });

  it('is in the zone of PM_TZ before that, and of --tz before both', async () => {
    const env = { TZ: 'Europe/Berlin', PM_TZ: 'Asia/Tokyo' };
    expect(await created('individuals get ann', at(100, env))).toBe('2026-03-31 21:00:00 +09:00  just now');
    expect(await created('individuals get ann --tz +05:30', at(100, env))).toBe('2026-03-31 17:30:00 +05:30  just now');
  });

  it('is in the zone of the system where TZ is written as only the system reads it', async () => {
    expect(await created('individuals get ann', at(100, { TZ: ':/etc/localtime' }))).toContain('2026-0');
    const isNone = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions');
    for (const timeZone of [undefined, 'Etc/Unknown']) {
      isNone.mockReturnValue({ timeZone } as Intl.ResolvedDateTimeFormatOptions);
      expect(await created('individuals get ann', at(100, { TZ: 'UTC0' }))).toContain('+00:00');
    }
    isNone.mockRestore();
  });

  it.each([
    [0.5, '30 min ago'],
    [26, '1 d ago'],
    [24 * 40, '1 mo ago'],
    [24 * 800, '2 y ago'],
    [-3, 'in 3 h'],
  ])('%d hours later says %s', async (hours, words) => {
    expect(await created('individuals get ann', at(100, {}, hours))).toContain(words);
  });

  it('stands in a list beside how long ago, where that cuts nothing', async () => {
    const line = 'individuals list --fields UserName,Created --where "UserName = \'ann\'"';
    expect(await pm(line, at(80)).prints()).toContain('ann       2026-03-31 12:00:00 +00:00  just now\n');
    expect(await pm(line, at(40)).prints()).toContain('ann       2026-03-31 12:00:00 +00:00\n');
  });

  it('of a day of the calendar is that day, wherever one reads', async () => {
    await pm('individuals update ann --hire-date 2020-02-01').prints();
    const out = await pm('individuals get ann --fields HireDate', at(80, { TZ: 'America/Los_Angeles' })).prints();
    expect(out).toBe('HireDate  2020-02-01\n');
  });
});

describe('a time among other values', () => {
  const BERLIN = { TZ: 'Europe/Berlin' };
  const MEETING = 'dialogs create --individual ann --name Talk --dialog-date 2026-04-01T13:30:00Z';

  it('of a rehearsal and of what an update changed is as in a column of its own', async () => {
    const setting = at(100, BERLIN);
    await pm('individuals update ann --hire-date 2020-02-01 -n', setting).prints(/HireDate +2020-02-01 /);
    await pm('individuals update ann --hire-date 2020-02-01').prints();
    await pm('individuals update ann --hire-date 2021-03-01', setting).prints(/HireDate +2020-02-01 +2021-03-01\b/);
    await pm(`${MEETING} -n`, setting).prints(/DialogDate +2026-04-01 13:30:00 \+00:00 /);
    await pm(`${MEETING} -n -o json`, { env: BERLIN }).prints('"2026-04-01T13:30:00');
  });

  it('of the log and of a history is, too', async () => {
    await pm('individuals update ann --hire-date 2020-02-01').prints();
    await pm('individuals update ann --hire-date 2021-03-01').prints();
    const setting = at(120, BERLIN);
    await pm('log --limit 1', setting).prints('HireDate 2020-02-01 → 2021-03-01');
    await pm('history individuals ann --limit 1', setting).prints(/HireDate +2020-02-01 +2021-03-01/);
    await pm('individuals show ann', setting).prints(/HireDate +2020-02-01 +2021-03-01/);
    await pm('log --limit 1 -o json', { env: BERLIN }).prints('2020-02-01T00:00:00');
  });
});

describe('a program', () => {
  it.each(['', '-o json', '-o csv', '-o yaml'])('gets the time as the service wrote it: %s', async (format) => {
    const env = { TZ: 'Europe/Berlin' };
    await pm(`individuals get ann ${format} --fields Created`, { env }).prints(NOON);
  });
});

describe('a profile', () => {
  it('keeps a zone', async () => {
    await pm('profiles add prod --url https://pm.example.org --tz Asia/Tokyo').says('Added');
    expect(await pm('profiles show prod -o json').row()).toMatchObject({ TZ: 'Asia/Tokyo' });
    await pm('profiles add prod --tz Mars/Base').fails(2, '--tz: tz "Mars/Base" is not a time zone');
  });

  it('shows it among the settings', async () => {
    await pm('profiles add prod --url https://pm.example.org --tz Asia/Tokyo').says('Added');
    const rows = await pm('config list --origin -p prod -o json').rows();
    expect(rows).toContainEqual({ Setting: 'tz', Value: 'Asia/Tokyo', Origin: 'profile' });
  });
});
