// The question before many changes are made.

import type { Extent } from '../../changes/extent.ts';
import type { OnDrift } from '../../changes/run.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JobKind } from '../../contract/jobs.ts';
import { MOST_CHANGES, MOST_DELETES } from '../confirm.ts';
import type { Context } from '../context.ts';

interface Asking {
  readonly kind: JobKind;
  readonly onDrift?: OnDrift | undefined;
  /** stdin holds the rows, so nothing can be asked there. */
  readonly stdinUsed?: boolean;
}

/** What is about to be done, as the question. */
const VERBS: Readonly<Record<JobKind, string>> = {
  change: 'Go on',
  import: 'Import',
  each: 'Go on',
  apply: 'Apply',
  undo: 'Undo',
};

/** Comes back if it may go on. Throws `confirmation` otherwise; nothing has happened then. */
export async function agree(context: Context, all: Extent, { kind, onDrift, stdinUsed }: Asking): Promise<void> {
  const { settings } = context;
  const extent = kind === 'undo' ? ofUndo(all, onDrift) : all;
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
  if (!settings.asks || stdinUsed === true) throw unasked(extent, wanted, why);
  if (await agreed(context, VERBS[kind], wanted, why)) return;
  throw new ServiceError('confirmation', 'not confirmed; nothing was changed');
}

/**
 * One record that is changed back needs no question, as changing it needs none. What the job has made, and nobody has
 * changed since, goes without its number being named.
 */
function ofUndo(extent: Extent, onDrift: OnDrift | undefined): Extent | undefined {
  if (extent.changes === 1 && extent.deletes === 0) return undefined;
  return onDrift === 'overwrite' ? extent : { ...extent, finals: 0 };
}

/** Why a yes is not enough; undefined where it is. */
function whyTyped({ settings }: Context, { changes, deletes, finals }: Extent): string | undefined {
  if (finals > 0) return `${finals} of them ${finals === 1 ? 'is a deletion' : 'are deletions'} for good`;
  const isOver = deletes > MOST_DELETES || changes > MOST_CHANGES;
  return settings.remote?.protected && isOver ? `${settings.profile} is protected` : undefined;
}

function unasked({ changes }: Extent, wanted: string, why: string | undefined): ServiceError {
  const what = `${changes} ${changes === 1 ? 'change needs' : 'changes need'} a confirmation`;
  return new ServiceError('confirmation', why === undefined ? what : `${what}: ${why}`, {
    hint: `To go on: ${why === undefined ? '--yes' : `--confirm ${wanted}`}. To see them: --dry-run`,
  });
}

async function agreed({ io }: Context, verb: string, wanted: string, why: string | undefined): Promise<boolean> {
  const { askText, askYes } = await import('../prompt.ts');
  if (why === undefined) return askYes(`${verb}?`, io.stopped);
  return (
    (await askText(`${why[0]?.toUpperCase()}${why.slice(1)}. Type ${wanted} to go on`, undefined, io.stopped)) ===
    wanted
  );
}
