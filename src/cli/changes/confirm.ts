// The first line of a change, which says where it goes and how much it is, and the question before records are
// changed.
import { find } from '../../changes/plan/change.ts';
import type { Extent } from '../../changes/plan/plan-size.ts';
import type { OnDrift } from '../../changes/run/options.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobKind, PlannedRow } from '../../contract/jobs.ts';
import { singular } from '../../contract/resource.ts';
import type { Context } from '../context.ts';

interface ConfirmOptions {
  readonly kind: JobKind;
  readonly onDrift?: OnDrift | undefined;
  /** stdin holds the rows, so nothing can be asked there. */
  readonly stdinUsed?: boolean;
  /** What is said just before somebody is asked. */
  preview?(): Promise<readonly string[]>;
}

/** What is about to be done, as the question. */
const QUESTIONS: Readonly<Record<JobKind, string>> = {
  change: 'Go on',
  import: 'Import',
  each: 'Go on',
  apply: 'Apply',
  undo: 'Undo',
};

/** What a protected profile bears without the number being named. */
const MOST_DELETES = 25;
const MOST_CHANGES = 500;

/** Comes back if it may go on. Throws `confirmation` otherwise; nothing has happened then. */
export async function confirm(context: Context, all: Extent, asking: ConfirmOptions): Promise<void> {
  const { settings } = context;
  const extent = partToConfirm(context, all, asking);
  if (!extent) return;
  for (const line of extent.cautions) context.note(line);
  const wanted = `${settings.profile}:${extent.changes}`;
  if (settings.confirm !== undefined) {
    if (settings.confirm === wanted) return;
    throw new ServiceError('confirmation', `--confirm is "${settings.confirm}", but this change is ${wanted}`, {
      hint: `To go on: --confirm ${wanted}`,
    });
  }
  const why = whyNumberNeeded(context, extent);
  if (settings.yes && why === undefined) return;
  if (!settings.asks || asking.stdinUsed === true) throw confirmationNeeded(extent, wanted, why);
  for (const line of (await asking.preview?.()) ?? []) context.note(line);
  const verb = asking.kind === 'change' && isDeletion(extent) ? 'Delete' : QUESTIONS[asking.kind];
  if (await askUser(context, verb, wanted, why)) return;
  throw new ServiceError('confirmation', 'not confirmed; nothing was changed');
}

/** What is asked about; undefined where nothing is. */
function partToConfirm(context: Context, extent: Extent, { kind, onDrift }: ConfirmOptions): Extent | undefined {
  if (kind === 'undo') return undoToConfirm(extent, onDrift);
  // Who names the records has named what is to be done; a deletion alone is asked about, and what is very much.
  return kind !== 'change' || extent.deletes > 0 || exceedsLimits(context, extent) ? extent : undefined;
}

/**
 * One record that is changed back needs no question, as changing it needs none. What the job has made, and nobody has
 * changed since, goes without its number being named.
 */
function undoToConfirm(extent: Extent, onDrift: OnDrift | undefined): Extent | undefined {
  if (extent.changes === 1 && extent.deletes === 0) return undefined;
  return onDrift === 'overwrite' ? extent : { ...extent, finals: 0 };
}

const isDeletion = ({ changes, deletes }: Extent): boolean => deletes === changes;

/** Is this more than a protected profile bears without the number being named? */
const exceedsLimits = ({ settings }: Context, { changes, deletes }: Extent): boolean =>
  settings.remote?.protected === true && (deletes > MOST_DELETES || changes > MOST_CHANGES);

/** Why a yes is not enough; undefined where it is. */
function whyNumberNeeded(context: Context, extent: Extent): string | undefined {
  const { finals } = extent;
  if (finals > 0) return `${finals} of them ${finals === 1 ? 'is a deletion' : 'are deletions'} for good`;
  return exceedsLimits(context, extent) ? `${context.settings.profile} is protected` : undefined;
}

