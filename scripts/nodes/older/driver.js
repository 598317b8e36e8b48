// Fetches or compiles the binary of better-sqlite3 12, where this Node needs it. npm itself is kept from it (allowScripts): it cannot
// tell version 12 from 13, and would compile version 13, which brings its binaries, too.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_API = 10;
const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../node_modules/better-sqlite3-12');

if (Number(process.versions.napi) < NODE_API && !existsSync(join(folder, 'build/Release/better_sqlite3.node'))) {
  const npm = [process.env.npm_execpath, 'run', 'install', '--prefix', folder];
  process.exitCode = spawnSync(process.execPath, npm, { stdio: 'inherit' }).status ?? 1;
}
