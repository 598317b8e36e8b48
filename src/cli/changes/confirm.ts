// The first line of a change, with its target and size, and the confirmation before records are changed.
import { type Change, findRecord } from '../../changes/plan/change.ts';
import type { PlanSize } from '../../changes/plan/plan-size.ts';
import type { OnDrift } from '../../changes/run/options.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobKind, PlannedRow } from '../../contract/jobs.ts';
import { nameOf, singular } from '../../contract/resource.ts';
import { nonEmpty } from '../../text/defined.ts';
import { counted } from '../../text/thousands.ts';
import type { Context } from '../context.ts';
import { ownerFlags } from '../names.ts';

export interface ConfirmOptions {
  readonly kind: JobKind;
  readonly onDrift?: OnDrift | undefined;
  /** stdin is the input, so no question can be asked. */
  readonly stdinUsed?: boolean;
  /** The records were chosen by a filter. */
  readonly chosen?: boolean;
  /** The number of final deletions whose record could not be read, so that no undo makes it again. */
  readonly unread?: number;
  /** What no undo restores exactly, where it is not as the plan says. */
  readonly cautions?: readonly string[];
  /** Lines to print before the question. */
  preview?(): Promise<readonly string[]>;
}

const QUESTIONS: Readonly<Record<JobKind, string>> = {
  change: 'Go on',
  import: 'Import',
  each: 'Go on',
  apply: 'Apply',
  undo: 'Undo',
};

/** Larger changes on a protected profile need --confirm with their number. */
export const MOST_DELETES = 25;
export const MOST_CHANGES = 500;

/** On every profile, more deletions of a resource than FEW_DELETES need the number, where they are more than one in ONE_IN. */
const FEW_DELETES = 10;
const ONE_IN = 10;

/** Says in a dry run which number the change will need. */
export async function noteNumber(context: Context, all: PlanSize, options: ConfirmOptions): Promise<void> {
  const plan = partToConfirm(context, all, options);
  const why = plan && (await whyNumberNeeded(context, plan));
  if (why !== undefined) context.note(`  It will need --confirm ${context.settings.profile}:${all.changes}: ${why}`);
}

/** Returns if the change is confirmed or needs no confirmation. Throws `confirmation` otherwise. */
export async function confirm(context: Context, all: PlanSize, options: ConfirmOptions): Promise<void> {
  const { settings } = context;
  const plan = partToConfirm(context, all, options);
  if (!plan) return;
  for (const line of options.cautions ?? plan.cautions) context.note(line);
  const expected = `${settings.profile}:${plan.changes}`;
  if (settings.confirm !== undefined) {
    if (settings.confirm === expected) return;
    throw new ServiceError('confirmation', `--confirm is "${settings.confirm}", but this change is ${expected}`, {
      hint: `To go on: --confirm ${expected}`,
    });
  }
  const why = await whyNumberNeeded(context, plan);
  const lost = lostInWords(plan, options);
  if (settings.yes && why === undefined) return;
  if (!settings.asks || options.stdinUsed === true) throw confirmationNeeded(plan, expected, why, lost);
  for (const line of (await options.preview?.()) ?? []) context.note(line);
  const verb = options.kind !== 'undo' && isDeletion(plan) ? 'Delete' : QUESTIONS[options.kind];
  // The number counts all changes, of which the reason may name a part.
  const reasons = why && `${counted(plan.changes, 'change')}: ${[why, ...lost].join(', and ')}`;
  if (await askUser(context, verb, expected, reasons)) return;
  throw new ServiceError('confirmation', 'not confirmed; nothing was changed');
}

/** The part of the plan that needs a confirmation; undefined if none does. */
function partToConfirm(
  context: Context,
  plan: PlanSize,
  { kind, onDrift, chosen = false }: ConfirmOptions,
): PlanSize | undefined {
  if (kind === 'undo') return undoToConfirm(plan, onDrift);
  if (chosen && plan.changes > 0) return plan;
  // A change of named records is asked about only if it deletes, or is very large.
  return kind !== 'change' || plan.deletes > 0 || exceedsLimits(context, plan) ? plan : undefined;
}

/**
 * Undoing the update of one record needs no confirmation. Deleting what the job created needs no number, however many that
 * are, unless drift is overwritten.
 */
function undoToConfirm(plan: PlanSize, onDrift: OnDrift | undefined): PlanSize | undefined {
  if (plan.changes === 1 && plan.deletes === 0) return undefined;
  return onDrift === 'overwrite' ? plan : { ...plan, finals: 0, deleted: new Map() };
}

const isDeletion = ({ changes, deletes }: PlanSize): boolean => deletes === changes;

/** Does a change on a protected profile need its number? */
const exceedsLimits = ({ settings }: Context, { changes, deletes }: PlanSize): boolean =>
  settings.remote?.protected === true && (deletes > MOST_DELETES || changes > MOST_CHANGES);

/** Why the number must be typed; undefined if a yes is enough. */
async function whyNumberNeeded(context: Context, plan: PlanSize): Promise<string | undefined> {
  const { finals } = plan;
  if (finals > 0) return `${finals} of them ${finals === 1 ? 'is a deletion' : 'are deletions'} for good`;
  return exceedsLimits(context, plan) ? `${context.settings.profile} is protected` : shareInWords(context, plan);
}

