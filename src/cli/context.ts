// The context of a command: streams, settings, and session, client and journal, which open at their first use.
import type { Client } from '../client/index.ts';
import type { Past, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import type { JobStore } from '../contract/jobs.ts';
import { type Zone, zoneOf } from '../contract/zone.ts';
import type { Journal } from '../engine/store/journal/journal.ts';
import { isAddress } from '../engine/store/postgres/address.ts';
import { defined } from '../text/defined.ts';
import type { Opened } from './backend.ts';
import { isAscii } from './output/drawn.ts';
import { say } from './output/printing.ts';
import {
  type Clock,
  type Format,
  isForPeople,
  type NameOf,
  type OutputOptions,
  type Result,
  type Shape,
  withID,
} from './output/result.ts';
import type { Refer } from './output/where.ts';
import type { Settings } from './settings.ts';
import { type Streams, streamsWith } from './streams.ts';

interface Printed extends Pick<Result, 'shape' | 'rows' | 'nameOf' | 'head'> {
  /** One object is printed instead of a list. */
  readonly one?: boolean;
  /** The note where there are no records, in place of that about a filter. */
  readonly none?: string | undefined;
}

export interface Context {
  readonly io: Streams;
  readonly settings: Settings;
  /** The session of the user that the command acts as. Throws as `checkProfileNamed`. */
  session(): Promise<Session>;
  /** The client of a remote profile, before a login. Throws `usage` for the embedded engine. */
  client(): Promise<Client>;
  /**
   * The journal of jobs: in the engine's own file; for a remote profile in a file of its own, in the folder of --journal or
   * else of pm. Throws as `checkProfileNamed`, `usage` for --journal on the embedded engine, and `storage`.
   */
  jobs(): Promise<JobStore>;
  zone(): Promise<Zone | undefined>;
  /** Prints records on stdout. Answers the exit code, 0. */
  print(result: Printed): Promise<number>;
  /** Throws `usage` where records of this shape cannot be printed as the flags say. Called before a change. */
  checkPrint(shape: Shape): Promise<void>;
  /** Writes one line to stderr, unless --quiet is given. */
  note(line: string): void;
  close(): Promise<void>;
}

/** The namespace of XML, where no profile names another (D23). */
const NAMESPACE = 'urn:performance-management:v4';

export function openContext(settings: Settings, io: Streams): Context {
  let opened: Promise<Opened> | undefined;
  let client: Promise<Client> | undefined;
  let session: Promise<Session> | undefined;
  let journal: Promise<Journal> | undefined;
  let past: Past | undefined;
  const note = (line: string): void => {
    if (!settings.quiet) say(io, line);
  };
  const { remote } = settings;
  const openRemote = async (): Promise<Client> => {
    if (!remote) throw remoteOnly(settings.profile);
    const { clientOf } = await import('./remote.ts');
    return clientOf(remote, settings, io);
  };
  const open = async (): Promise<Session> => {
    checkProfileNamed(context);
    if (remote) {
      const { sessionOf } = await import('./remote.ts');
      return sessionOf(await context.client(), remote, settings, io);
    }
    const { openLocal, placeOf } = await import('./backend.ts');
    const place = { ...placeOf(context), rehearses: settings.dryRun };
    opened = openLocal(place);
    const { backend, created, place: at } = await opened;
    if (created) note(settings.dryRun ? rehearsedNote(at) : newSiteNote(at, place.owner));
    return backend.open(defined({ user: settings.as, site: settings.site }));
  };
  const openAt = async (moment: string): Promise<Session> => {
    const { openPast } = await import('./history/past.ts');
    const now = remote ? undefined : await open();
    const clock = await clockOf({ settings, io });
    past = await openPast(settings, now, moment, clock);
    const { momentInWords } = await import('./output/formats/cells.ts');
    const job = past.before === undefined ? '' : `, before job ${past.before.slice(0, 8)}`;
    note(`As of ${momentInWords(past.at.toISOString(), clock)}${job}.`);
    return now ? { ...past.session, now } : past.session;
  };
  const context: Context = {
    // Filters and tables count from the moment that is shown.
    io: settings.at === undefined ? io : streamsWith(io, { now: () => past?.at ?? io.now() }),
    settings,
    session: () => (session ??= settings.at === undefined ? open() : openAt(settings.at)),
    client: () => (client ??= openRemote()),
    async jobs() {
      checkProfileNamed(context);
      if (settings.journal !== undefined && !remote) throw noOwnJournal();
      // The journal of a remote service is looked at when the service is down, too.
      const local = remote ? undefined : (await context.session()).local;
      if (local) return local.jobs;
      journal ??= import('./backend.ts').then(({ openJournalOf }) => openJournalOf(io, settings));
      return journal;
    },
    zone: async () => (settings.tz === undefined ? undefined : zoneGiven(settings.tz, settings.tzFrom)),
    print: (result) => printRows(context, result),
    checkPrint: (shape) => checkPrintable(context, shape),
    note,
    close: async () => {
      await past?.close();
      await (await opened)?.backend.close();
      await (await client?.catch(() => undefined))?.close();
      await (await journal?.catch(() => undefined))?.close();
    },
  };
  return context;
}

/**
 * Throws `usage` under CI, and for the login of a service without its address, where no profile is named: a new local file would
 * answer, or be changed, unnoticed.
 */
export function checkProfileNamed({ settings, io }: Pick<Context, 'settings' | 'io'>): void {
  if (settings.profileNamed) return;
  if (io.env.PM_USER && !settings.remote && !settings.database)
    throw new ServiceError('usage', 'PM_USER is set, and PM_URL, the address of the service, is not', {
      hint: 'Set PM_URL, or unset PM_USER; for the site on this machine: -p local',
    });
  if (io.env.CI)
    throw new ServiceError('usage', 'under CI the profile must be named', {
      hint: 'Say which one: -p local, or PM_PROFILE=local for all commands.',
    });
}

const remoteOnly = (profile: string): ServiceError =>
  new ServiceError('usage', `this needs a remote profile, and ${profile} is the embedded engine`, {
    hint: 'pm profiles list shows what there is; pm profiles add makes one.',
  });

const noOwnJournal = (): ServiceError =>
  new ServiceError('usage', '--journal is for remote services: the embedded engine keeps its jobs in its own file', {
    hint: 'Leave --journal out.',
  });

/** Throws `usage` on a remote profile; `what` is done by the embedded engine alone. */
export function checkLocal({ settings }: Context, what: string, hint = 'On the embedded engine: -p local'): void {
  if (!settings.remote) return;
  const why = `${what} is done by the embedded engine alone; ${settings.profile} is a remote service`;
  throw new ServiceError('usage', why, { hint });
}

export const newSiteNote = (place: string, owner: string): string =>
  `${createdNote(place, owner)} What to do first: pm`;

export const rehearsedNote = (place: string): string =>
  `There ${isAddress(place) ? 'are no tables in' : 'is no'} ${place}, and a dry run makes none: this shows a new site, and keeps nothing.`;

export const createdNote = (place: string, owner: string): string =>
  `Made ${place}: a new site; the user name of its administrator is ${owner}.`;

/** Prints all of the outcome, where --where, --sort and --limit choose the records to change. */
export const printingAll = (context: Context): Context =>
  printingBy(context, { ...context.settings, where: [], sort: undefined, limit: undefined });

/** Prints as these settings say, on these streams. */
export function printingBy(context: Context, settings: Settings, io: Streams = context.io): Context {
  const other: Context = { ...context, settings, io };
  return {
    ...context,
    print: (result) => printRows(other, result),
    checkPrint: (shape) => checkPrintable(other, shape),
  };
}

async function checkPrintable(context: Context, shape: Shape): Promise<void> {
  const { checkChoices } = await import('./output/index.ts');
  await checkChoices(shape, await optionsFor(context, shape), context.io);
}

async function printRows(context: Context, { shape, rows, one = false, nameOf, none, head }: Printed): Promise<number> {
  const { settings, io } = context;
  const { write } = await import('./output/index.ts');
  const named: Result = { shape, rows, one, head, nameOf: nameOf ?? (await namesFor(context, shape)) };
  const report = await write(named, await optionsFor(context, shape), io);
  if (report.cut && settings.output !== 'none') {
    const first = settings.limit === 1 ? 'first one is' : `first ${settings.limit} are`;
    context.note(`Only the ${first} shown; there are more.`);
  }
  const nothing = none ?? (settings.where.length > 0 ? 'Nothing fits --where.' : undefined);
  if (report.written === 0 && nothing !== undefined && settings.output !== 'none') context.note(nothing);
  return 0;
}

/** Where people read, and where records are counted by them, references are shown by name. */
async function namesFor(context: Context, { fields }: Shape): Promise<NameOf | undefined> {
  const refers = Object.values(fields).some(({ to = [] }) => to.length > 0);
  if (!refers || !(isForPeople(formatOf(context)) || context.settings.groupBy !== undefined)) return undefined;
  const { namesIn, referenceNames } = await import('./selectors/reference-names.ts');
  return namesIn(fields, referenceNames(await context.session()));
}

/** The format that is asked for, else a table on a terminal and tsv in a pipe. */
export const formatOf = ({ settings, io }: Pick<Context, 'settings' | 'io'>): Format =>
  settings.output ?? (io.stdoutIsTerminal ? 'table' : 'tsv');

/** How a result of this shape is printed, by the settings. */
export async function optionsFor(context: Context, shape: Shape): Promise<OutputOptions> {
  const { settings, io } = context;
  const format = formatOf(context);
  const piped =
    settings.output === undefined &&
    !io.stdoutIsTerminal &&
    [settings.jmespath, settings.fields, settings.groupBy].every((one) => one === undefined);
  const fields = settings.fields ?? (piped ? (settings.ids ? withID(shape) : shape.columns) : undefined);
  const zone = await context.zone();
  const clock = await tableClock(context);
  return defined<OutputOptions>({
    format,
    lines: settings.output === undefined,
    clock,
    where: settings.where,
    color: settings.color,
    ascii: isAscii(io.env),
    width: io.columns,
    terminal: io.stdoutIsTerminal,
    fields,
    refer: referIn(context),
    ids: settings.ids,
    zone,
    sort: settings.sort,
    limit: settings.limit,
    groupBy: settings.groupBy,
    jmespath: settings.jmespath,
    header: settings.header ? undefined : false,
    namespace: settings.remote?.namespace ?? NAMESPACE,
  });
}

/** Finds the records that a filter or an order names; deleted ones, too: others still report to them. */
export const referIn = (context: Context): Refer => ({
  async id({ to = [] }, text) {
    const { liveOrDeleted, resolve } = await import('./selectors/selectors.ts');
    const session = await context.session();
    return liveOrDeleted((deleted) => resolve(session, text, { targets: to, deleted }));
  },
  async names({ to = [] }) {
    const { namesAmong } = await import('./selectors/reference-names.ts');
    return namesAmong(await context.session(), to);
  },
});

/** The zone of this name. Throws `usage` for none, with the flag or the variable that says it. */
export const zoneGiven = (name: string, from: string): Promise<Zone> =>
  zoneOf(name).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError('usage', `${from}: ${error.message}`, defined({ hint: error.hint }));
  });

/** The clock of who reads: by --tz or PM_TZ, by the profile, else by the system, which TZ may set. */
export async function clockOf({ settings, io }: Pick<Context, 'settings' | 'io'>): Promise<Clock> {
  const now = io.now();
  const named = settings.tz ?? settings.remote?.tz;
  if (named !== undefined) return { now, zone: await zoneOf(named) };
  const system = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
  // TZ may be written as only the system reads it, and may name what Node takes for no zone.
  const zone = await zoneOf(io.env.TZ || system).catch(() => zoneOf(system).catch(() => zoneOf('UTC')));
  return { now, zone };
}

/** The clock by which a table shows times; undefined for other formats, which have them as they are written. */
export const tableClock = async (context: Context): Promise<Clock | undefined> =>
  formatOf(context) === 'table' ? clockOf(context) : undefined;

/** Reads of one state of the data: what others write meanwhile is not seen. A remote service has no such reads. */
export async function ofOneState<T>(context: Context, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await context.session();
  return session.local ? session.local.snapshot(work) : work(session);
}
