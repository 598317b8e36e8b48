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
  { verbs: ['delete', 'revoke', 'prune'], to: 'delete', rest: ' <id or name>', words: 'rm remove del destroy erase' },
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

/** The foreign names of resources, with blanks between them. */
const RESOURCES: Readonly<Record<string, string>> = {
  individuals: 'users user people person persons employees employee staff accounts account',
  departments: 'org orgs teams team units unit dept depts',
  'security-groups': 'groups group',
  'basic-roles': 'roles role',
  permissions: 'rights acl acls grants',
  'department-members': 'memberships membership members member',
  commitments: 'goals goal objectives okrs',
  dialogs: 'meetings meeting reviews',
  metrics: 'kpis kpi measures',
  tasks: 'todos todo',
  comments: 'notes remarks',
};

const SEARCHING = 'search find grep lookup';

/** No verbs of a resource, but commands by themselves: the hint that leads there. */
const NO_VERBS: Readonly<Record<string, string>> = {
  'To search: pm find <text>': SEARCHING,
  'To take a job back: pm undo <job>': 'undo revert rollback',
};

/** The line of pm for commands of other programs. */
const COMMANDS: Readonly<Record<string, string>> = {
  'pm whoami': 'me who',
  'pm login': 'auth signin sign-in authenticate connect',
  'pm logout': 'signout sign-out',
  'pm undo': 'revert rollback',
  'pm log': 'audit events activity',
  'pm doctor': 'status health check verify',
  'pm serve': 'server start daemon',
  'pm api <method> <path>': 'request curl http rest',
  'pm export --dir <folder>': 'backup dump download',
  'pm import --dir <folder>': 'load upload',
  'pm <resource> undelete <id or name> for a deleted record, or, for an export, pm import --dir <folder>': 'restore',
  'pm individuals diff <one> <other>, or, for a file, pm import <resource> <file> -n': 'diff compare',
  'pm find <text>': SEARCHING,
  'pm mcp': 'agent agents ai tools',
  'pm explain <resource>': 'describe schema fields man',
  'pm config list': 'settings configure preferences env',
  'pm profiles list': 'contexts context remotes environments',
  'pm passwd <who>': 'password set-password reset-password',
  'pm can <who> <action> <what>': 'can-i access',
  'pm can --who <action> <what>': 'who-can',
  'pm demo': 'init setup tour tutorial quickstart',
  'pm openapi': 'swagger spec',
};

