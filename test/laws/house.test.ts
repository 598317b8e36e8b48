// Law 6: who may import whom, what starts light, and what the house is made of.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder, type Import, importsIn, loadedBy, ROOT, ringIn, textOf } from './imports.ts';

const sources = filesUnder('src').filter((file) => file.endsWith('.ts'));
const tests = filesUnder('test').filter((file) => file.endsWith('.ts'));
const importsOf = (files: readonly string[]): readonly Import[] =>
  files.flatMap((file) => importsIn(file, textOf(file)));
const imports = importsOf(sources);
const importsOfAll = [...imports, ...importsOf(tests)];

/** The folders of `src`, each with those it may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  text: [],
  contract: ['text'],
  files: ['contract', 'text'],
  engine: ['contract', 'files', 'text'],
  wire: ['contract', 'text'],
  client: ['contract', 'wire', 'text'],
  server: ['contract', 'wire', 'text'],
  changes: ['contract', 'files', 'text'],
  sites: ['contract', 'files', 'changes', 'text'],
  cli: ['text', 'contract', 'files', 'engine', 'wire', 'client', 'server', 'changes', 'sites'],
};

/** The packages of the design, which stand in help house, each with its place. */
const DESIGN = [
  ...['commander', 'undici', 'fast-xml-parser', 'zod', 'cli-table3', 'inquirer', 'conf', 'better-sqlite3', 'vitest'],
];
const PLACES: Readonly<Record<string, string>> = Object.fromEntries(
  [...textOf('src/cli/help/house.md').matchAll(/^ {2}(\S+) +((?:src|test)\/\S*) /gm)].map(([, name, at]) => [name, at]),
);

/** Packages that one place alone may use. */
const ONLY_IN: Readonly<Record<string, string | readonly string[]>> = {
  ...PLACES,
  pg: 'src/engine/store/postgres/connection.ts',
  saxes: ['src/wire/xml-tree.ts', 'src/changes/files/xlsx.ts'],
  fastify: 'src/server/',
  'fast-string-truncated-width': 'src/text/columns.ts',
  yaml: ['src/cli/', 'src/sites/state/', 'src/changes/files/yaml.ts', 'src/changes/files/row-writer.ts'],
  'csv-stringify': ['src/cli/', 'src/changes/files/row-writer.ts'],
  'csv-parse': 'src/changes/files/delimited/parser.ts',
  numfmt: 'src/changes/files/xlsx-cells.ts',
  chardet: 'src/changes/files/encoding.ts',
  '@jmespath-community/jmespath': 'src/cli/',
  'cli-progress': 'src/cli/',
  '@modelcontextprotocol/sdk': 'src/cli/mcp/server.ts',
};

/** Packages that arrive by `await import()` when they are first needed. */
const NOT_AT_START = [
  ...[
    'better-sqlite3',
    'pg',
    'saxes',
    'fast-xml-parser',
    'undici',
    'fastify',
    'inquirer',
    'cli-table3',
    'conf',
    'fast-string-truncated-width',
    'csv-stringify',
    'yaml',
  ],
  ...['@jmespath-community/jmespath', 'cli-progress', 'zod', 'windows-iana', '@modelcontextprotocol/sdk'],
  ...['csv-parse', 'numfmt', 'chardet'],
];

const TOP = [
  'package.json',
  'tsconfig.json',
  'bin',
  'scripts',
  'src',
  'test',
  'README.md',
  'package-lock.json',
  'LICENSE',
].concat(['CHANGELOG.md', 'biome.json', 'vitest.config.ts']);
const MADE = ['node_modules', 'dist'];

const MAIN = 'src/cli/main.ts';
const LINES = 400;

/** What the build or the program's start runs, and no other file of ours imports. */
const BUILT_FROM = ['src/cli/usage/make-pages.ts', 'src/cli/main.ts'];

/** The most files in one folder; lists of like things may hold more, and shorter ones. */
const FULL = 16;
const SHORT = 40;
const LISTS: readonly string[] = ['contract/resources', 'cli/commands', 'cli/output/formats', 'engine/rules']
  .concat(['engine/specials', 'sites/samples'])
  .map((folder) => `src/${folder}`);

/** The words of the list, each with the places that may use it. */
function privateWords(): ReadonlyMap<string, readonly string[]> {
  const lines = textOf('test/laws/private-words.txt')
    .split('\n')
    .filter((line) => /^[a-z]/.test(line));
  return new Map(
    lines.map((line) => [line.split(':')[0] ?? '', (/\(([^)]+)\)/.exec(line)?.[1] ?? '').split(' ').filter(Boolean)]),
  );
}

/** The words of names and comments; texts in quotes are left out. */
function namesIn(source: string): readonly string[] {
  const bare = source.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, ' ');
  return (bare.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}

const folderOf = (file: string): string => file.split('/')[1] ?? '';
const shown = ({ from, to }: Import): string => `${from} imports ${to}`;

