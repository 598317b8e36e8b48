// Bundles the program for a fast start: what answers the version, what reading needs, the rest of our code, and each package that only
// some commands need, in files of their own.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import {
  binaryApart,
  builtinsLate,
  fileOf,
  lean,
  ourMeasure,
  packagesApart,
  parts,
  partsApart,
  programApart,
} from './plugins.js';

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
  logLevel: 'warning',
};

/**
 * Writes `main.js`, what it prints the version with, the parts of the program, what answers Tab, and `packages/` into `dist`;
 * answers every file that went in.
 */
export async function bundle({ root, dist, define }) {
  const apart = new Set();
  const shared = {
    ...commonJs,
    absWorkingDir: root,
    bundle: true,
    define: {
      ...define,
      'process.env.NODE_ENV': '"production"',
      'import.meta.filename': '__filename',
      'import.meta.dirname': '__dirname',
    },
    metafile: true,
  };
  const ours = [packagesApart(root, apart), builtinsLate(root), lean];
  const start = await build({
    ...shared,
    ...readable,
    entryPoints: [join(root, 'src/cli/main.ts')],
    outfile: join(dist, 'main.js'),
    plugins: [programApart, builtinsLate(root)],
  });
  const program = await inParts({ dist, shared, plugins: [partsApart(root), ...ours] });
  const completion = await build({
    ...shared,
    ...readable,
    entryPoints: {
      complete: join(root, 'src/cli/completion/complete.ts'),
      'complete-table': join(root, 'src/cli/completion/make-table.ts'),
      printing: join(root, 'src/cli/output/printing.ts'),
      'make-pages': join(root, 'src/cli/usage/make-pages.ts'),
      'checkpoint-thread': join(root, 'src/engine/store/sqlite/checkpoint-thread.ts'),
      'csv-thread': join(root, 'src/changes/files/delimited/thread.ts'),
    },
    outdir: dist,
    plugins: ours,
  });
  const packages = await build({
    ...shared,
    minify: true,
    entryPoints: [...apart].map((name) => ({ in: name, out: fileOf(name) })),
    outdir: join(dist, 'packages'),
    plugins: [lean, binaryApart, ourMeasure],
  });
  return [start, program, completion, packages].flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

/** esbuild splits modules of ES alone, so what it has split is made CommonJS afterwards. */
async function inParts({ dist, shared, plugins }) {
  const folder = join(dist, 'split');
  const { supported, banner, ...rest } = shared;
  const asModules = { ...rest, ...readable, format: 'esm', outdir: folder };
  const split = await build({
    ...asModules,
    splitting: true,
    entryPoints: parts.map((part) => ({ in: part, out: part })),
    plugins,
  });
  const owners = chunkOwners(split.metafile);
  const wholes = await Promise.all(parts.map((part) => wholePart({ asModules, folder, owners, part })));
  const imports = wholes.map(importsOf);
  const [first] = parts;
  for (const [at, part] of parts.entries()) {
    const asked = imports.flatMap((names) => names.get(part) ?? []);
    exportByGetters(wholes[at], asked, part === first ? ASKED_FOR : undefined);
  }
  for (const at of parts.keys()) {
    const asksFirst = imports[at].has(first);
    await build({
      ...commonJs,
      ...readable,
      entryPoints: [wholes[at]],
      outdir: dist,
      banner: { js: asksFirst ? `"use strict";require("./${first}.js").more();` : '"use strict";' },
      logOverride: { 'commonjs-variable-in-esm': 'silent' },
    });
  }
  rmSync(folder, { recursive: true });
  return split;
}

/** The part that each chunk belongs to: the first that needs it. */
function chunkOwners({ outputs }) {
  const owners = new Map();
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  for (const part of parts)
    for (const { path } of byName.get(`${part}.js`).imports)
      if (basename(path).startsWith('chunk-') && !owners.has(basename(path))) owners.set(basename(path), part);
  return owners;
}

/** Puts a part and its chunks into one file, since each file takes half a millisecond to load. Answers its path. */
async function wholePart({ asModules, folder, owners, part }) {
  const outfile = join(folder, 'whole', `${part}.js`);
  const chunks = [...owners].filter(([, owner]) => owner === part).map(([name]) => name);
  const contents = [`${part}.js`, ...chunks].map((name) => `export * from './${name}';`).join('');
  const { outdir, ...rest } = asModules;
  await build({
    ...rest,
    absWorkingDir: folder,
    stdin: { contents, resolveDir: folder },
    outfile,
    plugins: [chunksOfOthers(owners, part)],
  });
  return outfile;
}

const chunksOfOthers = (owners, part) => ({
  name: 'chunks of others',
  setup({ onResolve }) {
    onResolve({ filter: /\.js$/ }, ({ path }) => {
      const owner = owners.get(basename(path)) ?? basename(path, '.js');
      const isOther = parts.includes(owner) && owner !== part;
      return isOther || path.startsWith('./packages/')
        ? { path: isOther ? `./${owner}.js` : path, external: true }
        : undefined;
    });
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true }));
  },
});

/** What main.js asks of the first part, and `import()` of any. */
const ASKED_FOR = ['runLine', 'sources'];

/** The names that a part imports, by the part that they are of. */
function importsOf(path) {
  const imports = new Map();
  for (const [, names, from] of readFileSync(path, 'utf8').matchAll(/\bimport\{([^}]*)\}from"\.\/(\w+)\.js"/g))
    imports.set(from, [...(imports.get(from) ?? []), ...names.split(',').map((name) => name.split(' as ')[0])]);
  return imports;
}

/**
 * As one object of getters: esbuild's own way, which defines each name by itself, took a tenth of a short command, and no option
 * changes it. They are of its prototype, so that an import of the whole part copies none of them. Where `short` is given, the
 * other names get theirs by `more()`: V8 would keep each of some hundred getters for a command that loads no later part. What is
 * rewritten is not source but esbuild's output, whose last statement is its one `export{…}`.
 */
function exportByGetters(path, asked, short) {
  const source = readFileSync(path, 'utf8');
  const getters = (names) => `{${names.map(([outside, inside]) => `get ${outside}(){return ${inside}},`).join('')}`;
  writeFileSync(
    path,
    source.replace(/\bexport\{([^}]*)\};\n(?=(\/\/# sourceMappingURL.*\n)?$)/, (_, list) => {
      const names = list
        .split(',')
        .map((name) => name.split(' as ').reverse())
        .map(([outside, inside = outside]) => [outside, inside]);
      const lost = asked.filter((name) => !names.some(([outside]) => outside === name));
      if (lost.length > 0) throw new Error(`two chunks of ${path} have one name, and esbuild leaves it out: ${lost}`);
      const later = short ? names.filter(([outside]) => !short.includes(outside)) : [];
      const more = `more(){const it=Object.getPrototypeOf(this);delete it.more;Object.setPrototypeOf(it,${getters(later)}more(){}})}`;
      return `module.exports={__proto__:${getters(names.filter((name) => !later.includes(name)))}${more}}};\n`;
    }),
  );
}