/** What pm has instead of these flags: the first line whose flag the command has. */
const FLAGS: readonly { readonly words: string; readonly instead: readonly (readonly [string, string])[] }[] = [
  ...['json', 'ndjson', 'csv', 'tsv', 'yaml', 'xml', 'table', 'md'].map((form) => ({
    words: `--${form}`,
    instead: [['--output', `-o ${form}; --fields chooses the fields`]] as const,
  })),
  { words: '--format --output-format', instead: [['--output', '-o <format>, as in -o json']] },
  { words: '-f', instead: [['--output', '-o <format> for the form of the output, -y to answer yes']] },
  {
    words: '--query --jq --jsonpath --select-expression',
    instead: [
      ['--where', '--where <filter> to choose records, --jmespath <expression> to shape the result'],
      ['--jmespath', '--jmespath <expression>'],
    ],
  },
  {
    words: '--filter --search --match --grep --selector -l',
    instead: [['--where', '--where <filter>, as in --where "LastName ~ \'^S\'" (pm help where)']],
  },
  { words: '--columns --column --select --cols --properties', instead: [['--fields', '--fields <names>']] },
  { words: '--sort-by --order-by --order', instead: [['--sort', '--sort <fields>']] },
  { words: '--reverse --descending', instead: [['--sort', '--sort=-Name, with - in front of the field']] },
  { words: '--top --max --count --first --page-size --max-results --take', instead: [['--limit', '--limit <n>']] },
  {
    words: '--page --offset --skip --paginate --no-paginate',
    instead: [['--limit', 'no pages: a list comes whole, and --limit <n> ends it earlier']],
  },
  {
    words: '--all -a -A',
    instead: [
      ['--deleted', 'a list without it: all are listed, and deleted ones too with --deleted include'],
      ['--where', '--where <filter> or IDs; nothing means all of them'],
    ],
  },
  {
    words: '--force --assume-yes --no-confirm --no-prompt --auto-approve --approve',
    instead: [['--yes', '-y, or --confirm <name:number> for what is final']],
  },
  { words: '--non-interactive --batch', instead: [['--no-input', '--no-input, and -y for what is asked']] },
  {
    words: '--dryrun --dry --what-if --whatif --simulate --preview --noop',
    instead: [['--dry-run', '-n, or --dry-run']],
  },
  {
    words: '--verbose --debug -v -V --log-level',
    instead: [['--curl', '--curl to see requests, --trace <file> to write requests and answers down']],
  },
  { words: '--silent -s', instead: [['--quiet', '-q, or --quiet']] },
  { words: '--no-color --no-colour --colour', instead: [['--color', '--color never']] },
  {
    words: '--url --host --server --endpoint --context --environment --env --account',
    instead: [['--profile', '-p <profile>; pm profiles add <name> --url <url> makes one']],
  },
  {
    words: '--user --login --username --who',
    instead: [
      ['--who', '--who <user>'],
      ['--user-name', '--user-name <text>'],
      ['--individual', '--individual <ref>'],
      ['--as', '--as <user> to act as that individual'],
    ],
  },
  { words: '--run-as --impersonate', instead: [['--as', '--as <user>']] },
  {
    words: '--manager --boss --supervisor',
    instead: [
      ['--primary-reports-to', '--primary-reports-to <ref>'],
      ['--reports-to', '--reports-to <ref>'],
    ],
  },
  {
    words: '--department --org --organization --dept --team --unit',
    instead: [
      ['--department', '--department <ref>'],
      ['--primary-organization', '--primary-organization <ref>'],
      ['--organization', '--organization <ref>'],
    ],
  },
  {
    words: '--name --full-name --fullname --display-name',
    instead: [
      ['--first-name', '--first-name <text> --last-name <text>'],
      ['--group', '--group <text>'],
      ['--name', '--name <text>'],
    ],
  },
  {
    words: '--title --job-title --job --position',
    instead: [
      ['--primary-title', '--primary-title <text>'],
      ['--title', '--title <text>'],
    ],
  },
  { words: '--mail --e-mail', instead: [['--email', '--email <text>']] },
  {
    words: '--text --note --message -m',
    instead: [
      ['--body', '--body <text>'],
      ['--description', '--description <text>'],
    ],
  },
  {
    words: '--due --deadline',
    instead: [
      ['--due-date', '--due-date <yyyy-mm-dd>'],
      ['--end-date-projected', '--end-date-projected <yyyy-mm-dd>'],
    ],
  },
  {
    words: '--since --after',
    instead: [
      ['--since', '--since <when>, as in --since -7d'],
      ['--journal', '--where "Created >= -7d"'],
      ['--where', '--where "Updated >= -7d"'],
    ],
  },
  {
    words: '--before --until',
    instead: [
      ['--until', '--until <when>, as in --until -7d'],
      ['--since', '--where "At < 2026-11-01"'],
      ['--journal', '--where "Created < 2026-11-01"'],
      ['--where', '--where "Updated < 2026-11-01"'],
    ],
  },
  { words: '--file --input --data --stdin -d', instead: [['--from', '--from <file>, or --from - for stdin']] },
  {
    words: '--output-file --outfile --save',
    instead: [
      ['--out', '--out <file>'],
      ['--output', '> <file> behind the command'],
    ],
  },
  {
    words: '--parallel --threads --workers --processes',
    instead: [
      ['--drain', 'pm serve once for each process, on a database of a PostgreSQL server (pm help scale)'],
      ['--concurrency', '--concurrency <n>'],
    ],
  },
  { words: '--include-deleted --with-deleted', instead: [['--deleted', '--deleted include']] },
  { words: '--timezone --time-zone', instead: [['--tz', '--tz <zone>']] },
];

const names = (words: string, word: string): boolean => words.split(' ').includes(word);

/** The resource, by its command, that other programs call so. */
export const foreignResource = (word: string): string | undefined =>
  Object.entries(RESOURCES).find(([, words]) => names(words, word))?.[0];

/** A verb of pm with what it does and what follows it. */
export interface MeantVerb {
  readonly to: string;
  /** The verb and its arguments. */
  readonly line: string;
}

/** What `word`, a verb of pm or of other programs, is among `verbs`. */
export function meantVerb(word: string, verbs: readonly string[]): MeantVerb | undefined {
  for (const { verbs: own, to, rest, words } of VERBS) {
    if (!own.includes(word) && !names(words, word)) continue;
    const verb = own.find((one) => verbs.includes(one));
    if (verb !== undefined) return { to, line: `${verb}${rest}` };
  }
  return undefined;
}

/** The hint for a word that no command has as its verb, since a command by itself does it. */
export const commandMeant = (word: string): string | undefined =>
  Object.entries(NO_VERBS).find(([, words]) => names(words, word))?.[0];

/** The line of pm that does what this command of other programs does. */
export const foreignCommand = (word: string): string | undefined =>
  Object.entries(COMMANDS).find(([, words]) => names(words, word))?.[0];

/** What a command with these flags has instead of `flag`. */
export function foreignFlag(flag: string, flags: readonly string[]): string | undefined {
  return FLAGS.filter(({ words }) => names(words, flag))
    .flatMap(({ instead }) => instead)
    .find(([own]) => flags.includes(own) && own !== flag)?.[1];
}
