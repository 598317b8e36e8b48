// Where Node keeps the compiled code of the program from one command to the next: a folder that nobody else can write.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { homeOf } from './profiles/home.ts';

/** The folder, made where it is missing. Undefined where it cannot be private, and where pm has no folder yet. */
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

/** Code that another user could write must not run. Windows keeps rights elsewhere: there each user's own folder is private. */
function isPrivate(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
