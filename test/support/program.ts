// Small programs of a test as processes of their own, made of the sources.
import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../..');

/** Bundles a program that imports from `./src`; answers its file. */
export async function programIn(folder: string, source: string): Promise<string> {
  const outfile = join(folder, 'program.mjs');
  const driver = resolve(ROOT, 'node_modules/better-sqlite3/lib/index.js');
  const required = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await build({
    stdin: { contents: source, resolveDir: ROOT, loader: 'ts' },
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    banner: { js: required },
    alias: { 'better-sqlite3': driver },
    external: [driver],
  });
  return outfile;
}

export const begun = (program: string, ...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
