// The help of a command: how it is written, its own flags, one line for those of every command, examples that run.
import type { Argument, Command, Help, Option } from 'commander';
import { resources } from '../../contract/index.ts';
import { isGlobalOption } from '../command.ts';
import { ownFlags, visibleFlags } from './flags-of.ts';
import { type Examples, RESOURCE_EXAMPLES } from './resource-examples.ts';
import { pathOf } from './usage-error.ts';
import { PAGE_WIDTH } from './written-pages.ts';

/** The page of `--help`; with `short` that of `-h`: how it is written, its own flags, one example. */
export function helpPage(command: Command, helper: Help, short: boolean): string {
  const width = Math.min(helper.helpWidth ?? PAGE_WIDTH, PAGE_WIDTH);
  const examples = examplesOf(pathOf(command));
  const described = helper.visibleArguments(command).map((one) => [one.name(), one.description] as const);
  const flags = ownFlags(command).map((option) => [flagTerm(option), flagDoc(option)] as const);
  const below = helper.visibleCommands(command).map((one) => [commandTerm(one), one.description()] as const);
  const parts = [
    usageOf(command, width),
    short ? '' : filled(command.description().split(' '), width).join('\n'),
    short ? '' : table('Arguments', described, width),
    table('Flags', flags, width),
    table('Commands', below, width),
    moreFlags(visibleFlags(command).filter(isGlobalOption), width),
    examplesIn(short ? examples.slice(-1) : examples),
    short ? `All of it: ${pathOf(command)} --help` : '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A longer term has a line of its own. */
const WIDEST_TERM = 30;

/** A flag stays with its value. */
const USAGE_WORDS = /[([]?--[\w-]+ (?:<[^<>]*>|\[[^\]]*\])[)\]]?|\S+/g;

function usageOf(command: Command, width: number): string {
  const written = command.usage();
  const usage = written.startsWith('[options]') ? ownUsage(command) : written;
  const words = usage.match(USAGE_WORDS) ?? [];
  return filled([`Usage: ${pathOf(command)}`, ...words], width, '  ').join('\n');
}

const ownUsage = (command: Command): string =>
  [
    ...command.registeredArguments.map(argumentTerm),
    ...command.options.filter((option) => option.mandatory).map(flagTerm),
    '[flags]',
  ].join(' ');

function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

const commandTerm = (command: Command): string =>
  [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' ');

/** The flag with the words that it takes. */
const flagTerm = ({ flags, argChoices }: Option): string =>
  argChoices ? flags.replace(/<[^<>]*>/, `<${argChoices.join('|')}>`) : flags;

function flagDoc({ description, defaultValue }: Option): string {
  const isShown = typeof defaultValue === 'string' || typeof defaultValue === 'number';
  return isShown ? `${description} (${defaultValue})` : description;
}

/** Those of every command that most people look for. */
const PROMINENT = '--where --sort --limit --group-by --deleted --dry-run --yes --confirm --output --fields'.split(' ');

function moreFlags(options: readonly Option[], width: number): string {
  if (options.length === 0) return '';
  const names = PROMINENT.flatMap((long) => {
    const option = options.find((one) => one.long === long);
    return option ? [option.short ?? long] : [];
  });
  return filled(`More: ${names.join(', ')} … (pm help flags)`.split(' '), width, '  ').join('\n');
}

function examplesIn(examples: readonly string[]): string {
  if (examples.length === 0) return '';
  const heading = `Example${examples.length > 1 ? 's' : ''}, with the names of pm seed --sample small:`;
  return [heading, ...examples.map(exampleText)].join('\n');
}

/** Words in quotes stay together, and a flag with its value. */
const SHELL_WORDS = /(?:--[\w-]+ (?!-))?(?:[^\s"']|"[^"]*"|'[^']*')+/g;

/** A long line is continued as shells continue it. */
const exampleText = (line: string): string =>
  filled(['  pm', ...(line.match(SHELL_WORDS)?.slice(1) ?? [])], PAGE_WIDTH - 2, '      ').join(' \\\n');

/** Terms and their meanings in two columns below a heading; empty without any. */
export function table(heading: string, rows: readonly (readonly [string, string])[], width: number): string {
  if (rows.length === 0) return '';
  const column = Math.min(WIDEST_TERM, Math.max(...rows.map(([term]) => term.length))) + 2;
  const indent = ' '.repeat(column + 2);
  const lines = rows.flatMap(([term, meaning]) => {
    const meanings = filled(meaning.split(' '), width - indent.length);
    const [first = '', ...rest] = meanings;
    const fits = term.length <= column - 2;
    const begin = fits ? [`  ${term.padEnd(column)}${first}`.trimEnd()] : [`  ${term}`, indent + first];
    return [...begin, ...rest.map((line) => indent + line)];
  });
  return [`${heading}:`, ...lines].join('\n');
}

/** Words in lines of at most `width` signs, all but the first one indented. */
function filled(words: readonly string[], width: number, indent = ''): readonly string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of words) {
    if (line === undefined) line = word;
    else if (line.length + 1 + word.length <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = indent + word;
    }
  }
  return [...lines, line ?? ''];
}

/** Each line of an example runs on the small sample; a test runs them all. */
const PEOPLE = 'pm export individuals --out people.csv';

type Lines = Examples[string];
const areLines = (examples: Examples | Lines): examples is Lines =>
  typeof examples === 'string' || Array.isArray(examples);

const COMMANDS: Readonly<Record<string, Examples | Lines>> = {
  demo: '',
  seed: ['--sample small', '--sample large --individuals 200'],
  import: [
    PEOPLE,
    'individuals people.csv --key UserName -n',
    'individuals people.csv --key UserName --yes',
    'individuals people.csv --mode update --on-error rollback --yes',
    'people.csv -n',
  ],
  export: [
    '--dir site',
    'individuals --names --out names.csv',
    'individuals --out people.csv --excel',
    'accountabilities --form ndjson',
  ],
  each: [PEOPLE, 'people.csv -n -- individuals update {UserName} --user-defined4 {LastName}'],
  plan: [
    PEOPLE,
    'individuals people.csv --key UserName --out people.plan',
    'show people.plan',
    'pm apply people.plan --yes',
  ],
  apply: [PEOPLE, 'pm plan individuals people.csv --out people.plan', 'people.plan --yes'],
  diff: ['local', 'local --resource individuals --exit-code', 'local --only klara.svoboda --out back.plan'],
  clone: ['pm backup local monday.db', 'monday.db local -n', 'local site/'],
  check: ['pm export --dir site', 'site'],
  schema: ['individuals', 'periods'],
  jobs: {
    list: '--limit 5',
    show: '$(pm jobs list --limit 1 -o id) --rows',
    resume: '3f2a',
    retry: '3f2a --on-drift overwrite',
    settle: '3f2a --row 12 --done',
    report: '3f2a --out failed.csv',
    prune: '--older-than 90d -n',
  },
  undo: [
    '-n',
    '$(pm jobs list --limit 1 -o id) --where "Line <= 20" -n',
    '--by me --since -1d --resource departments --where "What = \'update\'" -n',
  ],
  history: {
    '': ['individuals amara.okafor', 'departments Engineering --where "What = \'update\'"'],
    prune: '--older-than 365d -n',
  },
  show: ['klara.svoboda', 'Engineering -o md'],
  find: ['svob', 'strauss --resource individuals', 'cable --limit 5 -o json'],
  mcp: ['-p local', '-p local --allow-apply'],
  log: ['--since -30d --limit 20', '--where "What = \'delete\'"'],
  explain: ['individuals', 'individuals.UserName', 'individuals --operations'],
  serve: ['--sample small', '--drain 10', '--port 8080 --site "Harbour Works"'],
  openapi: '',
  backup: ['local monday.db', 'local monday.db -n', 'postgres://pm@db.example.org/pm monday.db'],
  restore: ['monday.db local', 'monday.db postgres://pm@db.example.org/pm', 'local postgres://pm@db.example.org/pm -n'],
  profiles: {
    list: '',
    show: 'local',
    use: 'local',
    delete: ['pm profiles add old --url https://pm.example.com', 'old'],
    add: ['prod --url https://pm.example.com --user ann --protected', 'prod --url https://pm.example.com -n'],
  },
  login: '-p prod --user ann',
  logout: '-p prod',
  whoami: '',
  tokens: {
    create: '--kind user',
    list: '',
    revoke: ['pm tokens create --kind user', '$(pm tokens list -o id)'],
  },
  api: ['GET /me -p prod', 'PUT /metrics/1f0c…/undelete -p prod -n'],
  doctor: '',
  config: { list: '--origin' },
  can: [
    'amara.okafor update department Engineering --why',
    'luis.ferreira read individual amara.okafor',
    '--who delete individual luis.ferreira',
    'luis.ferreira --what',
    'luis.ferreira update department Engineering --if "allow update on department Engineering to luis.ferreira"',
  ],
  passwd: ['amara.okafor --new-password-file password.txt', 'amara.okafor --new-password-stdin'],
  completion: { bash: '', zsh: '', fish: '', powershell: '', install: ['--shell bash -n', '--shell zsh -n'] },
  commands: ['-o json', 'departments', '--where "Writes = false" -o id'],
  help: ['where', 'individuals list'],
};

/** The examples of a command, by the words that call it; of a group one for each of its verbs. */
function examplesOf(path: string): readonly string[] {
  const [, first = '', verb] = path.split(' ');
  const name = resources.find(({ aliases }) => aliases.includes(first))?.command ?? first;
  const given = RESOURCE_EXAMPLES[name] ?? COMMANDS[name] ?? {};
  const examples: Examples = areLines(given) ? { '': given } : given;
  const lines = (of: string): readonly string[] =>
    [examples[of] ?? []].flat().map((line) => whole(`pm ${name}${of && ` ${of}`}`, line));
  if (verb !== undefined || '' in examples) return lines(verb ?? '');
  return Object.keys(examples).flatMap((of) => lines(of).slice(-1));
}

const whole = (command: string, line: string): string => (line.startsWith('pm ') ? line : `${command} ${line}`.trim());
