// What the help and the README promise exists, and what exists is in the help.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERRORS, EXIT } from '../../src/contract/errors.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const filesBelow = (path: string): readonly string[] =>
  readdirSync(new URL(`../../${path}`, import.meta.url), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${path}/${file}`,
  );

const topics = filesBelow('src/cli/help');
const flags = read('test/snapshots/flags.txt');
const sources = ['bin/pm.js', ...filesBelow('src').filter((file) => file.endsWith('.ts'))].map(read).join('\n');

describe('every flag that is spoken of', () => {
  const known = new Set(flags.match(/--[a-z][\w-]*/g));
  /** Of every program, and of programs that are not pm. */
  const OTHERS: readonly string[] = ['--help', '--version', '--full', '--omit', '--rm'];

  it.each(['README.md', ...topics])('in %s is a flag of some command', (file) => {
    const named = new Set(read(file).match(/(?<![\w-])--[a-z][\w-]*/g));
    expect([...named].filter((flag) => !known.has(flag) && !OTHERS.includes(flag))).toEqual([]);
  });
});

describe('the exit codes', () => {
  const text = read('src/cli/help/exit-codes.md');
  const [table = ''] = text.split('Of several records');
  const told = [...table.matchAll(/(?<=^ {2}|[(,] ?)(\d+)(?= {1,4}\w|: )/gm)].map(([, code]) => Number(code));

  it('in the help are those of the table of names', () => {
    expect(told.sort((a, b) => a - b)).toEqual(Object.values(EXIT).sort((a, b) => a - b));
  });

  it('are each answered by something', () => {
    const ofErrors = new Set<number>(Object.values(ERRORS).map(({ exit }) => exit));
    const isUsed = (name: string): boolean => new RegExp(`\\bEXIT\\.${name}\\b`).test(sources);
    const unused = Object.entries(EXIT).filter(([name, code]) => !ofErrors.has(code) && !isUsed(name));
    expect(unused).toEqual([]);
  });
});

describe('the topic house', () => {
  const house = read('src/cli/help/house.md');
  const files = [...filesBelow('src'), ...filesBelow('test'), ...filesBelow('bin'), ...filesBelow('scripts')];

  it('names files that are there', () => {
    const named = [...house.matchAll(/(?<![\w<>/-])[\w./-]+\.(?:ts|js|tsv|txt)(?!\w)/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))).toEqual([]);
  });

  it('names every folder of the sources', () => {
    const folders = new Set(
      filesBelow('src')
        .filter((file) => file.endsWith('.ts'))
        .map((file) => file.split('/').at(-2) ?? ''),
    );
    const named = new Set([...house.matchAll(/^ +([a-z]+) {2,}|\b([a-z]+):/gm)].map(([, line, part]) => line ?? part));
    expect([...folders].filter((folder) => !named.has(folder))).toEqual([]);
  });
});
