// The plugins of the bundle: what is left out of a file, and what is loaded later.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Packages that most commands need: they are in the bundle itself. */
const WITHIN = ['commander'];
/** Packages that are imported by name where XML is spelled, and loaded when something of them is used: JSON needs none. */
const FOR_XML = ['saxes', 'fast-xml-parser'];

export const fileOf = (name) => name.replaceAll('/', '-');

/** The version is answered without the program. */
export const programApart = {
  name: 'program apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/program\.ts$/ }, () => ({ path: './program.js', external: true }));
  },
};

/** Sources that are imported late and that every reading command needs; what else is imported late is seldom needed. */
const FOR_READING =
  /^src\/(contract|files|engine\/(store|specials\/selections)|cli\/(backend|resource-command|input\/files|selectors|output\/(errors|index|printing|sort|where|formats\/table)|commands\/(help|read|tree)))\b/;

const IMPORT_LATE = /(?<!typeof )\bimport\('([^']+)'\)/g;

/** Puts what is seldom needed into one file of its own, `seldom.js`: to read a megabyte takes as long as most commands. */
export const seldomApart = (root) => ({
  name: 'seldom apart',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(IMPORT_LATE, (_, name) => importLate(root, path, name)),
      loader: 'ts',
    }));
    onResolve({ filter: /^seldom$/ }, () => ({ path: 'seldom', namespace: 'seldom' }));
    onLoad({ filter: /.*/, namespace: 'seldom' }, () => ({
      contents: seldom(root).map(exported).join('\n'),
      resolveDir: root,
    }));
  },
});

const exported = (source) => `export const ${nameOf(source)} = () => require('./${source}');`;

/** Where a source says `import()`: a part of the same file, or of the other one. */
function importLate(root, path, name) {
  const source = sourceOf(root, path, name);
  return source && !FOR_READING.test(source)
    ? `import('seldom').then((seldom) => seldom.${nameOf(source)}())`
    : `Promise.resolve().then(() => require('${name}'))`;
}

/** Undefined for a package. */
const sourceOf = (root, path, name) =>
  name.startsWith('.') ? relative(root, resolve(dirname(path), name)).replaceAll('\\', '/') : undefined;

/** Every source that is imported late and not needed for reading. */
function seldom(root) {
  const files = readdirSync(join(root, 'src'), { recursive: true }).filter((file) => file.endsWith('.ts'));
  const imported = files.flatMap((file) => {
    const path = join(root, 'src', file);
    return [...readFileSync(path, 'utf8').matchAll(IMPORT_LATE)].map(([, name]) => sourceOf(root, path, name));
  });
  return [...new Set(imported)].filter((source) => source && !FOR_READING.test(source)).sort();
}

/** `src/cli/commands/undo.ts` as a name. */
const nameOf = (source) => source.replace(/\.ts$/, '').replaceAll(/\W+(\w)/g, (_, letter) => letter.toUpperCase());

/** Leaves packages out of the bundle, and notes which. They are loaded with the first source that imports them. */
export const packagesApart = (root, apart) => ({
  name: 'packages apart',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      const isOurs = importer.startsWith(join(root, 'src'));
      if (!isOurs || path.startsWith('node:') || [...WITHIN, 'seldom'].includes(path)) return undefined;
      apart.add(path);
      return { path, namespace: 'apart' };
    });
    onLoad({ filter: /.*/, namespace: 'apart' }, async ({ path }) => {
      const file = JSON.stringify(`./packages/${fileOf(path)}.js`);
      if (FOR_XML.includes(path)) return late(path, file);
      const names = (await namesOf(path)).join(', ');
      // What was no module of ES is its own default.
      const whole = 'loaded.__esModule ? loaded.default : loaded';
      return {
        contents: `const loaded = require(${file}); export default ${whole}; export const { ${names} } = loaded;`,
      };
    });
    onResolve({ filter: /^\.\/packages\// }, ({ path }) => ({ path, external: true }));
  },
});

/** The names that a module exports, without its default. */
const namesOf = async (path) =>
  Object.keys(await import(path)).filter((name) => /^(?!(?:default|__esModule|module\.exports)$)\w+$/.test(name));

/** A module with the names of another one, which is loaded when the first of them is used. */
async function late(path, file) {
  const getters = (await namesOf(path)).map((name) => `get ${name}(){return module_().${name}}`);
  return {
    contents: `let loaded;const module_=()=>loaded??=require(${file});module.exports={${getters}};`,
    loader: 'js',
  };
}

/** What Node itself has loaded when pm starts. */
const LOADED = ['node:fs', 'node:path'];

/** Loads the other modules of Node when something of them is first used: `node:crypto` was a tenth of a short command. */
export const builtinsLate = (root) => ({
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
export const lean = {
  name: 'lean',
  setup({ onResolve, onLoad }) {
    const none = (filter, of) =>
      onResolve({ filter }, ({ path, importer }) => (of.test(importer) ? { path, namespace: 'none' } : undefined));
    none(/^node:child_process$/, /[\\/]commander[\\/]/);
    none(/[\\/]locales[\\/]index\.js$/, /[\\/]zod[\\/]/);
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'module.exports = {};' }));
  },
};
