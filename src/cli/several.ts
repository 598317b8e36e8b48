// One command on several records: each stands for itself, and the exit code tells how it went.
import { ServiceError } from '../contract/errors.ts';
import type { Context } from './context.ts';

const PARTLY = 3;
/** The database itself, and what may have been done: these count before all others. */
const WORST = [10, 9];

/** Prints what failed. Answers 0, the common exit code, or 3 where some were done. */
export async function reportFailures(context: Context, failures: readonly unknown[], total: number): Promise<number> {
  if (failures.length === 0) return 0;
  const { printError } = await import('./output/errors.ts');
  const { settings, io } = context;
  const options = {
    json: settings.errorsAsJson,
    color: settings.color && io.stderrIsTerminal,
    debug: io.env.PM_DEBUG === '1',
  };
  const exits = new Set(failures.map((error) => printError(error, options, io)));
  if (failures.some((error) => !(error instanceof ServiceError))) return 70;
  for (const worst of WORST) if (exits.has(worst)) return worst;
  const [only = PARTLY] = exits;
  return failures.length === total && exits.size === 1 ? only : PARTLY;
}
