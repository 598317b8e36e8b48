// The floor of P5: the durable writes of an import, by prepared statements alone, and nothing else. The plan of the job is
// written and read again; records, their history and the marks of their rows follow, in the same commits and bytes as pm
// makes them. Called as bare-import.js.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { crc32 } from 'node:zlib';
import { parse } from 'csv-parse';

const COMMIT = 2000;
const BUCKET = 200;

const [driver, file, table, SiteID, caller] = process.argv.slice(2);
const { default: Database } = await import(driver);
const database = new Database(file);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('foreign_keys = ON');
database.pragma('cache_size = -8192');
const insertion = (name, columns) =>
  database.prepare(
    `INSERT INTO ${name} (${columns.map((one) => `"${one}"`).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
const columnsOf = (name) => database.prepare(`SELECT name FROM pragma_table_info('${name}')`).pluck().all();
const columns = columnsOf('accountability');
const insert = insertion('accountability', columns);
const addName = database.prepare('INSERT INTO line_name (Name) VALUES (?) ON CONFLICT DO NOTHING');
const numberOf = database.prepare('SELECT Number FROM line_name WHERE Name = ?').pluck();
const [site, author, resource] = [SiteID, caller, 'accountability'].map((name) => {
  addName.run(name);
  return numberOf.get(name);
});
const addLine = insertion('line', ['Site', 'At', 'Caller', 'Job', 'Row', 'Resource', 'ID', 'What', 'Crc']);
const addPlan = insertion('job_plan', ['JobID', 'First', 'Last', 'Rows', 'Crc']);
const addState = insertion('job_state', ['JobID', 'Bucket', 'States', 'Marks', 'Crc']);
const setState = database.prepare('UPDATE job_state SET States = ?, Marks = ?, Crc = ? WHERE JobID = ? AND Bucket = ?');
const addMark = insertion('job_mark', ['JobID', 'Bucket', 'Sequence', 'Marks', 'Crc']);
const readPlan = database.prepare(
  'SELECT Rows, Crc FROM job_plan WHERE JobID = ? AND First >= ? AND First < ? ORDER BY First',
);
const marker = database.prepare(`INSERT INTO commit_witness (ID, Number, Token) VALUES (1, 1, ?)
  ON CONFLICT (ID) DO UPDATE SET Number = Number + 1, Token = excluded.Token`);
const job = randomUUID();
const head = ['import', 'running', 'local', SiteID, 'ada', 'import', new Date().toISOString(), 100, '{}', '{}', 1];
insertion('job', [
  'ID',
  'Kind',
  'State',
  'Profile',
  'SiteID',
  'Caller',
  'Title',
  'Created',
  'Total',
  'Counts',
  'Settings',
  'Crc',
]).run(job, ...head);
const jobNumber = database.prepare('SELECT Sequence FROM job WHERE ID = ?').pluck().get(job);
const setHead = database.prepare('UPDATE job SET Total = ?, Counts = ?, Crc = ? WHERE ID = ?');
const now = new Date().toISOString();
const marks = { SiteID, Deleted: 0, DeletedByRef: 0, Created: now, CreatedBy: caller, Updated: now, UpdatedBy: caller };
const bucketsIn = (count) => Array.from({ length: Math.ceil(count / BUCKET) }, (_, i) => i);

function commit(total, work) {
  database.exec('BEGIN IMMEDIATE');
  work();
  setHead.run(total, `{"done":${total}}`, crc32(String(total)), job);
  marker.run(randomUUID());
  database.exec('COMMIT');
}

// IDs in the order of time (v7), as pm makes them.
let count = 0;
function newID() {
  const time = Date.now().toString(16).padStart(12, '0');
  const order = (count++ % 4096).toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${randomUUID().slice(19)}`;
}

let rows = [];
let total = 0;
function plan() {
  const first = total;
  total += rows.length;
  commit(total, () => {
    for (const i of bucketsIn(rows.length)) {
      const line = rows.slice(i * BUCKET, (i + 1) * BUCKET).join('\n');
      const at = first + i * BUCKET;
      addPlan.run(job, at + 1, at + BUCKET, line, crc32(line));
      addState.run(job, at / BUCKET, 'p'.repeat(BUCKET), 0, 1);
    }
  });
  rows = [];
}

// The end of the plan makes all of it durable, the end of the job its rows.
database.pragma('synchronous = NORMAL');
for await (const { AncestorID, Rank, ...body } of createReadStream(table).pipe(parse({ columns: true }))) {
  const number = total + rows.length + 1;
  const named = { number, line: number + 1, resource: 'accountability', operation: 'create', id: newID() };
  rows.push(JSON.stringify({ ...named, body: { Rank: Number(Rank), ...body, AncestorID } }));
  if (rows.length === COMMIT) plan();
}
if (rows.length > 0) plan();
database.pragma('synchronous = FULL');
commit(total, () => undefined);

database.pragma('synchronous = NORMAL');
for (let first = 0; first < total; first += COMMIT) {
  const lines = readPlan.all(job, first + 1, first + COMMIT + 1);
  commit(total, () => {
    const planned = lines.flatMap(({ Rows, Crc }) => {
      if (crc32(Rows) !== Crc) throw new Error('damaged');
      return Rows.split('\n').map((row) => JSON.parse(row));
    });
    for (const { id, body } of planned) {
      const row = { ...marks, ...body, ID: id, Name$: body.Name.toLowerCase() };
      insert.run(columns.map((name) => row[name] ?? null));
    }
    for (const { id, number } of planned) {
      const values = [site, Date.now(), author, jobNumber, number, resource, id, 1];
      addLine.run(...values, crc32(values.join('\n')));
    }
    for (const i of bucketsIn(planned.length)) {
      const bucket = first / BUCKET + i;
      addMark.run(job, bucket, 1, `[{"from":${bucket * BUCKET + 1},"to":${(bucket + 1) * BUCKET},"state":"done"}]`, 1);
      setState.run('d'.repeat(BUCKET), 1, 1, job, bucket);
    }
  });
}
database.pragma('synchronous = FULL');
commit(total, () => undefined);
database.close();
