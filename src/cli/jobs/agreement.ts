// The question before many changes are made.
import { ServiceError } from '../../contract/errors.ts';
import { MOST_CHANGES, MOST_DELETES } from '../confirm.ts';
import type { Context } from '../context.ts';
import type { Extent } from './extent.ts';

interface Asking {
  /** What is about to be done: `Import`. */
  readonly verb: string;
  /** stdin holds the rows, so nothing can be asked there. */
  readonly stdinUsed: boolean;
}

/** Comes back if it may go on. Throws `confirmation` otherwise; nothing has happened then. */
export async function agree(context: Context, extent: Extent, { verb, stdinUsed }: Asking): Promise<void> {
  const { settings } = context;
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
  if (!settings.asks || stdinUsed) throw unasked(extent, wanted, why);
  if (await agreed(context, verb, wanted, why)) return;
  throw new ServiceError('confirmation', 'not confirmed; nothing was changed');
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
