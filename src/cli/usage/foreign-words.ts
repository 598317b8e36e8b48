// Words that people bring from other programs, each with what pm has instead.

interface ForeignVerb {
  /** The verbs of pm that do it; the first one that a command has is meant. */
  readonly verbs: readonly string[];
  readonly to: string;
  /** What follows the verb. */
  readonly rest: string;
  /** The foreign words, with blanks between them. */
  readonly words: string;
}

const VERBS: readonly ForeignVerb[] = [
  { verbs: ['delete', 'revoke', 'prune'], to: 'delete', rest: ' <id or name>', words: 'rm remove del' },
  { verbs: ['create', 'add'], to: 'make one', rest: ' [flags]', words: 'add new make insert' },
  { verbs: ['update', 'use'], to: 'change', rest: ' <id or name> [flags]', words: 'edit set change modify patch put' },
  { verbs: ['update'], to: 'change', rest: ' <id or name> [flags]', words: 'rename move mv' },
  { verbs: ['list'], to: 'list', rest: '', words: 'ls all index' },
  { verbs: ['list'], to: 'filter', rest: ' --where <filter>', words: 'query filter' },
  {
    verbs: ['get', 'show'],
    to: 'look at one',
    rest: ' <id or name>',
    words: 'show view describe info inspect cat read',
  },
  { verbs: ['diff'], to: 'compare two', rest: ' <one> <other>', words: 'compare difference differences' },
  { verbs: ['undelete'], to: 'bring back', rest: ' <id or name>', words: 'restore recover' },
];

/** What people call the records of a resource, in commands and as names of their files. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  individuals: 'people person persons user users employee employees staff worker workers',
  departments: 'org orgs organisation organisations orgunit orgunits unit units division divisions team teams',
  'department-members': 'membership memberships assignment assignments',
  accountabilities: 'responsibility responsibilities duty duties',
  commitments: 'goal goals objective objectives',
  metrics: 'kpi kpis measure measures',
  permissions: 'right rights',
  'security-groups': 'group groups',
};

/** Words that mean a resource in commands alone: a file called so may hold anything. */
const IN_COMMANDS: Readonly<Record<string, string>> = {
  individuals: 'accounts account',
  departments: 'dept depts',
  'basic-roles': 'roles role',
  permissions: 'acl acls grants',
  'department-members': 'members member',
  commitments: 'okrs',
  dialogs: 'meetings meeting reviews',
  tasks: 'todos todo',
  comments: 'notes remarks',
};

const SEARCHING = 'search find grep lookup';

/** No verbs of a resource, but commands by themselves: the hint that leads there. */
const NO_VERBS: Readonly<Record<string, string>> = {
  'To search: pm find <text>': SEARCHING,
  'To take a job back: pm undo <job>': 'undo revert rollback',
  'To see what happened to one: pm history <id or name>': 'history log changes audit',
};

/** The line of pm for commands of other programs. */
const COMMANDS: Readonly<Record<string, string>> = {
  'pm whoami': 'me who',
  'pm login': 'auth signin sign-in authenticate connect',
  'pm logout': 'signout sign-out',
  'pm undo': 'revert rollback',
  'pm log': 'audit events activity',
  'pm doctor': 'status health check verify',
  'pm serve': 'server start',
  'pm export --dir <folder>': 'dump download',
  'pm apply <folder>': 'load upload converge',
  'pm diff <wanted> of two sites, pm individuals diff <one> <other>, or, for a file, pm import <resource> <file> -n':
    'compare',
  'pm check <folder>': 'validate lint',
  'pm find <text>': SEARCHING,
  'pm explain <resource>': 'describe schema fields man',
  'pm config list': 'settings configure preferences env',
  'pm passwd <who>': 'password set-password reset-password',
  'pm can <who> <action> <what>': 'can-i access',
  'pm can --who <action> <what>': 'who-can',
  'pm demo': 'init setup tour tutorial quickstart',
  'pm openapi': 'swagger',
};

