// The entry point: prints the version, or loads the program; and the folder of Node's compile cache.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { homeOf } from './profiles/home.ts';
import type { Streams } from './streams.ts';

const VERSION = process.env.PM_VERSION ?? '0.0.0';

/** The ways to ask for the version, each as the only word. */
const ASKING_VERSION = ['--version', '-v', '-V', 'version'];

/** Runs one command line. Answers the exit code; nothing below ends the process. */
export async function main(argv: readonly string[], io: Streams): Promise<number> {
  if (argv.length === 1 && ASKING_VERSION.includes(argv[0] ?? '')) {
    const { print } = await import('./output/printing.ts');
    print(io, [VERSION]);
    return 0;
  }
  const { run } = await import('./program.ts');
  return run(argv, io, VERSION);
}

/** The cache folder, created if missing. Undefined if it is not private, or pm has no folder yet. */
export function compileCacheFolder(env: NodeJS.ProcessEnv): string | undefined {
  try {
    const home = homeOf({ env });
    if (!isPrivate(home)) return undefined;
    const folder = join(home, 'cache');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isPrivate(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Cached code that other users could write must not run. On Windows the user's folder is private. */
function isPrivate(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
