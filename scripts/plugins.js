// The plugins of the bundle: what is left out of a file, and what is loaded later.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Packages that most commands need: they are in the bundle itself. */
const WITHIN = ['commander'];
/** Packages that are imported by name where XML is spelled, and loaded when something of them is used: JSON needs none. */
const FOR_XML = ['saxes', 'fast-xml-parser'];

export const fileOf = (name) => name.replaceAll('/', '-');

/** The version is answered without the program, and all else without what prints the version. */
export const programApart = {
  name: 'program apart',
  setup({ onResolve }) {
    onResolve({ filter: /[\\/](program|printing)\.ts$/ }, ({ path }) => ({
      path: `./${basename(path, '.ts')}.js`,
      external: true,
    }));
  },
};

/** The sources whose paths begin so, each from `src/` on. */
const sourcesOf = (...paths) => new RegExp(`^src/(?:${paths.join('|')})`);

/**
 * The files of the program, and the sources that are loaded late and are part of each: the first that fits. To read a megabyte
 * takes as long as most commands, so a command loads the first file, by which it reads, now and then the second one, which draws
 * tables and speaks to servers, and seldom the last. Each is loaded after those before it; but `asking`, the pages of help that are
 * not written and the errors of a command line, needs the first alone.
 */
const PARTS = {
  program: sourcesOf(
    'contract/(?!same-values|zone)',
    'cli/resource-command',
    'files/(?!disk|output)',
    'cli/(backend|commands/read|input/files|output/(index|printing)|selectors/(?!reference-names))',
  ),
  often: sourcesOf(
    'changes/rows/(cells|column-synonyms)',
    'cli/(commands/tree|output/(errors|formats/table|sort|where)|selectors/)',
    'engine/(specials/selections|store/(?!schema|sql/(roll-up|row-cache)|sqlite/(checkpoints|file/(create|migrate))))',
  ),
  asking: sourcesOf('cli/(commands/(extra|help)\\.ts|usage/(first-steps|foreign-words|help-page|usage-error))'),
  seldom: sourcesOf(''),
};
export const parts = Object.keys(PARTS);
const partOf = (source) => parts.find((part) => PARTS[part].test(source));

/**
 * Sources of functions that are imported by name where every command comes by, and that reading needs seldom or never. V8 spends its
 * time on each function of a file, called or not, so these are loaded with their part when the first of them is called.
 */
const ON_CALL = sourcesOf(
  'changes/(plan/(cautions|current-record|required-fields)|rows/column-synonyms)\\.ts',
  'cli/(commands/extra|input/(required|values)|output/file-form|usage/(foreign-words|help-page|usage-error))\\.ts',
  'contract/(same-values|zone)\\.ts',
  'engine/(batch/gathered-reads|records/(effects|history|references|verbs)|rules/index)\\.ts',
  'engine/store/(journal/job-store|postgres/(address|passwords)|schema/(ddl|indexes)|sql/(roll-up|row-cache|writes))\\.ts',
  'engine/store/sqlite/(checkpoints|file/(create|migrate)|writer)\\.ts',
  'files/(disk|output)\\.ts',
);

/**
 * Rewrites our sources before esbuild reads them: its plugins may only say where a module is, and not what a call of `import()`
 * becomes. Biome formats each of these calls alike, one with a variable is left as it is, and in a comment the other words do no harm.
 */
const IMPORT_LATE = /(?<!typeof )\bimport\('([^']+)'\)/g;

/** Makes each part an entry, which leads to the sources that are imported late. The first one holds the program as well. */
export const partsApart = (root) => ({
  name: 'parts apart',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: inAscii(readFileSync(path, 'utf8').replace(IMPORT_LATE, (_, name) => importLate(root, path, name))),
      loader: 'ts',
    }));
    onResolve({ filter: /\.ts$/ }, ({ path, importer, kind }) => {
      const source = importer === '' ? undefined : sourceOf(root, importer, path);
      return kind === 'import-statement' && ON_CALL.test(source) ? { path: source, namespace: 'on call' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'on call' }, ({ path }) => ({
      contents: onCall(path, readFileSync(join(root, path), 'utf8')),
    }));
    onResolve({ filter: /^\.\/\w+\.js$/, namespace: 'on call' }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: new RegExp(`^(${parts.join('|')})$`) }, ({ path }) => ({ path, namespace: 'parts' }));
    onLoad({ filter: /.*/, namespace: 'parts' }, ({ path: part }) => ({
      contents: part === parts[0] ? "export * from './src/cli/program.ts';" : laterPart(root, part),
      resolveDir: root,
    }));
  },
});

/**
 * One other letter doubles the memory of the whole file. esbuild escapes them in texts, and not in regular expressions, so that it has
 * to be done before. The escape means the same letter in texts, templates and regular expressions; no source has `String.raw`.
 */
const inAscii = (source) =>
  source.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Each name stands for a function that loads the source, and from then on for the function itself, so that a loop loses nothing. */
