// P7: how many records the engine makes in one transaction, against inserts that check nothing.
import Database from 'better-sqlite3';
import { contract } from '../../src/contract/index.ts';
import type { Line } from './line.ts';
import { accountability, newSite, type Site } from './site.ts';
import { medians, timed } from './timing.ts';

const COUNT = 5000;
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
    const share = time.limit / time.ours;
    return {
      row: 'P7',
      what: 'create in one transaction',
      ours: rate(time.ours),
      limit: rate(time.limit),
      ratio: `${(share * 100).toFixed(0)} %`,
      goal: `≥ ${GOAL * 100} %`,
      met: share >= GOAL,
    };
  } finally {
    await ours.end();
    await bare.end();
  }
}

const rate = (milliseconds: number): string => `${Math.round((COUNT / milliseconds) * 1000).toLocaleString('en')}/s`;

async function createAll({ session }: Site, from: number): Promise<void> {
  const { create } = contract.accountability.operations;
  await session.local?.transaction(async (inside) => {
    for (let n = from; n < from + COUNT; n++) await inside.call(create, { body: accountability(inside.me.id, n) });
  });
}

/** The rows are ready before the clock starts: only the two inserts of each, and their commit, are timed. */
async function bareInserts(site: Site): Promise<(from: number) => number> {
  const { session, file } = site;
  const { create } = contract.accountability.operations;
  const made = await session.call(create, { body: accountability(session.me.id, -1) });
  await site.close();
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('cache_size = -65536');
  const sample = database.prepare('SELECT * FROM accountability WHERE ID = ?').get(made.ID) as Record<string, unknown>;
  const past = database.prepare('SELECT * FROM history WHERE ID = ?').get(made.ID) as Record<string, unknown>;
  delete past.Sequence;
  const insert = database.prepare(insertInto('accountability', sample));
  const record = database.prepare(insertInto('history', past));
  return (from) => {
    const rows = Array.from({ length: COUNT }, (_, i) => {
      const { Name, Rank, Description } = accountability('', from + i);
      const own = { ID: crypto.randomUUID(), Name, Rank, Description, Name$: String(Name).toLowerCase() };
      return [Object.values({ ...sample, ...own }), Object.values({ ...past, ID: own.ID })] as const;
    });
    const start = performance.now();
    database.exec('BEGIN IMMEDIATE');
    for (const [row, line] of rows) {
      insert.run(...row);
      record.run(...line);
    }
    database.exec('COMMIT');
    return performance.now() - start;
  };
}

function insertInto(table: string, row: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(row);
  return `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}
