// pm demo: a walk through a throw-away site, for somebody who has never seen pm.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { seedSample } from '../../sites/seed.ts';
import { openLocal } from '../backend.ts';
import type { Run, RunLine } from '../command.ts';
import type { Streams } from '../streams.ts';

export function build(_run: Run, io: Streams, runLine: RunLine): Command {
  return new Command('demo')
    .description('A guided walk on a throw-away site; your own files are not touched.')
    .action(() => demo(io, runLine));
}

/** One station of the walk: what to look at, and the command that shows it. */
interface Station {
  readonly words: string;
  /** What stands in the file that the command reads. */
  readonly shows?: string;
  readonly command: readonly string[];
  /** The exit code it ends with. */
  readonly exit?: number;
}

const PERSON = 'klara.svoboda';
const FILE = 'titles.csv';
const ROWS = `UserName,PrimaryTitle
${PERSON},Senior laboratory technician
haeun.seo,Key account manager
jorg.strauss,Principal engineer
`;
const SPREADSHEET = ['individuals', FILE, '--key', 'UserName'];

const STATIONS: readonly Station[] = [
  {
    words: 'Who works here? Lists can be filtered, sorted and cut.',
    command: [
      'individuals',
      'list',
      '--where',
      "LastName ~ '^S'",
      '--sort',
      'LastName',
      '--limit',
      '5',
      '--fields',
      'UserName,FullName,PrimaryTitle',
    ],
  },
  { words: 'How is the company built?', command: ['departments', 'tree'] },
  {
    words: `What does ${PERSON} answer for?`,
    command: ['accountabilities', 'list', '--individual', PERSON, '--fields', 'Rank,Name,Description'],
  },
  {
    words: `Now ${PERSON} is deleted. Nothing is lost: it is marked, and what belongs to it is hidden with it.`,
    command: ['individuals', 'delete', PERSON, '--yes', '--fields', 'UserName,Deleted,Updated'],
  },
  {
    words: 'What went by reference: the accountabilities are not deleted by themselves, but hidden.',
    command: [
      'accountabilities',
      'list',
      '--individual',
      PERSON,
      '--deleted',
      '1',
      '--fields',
      'Name,Deleted,DeletedByRef',
    ],
  },
  {
    words: 'A deleted record is not found, and the error says how to bring it back.',
    command: ['individuals', 'get', PERSON],
    exit: 6,
  },
  {
    words: 'And back it comes, with all that went with it.',
    command: ['individuals', 'undelete', PERSON, '--fields', 'UserName,Deleted,DeletedByRef'],
  },
  {
    words: `Many changes at once: ${FILE} is a spreadsheet with new titles. First a look at what would change.`,
    shows: ROWS,
    command: ['import', ...SPREADSHEET, '-n'],
  },
  {
    words: 'A plan is the same, written down: somebody else can look at it, and run it later.',
    command: ['plan', ...SPREADSHEET, '--out', 'titles.plan'],
  },
  {
    words: 'Run, it is one job.',
    command: ['apply', 'titles.plan', '--yes', '-o', 'none'],
  },
  {
    words: 'Who changed what, and when, is kept.',
    command: ['history', 'individuals', PERSON, '--sort', '-At', '--limit', '3', '--fields', 'At,Who,What,Field,After'],
  },
  {
    words: 'It was not meant so? Every job can be taken back, a single change too.',
    command: ['undo', '--yes', '-o', 'none'],
  },
  {
    words: 'How does Engineering do this quarter? The marks on the bars are the thresholds.',
    command: ['dashboards', 'show', 'Engineering'],
  },
  {
    words: `May ${PERSON} change that department? Rights can be asked, and say why.`,
    command: ['can', PERSON, 'update', 'department', 'Engineering', '--why'],
    exit: 5,
  },
  {
    words: 'The same data for scripts: JSON, CSV, YAML, XML and more.',
    command: ['departments', 'list', '--limit', '2', '-o', 'json', '--fields', 'Name,DisplayRank,RowType'],
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
    io.stdout.write('A walk through pm, on a throw-away site with a sample company.\n');
    await fill(home, io);
    writeFileSync(join(home, FILE), ROWS);
    for (const station of STATIONS)
      await visit(station, { ...io, env: { ...io.env, ...envOf(home) }, cwd: home }, runLine);
    io.stdout.write(NEXT);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function fill(home: string, io: Streams): Promise<void> {
  let now = io.now();
  const { backend } = await openLocal({ home, owner: 'admin', clock: () => now });
  await seedSample(
    { sample: 'small' },
    { session: await backend.open({}), setClock: (at) => (now = at), today: io.now() },
  );
  await backend.close();
}

const envOf = (home: string) => ({ PM_HOME: home, PM_PROFILE: 'local', USER: 'admin', PM_OUTPUT: 'table' });

async function visit({ words, shows, command, exit = 0 }: Station, io: Streams, runLine: RunLine): Promise<void> {
  const file = shows === undefined ? '' : `$ cat ${FILE}\n${shows}`;
  io.stdout.write(`\n# ${words}\n${file}$ pm ${command.map(quoted).join(' ')}\n`);
  const ended = await runLine(command, io);
  if (ended !== exit) throw new Error(`the demo expected exit ${exit} of pm ${command.join(' ')}, but it was ${ended}`);
}

const quoted = (word: string): string => (/^[\w.,:/=-]+$/.test(word) ? word : `"${word}"`);
