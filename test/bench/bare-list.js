// The limit of P6: what a list costs a program that only reads rows and writes them. Called with the driver, a database and a statement.
import { writeSync } from 'node:fs';

const CHUNK = 64 * 1024;
const [driver, file, sql] = process.argv.slice(2);
const { default: Database } = await import(driver);
const database = new Database(file, { readonly: true });
let text = '';
for (const row of database.prepare(sql).iterate()) {
  text += `${JSON.stringify(row)}\n`;
  if (text.length >= CHUNK) flush();
}
flush();
database.close();

function flush() {
  for (let rest = Buffer.from(text); rest.length > 0; rest = rest.subarray(writeSync(1, rest)));
  text = '';
}