describe('the reader of imports', () => {
  const source = [
    "import './a.ts';",
    "import { type B, c } from '../b.ts';",
    "import type {\n  D,\n} from '@scope/pack/deep';",
    "export { e } from 'pack/deep';",
    "const later = await import('./late.ts');",
    "type F = typeof import('./never.ts');",
  ].join('\n');
  const found = importsIn('src/x/y.ts', source);

  it('finds every kind of import', () => {
    expect(found.map((one) => one.to)).toEqual(['src/x/a.ts', 'src/b.ts', '@scope/pack', 'pack', 'src/x/late.ts']);
  });

  it('tells types and late ones apart', () => {
    expect(found.filter((one) => one.typeOnly).map((one) => one.to)).toEqual(['@scope/pack']);
    expect(found.filter((one) => one.late).map((one) => one.to)).toEqual(['src/x/late.ts']);
  });

  it('finds a ring, and what a start loads', () => {
    const ring = [...importsIn('a/b.ts', "import './c.ts';"), ...importsIn('a/c.ts', "import { x } from './b.ts';")];
    expect(ringIn(ring)).toEqual(['a/b.ts', 'a/c.ts', 'a/b.ts']);
    expect(ringIn(found)).toBeUndefined();
    expect([...loadedBy(['src/x/y.ts'], found).keys()]).toEqual(['src/x/y.ts', 'src/x/a.ts', 'src/b.ts', 'pack']);
  });

  it('finds every file that is imported', () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.filter((one) => one.ours && !existsSync(join(ROOT, one.to))).map(shown)).toEqual([]);
  });
});

