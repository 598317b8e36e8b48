// Tables: calm, as wide as the terminal, and honest about what they do not show.
import { describe, expect, test } from 'vitest';
import { zoneOf } from '../../src/contract/zone.ts';
import { idOf, item, printed } from './output-printed.ts';

const LIST = [
  item({ ID: idOf(1), Rank: 1, Name: 'Answer letters', IsOpen: true, Updated: '2026-03-31T09:00:00.1234567Z' }),
  item({
    ID: idOf(2),
    Rank: 12,
    Name: 'Lead the Sales department',
    Description: 'Meet every week; write down what was agreed',
  }),
  item({ ID: idOf(3), Rank: 3, Name: '日本語', IsOpen: false, Updated: '2026-01-01T00:00:00+02:00' }),
];
const table = async (
  rows: Parameters<typeof printed>[0],
  options: Parameters<typeof printed>[1] = {},
): Promise<string> => (await printed(rows, { format: 'table', terminal: true, ...options })).out;

describe('the table of a list', () => {
  test('at 120 cells', async () => {
    expect(await table(LIST)).toMatchInlineSnapshot(`
      "Rank  Name                       Description                                  IsOpen  Updated
      ────  ─────────────────────────  ───────────────────────────────────────────  ──────  ──────────────────────────
         1  Answer letters                                                          yes     2026-03-31 09:00:00 +00:00
        12  Lead the Sales department  Meet every week; write down what was agreed
         3  日本語                                                                          2026-01-01 00:00:00 +02:00
      5 more fields: use -o json or --fields
      "
    `);
  });

  test('at 60 cells', async () => {
    expect(await table(LIST, { width: 60 })).toMatchInlineSnapshot(`
      "Rank  Name                    Description             IsOpen
      ────  ──────────────────────  ──────────────────────  ──────
         1  Answer letters                                  yes
        12  Lead the Sales depart…  Meet every week; writ…
         3  日本語
      2 cut; 1 left out; 5 more fields: -o json, --fields
      "
    `);
  });

  test('where everything that was asked for fits, nothing more is said', async () => {
    expect(await table(LIST, { fields: ['Name', 'Rank'] })).toMatchInlineSnapshot(`
      "Name                       Rank
      ─────────────────────────  ────
      Answer letters                1
      Lead the Sales department    12
      日本語                        3
      "
    `);
  });

  test('the ID gives way first, and is never cut', async () => {
    expect(await table(LIST, { width: 60 })).not.toContain(idOf(2).slice(0, 8));
    expect(await table(LIST, { width: 60, ids: true })).toContain(idOf(2));
  });

  test('a record is a block of lines at 40 cells, without what is blank', async () => {
    expect(await table(LIST, { width: 40 })).toMatchInlineSnapshot(`
      "Rank     1
      Name     Answer letters
      IsOpen   yes
      Updated  2026-03-31 09:00:00 +00:00

      Rank         12
      Name         Lead the Sales department
      Description  Meet every week; write down
                   what was agreed

      Rank     3
      Name     日本語
      Updated  2026-01-01 00:00:00 +02:00

      5 more fields: use -o json or --fields
      "
    `);
  });

  test.each([1, 10, 40, 60, 80, 120, 200])('no record is wider than %i cells', async (width) => {
    const lines = (await table(LIST.slice(0, 2), { width })).split('\n').slice(0, 4);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  });

  test('an empty list prints nothing', async () => {
    expect(await table([])).toBe('');
  });

  test('a long list is drawn in parts of one width', async () => {
    const rows = Array.from({ length: 450 }, (_, Rank) =>
      item({ Rank, Name: Rank === 449 ? 'x'.repeat(50) : 'short' }),
    );
    const lines = (await table(rows, { fields: ['Name', 'Rank'] })).trimEnd().split('\n');
    expect(lines).toHaveLength(453);
    expect(lines.at(-2)).toBe('xxxx…   449');
    expect(lines.at(-1)).toBe('Name cut: use -o json or --fields');
  });

  test('colour is only where it is wanted, and changes no width', async () => {
    const colored = await table(LIST, { color: true });
    expect(colored).toContain('\x1b[1m');
    expect(colored.replace(/\x1b\[\d+m/g, '').replace(/ +$/gm, '')).toBe(await table(LIST));
  });
});

describe('cells', () => {
  const cell = async (members: Parameters<typeof item>[0], field: string, more = {}): Promise<string | undefined> =>
    (await table([item(members)], { fields: [field], ...more })).split('\n')[2];

  test.each([
    [{ IsOpen: true }, 'IsOpen', 'yes'],
    [{ IsOpen: false }, 'IsOpen', ''],
    [{ HireDate: '2026-01-31T00:00:00+02:00' }, 'HireDate', '2026-01-31'],
    [{ HireDate: '2026-01-31T08:30:00+02:00' }, 'HireDate', '2026-01-31 08:30:00 +02:00'],
    [{ Due: '2026-01-31' }, 'Due', '2026-01-31'],
    [{ Updated: '2026-03-31T09:00:00.1234567Z' }, 'Updated', '2026-03-31 09:00:00 +00:00'],
    [{ Updated: '2026-03-31T09:00+00:00' }, 'Updated', '2026-03-31 09:00:00 +00:00'],
    [{ Updated: 'soon' }, 'Updated', 'soon'],
    [{ Name: 'two\nlines \x1b[31m' }, 'Name', 'two\\nlines \\x1b[31m'],
  ])('%j is shown in %s as "%s"', async (members, field, shown) => {
    expect(await cell(members, field)).toBe(shown);
  });

  test('dates are shown in the zone, days of the calendar are not shifted', async () => {
    const clock = { zone: await zoneOf('Europe/Berlin'), now: new Date('2026-07-01T22:30:00Z') };
    expect(await cell({ Updated: '2026-07-01T22:30:00Z' }, 'Updated', { clock })).toBe(
      '2026-07-02 00:30:00 +02:00  just now',
    );
    expect(await cell({ HireDate: '2026-07-01T00:00:00Z' }, 'HireDate', { clock })).toBe('2026-07-01');
  });
});

describe('one record', () => {
  test('is a list of its fields, texts in full', async () => {
    const row = item({ Description: 'first line\nsecond line', IsOpen: true, RowType: 56 });
    expect(await table(row, { width: 40 })).toMatchInlineSnapshot(`
      "ID           0f8fad5b-d9cb-469f-a165-000000000001
      Rank         1
      Name         One
      Description  first line
                   second line
      IsOpen       yes
      Weight
      HireDate
      Due
      Seen
      Updated
      RowType      56
      "
    `);
  });

  test('shows only the fields that were asked for', async () => {
    expect(await table(item(), { fields: ['Name', 'Rank'] })).toBe('Name  One\nRank  1\n');
  });
});
