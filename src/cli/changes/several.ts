// One command on several records: each stands for itself, and the exit code tells how it went.
import { exitOfMany } from '../../contract/errors.ts';
import type { Context } from '../context.ts';
import { callingOf } from '../output/calling.ts';
import type { ErrorOptions } from '../output/errors.ts';

/** Prints what failed. Answers the exit code of all. */
export async function reportFailures(context: Context, failures: readonly unknown[], total: number): Promise<number> {
  if (failures.length === 0) return 0;
  const { printError } = await import('../output/errors.ts');
  const exits = failures.map((error) => printError(error, errorOptions(context), context.io));
  return exitOfMany({ exits, done: failures.length < total });
}

/** How the errors of a command are printed. */
export const errorOptions = ({ settings, io }: Pick<Context, 'settings' | 'io'>): ErrorOptions => ({
  json: settings.errorsAsJson,
  color: settings.color && io.stderrIsTerminal,
  debug: io.env.PM_DEBUG === '1',
  calling: callingOf(io, settings),
});
