// Small programs of a test as processes of their own, made of the sources.
import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../..');

/** Bundles a program that imports from `./src`; answers its file. It finds packages where the sources find them. */
export async function programIn(folder: string, source: string, plugins: Plugin[] = []): Promise<string> {
  const outfile = join(folder, 'program.mjs');
  const required =
    "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";
  await build({
    stdin: { contents: source, resolveDir: ROOT, loader: 'ts' },
    plugins,
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    banner: { js: required },
    define: { 'import.meta.filename': JSON.stringify(join(ROOT, 'package.json')) },
  });
  return outfile;
}

export const begun = (program: string, ...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
