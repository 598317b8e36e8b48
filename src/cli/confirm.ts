// The question before a deletion.
import { backAgain } from '../changes/cautions.ts';
import { type Change, find, verbOf } from '../changes/change.ts';
import type { Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { resourceNamed } from '../contract/index.ts';
import { singular } from '../contract/resource.ts';
import type { Context } from './context.ts';

interface Deletion {
  /** What is deleted has no undelete (D8). */
  readonly final: boolean;
  /** stdin holds IDs, so nothing can be asked there. */
  readonly stdinUsed: boolean;
}

/** Comes back if the deletion may go on. Throws `confirmation` otherwise; nothing has happened then. */
export async function confirmDeletion(
  context: Context,
  session: Session,
  changes: readonly Change[],
  deletion: Deletion,
): Promise<void> {
  const { settings } = context;
  const wanted = wantedFor(context, changes);
  if (settings.confirm !== undefined) {
    if (settings.confirm === wanted) return;
    throw new ServiceError('confirmation', `--confirm is "${settings.confirm}", but this change is ${wanted}`, {
      hint: `To go on: --confirm ${wanted}`,
    });
  }
  if (settings.yes && !deletion.final && !isOverBudget(context, changes)) return;
  if (!settings.asks || deletion.stdinUsed) throw unasked(context, changes, deletion, wanted);
  for (const line of await summary(session, changes)) context.note(line);
  if (deletion.final) context.note(backOf(changes).trimEnd());
  if (await agreed(deletion.final || isOverBudget(context, changes), wanted)) return;
  throw new ServiceError('confirmation', 'not confirmed; nothing was deleted');
}

/** What a protected profile bears without the number being named. */
export const MOST_DELETES = 25;
export const MOST_CHANGES = 500;

/** Is this more than a protected profile bears without the number being named? */
function isOverBudget({ settings }: Context, changes: readonly Change[]): boolean {
  if (!settings.remote?.protected) return false;
  const deletes = changes.filter((change) => verbOf(change) === 'delete');
  return deletes.length > MOST_DELETES || changes.length > MOST_CHANGES;
}

/** Comes back if so many changes may be made on this profile. Throws `confirmation` otherwise. */
export function checkBudget(context: Context, changes: readonly Change[]): void {
  const wanted = wantedFor(context, changes);
  if (!isOverBudget(context, changes) || context.settings.confirm === wanted) return;
  throw overBudget(context, changes, wanted);
}

const wantedFor = ({ settings }: Context, changes: readonly Change[]): string =>
  `${settings.profile}:${changes.length}`;

const overBudget = ({ settings }: Context, changes: readonly Change[], wanted: string): ServiceError =>
  new ServiceError('confirmation', `${settings.profile} is protected, and ${changes.length} changes are many`, {
    hint: `To go on: --confirm ${wanted}`,
  });

function unasked(context: Context, changes: readonly Change[], deletion: Deletion, wanted: string): ServiceError {
  if (!deletion.final && isOverBudget(context, changes)) return overBudget(context, changes, wanted);
  const what = `deleting ${changes.length} ${changes.length === 1 ? 'record' : 'records'}`;
  return deletion.final
    ? new ServiceError('confirmation', `${what} for good needs a confirmation`, {
        hint: `${backOf(changes)}To go on: --confirm ${wanted}`,
      })
    : new ServiceError('confirmation', `${what} needs a confirmation`, { hint: 'To go on: --yes' });
}

const backOf = ([first]: readonly Change[]): string => (first ? `${backAgain(resourceNamed(first.resource))} ` : '');

const SHOWN = 10;

async function summary(session: Session, changes: readonly Change[]): Promise<readonly string[]> {
  const { sanitise } = await import('./output/sanitise.ts');
  const lines: string[] = [];
  for (const change of changes.slice(0, SHOWN)) {
    const row = (await find(session, change))?.row;
    const name = row?.FullName ?? row?.Name ?? row?.Group ?? row?.Body ?? '';
    lines.push(sanitise(`  delete ${singular(resourceNamed(change.resource))} ${change.id} ${String(name)}`));
  }
  return changes.length > SHOWN ? [...lines, `  and ${changes.length - SHOWN} more`] : lines;
}

async function agreed(typed: boolean, wanted: string): Promise<boolean> {
  const { askText, askYes } = await import('./prompt.ts');
  if (!typed) return askYes('Delete?');
  return (await askText(`Type ${wanted} to go on`)) === wanted;
}
