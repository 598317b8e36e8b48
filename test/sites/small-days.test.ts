// The small sample on any day: the same records as on the day of its recording, in the same place before and behind that day.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fridayBefore, quartersAround, shiftFrom } from '../../src/sites/samples/calendar.ts';
import { seedSample } from '../../src/sites/seed.ts';
import { newEngine } from '../support/engine.ts';
import { everything, type Seeded, targetOn } from './seeded.ts';

/** The last day of a quarter. */
const RECORDED = '2026-03-31';
const DAY = 86_400_000;

async function seededAt(today: Date): Promise<Seeded> {
  const engine = await newEngine(today);
  const report = await seedSample({ sample: 'small' }, await targetOn(engine, { today }));
  return {
    engine,
    report,
    rows: (resource, deleted = 0) => engine.store.find({ resource, site: undefined, deleted, ordered: true }),
  };
}

/** Who is where, and what is deleted: all but the days. */
const undated = async (site: Seeded) =>
  Object.entries(await everything(site)).map(([resource, records]) => [
    resource,
    records
      .map(({ ID, Name, AncestorID, ParentID, Deleted, DeletedByRef, CreatedBy, UpdatedBy }) =>
        JSON.stringify([ID, Name, AncestorID, ParentID, Deleted, DeletedByRef, CreatedBy, UpdatedBy]),
      )
      .sort(),
  ]);

const dayOf = (value: unknown): string => String(value).slice(0, 10);

const dayBefore = (day: string): string => dayOf(new Date(Date.parse(day) - DAY).toISOString());

/** The IDs of what lies ahead of a day. */
async function ahead(site: Seeded, resource: string, field: string, today: string) {
  const rows = await site.rows(resource, 2);
  return rows.flatMap((row) => (dayOf(row[field]) > today && row[field] ? [String(row.ID)] : [])).sort();
}

let recorded: Seeded;
beforeAll(async () => {
  recorded = await seededAt(new Date(`${RECORDED}T12:00:00Z`));
});
afterAll(() => recorded.engine.end());

describe.each([
  ['the first day of a quarter, just begun', '2027-01-01T00:01:00Z'],
  ['the last day of a year', '2027-12-31T23:00:00Z'],
  ['29 February', '2028-02-29T09:30:00Z'],
  ['a Sunday that ends a quarter', '2029-09-30T15:00:00Z'],
  ['a Saturday within a quarter', '2027-05-15T07:00:00Z'],
])('on %s', (_, at) => {
  const today = new Date(at);
  const day = dayOf(at);
  let site: Seeded;
  beforeAll(async () => {
    site = await seededAt(today);
  });
  afterAll(() => site.engine.end());

  it('makes the same records, and as many', async () => {
    expect(site.report).toEqual(recorded.report);
    expect(await undated(site)).toEqual(await undated(recorded));
  });

  it.each([
    ['dialog', 'DialogDate'],
    ['project', 'EndDateProjected'],
    ['project', 'EndDateActual'],
    ['task', 'EndDateActual'],
    ['metricValue', 'Date'],
    ['individual', 'HireDate'],
  ])('what lay ahead lies ahead, and what was done is done: %s.%s', async (resource, field) => {
    expect(await ahead(site, resource, field, day)).toEqual(await ahead(recorded, resource, field, RECORDED));
  });

  it('lets commitments be due on the last day of their period', async () => {
    const lasts = new Map((await site.rows('period')).map(({ ID, EndDate }) => [ID ?? null, dayOf(EndDate)]));
    expect(await ahead(site, 'commitment', 'DueDate', dayBefore(day))).toHaveLength(
      (await ahead(recorded, 'commitment', 'DueDate', dayBefore(RECORDED))).length,
    );
    for (const { PeriodID, DueDate } of await site.rows('commitment', 2))
      expect(dayOf(DueDate)).toBe(lasts.get(PeriodID ?? null));
  });

  it('makes nothing later than now, and no dialog on a weekend', async () => {
    for (const records of Object.values(await everything(site)))
      for (const { Created, Updated } of records)
        for (const stamp of [Created, Updated])
          if (stamp) expect(Date.parse(String(stamp))).toBeLessThanOrEqual(+today);
    for (const { DialogDate } of await site.rows('dialog', 2))
      expect(fridayBefore(dayOf(DialogDate))).toBe(dayOf(DialogDate));
  });
});

describe('moving days', () => {
  const days = (from: string, count: number) =>
    Array.from({ length: count }, (_, index) => dayOf(new Date(Date.parse(from) + index * DAY).toISOString()));

  it('leaves all days alone on the day of the recording', () => {
    const shift = shiftFrom(RECORDED, new Date(`${RECORDED}T23:59:59Z`));
    for (const day of days('2023-01-01', 1_500)) expect(shift(day)).toBe(day);
  });

  it('keeps their order, and moves quarters whole, whatever day it is', () => {
    for (const now of days('2027-01-01', 800).filter((_, index) => index % 7 === 0 || index < 100)) {
      const today = new Date(`${now}T08:00:00Z`);
      const shift = shiftFrom(RECORDED, today);
      const moved = days('2024-01-01', 1_000).map((one) => shift(one));
      expect(moved).toEqual(moved.toSorted());
      expect(shift(RECORDED)).toBe(now);
      expect(shift('2026-04-01') > now).toBe(true);
      const quarters = quartersAround(today);
      const present = quarters.findIndex(({ last }) => last >= now);
      expect(shift('2026-01-01')).toBe(quarters[present]?.first);
      expect([shift('2026-04-01'), shift('2026-06-30')]).toEqual(Object.values(quarters[present + 1] ?? {}));
      expect([shift('2025-10-01'), shift('2025-12-31')]).toEqual(Object.values(quarters[present - 1] ?? {}));
    }
  });
});
