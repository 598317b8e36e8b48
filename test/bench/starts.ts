// P1 to P4 and P14: what a command costs from its start to its end, against Node that does nothing; P3 and P4 against a bare
// program that only reads and writes.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { driverFor } from '../../src/engine/store/sqlite/driver.ts';
import { growthLine, type Line, timesLine } from './line.ts';
import { pm, processTime } from './processes.ts';
import { makeIndividuals, newSite, type Site } from './site.ts';
import { medians } from './timing.ts';

const ROUNDS = 41;
/** In its first runs pm writes the code that it keeps. */
const WARM_UP = 8;
const INDIVIDUALS = 1000;

/** An executable of Node. */
export interface Node {
  readonly path: string;
  readonly version: string;
}

interface Command {
  readonly row: string;
  readonly line: string;
  readonly what: string;
  readonly goal: number;
  /** By which the bare program reads the same records, where that is the limit. */
  readonly sql?: string;
}

const commands = (id: string): readonly Command[] => [
  { row: 'P1', line: '--version', what: 'pm --version', goal: 1.15 },
  { row: 'P2', line: '--help', what: 'pm --help', goal: 1.35 },
  { row: 'P2', line: 'individuals --help', what: 'pm individuals --help', goal: 1.35 },
  {
    row: 'P3',
    line: `individuals get ${id} -o json`,
    what: 'pm individuals get <id> -o json',
    goal: 1.35,
    sql: `SELECT * FROM individual WHERE "ID" = '${id}'`,
  },
  {
    row: 'P4',
    line: 'individuals list -o json',
    what: `pm individuals list -o json, ${INDIVIDUALS.toLocaleString('en')} rows`,
    goal: 1.35,
    sql: 'SELECT * FROM individual WHERE "Deleted" = 0 ORDER BY "FullOrderedName$", "ID"',
  },
  {
    row: 'P14',
    line: '__complete zsh individuals get =individual7',
    what: 'Tab after: pm individuals get individual7',
    goal: 1.6,
  },
];

/** Measures the commands on a site of a thousand individuals, by this Node and by the one that runs the benchmarks. */
export async function starts(root: string, recent: Node): Promise<readonly Line[]> {
  const site = await newSite();
  const [first = ''] = await makeIndividuals(site, INDIVIDUALS - 1);
  await site.close();
  try {
    const lines = await startsBy(recent, root, site, commands(first));
    const own = { path: process.execPath, version: process.versions.node };
    if (lineOf(own) === lineOf(recent)) return lines;
    const beside = await startsBy(own, root, site, commands(first));
    return [...lines, ...beside.map((line) => ({ ...line, goal: '', met: undefined }))];
  } finally {
    await site.end();
  }
}

async function startsBy(node: Node, root: string, site: Site, all: readonly Command[]): Promise<readonly Line[]> {
  const { home, user, file } = site;
  const time = (args: readonly string[]) => () => processTime({ root, home, user, command: node.path, args });
  const bare = [join(root, 'test/bench/bare-show.cjs'), driverOf(node), file];
  const ours = Object.fromEntries(all.map(({ line }) => [line, time(pm(root, line))]));
  const floors = Object.fromEntries(all.flatMap(({ sql }) => (sql ? [[sql, time([...bare, sql])]] : [])));
  const contenders = { node: time(['-e', '0']), ...ours, ...floors };
  const measured = await medians<string>(ROUNDS, contenders, WARM_UP);
  const { node: limit = Number.NaN } = measured;
  return all.flatMap(({ row, goal, what, line, sql }) => {
    const times = { row, limit, what: `${what}, Node ${lineOf(node)}`, ours: measured[line] ?? Number.NaN };
    if (sql === undefined) return timesLine({ ...times, goal });
    const bare = measured[sql] ?? Number.NaN;
    const besideNode = { ...times, what: `the bare program that reads them, Node ${lineOf(node)}`, ours: bare };
    return [timesLine({ ...times, limit: bare, goal }), growthLine(besideNode)];
  });
}

/** The driver of SQLite that fits a Node. */
const driverOf = ({ path }: Node): string =>
  driverFor({ napi: execFileSync(path, ['-p', 'process.versions.napi'], { encoding: 'utf8' }) });

const lineOf = ({ version }: Node): string => version.split('.')[0] ?? '';