describe('directions', () => {
  it('are known for every folder', () => {
    expect(sources.map(folderOf).filter((folder) => !Object.hasOwn(MAY_IMPORT, folder))).toEqual([]);
  });

  it('are kept by every import', () => {
    const wrong = imports.filter((one) => {
      const [from, to] = [folderOf(one.from), folderOf(one.to)];
      return one.ours && to !== from && !MAY_IMPORT[from]?.includes(to);
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('stay inside the sources', () => {
    expect(imports.filter((one) => one.ours && !one.to.startsWith('src/')).map(shown)).toEqual([]);
  });

  it('hide every store behind its port', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        to.startsWith('src/engine/store/') &&
        to !== 'src/engine/store/port.ts' &&
        !from.startsWith('src/engine/store/') &&
        !from.startsWith('src/cli/'),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it('keep each package in its place', () => {
    const wrong = imports.filter(({ from, to }) => ![ONLY_IN[to] ?? ''].flat().some((place) => from.startsWith(place)));
    expect(wrong.map(shown)).toEqual([]);
  });

  it('give each package of the design one place, which help house names and which uses it', () => {
    const unused = Object.entries(PLACES).filter(
      ([name, place]) => !importsOfAll.some(({ from, to }) => to === name && from.startsWith(place)),
    );
    expect(Object.keys(PLACES)).toEqual(expect.arrayContaining(DESIGN));
    expect(unused).toEqual([]);
  });

  it('leave it to one place which driver of SQLite runs', () => {
    const users = importsOfAll.filter(({ to, typeOnly }) => to.startsWith('better-sqlite3') && !typeOnly);
    expect(users.map(({ from }) => from)).toEqual(['src/engine/store/sqlite/driver.ts']);
  });

  it('hold no ring', () => {
    expect(ringIn(imports)).toBeUndefined();
  });
});

describe.runIf(existsSync(join(ROOT, MAIN)))('the start of the program', () => {
  it('loads no heavy package at once', () => {
    const loaded = loadedBy([MAIN], imports);
    const heavy = NOT_AT_START.filter((name) => loaded.has(name)).map((name) => `${loaded.get(name)} imports ${name}`);
    expect(heavy).toEqual([]);
  });

  it('loads no client for the embedded engine', () => {
    const loaded = [...loadedBy(['src/cli/backend.ts'], imports).keys()];
    expect(loaded.length).toBeGreaterThan(50);
    expect(loaded.filter((file) => /^src\/(client|server|wire)\//.test(file))).toEqual([]);
  });
});

describe('the sources', () => {
  it('have no drawer for odds and ends', () => {
    const drawers = filesUnder('.', [...MADE, '.git']).filter((file) => /(^|\/)(utils?|helpers?)(\/|\.)/i.test(file));
    expect(drawers).toEqual([]);
  });

  it('keep every file short enough to be read at once', () => {
    const long = sources.filter((file) => textOf(file).split('\n').length > LINES + 1);
    expect(long).toEqual([]);
  });

  it('say in their first line what they are for', () => {
    expect(sources.filter((file) => !/^\/\/ \S/.test(textOf(file)))).toEqual([]);
  });

  it('hand what is more than five things to a function as an object', () => {
    const { read, found } = linted('complexity/useMaxParams');
    expect(read).toBeGreaterThanOrEqual(sources.length);
    expect(found).toEqual([]);
  });

  it('print by one file alone, which makes all text harmless', () => {
    // What goes to an agent is JSON for a program.
    const toAgents = ['src/cli/mcp/lines.ts'];
    const doors = ['src/cli/output/printing.ts', 'src/cli/streams.ts', 'src/cli/input/prompt.ts', ...toAgents];
    const prints = /[.{,]\s*std(out|err)\b|\bconsole\./;
    expect(doors.filter((file) => !prints.test(textOf(file)) && file !== 'src/cli/streams.ts')).toEqual([]);
    const code = (file: string): string => textOf(file).replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    expect(sources.filter((file) => !doors.includes(file) && prints.test(code(file)))).toEqual([]);
  });

  it('are named in words of the field', () => {
    const words = privateWords();
    expect(words.size).toBeGreaterThan(30);
    const found = sources.flatMap((file) =>
      namesIn(textOf(file))
        .filter((word) => words.has(word) && !words.get(word)?.some((place) => file.startsWith(place)))
        .map((word) => `${file}: ${word}`),
    );
    expect([...new Set(found)]).toEqual([]);
  });

  it('stand in folders that can be looked over', () => {
    const folders = [...new Set(sources.map((file) => dirname(file)))].filter((folder) => !LISTS.includes(folder));
    const inside = (folder: string): number => sources.filter((file) => dirname(file) === folder).length;
    expect(folders.filter((folder) => inside(folder) > FULL)).toEqual([]);
  });

  it('are rooms: a short file that one other file imports has a reason', () => {
    const users = (file: string): number =>
      new Set(imports.filter(({ to }) => to === file).map(({ from }) => from)).size;
    const short = sources.filter(
      (file) => textOf(file).split('\n').length <= SHORT && users(file) === 1 && !LISTS.includes(dirname(file)),
    );
    expect(short).toEqual([]);
  });

  it('offer nothing that no other file uses', () => {
    const all = ['src', 'test', 'scripts'].flatMap((folder) => filesUnder(folder));
    const wordsOf = new Map<string, Set<string>>();
    for (const file of all.filter((one) => /\.[jt]s$/.test(one))) {
      const words = textOf(file).match(/\w+/g) ?? [];
      for (const { to } of importsIn(file, textOf(file))) {
        const known = wordsOf.get(to) ?? new Set();
        for (const word of words) known.add(word);
        wordsOf.set(to, known);
      }
    }
    const offered = /^export (?:async )?(?:const|function\*?|class) (\w+)/gm;
    const unused = sources
      .filter((file) => !BUILT_FROM.includes(file))
      .flatMap((file) => {
        const names = [...textOf(file).matchAll(offered)].map(([, name = '']) => name);
        return names.filter((name) => !wordsOf.get(file)?.has(name)).map((name) => `${file}: ${name}`);
      });
    expect(unused).toEqual([]);
  });

  it('offer everything by its name', () => {
    expect(sources.filter((file) => /^export default /m.test(textOf(file)))).toEqual([]);
  });
});

describe('the repository', () => {
  const files = filesUnder('.', [...MADE, '.git']).filter((file) => !file.endsWith('.tgz'));
  /** The library of the page at /docs is as it came. */
  const built = existsSync(join(ROOT, 'dist')) ? filesUnder('dist', ['docs']) : [];

  it('has at its top only what belongs there', () => {
    const top = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !name.endsWith('.tgz'));
    expect(top.filter((name) => !TOP.includes(name) && !MADE.includes(name))).toEqual([]);
  });

  it('names no place where it was made', () => {
    const places = /(?<![\w.<-])\/(?:work|root)(?:\/|\b)|\bregistry\.\w+\.\w+|"resolved"\s*:\s*"\w+:|\.dist-\d/;
    expect(places.test(` ${['', 'work', 'x'].join('/')}`)).toBe(true);
    const isTold = (file: string): boolean => places.test(textOf(file)) || textOf(file).includes(ROOT);
    expect([...files, ...built].filter(isTold)).toEqual([]);
  });

  it('ships nothing that cannot be read', () => {
    expect(built.filter((file) => textOf(file).includes('\0'))).toEqual([]);
  });
});

interface Lint {
  readonly summary: { readonly unchanged: number };
  readonly diagnostics: readonly { readonly location: { readonly path: string } }[];
}

/** How many files the linter has read for one rule, with its options in biome.json, and those that break it. */
function linted(rule: string): { readonly read: number; readonly found: readonly string[] } {
  const linter = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const told = ran(linter, 'lint', `--only=${rule}`, '--reporter=json', '--max-diagnostics=none', 'src');
  const { summary, diagnostics } = JSON.parse(told) as Lint;
  return { read: summary.unchanged, found: diagnostics.map(({ location }) => location.path) };
}

/** What a tool of Node says on stdout, however it ends. */
function ran(tool: string, ...words: readonly string[]): string {
  try {
    return execFileSync(process.execPath, [tool, ...words], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}
