// The entry point: prints the version or a page of help, or loads the program.
import { writeSync } from 'node:fs';
import { EXIT } from '../contract/errors.ts';
import { escapeJson, sanitiseLines } from '../text/escape.ts';
import { stackInSources } from '../text/stack.ts';
import { errorsAsJson, type Streams } from './streams.ts';
import { writtenPage } from './usage/written-pages.ts';

export { compileCacheFolder, loaderOf } from './code-cache.ts';
export { mayBeTerminal, openStdout } from './streams.ts';

const VERSION = process.env.PM_VERSION ?? '0.0.0';

/** The ways to ask for the version, each as the only word. */
const ASKING_VERSION = ['--version', '-v', '-V', 'version'];

type Program = typeof import('./program.ts');

/** Runs one command line. Answers the exit code; nothing below ends the process. `loaded` is the built program. */
export async function main(argv: readonly string[], io: Streams, loaded?: () => Program): Promise<number> {
  if (argv.length === 1 && ASKING_VERSION.includes(argv[0] ?? '')) {
    const { print } = await import('./output/printing.ts');
    print(io, [VERSION]);
    return 0;
  }
  const page = writtenPage(argv, io.columns);
  if (page !== undefined) {
    const { printText } = await import('./output/printing.ts');
    printText(io, page);
    return 0;
  }
  const { runLine } = loaded?.() ?? (await import('./program.ts'));
  return runLine(argv, io, VERSION);
}

const STDERR = 2;

/** Prints an error that nothing has caught, with its places in the sources; answers the exit code. It loads nothing more. */
export function reportUncaught(error: unknown, argv: readonly string[], env: NodeJS.ProcessEnv): number {
  const [why, stack] = error instanceof Error ? [error.message, stackInSources(error)] : [String(error), ''];
  const message = `this is a defect in pm, which ends here: ${why}`;
  const hint = 'Report that, with what pm --version prints.';
  const about = { code: 'internal', category: 'defect', exit: EXIT.defect, retryable: false, http: null, row: null };
  const text = errorsAsJson(argv, { env })
    ? escapeJson(JSON.stringify({ ...about, message, hint, stack }))
    : sanitiseLines(`error: ${message}\nhint: ${hint}\n${stack}`);
  try {
    writeSync(STDERR, `${text}\n`);
  } catch {
    // Its reader has gone.
  }
  return EXIT.defect;
}
