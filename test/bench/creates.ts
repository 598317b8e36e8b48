// P7: how many records the engine makes in one transaction, against inserts that check nothing.
import type Database from 'better-sqlite3';
import { contract } from '../../src/contract/index.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { type Line, rateLine } from './line.ts';
import { accountability, newSite, type Site } from './site.ts';
import { medians, timed } from './timing.ts';

export const COUNT = 5000;
const ROUNDS = 9;
const GOAL = 0.4;

/** Makes accountabilities through the engine, and the same rows with two prepared statements. */
export async function creates(): Promise<Line> {
  const ours = await newSite();
  const bare = await newSite();
  try {
    const insertBare = await bareInserts(bare);
    let round = 0;
    const time = await medians(ROUNDS, {
      ours: () => timed(() => createAll(ours, COUNT * round)),
      limit: () => insertBare(COUNT * round++),
    });
    return rateLine({ row: 'P7', what: 'create in one transaction', count: COUNT, goal: GOAL, ...time });
  } finally {
    await ours.end();
    await bare.end();
  }
}

export async function createAll({ session }: Site, from: number): Promise<void> {
  const { create } = contract.accountability.operations;
  await session.local?.transaction(async (inside) => {
    for (let n = from; n < from + COUNT; n++) await inside.call(create, { body: accountability(inside.me.id, n) });
  });
}

/** The rows are ready before the clock starts: only the two inserts of each, and their commit, are timed. */
async function bareInserts(site: Site): Promise<(from: number) => number> {
  const { database, row, past } = await bareSample(site);
  const insert = database.prepare(insertInto('accountability', row));
  const record = database.prepare(insertInto('line', past));
  return (from) => {
    const rows = bareRows(row, from, COUNT).map(
      (one) => [Object.values(one), Object.values({ ...past, ID: one.ID })] as const,
    );
    const start = performance.now();
    database.exec('BEGIN IMMEDIATE');
    for (const [one, line] of rows) {
      insert.run(...one);
      record.run(...line);
    }
    database.exec('COMMIT');
    return performance.now() - start;
  };
}

/** So many inserts of a record alone, each durable before the next one begins; answers their milliseconds. */
export async function autocommitInserts(site: Site, count: number): Promise<() => number> {
  const { database, row } = await bareSample(site);
  const insert = database.prepare(insertInto('accountability', row));
  return () => {
    const rows = bareRows(row, 0, count).map((one) => Object.values(one));
    const start = performance.now();
    for (const one of rows) insert.run(...one);
    return performance.now() - start;
  };
}

type Cells = Readonly<Record<string, unknown>>;

/** The site's database without its engine, and what a record and its line of history are in it. */
async function bareSample(site: Site): Promise<{ database: Database.Database; row: Cells; past: Cells }> {
  const { session, file } = site;
  const { create } = contract.accountability.operations;
  const made = await session.call(create, { body: accountability(session.me.id, -1) });
  await site.close();
  const database = openDatabase(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('cache_size = -65536');
  const row = database.prepare('SELECT * FROM accountability WHERE ID = ?').get(made.ID) as Cells;
  const { Sequence: _, ...past } = database.prepare('SELECT * FROM line WHERE ID = ?').get(made.ID) as Cells;
  return { database, row, past };
}

const bareRows = (sample: Cells, from: number, count: number): readonly Cells[] =>
  Array.from({ length: count }, (_, i) => {
    const { Name, Rank, Description } = accountability('', from + i);
    return { ...sample, ID: crypto.randomUUID(), Name, Rank, Description, Name$: String(Name).toLowerCase() };
  });

function insertInto(table: string, row: Cells): string {
  const names = Object.keys(row);
  return `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}
