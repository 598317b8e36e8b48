// Bundles the program for a fast start: what answers the version, what reading needs, the rest of our code, and each package that only
// some commands need, in files of their own.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { builtinsLate, fileOf, lean, packagesApart, programApart, seldomApart } from './plugins.js';

/** A defect is reported by its stack: names are kept, and a map beside each file leads to the sources. */
const readable = {
  minifySyntax: true,
  minifyWhitespace: true,
  charset: 'ascii',
  sourcemap: 'linked',
  sourcesContent: false,
};

/**
 * CommonJS, because there a module that is imported late costs nothing until then, and no file of its own: loading each took
 * half a millisecond.
 */
const commonJs = {
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  supported: { 'dynamic-import': false },
  banner: { js: "const importMetaUrl=require('node:url').pathToFileURL(__filename).href;" },
  logLevel: 'warning',
};

/**
 * Writes `main.js`, `program.js` and what it shares with `seldom.js`, what answers Tab, and `packages/` into `dist`; answers
 * every file that went in.
 */
export async function bundle({ root, dist, define }) {
  const apart = new Set();
  const shared = {
    ...commonJs,
    absWorkingDir: root,
    bundle: true,
    define: { ...define, 'process.env.NODE_ENV': '"production"', 'import.meta.url': 'importMetaUrl' },
    metafile: true,
  };
  const ours = [packagesApart(root, apart), builtinsLate(root), lean];
  const start = await build({
    ...shared,
    ...readable,
    entryPoints: [join(root, 'src/cli/main.ts')],
    outfile: join(dist, 'main.js'),
    plugins: [programApart],
  });
  const program = await inTwo({ root, dist, shared, plugins: [seldomApart(root), ...ours] });
  const completion = await build({
    ...shared,
    ...readable,
    entryPoints: {
      complete: join(root, 'src/cli/completion/complete.ts'),
      'complete-table': join(root, 'src/cli/completion/make-table.ts'),
    },
    outdir: dist,
    plugins: ours,
  });
  const packages = await build({
    ...shared,
    minify: true,
    entryPoints: [...apart].map((name) => ({ in: name, out: fileOf(name) })),
    outdir: join(dist, 'packages'),
    plugins: [lean],
  });
  return [start, program, completion, packages].flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

/** esbuild splits modules of ES alone, so what it has split is made CommonJS file by file. */
async function inTwo({ root, dist, shared, plugins }) {
  const folder = join(dist, 'split');
  const { supported, banner, ...rest } = shared;
  const split = await build({
    ...rest,
    ...readable,
    format: 'esm',
    splitting: true,
    entryPoints: { program: join(root, 'src/cli/program.ts'), seldom: 'seldom' },
    outdir: folder,
    plugins,
  });
  await build({
    ...commonJs,
    ...readable,
    entryPoints: readdirSync(folder)
      .filter((name) => name.endsWith('.js'))
      .map((name) => join(folder, name)),
    outdir: dist,
  });
  rmSync(folder, { recursive: true });
  return split;
}