function onCall(source, text) {
  const exported = text.match(/^export (?!type|interface).*\s.*/gm);
  const names = exported.map((line) => FUNCTION.exec(line)?.slice(1).join('')).filter(Boolean);
  if (names.length < exported.length) throw new Error(`${source} is loaded on call, and exports more than functions`);
  const stubs = names.map((name) => `export let ${name} = (...args) => (load(), ${name}(...args));`).join('');
  return `let loaded; const load = () => loaded ??= ({ ${names} } = require('./${partOf(source)}.js').sources['${source}']()); ${stubs}`;
}

const FUNCTION = /^export (?:(?:async )?function\*? (\w+)|const (\w+) =\s*(?:async )?(?:[(<]|oncePer\())/;

/** It imports those before it, so that esbuild puts what several need into the first of them. */
function laterPart(root, part) {
  const sources = loadedLate(root).filter((source) => partOf(source) === part);
  const before = part === 'asking' ? parts.slice(0, 1) : parts.slice(0, parts.indexOf(part));
  const imports = before.map((one) => `import '${one}';`).join('');
  return `${imports} export const sources = {${sources.map((one) => `'${one}': () => require('./${one}')`)}};`;
}

/** Where a source says `import()`: a source of the same file, or of another one. */
function importLate(root, path, name) {
  const source = sourceOf(root, path, name);
  const part = source && partOf(source);
  return part && part !== parts[0]
    ? `import('${part}').then(({ sources }) => sources['${source}']())`
    : `Promise.resolve().then(() => require('${name}'))`;
}

/** Undefined for a package. */
const sourceOf = (root, path, name) =>
  name.startsWith('.') ? fromRoot(root, resolve(dirname(path), name)) : undefined;

const fromRoot = (root, path) => relative(root, path).replaceAll('\\', '/');

/** Every source that is imported late, or loaded on call. */
function loadedLate(root) {
  const imported = ourFiles(root).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(IMPORT_LATE)].map(([, name]) => sourceOf(root, path, name)),
  );
  const called = ourFiles(root)
    .map((path) => fromRoot(root, path))
    .filter((source) => ON_CALL.test(source));
  return [...new Set([...imported, ...called])].filter(Boolean).sort();
}

const ourFiles = (root) =>
  readdirSync(join(root, 'src'), { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(root, 'src', file));

/** Leaves packages out of the bundle, and notes which. They are loaded with the first source that imports them. */
export const packagesApart = (root, apart) => ({
  name: 'packages apart',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      const isOurs = importer.startsWith(join(root, 'src'));
      if (!isOurs || path.startsWith('node:') || [...WITHIN, ...parts].includes(path)) return undefined;
      apart.add(path);
      return { path, namespace: kind === 'require-call' ? 'apart and whole' : 'apart' };
    });
    // As one object: to define hundreds of names, of which a few are used, took a tenth of a short command.
    onLoad({ filter: /.*/, namespace: 'apart and whole' }, ({ path }) => ({
      contents: `const loaded = require('./packages/${fileOf(path)}.js');
        module.exports = loaded.__esModule ? loaded : { __proto__: loaded, default: loaded };`,
    }));
    onLoad({ filter: /.*/, namespace: 'apart' }, async ({ path }) => {
      const file = JSON.stringify(`./packages/${fileOf(path)}.js`);
      if (FOR_XML.includes(path)) return late(await namesOf(path), file);
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

/**
 * A module with names of another one, which is loaded when the first of them is used. They are of its prototype: what imports the
 * module would copy its own.
 */
function late(names, file) {
  const getters = names.map((name) => `get ${name}(){return module_().${name}}`);
  return {
    contents: `let loaded;const module_=()=>loaded??=require(${file});module.exports={__proto__:{${getters}}};`,
    loader: 'js',
  };
}

/** What Node itself has loaded when pm starts. */
const LOADED = ['node:fs', 'node:path'];

/**
 * Loads the other modules of Node when something of them is first used: `node:crypto` was a tenth of a short command. Where
 * a source says `import()`, which is a call of `require` here, it has the whole module.
 */
export const builtinsLate = (root) => ({
  name: 'builtins late',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, importer, kind }) => {
      const isLate = kind === 'import-statement' && !LOADED.includes(path) && importer.startsWith(join(root, 'src'));
      // esbuild names a module after the end of its path, and each needs a name of its own.
      return isLate ? { path: path.replace('/', '-'), namespace: 'late', pluginData: path } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'late' }, async ({ pluginData: path }) =>
      late(namesUsed(root, path) ?? (await namesOf(path)), JSON.stringify(path)),
    );
    onResolve({ filter: /^node:/, namespace: 'late' }, ({ path }) => ({ path, external: true }));
  },
});

