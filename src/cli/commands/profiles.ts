// pm profiles: the remote services and the databases that pm knows by name.
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { checkRoute, endpointOf } from '../../client/endpoint.ts';
import { ServiceError } from '../../contract/errors.ts';
import { boolean } from '../../contract/field.ts';
import type { Row } from '../../contract/resource.ts';
import { STATES } from '../../contract/resources/permissions.ts';
import { type Address, addressOf } from '../../engine/store/postgres/address.ts';
import { defined } from '../../text/defined.ts';
import { textKey } from '../../text/text-key.ts';
import { moveJobs } from '../changes/journal.ts';
import { actionOf, changing, collectValues, type Run, reading } from '../command.ts';
import { type Context, zoneGiven } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { kebab } from '../names.ts';
import { type Shape, shapeFrom, texts } from '../output/result.ts';
import { systemUser } from '../profiles/home.ts';
import {
  type Config,
  DATABASE,
  type DatabaseGiven,
  databaseNamed,
  ENVIRONMENT,
  forgetCredentials,
  knownFor,
  LOCAL,
  ownIn,
  type Profile,
  type Remote,
  readConfig,
  remoteNamed,
  writeConfig,
} from '../profiles/profiles.ts';
import type { Streams } from '../streams.ts';
import { type LoginOptions, login } from './login.ts';

const MAIN_FIELDS = {
  ...texts('Name', 'URL', 'User', 'Wire'),
  Protected: boolean('read-only'),
  Used: boolean('read-only'),
};
const FIELDS = {
  ...MAIN_FIELDS,
  ...texts('TZ', 'CaFile'),
  AllowHttp: boolean('read-only'),
  DropUnknown: boolean('read-only'),
  ...texts('Namespace', 'Routes', 'States', 'Credential'),
};
const SHAPE: Shape = { ...shapeFrom('Profile', FIELDS, Object.keys(MAIN_FIELDS)), id: 'Name' };

interface AddOptions extends GlobalValues, LoginOptions, Partial<Pick<Profile, 'url' | 'caFile' | 'namespace'>> {
  readonly movedFrom?: string;
  readonly protected?: boolean;
  readonly allowHttp?: boolean;
  readonly route?: readonly string[];
  readonly state?: readonly string[];
  readonly dropUnknown?: boolean;
}

export function build(run: Run): Command {
  const group = new Command('profiles').description('Remote services by name, and which one is used.');
  group.usage('<verb> [name] [flags]');
  const named = (command: Command, work: (context: Context, name: string) => Promise<number>): Command =>
    command.argument('<name>', 'a profile').action(actionOf(run, work));
  group.addCommand(reading('list', 'List the profiles.').action(actionOf(run, list)));
  group.addCommand(named(reading('show', 'Show one profile.'), show));
  group.addCommand(named(changing('use', 'Use this profile wherever none is named.'), use));
  group.addCommand(named(changing('delete', 'Forget a profile, and its credentials.'), forget));
  group.addCommand(addCommand(changing('add', 'Add a profile, or change what is named of one.'), run));
  return group;
}

function addCommand(command: Command, run: Run): Command {
  return command
    .argument('<name>', 'what to call it')
    .option('--url <url>', 'the address of the service')
    .option('--moved-from <url>', 'the address that the service had before: its jobs go with it')
    .option('--user <user name>', 'whom to log in as')
    .option('--protected [true|false]', 'large changes need more than --yes', (word) => word !== 'false')
    .option('--ca-file <file>', 'trust the authorities in this PEM file instead of the usual ones')
    .option('--allow-http [true|false]', 'allow http:// to other machines', (word) => word !== 'false')
    .option('--namespace <uri>', 'the XML namespace; without it the one the service answers in')
    .addOption(
      new Option('--route <name=route>', 'another route for an operation, as in "individual.get.plain=GET /users/{id}"')
        .argParser(collectValues)
        .default([], ''),
    )
    .addOption(
      new Option('--state <word=number>', 'how the service counts the states of rights, as in Deny=7')
        .argParser(collectValues)
        .default([], ''),
    )
    .option('--no-drop-unknown', 'send it members that only it knows, again')
    .option('--password-stdin', 'log in at once, with the password or a token from stdin')
    .option('--password-file <file>', 'log in at once, with the password or a token in a file')
    .option('--keep-password', 'keep the password itself, readable by you alone')
    .action(async (name: string, options: AddOptions) => {
      const { database: _, ...rest } = options;
      await run({ ...rest, profile: LOCAL }, (context) => add(context, name, options));
      if (options.movedFrom && !options.dryRun) await run({ ...rest, profile: name }, (one) => moveJobs(one, options));
      const logsIn = options.passwordStdin === true || options.passwordFile !== undefined;
      if (logsIn && !options.dryRun) await run({ ...rest, profile: name }, (context) => login(context, options));
    });
}

