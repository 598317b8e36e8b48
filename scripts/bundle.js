// Bundles the program for a fast start: what answers the version, all our other code, and each package that only some
// commands need, in a file each.
import { join } from 'node:path';
import { build } from 'esbuild';

/** Packages that most commands need: they are in the bundle itself. */
const WITHIN = ['commander'];
/** Packages that are imported by name where XML is spelled, and loaded when something of them is used: JSON needs none. */
const FOR_XML = ['saxes', 'fast-xml-parser'];

/** A defect is reported by its stack: names are kept, and a map beside each file leads to the sources. */
const readable = { minifySyntax: true, minifyWhitespace: true, sourcemap: 'linked', sourcesContent: false };

/**
 * Writes `main.js`, `program.js`, what answers Tab, and `packages/` into `dist`; answers every file that went in. CommonJS, because there a
 * module that is imported late costs nothing until then, and no file of its own: loading each took half a millisecond.
 */
export async function bundle({ root, dist, define }) {
  const apart = new Set();
  const shared = {
    absWorkingDir: root,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    define: { ...define, 'process.env.NODE_ENV': '"production"', 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl=require('node:url').pathToFileURL(__filename).href;" },
    metafile: true,
    logLevel: 'warning',
  };
  const start = await build({
    ...shared,
    ...readable,
    entryPoints: [join(root, 'src/cli/main.ts')],
    outfile: join(dist, 'main.js'),
    plugins: [programApart],
  });
  const program = await build({
    ...shared,
    ...readable,
    entryPoints: [join(root, 'src/cli/program.ts')],
    outfile: join(dist, 'program.js'),
    plugins: [packagesApart(root, apart), builtinsLate(root), lean],
  });
  const completion = await build({
    ...shared,
    ...readable,
    entryPoints: {
      complete: join(root, 'src/cli/completion/complete.ts'),
      'complete-table': join(root, 'src/cli/completion/make-table.ts'),
    },
    outdir: dist,
    plugins: [packagesApart(root, apart), builtinsLate(root), lean],
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

const fileOf = (name) => name.replaceAll('/', '-');

/** The version is answered without the program. */
const programApart = {
  name: 'program apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/program\.ts$/ }, () => ({ path: './program.js', external: true }));
  },
};

/** Leaves packages out of the bundle, and notes which. The step between them keeps a default export what it is. */
const packagesApart = (root, apart) => ({
  name: 'packages apart',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      const isOurs = importer.startsWith(join(root, 'src'));
      if (!isOurs || path.startsWith('node:') || WITHIN.includes(path)) return undefined;
      apart.add(path);
      return { path, namespace: 'apart' };
    });
    onLoad({ filter: /.*/, namespace: 'apart' }, ({ path }) => {
      const file = JSON.stringify(`./packages/${fileOf(path)}.js`);
      if (FOR_XML.includes(path)) return late(path, file);
      return { contents: `export * from ${file}; export { default } from ${file};` };
    });
    onResolve({ filter: /^\.\/packages\// }, ({ path }) => ({ path, external: true }));
  },
});

/** A module with the names of another one, which is loaded when the first of them is used. */
async function late(path, file) {
  const names = Object.keys(await import(path)).filter((name) => /^(?!default$|__esModule$)\w+$/.test(name));
  const getters = names.map((name) => `get ${name}(){return module_().${name}}`);
  return {
    contents: `let loaded;const module_=()=>loaded??=require(${file});module.exports={${getters}};`,
    loader: 'js',
  };
}

/** What Node itself has loaded when pm starts. */
const LOADED = ['node:fs', 'node:path'];

/** Loads the other modules of Node when something of them is first used: `node:crypto` was a tenth of a short command. */
const builtinsLate = (root) => ({
  name: 'builtins late',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, importer }) =>
      !LOADED.includes(path) && importer.startsWith(join(root, 'src')) ? { path, namespace: 'late' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => late(path, JSON.stringify(path)));
    onResolve({ filter: /^node:/, namespace: 'late' }, ({ path }) => ({ path, external: true }));
  },
});

/**
 * What packages hold and pm does not use is left out: commander's `child_process`, for commands that are programs of their
 * own, and the messages of zod in fifty languages.
 */
const lean = {
  name: 'lean',
  setup({ onResolve, onLoad }) {
    const none = (filter, of) =>
      onResolve({ filter }, ({ path, importer }) => (of.test(importer) ? { path, namespace: 'none' } : undefined));
    none(/^node:child_process$/, /[\\/]commander[\\/]/);
    none(/[\\/]locales[\\/]index\.js$/, /[\\/]zod[\\/]/);
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'module.exports = {};' }));
  },
};