function confirmationNeeded(extent: Extent, wanted: string, why: string | undefined): ServiceError {
  const { changes, finals } = extent;
  const isPlural = changes !== 1;
  const said = isDeletion(extent)
    ? `deleting ${changes} ${isPlural ? 'records' : 'record'}${finals === changes ? ' for good' : ''} needs a confirmation`
    : `${changes} ${isPlural ? 'changes need' : 'change needs'} a confirmation`;
  const isSaid = why === undefined || finals === changes;
  return new ServiceError('confirmation', isSaid ? said : `${said}: ${why}`, {
    hint: `To go on: ${why === undefined ? '--yes' : `--confirm ${wanted}`}. To see them: --dry-run`,
  });
}

async function askUser({ io }: Context, verb: string, wanted: string, why: string | undefined): Promise<boolean> {
  const { askText, askYes } = await import('../input/prompt.ts');
  if (why === undefined) return askYes(`${verb}?`, io.stopped);
  return (
    (await askText(`${why[0]?.toUpperCase()}${why.slice(1)}. Type ${wanted} to go on`, undefined, io.stopped)) ===
    wanted
  );
}

const MAX_LISTED = 10;

/** The records that are about to be deleted, by their names. */
export async function deletionLines(session: Session, rows: readonly PlannedRow[]): Promise<readonly string[]> {
  const { sanitise } = await import('../../text/escape.ts');
  const lines: string[] = [];
  for (const row of rows.slice(0, MAX_LISTED)) {
    const found = (await find(session, row))?.row;
    const name = found?.FullName ?? found?.Name ?? found?.Group ?? found?.Body ?? '';
    lines.push(sanitise(`  delete ${singular(resourceNamed(row.resource))} ${row.id} ${String(name)}`));
  }
  return rows.length > MAX_LISTED ? [...lines, `  and ${rows.length - MAX_LISTED} more`] : lines;
}

interface Confirmation {
  readonly question: string;
  /** Why there is one. */
  readonly needed: string;
  /** The flags that answer it. */
  readonly flags: string;
  /** The state of things after a no. */
  readonly refused: string;
}

/** Asks before requests that are no job. Throws `confirmation`; nothing was sent then. */
export async function confirmRequest(
  { settings }: Context,
  { question, needed, flags, refused }: Confirmation,
): Promise<void> {
  if (settings.yes) return;
  if (!settings.asks) throw new ServiceError('confirmation', needed, { hint: `To go on: ${flags}` });
  const { askYes } = await import('../input/prompt.ts');
  if (!(await askYes(question))) throw new ServiceError('confirmation', `not confirmed; ${refused}`);
}

/** Under CI a change needs a named profile, so that no job writes silently to a fresh local file. */
export function checkProfileNamed(context: Context): void {
  const { settings, io } = context;
  if (!io.env.CI || settings.profileNamed || settings.dryRun) return;
  throw new ServiceError('usage', 'under CI a change needs a named profile', { hint: 'Say which one: -p local' });
}

/** So many changes of each verb. */
export function announceCounts(context: Context, session: Session, counts: ReadonlyMap<string, number>): void {
  const placeOf = (verb: string): number => [...Object.keys(VERB_ORDER), verb].indexOf(verb);
  const sorted = [...counts].sort(([one], [other]) => placeOf(one) - placeOf(other));
  const parts = sorted.map(([verb, count]) => `${count} ${VERB_ORDER[verb] ?? 'change'}${count === 1 ? '' : 's'}`);
  const rehearsed = context.settings.dryRun ? ' (dry run: nothing is changed)' : '';
  context.note(`▲ ${describeTarget(context)} as ${session.me.userName} – ${parts.join(', ') || 'nothing'}${rehearsed}`);
}

/** The profile, and where it leads. */
export const describeTarget = ({ settings }: Context): string =>
  settings.remote ? `${settings.profile} (${settings.remote.url})` : settings.profile;

const VERB_ORDER: Readonly<Record<string, string>> = {
  create: 'create',
  update: 'update',
  delete: 'delete',
  undelete: 'undelete',
};
