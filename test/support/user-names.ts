// User names stand in a table of their own: one row for each individual that has one.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { textKey } from '../../src/text/text-key.ts';
import { onDatabase } from './postgres-server.ts';

type Rows = readonly (readonly unknown[])[];

const ROWS = `SELECT 'person', "SiteID", "ID", "UserName" FROM "individual"
  UNION ALL SELECT 'name', "SiteID", "ID", "Held" FROM "individual_UserName"`;

/** The rows of a file, or of the database on a server that a file names: see on-postgres.ts. */
async function rowsOf(file: string): Promise<Rows> {
  const address = file.startsWith('postgres:') ? file : readFileSync(file, 'latin1').slice(0, 200);
  // What PGlite holds in this process nothing else can read.
  if (address === '') return [];
  if (address.startsWith('postgres:')) return onDatabase(address, ROWS);
  const database = openDatabase(file, { readonly: true });
  try {
    return database.prepare(ROWS).raw().all() as Rows;
  } finally {
    database.close();
  }
}

/** That the table has one row for each individual with a user name, of its site and ID; answers their keys. */
export async function expectUserNames(place: string): Promise<readonly string[]> {
  const rows = await rowsOf(place);
  const named = rows.filter(([of, , , name]) => of === 'person' && name !== null);
  const names = rows.filter(([of]) => of === 'name').map(([, ...row]) => row);
  const wanted = named.map(([, site, id, name]) => `${site} ${id} ${textKey(String(name))}`);
  expect(names.map((row) => row.join(' ')).sort()).toEqual(wanted.sort());
  return names.map(([, , key]) => String(key)).sort();
}
