// The entry point: prints the version or a page of help, or loads the program.
import type { Streams } from './streams.ts';
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
  const { run } = loaded?.() ?? (await import('./program.ts'));
  return run(argv, io, VERSION);
}
