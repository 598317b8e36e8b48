// One command on several records: each stands for itself, and the exit code tells how it went.
import { exitOfMany } from '../contract/exit.ts';
import type { Context } from './context.ts';

/** Prints what failed. Answers the exit code of all. */
export async function reportFailures(context: Context, failures: readonly unknown[], total: number): Promise<number> {
  if (failures.length === 0) return 0;
  const { printError } = await import('./output/errors.ts');
  const { settings, io } = context;
  const options = {
    json: settings.errorsAsJson,
    color: settings.color && io.stderrIsTerminal,
    debug: io.env.PM_DEBUG === '1',
  };
  const exits = failures.map((error) => printError(error, options, io));
  return exitOfMany({ exits, done: failures.length < total });
}
