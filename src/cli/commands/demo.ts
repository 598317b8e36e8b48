// pm demo: a guided walk through a temporary site, for new users.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import type { Run, RunLine } from '../command.ts';
import { openLineOf } from '../completion/complete.ts';
import { printText } from '../output/printing.ts';
import { fillSmall } from '../serving.ts';
import type { Streams } from '../streams.ts';

export function build(_run: Run, io: Streams, runLine: RunLine): Command {
  return new Command('demo')
    .description('A guided walk on a throw-away site; your own files are not touched.')
    .action(() => demo(io, runLine));
}

interface Step {
  readonly text: string;
  /** The content of the file that the command reads. */
  readonly shows?: string;
  /** As it is typed, behind pm. */
  readonly command: string;
  /** The expected exit code. */
  readonly exit?: number;
}

const WHO = 'klara.svoboda';
const FILE = 'titles.csv';
const ROWS = `UserName,PrimaryTitle
${WHO},Senior laboratory technician
haeun.seo,Key account manager
jorg.strauss,Principal engineer
`;
const SPREADSHEET = `individuals ${FILE} --key UserName`;

const STEPS: readonly Step[] = [
  {
    text: 'Who works here? Lists can be filtered, sorted and cut.',
    command: `individuals list --where "LastName ~ '^S'" --sort LastName --limit 5 --fields UserName,FullName,PrimaryTitle`,
  },
  { text: 'How is the company built?', command: 'departments tree' },
  {
    text: `What does ${WHO} answer for?`,
    command: `accountabilities list --individual ${WHO} --fields Rank,Name,Description`,
  },
  {
    text: `Now ${WHO} is deleted. Nothing is lost: it is marked, and what belongs to it is hidden with it.`,
    command: `individuals delete ${WHO} --yes --fields UserName,Deleted,Updated`,
  },
  {
    text: 'What went by reference: the accountabilities are not deleted by themselves, but hidden.',
    command: `accountabilities list --individual ${WHO} --deleted 1 --fields Name,Deleted,DeletedByRef`,
  },
  {
    text: 'A deleted record is not found, and the error says how to bring it back.',
    command: `individuals get ${WHO}`,
    exit: 6,
  },
  {
    text: 'And back it comes, with all that went with it.',
    command: `individuals undelete ${WHO} --fields UserName,Deleted,DeletedByRef`,
  },
  {
    text: `Many changes at once: ${FILE} is a spreadsheet with new titles. First a look at what would change.`,
    shows: ROWS,
    command: `import ${SPREADSHEET} -n`,
  },
  {
    text: 'A plan is the same, written down: somebody else can look at it, and run it later.',
    command: `plan ${SPREADSHEET} --out titles.plan`,
  },
  { text: 'Run, it is one job.', command: 'apply titles.plan --yes -o none' },
  {
    text: 'Who changed what, and when, is kept.',
    command: `history individuals ${WHO} --sort -At --limit 3 --fields At,Who,What,Field,After`,
  },
  {
    text: 'It was not meant so? Every job can be taken back, a single change too.',
    command: 'undo --yes -o none',
  },
  {
    text: 'How does Engineering do this quarter? The marks on the bars are the thresholds.',
    command: 'dashboards show Engineering',
  },
  {
    text: `May ${WHO} change that department? Rights can be asked, and say why.`,
    command: `can ${WHO} update department Engineering --why`,
    exit: 5,
  },
  {
    text: 'The same data for scripts: JSON, CSV, YAML, XML and more.',
    command: 'departments list --limit 2 -o json --fields Name,DisplayRank,RowType',
  },
];

const NEXT = `
That was a throw-away site; it is gone now. For one that stays (where pm is not on your path yet, it is node bin/pm.js):

  pm seed --sample small                         fill your local site with the same company
  pm individuals tree                            who reports to whom
  pm individuals get me -o yaml                  one record, whole
  pm departments create --name Lab --rank 9 --parent Engineering -n   what would change
  pm import individuals titles.csv -n            a spreadsheet of your own
  pm dashboards report Engineering --html engineering.html   the dashboards as a page
  pm help changes                                plans, jobs, undo
  pm explain individuals                         every field, its rule, its flag
  pm --help                                      all commands
`;

async function demo(io: Streams, runLine: RunLine): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'pm-demo-'));
  try {
    printText(io, 'A walk through pm, on a throw-away site with a sample company.\n');
    await fillSmall({ home, owner: 'admin' }, io.now());
    writeFileSync(join(home, FILE), ROWS);
    const env = { ...io.env, PM_HOME: home, PM_PROFILE: 'local', USER: 'admin', PM_OUTPUT: 'table' };
    for (const step of STEPS) await runStep(step, { ...io, env, cwd: home }, runLine);
    printText(io, NEXT);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function runStep({ text, shows, command, exit = 0 }: Step, io: Streams, runLine: RunLine): Promise<void> {
  const file = shows === undefined ? '' : `$ cat ${FILE}\n${shows}`;
  printText(io, `\n# ${text}\n${file}$ pm ${command}\n`);
  const ended = await runLine(openLineOf(`${command} `).words, io);
  if (ended !== exit) throw new Error(`the demo expected exit ${exit} of pm ${command}, but it was ${ended}`);
}
