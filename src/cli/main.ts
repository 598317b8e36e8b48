// Where everything begins: the version is answered at once, all else loads the program.
export { compileCacheFolder } from './compile-cache.ts';

import type { Streams } from './streams.ts';

const VERSION = process.env.PM_VERSION ?? '0.0.0';

/** Runs one command line. Answers the exit code; nothing below ends the process. */
export async function main(argv: readonly string[], io: Streams): Promise<number> {
  if (argv.length === 1 && argv[0] === '--version') {
    io.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const { run } = await import('./program.ts');
  return run(argv, io, VERSION);
}
