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

interface Asking {
  readonly kind: JobKind;
  readonly onDrift?: OnDrift | undefined;
  /** stdin holds the rows, so nothing can be asked there. */
  readonly stdinUsed?: boolean;
  /** What is said just before somebody is asked. */
  shown?(): Promise<readonly string[]>;
}

/** What is about to be done, as the question. */
const VERBS: Readonly<Record<JobKind, string>> = {
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
export async function agree(context: Context, all: Extent, asking: Asking): Promise<void> {
  const { settings } = context;
  const extent = inQuestion(context, all, asking);
  if (!extent) return;
  for (const line of extent.cautions) context.note(line);
  const wanted = `${settings.profile}:${extent.changes}`;
  if (settings.confirm !== undefined) {
    if (settings.confirm === wanted) return;
    throw new ServiceError('confirmation', `--confirm is "${settings.confirm}", but this change is ${wanted}`, {
      hint: `To go on: --confirm ${wanted}`,
    });
  }
  const why = whyTyped(context, extent);
  if (settings.yes && why === undefined) return;
  if (!settings.asks || asking.stdinUsed === true) throw unasked(extent, wanted, why);
  for (const line of (await asking.shown?.()) ?? []) context.note(line);
  const verb = asking.kind === 'change' && isDeletion(extent) ? 'Delete' : VERBS[asking.kind];
  if (await agreed(context, verb, wanted, why)) return;
  throw new ServiceError('confirmation', 'not confirmed; nothing was changed');
}

/** What is asked about; undefined where nothing is. */
function inQuestion(context: Context, extent: Extent, { kind, onDrift }: Asking): Extent | undefined {
  if (kind === 'undo') return ofUndo(extent, onDrift);
  // Who names the records has named what is to be done; a deletion alone is asked about, and what is very much.
  return kind !== 'change' || extent.deletes > 0 || isOver(context, extent) ? extent : undefined;
}

/**
 * One record that is changed back needs no question, as changing it needs none. What the job has made, and nobody has
 * changed since, goes without its number being named.
 */
function ofUndo(extent: Extent, onDrift: OnDrift | undefined): Extent | undefined {
  if (extent.changes === 1 && extent.deletes === 0) return undefined;
  return onDrift === 'overwrite' ? extent : { ...extent, finals: 0 };
}

const isDeletion = ({ changes, deletes }: Extent): boolean => deletes === changes;

/** Is this more than a protected profile bears without the number being named? */
const isOver = ({ settings }: Context, { changes, deletes }: Extent): boolean =>
  settings.remote?.protected === true && (deletes > MOST_DELETES || changes > MOST_CHANGES);

/** Why a yes is not enough; undefined where it is. */
function whyTyped(context: Context, extent: Extent): string | undefined {
  const { finals } = extent;
  if (finals > 0) return `${finals} of them ${finals === 1 ? 'is a deletion' : 'are deletions'} for good`;
  return isOver(context, extent) ? `${context.settings.profile} is protected` : undefined;
}

function unasked(extent: Extent, wanted: string, why: string | undefined): ServiceError {
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

async function agreed({ io }: Context, verb: string, wanted: string, why: string | undefined): Promise<boolean> {
  const { askText, askYes } = await import('../input/prompt.ts');
  if (why === undefined) return askYes(`${verb}?`, io.stopped);
  return (
    (await askText(`${why[0]?.toUpperCase()}${why.slice(1)}. Type ${wanted} to go on`, undefined, io.stopped)) ===
    wanted
  );
}

const SHOWN = 10;

/** The records that are about to be deleted, by their names. */
export async function deletionsIn(session: Session, rows: readonly PlannedRow[]): Promise<readonly string[]> {
  const { sanitise } = await import('../../text/escape.ts');
  const lines: string[] = [];
  for (const row of rows.slice(0, SHOWN)) {
    const found = (await find(session, row))?.row;
    const name = found?.FullName ?? found?.Name ?? found?.Group ?? found?.Body ?? '';
    lines.push(sanitise(`  delete ${singular(resourceNamed(row.resource))} ${row.id} ${String(name)}`));
  }
  return rows.length > SHOWN ? [...lines, `  and ${rows.length - SHOWN} more`] : lines;
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
export function checkNamed(context: Context): void {
  const { settings, io } = context;
  if (!io.env.CI || settings.profileNamed || settings.dryRun) return;
  throw new ServiceError('usage', 'under CI a change needs a named profile', { hint: 'Say which one: -p local' });
}

/** So many changes of each verb. */
export function announceCounts(context: Context, session: Session, counts: ReadonlyMap<string, number>): void {
  const placeOf = (verb: string): number => [...Object.keys(WORDS), verb].indexOf(verb);
  const sorted = [...counts].sort(([one], [other]) => placeOf(one) - placeOf(other));
  const parts = sorted.map(([verb, count]) => `${count} ${WORDS[verb] ?? 'change'}${count === 1 ? '' : 's'}`);
  const rehearsed = context.settings.dryRun ? ' (dry run: nothing is changed)' : '';
  context.note(`▲ ${targetWords(context)} as ${session.me.userName} – ${parts.join(', ') || 'nothing'}${rehearsed}`);
}

/** The profile, and where it leads. */
export const targetWords = ({ settings }: Context): string =>
  settings.remote ? `${settings.profile} (${settings.remote.url})` : settings.profile;

const WORDS: Readonly<Record<string, string>> = {
  create: 'create',
  update: 'update',
  delete: 'delete',
  undelete: 'undelete',
};
