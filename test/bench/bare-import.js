// The limit of P5: what an import costs a program that reads a table and puts its rows into the database, and checks
// nothing. Called with the driver, a database, a file of accountabilities, and who makes them in which site.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

const [driver, file, table, SiteID, caller] = process.argv.slice(2);
const { default: Database } = await import(driver);
const database = new Database(file);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('cache_size = -65536');
const columns = database.prepare("SELECT name FROM pragma_table_info('accountability')").pluck().all();
const names = columns.map((name) => `"${name}"`).join(', ');
const insert = database.prepare(`INSERT INTO accountability (${names}) VALUES (${columns.map(() => '?').join(', ')})`);
const now = new Date().toISOString();
const marks = { SiteID, Deleted: 0, DeletedByRef: 0, Created: now, CreatedBy: caller, Updated: now, UpdatedBy: caller };

database.exec('BEGIN IMMEDIATE');
for await (const cells of createReadStream(table).pipe(parse({ columns: true }))) {
  const row = { ...marks, ...cells, ID: randomUUID(), Rank: Number(cells.Rank), Name$: cells.Name.toLowerCase() };
  insert.run(columns.map((name) => row[name] ?? null));
}
database.exec('COMMIT');
database.close();
