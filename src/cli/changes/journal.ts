// The jobs of a command in the journal, with their input files.
import { basename, resolve } from 'node:path';
import type { NewPlan, PlanHeader } from '../../changes/plan/plan-file.ts';
import { isDatabase } from '../../changes/plan/plan-reader.ts';
import { runSettings } from '../../changes/run/options.ts';
import { jobNamed } from '../../changes/undo.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JobHead, NewJob, PlannedRow, WantedHeads } from '../../contract/jobs.ts';
import { sameID } from '../../contract/kinds.ts';
import type { Resource } from '../../contract/resource.ts';
import { defined } from '../../text/defined.ts';
import { quoted } from '../../text/escape.ts';
import { counted } from '../../text/thousands.ts';
import type { Context } from '../context.ts';
import { asTyped, callingOf, inShell, repeated } from '../output/calling.ts';
import { ENVIRONMENT } from '../profiles/profiles.ts';
import { IMPORT_OPTIONS, type ImportFlags, type RunFlags } from './flags.ts';

/** The jobs of this site, the newest first; of a service those of its profile, which are looked at while it is down, too. */
export async function headsHere(context: Context, want: WantedHeads = {}): Promise<readonly JobHead[]> {
  const { remote, jobProfile } = context.settings;
  return (await context.jobs()).heads(jobProfile, remote ? want : { ...want, site: (await context.session()).me.site });
}

/** The job whose ID begins with `prefix`, wherever it belongs. Throws as `jobNamed`. */
export const jobCalled = async (context: Context, prefix: string): Promise<JobHead> =>
  jobNamed(await (await context.jobs()).heads(context.settings.jobProfile), prefix);

/** The job whose ID begins with `prefix`, to be looked at. Throws as `jobNamed`, and as `checkSite` where the site is known. */
export async function jobHere(context: Context, prefix: string): Promise<JobHead> {
  const head = await jobCalled(context, prefix);
  if (!context.settings.remote) await checkSite(context, await context.session(), head);
  return head;
}

/** Throws `conflict` if the job belongs to another site or service: its records are not here, or others have their IDs. */
export async function checkSite(context: Context, { me, find }: Session, head: JobHead): Promise<void> {
  const { id, site } = head;
  const there = otherService(context, head);
  if (there !== undefined) throw otherAddress(context, id, there);
  if (sameID(site, me.site)) return;
  const name = String((await find.record('site', { id: site })).row?.Name ?? site);
  throw new ServiceError('conflict', `job ${shortID(id)} is about the site ${name}, not about this one`, {
    hint: `Act there: --site ${asTyped(name, context.io)}`,
  });
}

/** The address of the service that the job is about, where the profile has another one by now. Older jobs tell none. */
export function otherService(
  { settings: { remote } }: Context,
  { settings: { url } }: JobSettings,
): string | undefined {
  return !remote || typeof url !== 'string' || isSameAddress(url, remote.url) ? undefined : url;
}

const isSameAddress = (one: string, other: string): boolean => new URL(one).href === new URL(other).href;

function otherAddress(context: Context, id: string, there: string): ServiceError {
  const { profile, remote } = context.settings;
  const add = `pm profiles add ${profile}`;
  const hint =
    profile === ENVIRONMENT
      ? `Act there: PM_URL=${there}. To forget the job: ${jobCommand(context, 'jobs prune', id)}`
      : `Act there: ${add} --url ${there}. Where that service has moved here: ${add} --moved-from ${there}`;
  return new ServiceError('conflict', `job ${shortID(id)} is about ${there}, not about ${profile} (${remote?.url})`, {
    hint,
  });
}

/** The service of this profile had the address `movedFrom`: its jobs go with it. Throws `usage` for what is no address. */
export async function moveJobs(
  context: Context,
  { movedFrom: from = '' }: { readonly movedFrom?: string },
): Promise<number> {
  const { remote, jobProfile } = context.settings;
  if (!URL.canParse(from)) throw new ServiceError('usage', `--moved-from is ${quoted(from)}, not a URL`);
  const jobs = await context.jobs();
  const heads = await jobs.heads(jobProfile, { onDamaged: () => undefined });
  const moved = heads.filter(({ settings: { url } }) => typeof url === 'string' && isSameAddress(url, from));
  for (const { id, settings } of moved) await jobs.set(id, { settings: { ...settings, url: remote?.url } });
  context.note(`${counted(moved.length, 'job')} of ${from} ${moved.length === 1 ? 'goes' : 'go'} with the service`);
  return 0;
}