async function add(context: Context, name: string, options: AddOptions): Promise<number> {
  checkName(name);
  if (options.database !== undefined) return addDatabase(context, name, options.database, { ...options });
  const config = readConfig(context.io);
  if (Object.hasOwn(config.databases ?? {}, name)) throw otherKind(name, 'a database', '--database');
  const known = ownIn(config.profiles, name);
  const url = options.url ?? known?.url;
  if (url === undefined) {
    throw new ServiceError('usage', `profiles add ${name} needs --url <url> or --database <address>`, {
      hint: `pm profiles add ${name} --url https://pm.example.org --user <user name>`,
    });
  }
  const profile = { ...mergedProfile(context, known, options), url };
  endpointOf(url, profile.allowHttp);
  if (profile.tz !== undefined) await zoneGiven(profile.tz, '--tz');
  for (const [key, route] of Object.entries(profile.routes ?? {})) checkRoute(key, route);
  if (context.settings.dryRun) return 0;
  await writeConfig(context.io, { ...config, profiles: { ...config.profiles, [name]: profile } });
  context.note(`${known ? 'Changed' : 'Added'} the profile ${name}. To log in: pm login -p ${name}`);
  return 0;
}

const TAKEN: Readonly<Record<string, string>> = {
  [LOCAL]: 'the embedded engine',
  [ENVIRONMENT]: 'the service that PM_URL names',
  [DATABASE]: 'the database that PM_DATABASE names',
};

function checkName(name: string): void {
  if (Object.hasOwn(TAKEN, name)) throw new ServiceError('usage', `the name ${name} is taken: it is ${TAKEN[name]}`);
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) && name !== '__proto__') return;
  throw new ServiceError('usage', `"${name}" cannot be the name of a profile`, {
    hint: 'Write letters, digits, dots and hyphens.',
  });
}

/** What the flags say over what was known. */
function mergedProfile({ io }: Context, known: Profile | undefined, options: AddOptions): Omit<Profile, 'url'> {
  const { user, wire, tz, caFile, namespace, route = [], state = [] } = options;
  const { protected: guarded, allowHttp, dropUnknown, ...rest } = known ?? {};
  return {
    ...rest,
    ...defined<Partial<Profile>>({
      user,
      wire: wire as Profile['wire'],
      tz,
      namespace,
      protected: yesOrNothing(options.protected ?? guarded),
      allowHttp: yesOrNothing(options.allowHttp ?? allowHttp),
      dropUnknown: yesOrNothing(options.dropUnknown ?? dropUnknown),
      caFile: caFile && resolve(io.cwd, caFile),
    }),
    ...(route.length === 0 ? {} : { routes: { ...known?.routes, ...Object.fromEntries(route.map(routeIn)) } }),
    ...(state.length === 0 ? {} : { states: { ...known?.states, ...Object.fromEntries(state.map(stateIn)) } }),
  };
}

const yesOrNothing = (is: boolean | undefined): true | undefined => (is ? true : undefined);

function stateIn(text: string): [string, number] {
  const [, given = '', number] = /^([^=]+)=(\d{1,9})$/.exec(text) ?? [];
  const word = Object.values(STATES).find((one) => textKey(one) === textKey(given.trim()));
  if (word !== undefined) return [word, Number(number)];
  throw new ServiceError('usage', `--state ${text} is not a word with its number`, {
    hint: `The words are ${Object.values(STATES).join(', ')}: --state "Not Set=5" --state Allow=3 --state Deny=7`,
  });
}

function routeIn(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new ServiceError('usage', `--route ${text} has no route after a =`, {
    hint: 'Write it as in --route "individual.get.plain=GET /users/{id}"',
  });
}

async function list(context: Context): Promise<number> {
  const { profiles, databases = {} } = readConfig(context.io);
  const names = [LOCAL, ...Object.keys(profiles), ...Object.keys(databases)];
  const { PM_URL, PM_DATABASE } = context.io.env;
  if (PM_URL) names.push(ENVIRONMENT);
  if (PM_DATABASE) names.push(DATABASE);
  return context.print({ shape: SHAPE, rows: names.map((name) => rowFor(context, name)) });
}

async function show(context: Context, name: string): Promise<number> {
  return context.print({ shape: SHAPE, rows: [rowFor(context, name)], one: true });
}

