// P1 to P4 and P14: what a command costs from its start to its end, against Node that does nothing.
import { type Line, timesLine } from './line.ts';
import { pm, processTime } from './processes.ts';
import { makeIndividuals, newSite, type Site } from './site.ts';
import { medians } from './timing.ts';

const ROUNDS = 21;
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
}

const commands = (id: string): readonly Command[] => [
  { row: 'P1', line: '--version', what: 'pm --version', goal: 1.15 },
  { row: 'P2', line: '--help', what: 'pm --help', goal: 1.35 },
  { row: 'P2', line: 'individuals --help', what: 'pm individuals --help', goal: 1.35 },
  { row: 'P3', line: `individuals get ${id} -o json`, what: 'pm individuals get <id> -o json', goal: 1.6 },
  {
    row: 'P4',
    line: 'individuals list -o json',
    what: `pm individuals list -o json, ${INDIVIDUALS.toLocaleString('en')} rows`,
    goal: 1.8,
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
  const { home, user } = site;
  const time = (args: readonly string[]) => () => processTime({ root, home, user, command: node.path, args });
  const ours = Object.fromEntries(all.map(({ line }) => [line, time(pm(root, line))]));
  const measured = await medians(ROUNDS, { node: time(['-e', '0']), ...ours });
  return all.map(({ row, what, line, goal }) =>
    timesLine({
      ...{ row, goal, what: `${what}, Node ${lineOf(node)}` },
      ...{ ours: measured[line as 'node'], limit: measured.node },
    }),
  );
}

const lineOf = ({ version }: Node): string => version.split('.')[0] ?? '';