/** A new job. It keeps the run flags and the address of its service, so that a resume runs in the same way and place. */
export function newJob(
  { settings, io }: Context,
  { me }: Session,
  { kind, title, settings: kept = {} }: Pick<NewJob, 'kind' | 'title'> & { readonly settings?: NewJob['settings'] },
  flags: Pick<RunFlags, 'onError' | 'onDrift'>,
): NewJob {
  const how = defined({ ...runSettings({ settings: { ...flags } }), url: settings.remote?.url });
  return {
    id: crypto.randomUUID(),
    kind,
    title,
    settings: { ...kept, ...how },
    profile: settings.jobProfile,
    site: me.site,
    caller: me.userName,
    created: io.now().toISOString(),
  };
}

/** The address of the service or of the database, as plans name it. */
export const urlOf = ({ settings }: Context): string => settings.remote?.url ?? settings.database?.shown ?? 'embedded';

export const planHeader = (context: Context, { me }: Session, title: string): NewPlan => ({
  id: crypto.randomUUID(),
  profile: context.settings.profile,
  url: urlOf(context),
  site: me.site,
  caller: me.userName,
  created: context.io.now().toISOString(),
  title,
});

const SHORT = 8;

/** The beginning of a job ID, which is enough to name the job. */
export const shortID = (id: string): string => id.slice(0, SHORT);

/** A command on a job that runs as printed, with the profile and journal of this command. */
export function jobCommand({ settings, io }: Context, words: string, id: string): string {
  const calling = callingOf(io, settings);
  const flags = repeated(calling, true).map((word) => ` ${inShell(word, calling.shell)}`);
  return `pm ${words} ${shortID(id)}${flags.join('')}`;
}

/** The command that runs this plan and no other, as it was meant, on the database that it is for. */
export function runCommand(context: Context, file: string, { url, onError, sha256 }: PlanHeader): string {
  const how = onError === undefined ? [] : ['--on-error', onError];
  const database = isDatabase(url) && url !== urlOf(context) ? url : undefined;
  return planCommand(context, ['apply', file, ...how, '--expect', sha256], database);
}

/** A command on a plan that runs as printed, in the same place, or on `database` where the plan is for that one. */
export function planCommand({ settings, io }: Context, words: readonly string[], database?: string): string {
  const calling = callingOf(io, settings);
  // No other command on a plan takes --journal.
  const here = words[0] === 'apply' ? calling : { ...calling, journal: undefined };
  const flags = repeated(database === undefined ? here : { database }, true);
  return ['pm', ...words, ...flags].map((word) => inShell(word, calling.shell)).join(' ');
}

const MEANING = new Set(IMPORT_OPTIONS.map((option) => option.attributeName()));

export interface Source {
  readonly resource: string;
  /** The absolute path; `-` is stdin, which cannot be read again. */
  readonly file: string;
  readonly sha256: string;
  readonly flags: ImportFlags;
}

export type JobSettings = Pick<JobHead, 'settings'>;

export function inputSource(
  { io }: Context,
  resource: Resource,
  file: string,
  sha256: string,
  flags: ImportFlags,
): Source {
  return {
    resource: resource.name,
    file: file === '-' ? '-' : resolve(io.cwd, file),
    sha256,
    flags: Object.fromEntries(Object.entries(flags).filter(([name]) => MEANING.has(name))),
  };
}

export const inputSources = ({ settings }: JobSettings): readonly Source[] =>
  // Only pm writes jobs, and their rows have a checksum.
  (settings as { readonly sources?: readonly Source[] }).sources ?? [];

export const hasFiles = (job: JobSettings): boolean => inputSources(job).length > 1;

/** The file of a row, and its sheet: `site.xlsx/People`; undefined if its job has only one. */
export function fileOf(job: JobSettings, { source }: Pick<PlannedRow, 'source'>): string | undefined {
  const found = source === undefined || !hasFiles(job) ? undefined : inputSources(job)[source];
  return found && [basename(found.file), found.flags.sheet].filter((part) => part !== undefined).join('/');
}
