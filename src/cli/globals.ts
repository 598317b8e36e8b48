// The global flags as data, for the parser, the help and the settings.
import { FORMATS, type Format } from './output/result.ts';

/** What a flag is about; commands that write refuse those that choose among records. */
export type FlagGroup = 'choosing' | 'output' | 'changing' | 'place' | 'service';

export interface GlobalFlag {
  readonly flags: string;
  readonly doc: string;
  /** It may be given several times. */
  readonly many?: true;
  readonly choices?: readonly string[];
  readonly group: FlagGroup;
  /** The environment variable with the same effect. */
  readonly variable?: string;
}

export const GLOBAL_FLAGS: readonly GlobalFlag[] = [
  { flags: '-p, --profile <name>', group: 'place', doc: 'the profile to use', variable: 'PM_PROFILE' },
  {
    flags: '--database <address>',
    group: 'place',
    doc: 'the engine on a PostgreSQL database: postgres://user@host/name',
    variable: 'PM_DATABASE',
  },
  {
    flags: '-o, --output <format>',
    group: 'output',
    doc: `one of ${FORMATS.join(', ')}; csv keeps formulas (pm help files)`,
    choices: [...FORMATS, 'html'],
    variable: 'PM_OUTPUT',
  },
  { flags: '--fields <names>', group: 'output', doc: 'only these fields, separated by commas' },
  { flags: '--ids', group: 'output', doc: 'show IDs as a column, also of records with a name' },
  {
    flags: '--where <filter>',
    group: 'choosing',
    doc: 'only records that fit, as in "LastName ~ \'^Mc\'" (pm help where)',
    many: true,
  },
  { flags: '--sort <fields>', group: 'choosing', doc: 'in this order; - in front of a field: descending' },
  { flags: '--limit <n>', group: 'choosing', doc: 'at most so many records' },
  {
    flags: '--group-by <field>',
    group: 'choosing',
    doc: 'how many records have each value of it: Department, the primary one; -o count: how many values',
  },
  { flags: '--jmespath <expression>', group: 'output', doc: 'reshape the whole result by a JMESPath expression' },
  { flags: '--no-header', group: 'output', doc: 'no names above the columns of csv, tsv and table' },
  {
    flags: '--deleted <exclude|only|include>',
    group: 'choosing',
    doc: 'with deleted records, or without them; also as 0, 1, 2',
    choices: ['0', '1', '2', 'exclude', 'only', 'include'],
  },
  { flags: '--tz <zone>', group: 'output', doc: 'time zone of dates: Europe/Berlin, +05:30', variable: 'PM_TZ' },
  { flags: '--site <site>', group: 'place', doc: 'act in this site (its ID or name)' },
  { flags: '--as <user>', group: 'place', doc: 'act as this individual (its user name)' },
  { flags: '-n, --dry-run', group: 'changing', doc: 'show what would change, and change nothing' },
  { flags: '-y, --yes', group: 'changing', doc: 'answer yes to the question before a deletion or an import' },
  {
    flags: '--confirm <name:number>',
    group: 'changing',
    doc: 'confirm a final or large deletion, or many changes: local:1',
  },
  { flags: '--no-input', group: 'changing', doc: 'never ask', variable: 'PM_NO_INPUT' },
  { flags: '-q, --quiet', group: 'output', doc: 'only data and errors' },
  {
    flags: '--color <auto|always|never>',
    group: 'output',
    doc: 'when to use colors',
    choices: ['auto', 'always', 'never'],
    variable: 'PM_COLOR',
  },
  { flags: '--no-progress', group: 'output', doc: 'no progress bar' },
  {
    flags: '--wire <json|xml>',
    group: 'service',
    doc: 'the syntax of requests',
    choices: ['json', 'xml'],
    variable: 'PM_WIRE',
  },
  {
    flags: '--timeout <seconds>',
    group: 'service',
    doc: 'seconds to wait for a service or a database (30)',
    variable: 'PM_TIMEOUT',
  },
  { flags: '--retries <n>', group: 'service', doc: 'how often a request is tried again (3)', variable: 'PM_RETRIES' },
  {
    flags: '--concurrency <n>',
    group: 'service',
    doc: 'how many requests at once (as many as the service takes)',
    variable: 'PM_CONCURRENCY',
  },
  { flags: '--drop-unknown', group: 'service', doc: 'send no members that pm does not know' },
  { flags: '--rate <n>', group: 'service', doc: 'at most so many requests a second', variable: 'PM_RATE' },
  { flags: '--trace <file>', group: 'service', doc: 'write requests and answers to this file, without secrets' },
  { flags: '--overwrite', group: 'output', doc: 'write over existing files, but never over an input' },
  { flags: '--curl', group: 'service', doc: 'print each request as a curl command, with $PM_PASSWORD for the secret' },
  {
    flags: '--errors <text|json>',
    group: 'output',
    doc: 'the form of errors and notes',
    choices: ['text', 'json'],
    variable: 'PM_ERRORS',
  },
];

/** The flags with a text, by what they are about. */
type AboutPlace = 'profile' | 'database' | 'site' | 'as';
type AboutRecords = 'fields' | 'sort' | 'limit' | 'groupBy' | 'deleted';
type AboutOutput = 'jmespath' | 'tz' | 'confirm' | 'color' | 'errors';
type AboutService = 'wire' | 'timeout' | 'retries' | 'concurrency' | 'rate' | 'trace';
/** The flags without a value. */
type Switch = 'ids' | 'header' | 'dryRun' | 'yes' | 'quiet' | 'progress' | 'dropUnknown' | 'overwrite' | 'curl';

/** The values of the global flags, as commander hands them over. */
export interface GlobalValues
  extends Readonly<
    Partial<Record<AboutPlace | AboutRecords | AboutOutput | AboutService, string> & Record<Switch | 'input', boolean>>
  > {
  readonly output?: Format;
  readonly where?: readonly string[];
  /** Only commands on jobs have this flag; what they print repeats it. */
  readonly journal?: string;
  /** Only commands that read records have it. */
  readonly at?: string;
  /** The file that some commands write. */
  readonly out?: string;
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
  'edit',
]);

/** Does this argument, a global flag, take the next one as its value? */
export function takesValue(argument: string): boolean {
  return GLOBAL_FLAGS.some((flag) => flag.flags.includes('<') && flag.flags.split(/[ ,]+/).includes(argument));
}
