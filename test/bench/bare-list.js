// The limit of P6: what a list costs a program that only reads rows and writes them. Called with a database and a statement.
import { writeSync } from 'node:fs';
import Database from 'better-sqlite3';

const CHUNK = 64 * 1024;
const [file, sql] = process.argv.slice(2);
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
