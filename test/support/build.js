// Builds dist/: the program as one bundle in chunks, the help topics, and the notices of the packages inside.
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { layers, lean } from './layers.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

// Built beside it and put in its place whole: a build that fails leaves the last good one.
const fresh = join(root, `.dist-${process.pid}`);
const { metafile } = await build({
  entryPoints: [join(root, 'src/cli/main.ts')],
  absWorkingDir: root,
  outdir: fresh,
  bundle: true,
  splitting: true,
  minify: true,
  keepNames: false,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  plugins: [layers(root), lean],
  define: { 'process.env.PM_VERSION': JSON.stringify(version), 'process.env.NODE_ENV': '"production"' },
  banner: {
    js: "import{createRequire as __pmRequire}from'node:module';const require=__pmRequire(import.meta.url);",
  },
  metafile: true,
  logLevel: 'warning',
});
cpSync(join(root, 'src/cli/help'), join(fresh, 'help'), { recursive: true });
writeFileSync(join(fresh, 'NOTICES.txt'), notices(Object.keys(metafile.inputs)));
rmSync(dist, { recursive: true, force: true });
renameSync(fresh, dist);

/** The licence of every package that went into the bundle. */
function notices(inputs) {
  const packages = new Set(
    inputs.map((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter(Boolean),
  );
  return [...packages].sort().map(notice).join('\n\n');
}

function notice(name) {
  const folder = join(root, 'node_modules', name);
  const { version: used, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE', 'license.md', 'LICENSE-MIT.txt'];
  const text = files.map((file) => read(join(folder, file))).find((found) => found !== undefined);
  return `${name} ${used} (${license})\n\n${text ?? `Licensed under ${license}.`}`;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
