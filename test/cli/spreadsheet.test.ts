// Many individuals go into a spreadsheet and come back: rehearsed, imported and undone, here and over the network. The
// floor: more than are planned in memory; the long run: thousands.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { inLong } from '../support/long.ts';
import { type Member, type Pm, usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';

const PASSWORD = 'Correct-horse-1';
const MANY = inLong(600, 5_000);
/** As pm writes numbers. */
const spaced = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ' ');
/** Of each hundred, those whose number ends with 07 get another title, and those with 08 lose a number. */
const CHANGED = (MANY / 100) * 2;
const FIRST = ['Anna', 'Béla', 'Chloé', 'Dörte', 'Élise', 'Françoise', 'Jürgen', 'Nuño'];

async function many(pm: Pm): Promise<void> {
  await pm('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
  const rows = Array.from({ length: MANY - 1 }, (_, at) => [
    `user${at}`,
    FIRST[at % FIRST.length],
    `Member ${at}`,
    `user${at}@example.org`,
    'Clerk',
    String(at).padStart(7, '0'),
    'Local',
    at < 10 ? 'admin' : `user${at % 10}`,
  ]);
  const head = 'UserName,FirstName,LastName,Email,PrimaryTitle,UserDefined1,PrimaryOrganization,PrimaryReportsTo';
  writeFileSync(join(pm.home, 'all.csv'), [head, ...rows.map((row) => row.join())].join('\n'));
  await pm('import individuals all.csv --yes').says(`▲ local as admin – ${spaced(MANY - 1)} creates`);
}

const pm = usingPm(many);
const at = (name: string): string => join(pm.home, name);

/** What somebody does with it: titles change, numbers are cleared, some are new, and most stay. */
function edited(rows: readonly Readonly<Record<string, string>>[]): readonly Readonly<Record<string, string>>[] {
  const changed = rows.map((row) => {
    const number = Number(/^user(\d+)$/.exec(row.UserName ?? '')?.[1] ?? Number.NaN);
    if (number % 100 === 7) return { ...row, PrimaryTitle: 'Ärztin', FirstName: '' };
    return number % 100 === 8 ? { ...row, UserDefined1: '<null>' } : row;
  });
  const fresh = Array.from({ length: 25 }, (_, nth) => ({
    ...{ ...rows[0], ID: '', IsAdmin: 'false', UserName: `new${nth}`, FirstName: 'Zoë', LastName: `New ${nth}` },
    ...{ Email: `new${nth}@example.org`, PrimaryTitle: 'Clerk', UserDefined1: '', PrimaryReportsTo: 'user3' },
  }));
  return [...changed, ...fresh];
}

/** As a spreadsheet saves it: semicolons, CRLF, and the encoding of its country or a mark before UTF-8. */
function saved(rows: readonly Readonly<Record<string, string>>[], encoding: 'windows-1252' | 'utf-8-bom'): Buffer {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== 'ID');
  const cell = (text = ''): string => (/[;"\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const text = [columns, ...rows.map((row) => columns.map((name) => cell(row[name])))]
    .map((cells) => `${cells.join(';')}\r\n`)
    .join('');
  return encoding === 'utf-8-bom' ? Buffer.from(`\uFEFF${text}`, 'utf8') : Buffer.from(text, 'latin1');
}

const happenings = (rows: readonly Member[], what: string, id: string, fields: string): readonly string[] =>
  [...new Set(rows.map((row) => `${row[what]} ${row[what] === 'create' ? '' : `${row[id]} ${row[fields]}`}`))].sort();

const count = (rows: readonly Member[], operation: string): number =>
  new Set(rows.filter(({ Operation }) => Operation === operation).map(({ Line }) => Line)).size;

interface Place {
  readonly flags: string;
  readonly encoding: 'windows-1252' | 'utf-8-bom';
}

async function goesRound({ flags, encoding }: Place): Promise<void> {
  const env = { PM_PASSWORD: PASSWORD };
  const said = (line: string) => pm(`${line} ${flags}`, { env });
  await said('export individuals --out i.csv').says(`i.csv: ${MANY} individuals`);
  const before = readFileSync(at('i.csv'), 'utf8');
  const rows = parse(before, { columns: true }) as Readonly<Record<string, string>>[];
  writeFileSync(at('edited.csv'), saved(edited(rows), encoding));
  const plan = await said('import individuals edited.csv --key UserName -n -o json').says(
    `edited.csv: ${encoding}, ';', CRLF, ${spaced(MANY + 25)} rows`,
    `25 creates, ${CHANGED} updates`,
    `${spaced(MANY - CHANGED)} unchanged, ${CHANGED / 2} fields made empty`,
  );
  const planned = JSON.parse(plan.out) as Member[];
  expect([count(planned, 'create'), count(planned, 'update')]).toEqual([25, CHANGED]);
  expect(planned).toContainEqual(
    expect.objectContaining({ Field: 'PrimaryTitle', Before: 'Clerk', After: 'Ärztin', Operation: 'update' }),
  );
  expect(planned).toContainEqual(
    expect.objectContaining({ Field: 'UserDefined1', Before: '0000108', After: null, Operation: 'update' }),
  );
  await said('export individuals --out same.csv').says();
  expect(readFileSync(at('same.csv'), 'utf8')).toBe(before);

  const done = JSON.parse(await said('import individuals edited.csv --key UserName --yes -o json').prints()) as Member;
  expect(done).toMatchObject({ State: 'ended', Done: 25 + CHANGED, Failed: 0, Unchanged: MANY - CHANGED });
  const past = (
    await said('log --limit 500 --since 2026-03-31 -o json --where "Resource = \'individuals\'"').rows()
  ).slice(0, 25 + CHANGED);
  expect(past.filter(({ What }) => What === 'create')).toHaveLength(25);
  expect(happenings(past, 'What', 'ID', 'Fields')).toEqual(happenings(planned, 'Operation', 'ID', 'Field'));
  await said('import individuals edited.csv --key UserName --yes').says('Nothing to change.');

  await said('undo --yes').says(`${CHANGED} updates, 25 deletes`);
  await said('export individuals --out after.csv').says();
  expect(readFileSync(at('after.csv'), 'utf8')).toBe(before);
}

describe(`a table of ${spaced(MANY)} individuals that was changed in a spreadsheet`, () => {
  it('does what its rehearsal said, and is taken back to the byte', async () => {
    await goesRound({ flags: '', encoding: 'windows-1252' });
  });

  describe('against a service', () => {
    servedAsProd(pm);

    it('does the same', async () => {
      await goesRound({ flags: '-p prod', encoding: 'utf-8-bom' });
    });
  });
});