/** What pm has instead of these flags, by the flag that a command must have for it: the first one is meant. */
const FLAGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...Object.fromEntries(
    ['json', 'ndjson', 'csv', 'tsv', 'xlsx', 'yaml', 'xml', 'table', 'md'].map((form) => [
      `--${form}`,
      { '--output': `-o ${form}; --fields chooses the fields` },
    ]),
  ),
  '--format --output-format': { '--output': '-o <format>, as in -o json' },
  '-f': { '--output': '-o <format> for the form of the output, -y to answer yes' },
  '--query --jq --jsonpath --select-expression': {
    '--where': '--where <filter> to choose records, --jmespath <expression> to shape the result',
    '--jmespath': '--jmespath <expression>',
  },
  '--filter --search --match --grep --selector -l': {
    '--where': '--where <filter>, as in --where "LastName ~ \'^S\'" (pm help where)',
  },
  '--columns --column --select --cols --properties': { '--fields': '--fields <names>' },
  '--sort-by --order-by --order': { '--sort': '--sort <fields>' },
  '--top --max --count --first --page-size --max-results --take': { '--limit': '--limit <n>' },
  '--page --offset --skip --paginate --no-paginate': {
    '--limit': 'no pages: a list comes whole, and --limit <n> ends it earlier',
  },
  '--all -a -A': {
    '--deleted': 'a list without it: all are listed, and deleted ones too with --deleted include',
    '--where': '--where <filter> or IDs; nothing means all of them',
  },
  '--force --assume-yes --no-confirm --no-prompt --auto-approve --approve': {
    '--yes': '-y, or --confirm <name:number> for what is final',
  },
  '--dryrun --dry --what-if --whatif --simulate --preview --noop': { '--dry-run': '-n, or --dry-run' },
  '--verbose --debug -v -V --log-level': {
    '--curl': '--curl to see requests, --trace <file> to write requests and answers down',
  },
  '--no-color --no-colour --colour': { '--color': '--color never' },
  '--url --host --server --endpoint --context --environment --env --account': {
    '--profile': '-p <profile>; pm profiles add <name> --url <url> makes one',
  },
  '--by --author': { '--job': '--who <individual>' },
  '--individual': { '--job': '--who <individual> for what one did, else pm history individuals <ref>' },
  '--user --login --username --who': {
    '--job': '--who <individual>',
    '--user-name': '--user-name <text>',
    '--individual': '--individual <ref>',
    '--as': '--as <user> to act as that individual',
  },
  '--manager --boss --supervisor': {
    '--primary-reports-to': '--primary-reports-to <ref>',
    '--reports-to': '--reports-to <ref>',
  },
  '--department --org --organization --dept --team --unit': {
    '--department': '--department <ref>',
    '--primary-organization': '--primary-organization <ref>',
    '--organization': '--organization <ref>',
    '--job': 'pm history departments <ref> for what happened to one',
  },
  '--name --full-name --fullname --display-name': {
    '--first-name': '--first-name <text> --last-name <text>',
    '--group': '--group <text>',
    '--name': '--name <text>',
  },
  '--title --job-title --job --position': {
    '--primary-title': '--primary-title <text>',
    '--title': '--title <text>',
  },
  '--mail --e-mail': { '--email': '--email <text>' },
  '--text --note --message -m': { '--body': '--body <text>', '--description': '--description <text>' },
  '--since --after': {
    '--since': '--since <when>, as in --since -7d',
    '--journal': '--where "Created >= -7d"',
    '--where': '--where "Updated >= -7d"',
  },
  '--before --until': {
    '--until': '--until <when>, as in --until -7d',
    '--since': '--where "At < 2026-11-01"',
    '--journal': '--where "Created < 2026-11-01"',
    '--where': '--where "Updated < 2026-11-01"',
  },
  '--at --as-of': {
    '--at': '--at <when>, as in --at -7d',
    '--output': '--at after get, list, show, tree, history or export: the past is only read',
  },
  '--file --input --data --stdin -d': { '--from': '--from <file>, or --from - for stdin' },
  '--parallel --threads --workers --processes': {
    '--drain': 'pm serve once for each process, on a database of a PostgreSQL server (pm help scale)',
    '--concurrency': '--concurrency <n>',
  },
  '--timezone --time-zone': { '--tz': '--tz <zone>' },
};

const names = (words: string, word: string): boolean => words.split(' ').includes(word);
const called = (all: Readonly<Record<string, string>>, word: string): string | undefined =>
  Object.entries(all).find(([, words]) => names(words, word))?.[0];

/** The resource, by its command, whose records a file of this name holds. */
export const recordsNamed = (word: string): string | undefined => called(OTHER_NAMES, word);

/** The resource, by its command, that other programs call so. */
export const foreignResource = (word: string): string | undefined => recordsNamed(word) ?? called(IN_COMMANDS, word);

/** What `word`, a verb of pm or of other programs, does among `verbs`; `line` is the verb with its arguments. */
export function meantVerb(word: string, verbs: readonly string[]): { to: string; line: string } | undefined {
  for (const { verbs: own, to, rest, words } of VERBS) {
    if (!own.includes(word) && !names(words, word)) continue;
    const verb = own.find((one) => verbs.includes(one));
    if (verb !== undefined) return { to, line: `${verb}${rest}` };
  }
  return undefined;
}

/** The hint for a word that no command has as its verb, since a command by itself does it. */
export const commandMeant = (word: string): string | undefined => called(NO_VERBS, word);

/** The line of pm that does what this command of other programs does. */
export const foreignCommand = (word: string): string | undefined => called(COMMANDS, word);

/** What a command with these flags has instead of `flag`. */
export function foreignFlag(flag: string, flags: readonly string[]): string | undefined {
  return Object.entries(FLAGS)
    .filter(([words]) => names(words, flag))
    .flatMap(([, instead]) => Object.entries(instead))
    .find(([own]) => flags.includes(own) && own !== flag)?.[1];
}