function rowFor({ io, settings }: Context, name: string): Row {
  const remote = remoteNamed(name, io);
  const database = databaseNamed(name, io);
  const address = database && addressIn(database, io);
  const known = remote ? knownFor(remote, io) : address && { user: address.user, by: null };
  return {
    Name: name,
    URL: remote?.url ?? address?.shown ?? null,
    User: known?.user ?? null,
    Wire: remote ? (remote.wire ?? 'json') : null,
    Protected: remote?.protected ?? false,
    Used: settings.profile === name,
    TZ: remote?.tz ?? null,
    CaFile: remote?.caFile ?? null,
    AllowHttp: remote?.allowHttp ?? false,
    DropUnknown: remote?.dropUnknown ?? false,
    Namespace: remote?.namespace ?? null,
    Routes: remote ? pairsOf(remote.routes) : null,
    States: remote ? pairsOf(remote.states) : null,
    Credential: known?.by ?? null,
  };
}

/** As they are given to --route and --state. */
const pairsOf = (values: Readonly<Record<string, string | number>> = {}): string | null =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n') || null;

async function use(context: Context, name: string): Promise<number> {
  remoteNamed(name, context.io);
  const { profile: _, ...config } = readConfig(context.io);
  if (context.settings.dryRun) return 0;
  await writeConfig(context.io, name === LOCAL ? config : { ...config, profile: name });
  context.note(`From now on ${name} is used where no profile is named.`);
  return 0;
}

async function forget(context: Context, name: string): Promise<number> {
  const { io } = context;
  const config = readConfig(io);
  if (Object.hasOwn(config.databases ?? {}, name)) return forgetDatabase(context, name);
  const { [name]: profile, ...others } = config.profiles;
  if (!profile) throw notDeletable(name, remoteNamed(name, io));
  if (context.settings.dryRun) return 0;
  const shared = Object.values(others).some((one) => URL.canParse(one.url) && sameOrigin(one.url, profile.url));
  const gone = shared ? [] : await forgetCredentials(profile, undefined, io);
  await writeConfig(io, { ...notUsing(config, name), profiles: others });
  context.note(`Deleted the profile ${name}${gone.length > 0 ? `, and the credential of ${gone.join(', ')}` : ''}.`);
  return 0;
}

/** If the deleted profile is the one in use, no profile is in use from then on. */
function notUsing({ profile, ...rest }: Config, name: string): Config {
  return profile === undefined || profile === name ? rest : { ...rest, profile };
}

const sameOrigin = (one: string, other: string): boolean => new URL(one).origin === new URL(other).origin;

const notDeletable = (name: string, found: Remote | undefined): ServiceError =>
  new ServiceError(
    'usage',
    `the profile ${name} cannot be deleted: it is ${found ? 'made of PM_URL' : (TAKEN[name] ?? 'the embedded engine')}`,
  );

const addressIn = ({ address, from }: DatabaseGiven, io: Streams): Address => addressOf(address, systemUser(io), from);

/** Flags that say how a service is used. */
const OF_SERVICES = [
  ...['url', 'user', 'protected', 'caFile', 'allowHttp', 'namespace', 'wire', 'tz'],
  ...['passwordStdin', 'passwordFile', 'keepPassword'],
];

/** Keeps the address of a database, which holds no secret. */
async function addDatabase(
  { io, settings, note }: Context,
  name: string,
  address: string,
  options: Readonly<Record<string, unknown>>,
): Promise<number> {
  const { shown } = addressIn({ address, from: '--database' }, io);
  const config = readConfig(io);
  if (Object.hasOwn(config.profiles, name)) throw otherKind(name, 'a service', '--url');
  const wrong = OF_SERVICES.find((flag) => options[flag] !== undefined) ?? manyIn(options);
  if (wrong !== undefined)
    throw new ServiceError('usage', `--database takes no --${kebab(wrong)} beside it`, {
      hint: 'The user stands in the address; its password in PGPASSWORD, or in a file that PGPASSFILE names.',
    });
  if (settings.dryRun) return 0;
  await writeConfig(io, { ...config, databases: { ...config.databases, [name]: address } });
  note(`The profile ${name} is the engine on ${shown}. To look at it: pm whoami -p ${name}`);
  return 0;
}

/** Flags that may be given several times are empty lists by default. */
const manyIn = (options: Readonly<Record<string, unknown>>): string | undefined =>
  ['route', 'state'].find((flag) => (options[flag] as readonly string[] | undefined)?.length);

const otherKind = (name: string, what: string, flag: string): ServiceError =>
  new ServiceError('usage', `the profile ${name} is ${what}: it can only be changed by ${flag}`, {
    hint: `Take another name, or delete it first: pm profiles delete ${name}`,
  });

async function forgetDatabase({ io, settings, note }: Context, name: string): Promise<number> {
  const config = readConfig(io);
  const { [name]: _, ...others } = config.databases ?? {};
  if (settings.dryRun) return 0;
  await writeConfig(io, { ...notUsing(config, name), databases: others });
  note(`Deleted the profile ${name}; its database is left as it is.`);
  return 0;
}
