// What of the program is loaded together, for the build: each file costs half a millisecond of every start.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * What a command loads one after the other: the frame, what it needs of the contract, and the work itself.
 * esbuild cuts modules apart by who else shares them, into dozens of files. A module that is imported late therefore
 * also imports all layers that are there before it, so that every layer ends up in one file.
 */
const LAYERS = [
  ['program.ts'],
  ['resource-command.ts'],
  ['backend.ts', 'output/index.ts', 'commands/list.ts', 'commands/get.ts', 'commands/write.ts', 'commands/delete.ts'],
];

/** Imported late out of an early layer: only that layer is there before them. */
const EARLY = ['commands/overview.ts', 'commands/help.ts', 'output/errors.ts'];
/** Imported late in the midst of work. */
const LATE = [
  ...['commands/demo.ts', 'commands/seed.ts', 'commands/explain.ts', 'commands/passwd.ts'],
  ...['commands/sites.ts', 'commands/tree.ts', 'prompt.ts'],
  ...['csv', 'jmespath', 'markdown', 'sort', 'table', 'where', 'xml', 'yaml'].map((name) => `output/${name}.ts`),
];

const BEFORE = new Map([
  ...EARLY.map((file) => [file, LAYERS.slice(0, 1).flat()]),
  ...LATE.map((file) => [file, LAYERS.flat()]),
  ...LAYERS.flatMap((layer, i) => layer.map((file) => [file, i === 0 ? [] : LAYERS.slice(0, i + 1).flat()])),
]);

/** An esbuild plugin that keeps the layers together. */
export const layers = (root) => ({
  name: 'layers',
  setup(build) {
    const folder = join(root, 'src/cli');
    build.onLoad({ filter: /[\\/]src[\\/]cli[\\/].*\.ts$/ }, ({ path }) => {
      const before = BEFORE.get(relative(folder, path).replaceAll('\\', '/')) ?? [];
      const imports = before.map((file) => join(folder, file)).filter((file) => file !== path);
      const lines = imports.map((file) => `import ${JSON.stringify(file)};`).join('');
      return { contents: lines + readFileSync(path, 'utf8'), loader: 'ts' };
    });
  },
});

/**
 * An esbuild plugin for packages that Node loads by `require`: that spares it a look through their source for names.
 * Commander is given no `child_process`, which it keeps for commands that are programs of their own; we have none.
 */
export const lean = {
  name: 'lean',
  setup(build) {
    build.onResolve({ filter: /^better-sqlite3$/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : { path, namespace: 'required' },
    );
    build.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
    build.onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path, namespace: 'none' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'module.exports = {};' }));
  },
};