/** The deletions that are a large part of all live records of their resource; undefined if there are none. */
async function shareInWords(context: Context, { deleted }: PlanSize): Promise<string | undefined> {
  for (const [name, count] of deleted) {
    if (count <= FEW_DELETES) continue;
    const total = await liveRecords(await context.session(), name, count * ONE_IN);
    const { command } = resourceNamed(name);
    if (total === undefined) return `${count} ${command} would be deleted, and pm cannot count how many there are`;
    if (total < count * ONE_IN) return `${count} of ${total} ${command} would be deleted`;
  }
  return undefined;
}

/** How many live records the caller sees, counted up to `enough`; undefined if a service lists them owner by owner, or not. */
async function liveRecords(session: Session, name: string, enough: number): Promise<number | undefined> {
  if (!session.local && !resourceNamed(name).operations.list?.routes.plain) return undefined;
  let total = 0;
  try {
    for await (const _record of session.find.all(name, 0)) if (++total >= enough) break;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
  return total;
}

/** What no undo brings back. */
function lostInWords({ changes }: PlanSize, { unread = 0 }: ConfirmOptions): readonly string[] {
  if (unread === 0) return [];
  const all = changes === 1 ? 'it' : 'them';
  return [`pm undo will not bring ${unread === changes ? all : `${unread} of them`} back`];
}

function confirmationNeeded(plan: PlanSize, wanted: string, why: string | undefined, lost: readonly string[]) {
  const { changes, finals } = plan;
  const isPlural = changes !== 1;
  const said = isDeletion(plan)
    ? `deleting ${changes} ${isPlural ? 'records' : 'record'}${finals === changes ? ' for good' : ''} needs a confirmation`
    : `${changes} ${isPlural ? 'changes need' : 'change needs'} a confirmation`;
  const reasons = [...(why === undefined || finals === changes ? [] : [why]), ...lost];
  return new ServiceError('confirmation', [said, ...(reasons.length > 0 ? [reasons.join(', and ')] : [])].join(': '), {
    hint: `To go on: ${why === undefined ? '--yes' : `--confirm ${wanted}`}. To see them: --dry-run`,
  });
}

async function askUser({ io }: Context, verb: string, wanted: string, why: string | undefined): Promise<boolean> {
  const { askText, askYes } = await import('../input/prompt.ts');
  if (why === undefined) return askYes(`${verb}?`, io.stopped);
  return (await askText(`${why}. Type ${wanted} to go on`, undefined, io.stopped)) === wanted;
}

const MAX_LISTED = 10;

/** The records to change, by name: the first ones and the number of the others. */
export async function changeLines(session: Session, rows: readonly PlannedRow[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const row of rows.slice(0, MAX_LISTED)) {
    const resource = resourceNamed(row.resource);
    const found = (await findRecord(session, row))?.row;
    const name = nameOf(resource, found) ?? found?.Body;
    const which = name === undefined ? String(row.id) : `${String(name)} (${row.id})`;
    lines.push(`  ${row.operation} ${singular(resource)} ${which}`);
  }
  return rows.length > MAX_LISTED ? [...lines, `  and ${rows.length - MAX_LISTED} more`] : lines;
}

/** How the records that could not be read are read: below the owner that a flag names. */
export function ownersToName([first]: readonly Change[], { size }: ReadonlySet<string>): readonly string[] {
  const flags =
    first && size > 0 && !nonEmpty(first.place ?? {}) ? [...ownerFlags(resourceNamed(first.resource)).keys()] : [];
  const those = size === 1 ? 'it' : 'them';
  return flags.length > 0
    ? [`To read ${those} first, name the owner: ${flags.map((flag) => `--${flag} <ref>`).join(' or ')}.`]
    : [];
}

interface Confirmation {
  readonly question: string;
  /** The error if no question can be asked. */
  readonly needed: string;
  /** The flags that confirm it, where --yes is not enough. */
  readonly flags?: string;
  /** What the answer no has left undone. */
  readonly refused: string;
}

/** Confirms a request that is not part of a job. Throws `confirmation`. */
export async function confirmRequest(
  { settings }: Context,
  { question, needed, flags = '--yes', refused }: Confirmation,
): Promise<void> {
  if (settings.yes) return;
  if (!settings.asks) throw new ServiceError('confirmation', needed, { hint: `To go on: ${flags}` });
  const { askYes } = await import('../input/prompt.ts');
  if (!(await askYes(question))) throw new ServiceError('confirmation', `not confirmed; ${refused}`);
}

/** Prints the number of changes of each verb, with the target and the user. */
export function announceCounts(context: Context, session: Session, counts: ReadonlyMap<string, number>): void {
  const rankOf = (verb: string): number => [...VERB_ORDER, verb].indexOf(verb);
  const sorted = [...counts].sort(([one], [other]) => rankOf(one) - rankOf(other));
  const parts = sorted.map(([verb, count]) => counted(count, VERB_ORDER.includes(verb) ? verb : 'change'));
  const rehearsed = context.settings.dryRun ? ' (dry run: nothing is changed)' : '';
  context.note(`▲ ${describeTarget(context)} as ${session.me.userName} – ${parts.join(', ') || 'nothing'}${rehearsed}`);
}

/** The profile and the address of its service. */
export const describeTarget = ({ settings }: Context): string =>
  settings.remote ? `${settings.profile} (${settings.remote.url})` : settings.profile;

const VERB_ORDER = ['create', 'update', 'delete', 'undelete'];
