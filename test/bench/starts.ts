// P1 to P4: what a command costs from its start to its end, against Node that does nothing.
import { type Line, timesLine } from './line.ts';
import { pm, processTime } from './processes.ts';
import { makeIndividuals, newSite } from './site.ts';
import { medians } from './timing.ts';

const ROUNDS = 21;
const INDIVIDUALS = 1000;

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
];

/** Measures the commands on a site of a thousand individuals. */
export async function starts(root: string): Promise<readonly Line[]> {
  const site = await newSite();
  const [first = ''] = await makeIndividuals(site, INDIVIDUALS - 1);
  await site.close();
  try {
    const { home, user } = site;
    const all = commands(first);
    const time = (args: readonly string[]) => () => processTime({ root, home, user, args });
    const ours = Object.fromEntries(all.map(({ line }) => [line, time(pm(root, line))]));
    const measured = await medians(ROUNDS, { node: time(['-e', '0']), ...ours });
    return all.map(({ row, what, line, goal }) =>
      timesLine({ row, what, goal, ours: measured[line as 'node'], limit: measured.node }),
    );
  } finally {
    await site.end();
  }
}
