// How often a job asks its store: on a database over a network each call is a round trip, so that rows share them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { callsOfAll } from '../support/counted.ts';
import { inLong } from '../support/long.ts';
import { usingPm } from '../support/pm.ts';

vi.mock(import('../../src/engine/store/sqlite/store.ts'), async (original) =>
  (await import('../support/counted.ts')).countedSqlite(original),
);

const PEOPLE = 100;
let department = '';
const OWN = 'Name,Rank,Description';
const PERSON = 'UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryReportsTo,PrimaryOrganizationID';
const person = (n: number, title = 'Driver'): string =>
  `user${n},Ann,Lee${n},user${n}@example.com,${title},admin,${department}`;
const times = (count: number, row: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => row(n)).join('\n');
const ownerOf = (n: number): string => `user${n % PEOPLE}`;

const pm = usingPm(async (pm) => {
  department = String((await pm('organizations list -o json').rows())[0]?.ID);
  await importing(pm.home, 'individuals', `${PERSON}\n${times(PEOPLE, (n) => person(n))}`);
});

/** Imports rows; answers the calls of the store. */
async function importing(home: string, what: string, csv: string): Promise<number> {
  const file = join(home, 'rows.csv');
  writeFileSync(file, `${csv}\n`);
  callsOfAll();
  await pm(`import ${what.split(' ')[0]} ${file} ${what.split(' ').slice(1).join(' ')} --yes`).prints();
  return callsOfAll();
}

const MOST = 20;
const THOUSANDS = inLong(1, 2);
const MANY = 1 + 1_000 * THOUSANDS;

/** Each thousand rows take at most so many calls, beside those of one row. */
async function staysBelow(what: string, csv: (rows: number) => string, before?: string): Promise<void> {
  if (before) await importing(pm.home, what, before);
  const one = await importing(pm.home, what, csv(1));
  const many = await importing(pm.home, what, csv(MANY));
  expect((many - one) / THOUSANDS).toBeLessThanOrEqual(MOST);
}

describe('a thousand rows take at most 20 calls of the store, with plan and journal,', () => {
  const table = (rows: number, text = 'x'): string =>
    `Individual,${OWN}\n${times(rows, (n) => `${ownerOf(n)},A${n},${n},${text}`)}`;

  it('where each makes a record of an owner that it names', () =>
    staysBelow('accountabilities --mode create', (rows) => table(rows).replaceAll(',A', `,New${rows}.`)));

  it('where each makes a record that is not found by its key', () =>
    staysBelow('accountabilities', (rows) => table(rows)));

  it('where each changes a record that is found by its key', () =>
    staysBelow('accountabilities', (rows) => table(rows, `text of ${rows}`), table(MANY)));

  it('where each changes nothing', () => staysBelow('accountabilities', (rows) => table(rows), table(MANY)));

  it('where each makes a person, with its primary membership', () =>
    staysBelow('individuals', (rows) => `${PERSON}\n${times(rows, (n) => person(1e5 * rows + n))}`));

  it('where each changes the title of a person, which its membership shows, too', () => {
    const people = (rows: number, title: string): string => `${PERSON}\n${times(rows, (n) => person(n, title))}`;
    return staysBelow('individuals', (rows) => people(rows, `Title ${rows}`), people(MANY, 'Driver'));
  });

  it('where each makes a record that the service gives a number', () =>
    staysBelow(
      'colors --mode create',
      (rows) => `Name,Code,Rank\n${times(rows, (n) => `C${rows}.${n},#00ff00,${n}`)}`,
    ));
});
