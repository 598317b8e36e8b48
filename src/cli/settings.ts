// The settings of a command: flags before environment variables before defaults.
import { ServiceError } from '../contract/errors.ts';
import { addressOf } from '../engine/store/postgres/address.ts';
import { nearest } from '../text/spelling.ts';
import type { Syntax } from '../wire/media.ts';
import { GLOBAL_FLAGS, type GlobalFlag, type GlobalValues, longName } from './globals.ts';
import type { Format } from './output/result.ts';
import { systemUser } from './profiles/home.ts';
import { LOCAL, targetOf } from './profiles/profiles.ts';
import { lastOf, type Streams } from './streams.ts';
import { whole } from './whole-number.ts';

/** What the flags and variables of a command say. */
export interface Settings extends Readonly<ReturnType<typeof settingsOf>> {}

const DELETED = { '0': 0, exclude: 0, '1': 1, only: 1, '2': 2, include: 2 } as const;

/** Throws `usage` for a value that is none of the choices. */
export function settingsOf(values: GlobalValues, io: Streams) {
  const { env } = io;
  const { profile, origin, remote, database } = targetOf(values.profile, io, values.database);
  const given = (name: string, value: string | undefined): Given => givenIn(env, name, value);
  const output = choice(given('--output', values.output));
  const deleted = choice(given('--deleted', values.deleted));
  const tz = given('--tz', values.tz);
  choice(given('--errors', values.errors));
  return {
    profile,
    /** The profile was named by a flag or a variable, as it must be under CI. */
    profileNamed: origin !== 'default' && origin !== 'config.json',
    /** The service behind the profile; undefined for the embedded engine. */
    remote,
    /** The database of the embedded engine; undefined for its own file. */
    database: database && addressOf(database.address, systemUser(io), database.from),
    /** The address as --database gives it. */
    databaseFlag: values.database,
    /** The profile that jobs are kept under: those of a database are of all who use it, whatever they call it. */
    jobProfile: remote ? profile : LOCAL,
    output: output as Format | undefined,
    fields: values.fields === undefined ? undefined : wordsIn(values.fields),
    ids: values.ids === true,
    where: values.where ?? ([] as readonly string[]),
    sort: values.sort,
    limit: values.limit === undefined ? undefined : limitOf(values.limit),
    groupBy: values.groupBy,
    jmespath: values.jmespath,
    header: values.header !== false,
    deleted: deleted === undefined ? undefined : DELETED[deleted as keyof typeof DELETED],
    tz: tz.text,
    /** What says `tz`: a flag or a variable. */
    tzFrom: tz.from,
    site: values.site,
    as: values.as,
    dryRun: values.dryRun === true,
    yes: values.yes === true,
    confirm: values.confirm,
    /** May questions be asked? A getter, since the check opens stdin. */
    get asks() {
      if (values.input === false || env.PM_NO_INPUT || io.errorsAsJson) return false;
      return io.stdinIsTerminal && io.stderrIsTerminal;
    },
    quiet: values.quiet === true,
    color: colored(choice(given('--color', values.color)), io),
    progress: values.progress !== false && values.quiet !== true,
    wire: choice(given('--wire', values.wire)) as Syntax | undefined,
    /** Milliseconds. */
    timeout: 1000 * (number(given('--timeout', values.timeout), [1, 3600]) ?? 30),
    retries: number(given('--retries', values.retries), [0, 20]) ?? 3,
    /** Undefined if it adapts. */
    concurrency: number(given('--concurrency', values.concurrency), [1, 64]),
    /** Requests a second. */
    rate: number(given('--rate', values.rate), [1, 1000]),
    dropUnknown: values.dropUnknown ?? remote?.dropUnknown ?? false,
    trace: values.trace,
    overwrite: values.overwrite === true,
    curl: values.curl === true,
    journal: values.journal,
    /** The plan that a rehearsal writes; of a command that reads, the file of its result. */
    out: values.out,
    /** The moment in whose state records are read. */
    at: values.at,
  };
}

/** The words between commas. */
export const wordsIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

export const choosesRecords = ({ fields, where, sort, limit, groupBy, jmespath }: Settings): boolean =>
  [fields, where[0], sort, limit, groupBy, jmespath].some((one) => one !== undefined);

/** As many records as can be printed, and one more to tell that there are more; all where a flag looks at all of them. */
export const enoughFor = ({ where, sort, limit, groupBy }: Settings): { readonly limit?: number } =>
  limit === undefined || where.length > 0 || (sort ?? groupBy) !== undefined ? {} : { limit: limit + 1 };

/** Throws `usage` for flags that choose records or fields where `what` is shown whole. */
export function checkShownWhole(settings: Settings, what: string, hint: string): void {
  if (!choosesRecords(settings)) return;
  throw new ServiceError('usage', `${what} takes no --fields, --where, --sort, --limit, --group-by or --jmespath`, {
    hint,
  });
}

/** Is a format asked for, and no drawing? */
export const asRecords = ({ output }: Settings): boolean => output !== undefined && output !== 'table';

/** Are errors coloured? Read before the command line is parsed. */
export function errorsColored(argv: readonly string[], io: Streams): boolean {
  const when = lastOf('--color', argv) ?? io.env.PM_COLOR;
  return when === 'always' || (io.stderrIsTerminal && colored(when, io));
}

/** Is output coloured? On a terminal it is, unless a flag or a variable says otherwise. */
export function colored(when: string | undefined, io: Streams): boolean {
  if (when === 'always' || when === 'never') return when === 'always';
  if (io.env.NO_COLOR) return false;
  if (io.env.CLICOLOR_FORCE && io.env.CLICOLOR_FORCE !== '0') return true;
  return io.stdoutIsTerminal && io.env.TERM !== 'dumb';
}

/** A setting, and what says it: a flag, or else its variable. */
interface Given {
  readonly flag: GlobalFlag;
  readonly from: string;
  readonly text: string | undefined;
}

function givenIn(env: Streams['env'], name: string, value: string | undefined): Given {
  const flag = GLOBAL_FLAGS.find((one) => longName(one) === name) as GlobalFlag;
  const { variable = '' } = flag;
  return value === undefined && env[variable] !== undefined
    ? { flag, from: variable, text: env[variable] }
    : { flag, from: name, text: value };
}

function choice({ flag, from, text }: Given): string | undefined {
  if (text === undefined || flag.choices?.includes(text)) return text;
  const close = text.length > 1 ? nearest(text, flag.choices ?? []) : undefined;
  throw new ServiceError(
    'usage',
    `${from} is "${text}"; it can be ${flag.choices?.join(', ')}`,
    close ? { hint: `Did you mean ${close}?` } : {},
  );
}

function limitOf(text: string): number {
  if (text !== '0') return positive('--limit', text);
  throw new ServiceError('usage', '--limit is "0"; it must be a whole number from 1 on', {
    hint: 'Leave it out: then all are listed.',
  });
}

/** The value of a flag that takes a whole number from 1 on. Throws `usage`. */
export function positive(flag: string, text: string): number {
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text);
  throw new ServiceError('usage', `${flag} is "${text}"; it must be a whole number from 1 on`);
}

const number = ({ from, text }: Given, range: readonly [least: number, most: number]): number | undefined =>
  text === undefined ? undefined : whole(from, text, range);
