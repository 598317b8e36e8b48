// Reads the import lines of the sources, for the law of the house.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Import {
  /** The importing file, from the top of the repository. */
  readonly from: string;
  /** A file of ours, from the top of the repository, or a package's name. */
  readonly to: string;
  readonly ours: boolean;
  /** Erased before the program runs. */
  readonly typeOnly: boolean;
  /** By `await import()`, when it is first needed. */
  readonly late: boolean;
}

/** All files below a folder, from the top of the repository; folders that `skip` names are left out. */
export function filesUnder(folder: string, skip: readonly string[] = []): string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => {
    const path = posix.join(folder, name);
    if (skip.includes(name)) return [];
    return statSync(join(ROOT, path)).isDirectory() ? filesUnder(path, skip) : [path];
  });
}

export const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const AT_ONCE = /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const LATE = /(?<!typeof )\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Every import of a source. */
export function importsIn(from: string, source: string): readonly Import[] {
  const atOnce = [...source.matchAll(AT_ONCE)].map(([, type, to = '']) => resolved(from, to, Boolean(type), false));
  const late = [...source.matchAll(LATE)].map(([, to = '']) => resolved(from, to, false, true));
  return [...atOnce, ...late];
}

function resolved(from: string, to: string, typeOnly: boolean, late: boolean): Import {
  const ours = to.startsWith('.');
  return { from, to: ours ? posix.join(dirname(from), to) : packageOf(to), ours, typeOnly, late };
}

const packageOf = (specifier: string): string =>
  specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');

/** What loading these files loads at once, by value: each with the file that asks for it. */
export function loadedBy(start: readonly string[], imports: readonly Import[]): ReadonlyMap<string, string> {
  const loaded = new Map(start.map((file) => [file, '']));
  for (const file of loaded.keys()) {
    for (const one of imports) {
      if (one.from === file && !one.typeOnly && !one.late && !loaded.has(one.to)) loaded.set(one.to, file);
    }
  }
  return loaded;
}

/** One ring of imports, types and late ones included, as a path that ends where it begins; undefined where there is none. */
export function ringIn(imports: readonly Import[]): readonly string[] | undefined {
  const done = new Set<string>();
  const next = (file: string): string[] => imports.filter((one) => one.from === file && one.ours).map((one) => one.to);
  const walk = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const to of next(file)) {
      const ring = walk(to, [...path, file]);
      if (ring) return ring;
    }
    done.add(file);
    return undefined;
  };
  for (const { from } of imports) {
    const ring = walk(from, []);
    if (ring) return ring;
  }
  return undefined;
}
