// Runs the benchmarks, prints one table, and writes it to the help topic `benchmarks`.
import { adaptiveImports } from './adaptive-imports.ts';
import { cascade } from './cascade.ts';
import { creates } from './creates.ts';
import { differences } from './differences.ts';
import { growth } from './growth.ts';
import { imports } from './imports.ts';
import type { Line } from './line.ts';
import { lists } from './lists.ts';
import { onPostgres } from './on-postgres.ts';
import { listOfThePast } from './past.ts';
import { reads } from './reads.ts';
import { remoteImports } from './remote-imports.ts';
import { table, writeTopic } from './report.ts';
import { rightsOnLists } from './rights.ts';
import { rollUps } from './roll-ups.ts';
import { createsServed, listsServed } from './served.ts';
import { type Node, starts } from './starts.ts';
import { tables } from './tables.ts';
import { xmlLists } from './xml-lists.ts';

interface Options {
  readonly root: string;
  /** By which P1 to P4 and P14 are measured, beside the Node that runs this. */
  readonly recent: Node;
  /** With a million records, too. */
  readonly full: boolean;
  /** Some rows alone; nothing is written then. */
  readonly only: readonly string[];
}

/** The starts are measured together. */
const STARTS = ['P1', 'P2', 'P3', 'P4', 'P14'];

const MANY = 100_000;
const A_MILLION = 1_000_000;

/** Measures one thing after another; two at a time would disturb each other. */
export async function main({ root, recent, full, only }: Options): Promise<void> {
  const all: Readonly<Record<string, () => Promise<Line | readonly Line[]>>> = {
    P1: () => starts(root, recent),
    P5: async () => [
      ...(await imports(root, { count: MANY, rounds: 7, peers: full })),
      ...(full ? await imports(root, { count: A_MILLION, rounds: 1, peers: false }) : []),
    ],
    P6: async () => [await lists(root, MANY, 7), ...(full ? [await lists(root, A_MILLION, 1)] : [])],
    P7: creates,
    P8: () => reads(root),
    P9: () => createsServed(root),
    P10: () => remoteImports(root),
    P11: () => listsServed(root),
    P12: () => growth(full ? A_MILLION : MANY),
    P13: cascade,
    P15: rollUps,
    P16: rightsOnLists,
    P17: () => adaptiveImports(root),
    P18: xmlLists,
    P19: () => listOfThePast(root),
    P21: () => onPostgres(root, full ? A_MILLION : MANY),
    P22: () => differences(root, MANY),
    P23: () => tables(root),
  };
  const wanted = new Set(only.map((row) => (STARTS.includes(row) ? 'P1' : row)));
  const unknown = [...wanted].filter((row) => !Object.hasOwn(all, row));
  if (unknown.length > 0) throw new Error(`there is no row ${unknown.join(', ')}: ${Object.keys(all).join(', ')}`);
  const lines: Line[] = [];
  for (const [row, measure] of Object.entries(all)) {
    if (wanted.size > 0 && !wanted.has(row)) continue;
    process.stderr.write(`${row} …\n`);
    lines.push(...[await measure()].flat());
  }
  process.stdout.write(`${table(lines)}\n`);
  if (only.length === 0) writeTopic(root, recent.version, lines);
}