/** The names of a module that our sources import; a getter for each that it has is felt. Undefined where one imports it whole. */
function namesUsed(root, path) {
  const importing = new RegExp(`\\bimport ([^;]*?) from '${path}'`, 'g');
  const texts = ourFiles(root).map((file) => readFileSync(file, 'utf8'));
  if (texts.some((text) => text.includes(`import('${path}')`))) return undefined;
  const clauses = texts
    .flatMap((text) => [...text.matchAll(importing)].map(([, clause]) => clause))
    .filter((clause) => !clause.startsWith('type '));
  const names = clauses
    .flatMap((clause) => clause.match(/(?<![.\w])\w+/g))
    .filter((name) => !['type', 'as'].includes(name));
  return clauses.every((clause) => clause.startsWith('{')) ? [...new Set(names)] : undefined;
}

/**
 * The driver's files are one, since each takes half a millisecond to load. Its binary stays in the package: esbuild would define
 * `__dirname` for all files alike, and this one file must look into another folder.
 */
export const binaryApart = {
  name: 'binary apart',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /[\\/]better-sqlite3[\\/]lib[\\/]binding\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('__dirname', 'lib()') + LIB,
    }));
    onResolve({ filter: /^better-sqlite3$/ }, ({ path, kind }) =>
      kind === 'require-resolve' ? { path, external: true } : undefined,
    );
  },
};

/** The driver's folder is mostly the one below pm, and Node takes two milliseconds to say so. */
const LIB = `
function lib() {
  const near = path.join(__dirname, '../../node_modules/better-sqlite3/lib');
  return fs.existsSync(near) ? near : path.dirname(require.resolve('better-sqlite3'));
}
`;

/** Packages measure texts as we do, so that what they draw stands in our columns. */
export const ourMeasure = {
  name: 'our measure',
  setup({ onResolve }) {
    const measure = fileURLToPath(new URL('string-width.cjs', import.meta.url));
    onResolve({ filter: /^string-width$/ }, () => ({ path: measure }));
  },
};

/**
 * What packages hold and pm does not use is left out: commander's `child_process`, for commands that are programs of their
 * own, the messages of zod in fifty languages, the colors of cli-table3, and conf's schemas, migrations, watching, encryption
 * and choice of a folder.
 */
export const lean = {
  name: 'lean',
  setup({ onResolve, onLoad }) {
    const none = (filter, of) =>
      onResolve({ filter }, ({ path, importer }) => (of.test(importer) ? { path, namespace: 'none' } : undefined));
    none(/^node:child_process$/, /[\\/]commander[\\/]/);
    none(/[\\/]locales[\\/]index\.js$/, /[\\/]zod[\\/]/);
    none(/^(?:ajv|semver|debounce-fn|uint8array-extras|env-paths)\b/, /[\\/]conf[\\/]dist[\\/]/);
    none(/^@colors\/colors\/safe$/, /[\\/]cli-table3[\\/]/);
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'module.exports = {};' }));
    const filter = new RegExp(MENDED.map(([file]) => file.source).join('|'));
    onLoad({ filter }, ({ path }) => ({ contents: mended(path, readFileSync(path, 'utf8')) }));
  },
};

/**
 * What packages do that does harm in pm, and what they do instead. conf's writer deletes its draft at a signal and sends the
 * signal again, so that one Ctrl-C would be two; it writes without a pause, so no signal comes while there is a draft. Where
 * a full disk took a part of the text, it put that part in the place of the whole file. In the terminal of a snap, conf wrote
 * without a draft. cli-table3 shortens each text letter by letter for a message to its developers, which nobody sees: a long
 * one would take minutes. commander makes a command for programs that have but one.
 */
const MENDED = [
  [/[\\/]commander[\\/]index\.js$/, 'exports.program = new Command();', ''],
  [/[\\/]atomically[\\/]dist[\\/]utils[\\/]temp\.js$/, "import whenExit from 'when-exit'", 'const whenExit = () => {}'],
  [/[\\/]stubborn-fs[\\/]dist[\\/]index\.js$/, '(fs.writeSync,', '((file, data) => fs.writeFileSync(file, data),'],
  [/[\\/]conf[\\/]dist[\\/]source[\\/]index\.js$/, 'process.env.SNAP', 'false'],
  [/[\\/]cli-table3[\\/]src[\\/]cell\.js$/, 'utils.truncate(this.content, 10, this.truncate)', "''"],
];

/** The source of a file of a package, as pm uses it; undefined where that is as it came. */
function mended(path, source) {
  const [, harm, instead] = MENDED.find(([file]) => file.test(path)) ?? [];
  if (harm === undefined) return undefined;
  const parts = source.split(harm);
  if (parts.length !== 2) throw new Error(`${path} says ${parts.length - 1} times, and not once: ${harm}`);
  return parts.join(instead);
}

/** A plugin of Vite, so that the tests have these packages as the bundle does. */
export const packagesAsBuilt = {
  name: 'packages as built',
  transform: (source, path) => mended(path, source),
  async load(id) {
    if (!/[\\/]cli-table3[\\/]index\.js$/.test(id)) return undefined;
    const options = { bundle: true, format: 'esm', platform: 'node', write: false, plugins: [lean, ourMeasure] };
    const { outputFiles } = await build({ ...options, entryPoints: [id] });
    return outputFiles[0].text;
  },
};
