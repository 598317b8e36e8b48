// The global flags as data, for the parser, the help and the settings.
import { FORMATS, type Format } from './output/result.ts';

export interface GlobalFlag {
  readonly flags: string;
  readonly doc: string;
  /** It may be given several times. */
  readonly many?: true;
  readonly choices?: readonly string[];
  /** It chooses among records that are read; commands that write refuse it. */
  readonly chooses?: true;
  /** The environment variable with the same effect. */
  readonly variable?: string;
}

export const GLOBAL_FLAGS: readonly GlobalFlag[] = [
  { flags: '-p, --profile <name>', doc: 'the profile to use', variable: 'PM_PROFILE' },
  {
    flags: '-o, --output <format>',
    doc: `one of ${FORMATS.join(', ')}; csv keeps formulas (pm help files)`,
    choices: FORMATS,
    variable: 'PM_OUTPUT',
  },
  { flags: '--fields <names>', doc: 'only these fields, separated by commas' },
  { flags: '--ids', doc: 'IDs as a column, also of what has a name' },
  {
    flags: '--where <filter>',
    doc: 'only records that fit, as in "LastName ~ \'^Mc\'" (pm help where)',
    many: true,
    chooses: true,
  },
  { flags: '--sort <fields>', doc: 'in this order, - in front of a field turns it round', chooses: true },
  { flags: '--limit <n>', doc: 'at most so many records', chooses: true },
  { flags: '--jmespath <expression>', doc: 'what a JMESPath expression makes of the whole result' },
  { flags: '--no-header', doc: 'no names above the columns of csv, tsv and table' },
  {
    flags: '--deleted <which>',
    doc: '0 or exclude, 1 or only, 2 or include',
    choices: ['0', '1', '2', 'exclude', 'only', 'include'],
    chooses: true,
  },
  { flags: '--tz <zone>', doc: 'time zone of dates: Europe/Berlin, +05:30', variable: 'PM_TZ' },
  { flags: '--site <site>', doc: 'act in this site (its ID or name)' },
  { flags: '--as <user>', doc: 'act as this individual (its user name)' },
  { flags: '-n, --dry-run', doc: 'show what would change, and change nothing' },
  { flags: '-y, --yes', doc: 'answer yes to the question before a deletion' },
  { flags: '--confirm <name:number>', doc: 'confirm a final deletion, or many changes: local:1' },
  { flags: '--no-input', doc: 'never ask', variable: 'PM_NO_INPUT' },
  { flags: '-q, --quiet', doc: 'only data and errors' },
  { flags: '--color <when>', doc: 'auto, always or never', choices: ['auto', 'always', 'never'], variable: 'PM_COLOR' },
  { flags: '--no-progress', doc: 'no progress bar' },
  { flags: '--wire <syntax>', doc: 'json or xml, to a remote service', choices: ['json', 'xml'], variable: 'PM_WIRE' },
  { flags: '--timeout <seconds>', doc: 'how long a remote service may be silent (30)', variable: 'PM_TIMEOUT' },
  { flags: '--retries <n>', doc: 'how often a request is tried again (3)', variable: 'PM_RETRIES' },
  {
    flags: '--concurrency <n>',
    doc: 'how many requests at once (as many as the service takes)',
    variable: 'PM_CONCURRENCY',
  },
  { flags: '--drop-unknown', doc: 'send a remote service no members that pm does not know' },
  { flags: '--rate <n>', doc: 'at most so many requests a second', variable: 'PM_RATE' },
  { flags: '--trace <file>', doc: 'write requests and answers to this file, without secrets' },
  { flags: '--record <file>', doc: 'record requests and whole answers, for pm serve --replay' },
  { flags: '--overwrite', doc: 'write over files that are there, but never over an input' },
  { flags: '--curl', doc: 'print each request as a curl command, with $PM_PASSWORD for the secret' },
  { flags: '--errors <form>', doc: 'text or json', choices: ['text', 'json'], variable: 'PM_ERRORS' },
];

/** The values of the global flags, as commander hands them over. */
export interface GlobalValues {
  readonly profile?: string;
  readonly output?: Format;
  readonly fields?: string;
  readonly ids?: boolean;
  readonly where?: readonly string[];
  readonly sort?: string;
  readonly limit?: string;
  readonly jmespath?: string;
  readonly header?: boolean;
  readonly deleted?: string;
  readonly tz?: string;
  readonly site?: string;
  readonly as?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly confirm?: string;
  readonly input?: boolean;
  readonly quiet?: boolean;
  readonly color?: string;
  readonly progress?: boolean;
  readonly wire?: string;
  readonly timeout?: string;
  readonly retries?: string;
  readonly concurrency?: string;
  readonly rate?: string;
  readonly dropUnknown?: boolean;
  readonly trace?: string;
  readonly record?: string;
  readonly overwrite?: boolean;
  readonly curl?: boolean;
  readonly errors?: string;
  /** Only commands on jobs have this flag; what they print repeats it. */
  readonly journal?: string;
}

/** The long name of a flag: `--dry-run`. */
export const longName = (flag: GlobalFlag): string => /--[a-z-]+/.exec(flag.flags)?.[0] ?? '';

/** The words that no field's flag may be: a field called so is written with its resource. */
export const GLOBAL_WORDS: ReadonlySet<string> = new Set([
  ...GLOBAL_FLAGS.map((flag) => longName(flag).replace(/^--(no-)?/, '')),
  'help',
  'version',
  'set',
  'clear',
  'from',
]);

/** Does this argument, a global flag, take the next one as its value? */
export function takesValue(argument: string): boolean {
  return GLOBAL_FLAGS.some((flag) => flag.flags.includes('<') && flag.flags.split(/[ ,]+/).includes(argument));
}
