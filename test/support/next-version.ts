// The version that follows today's: individuals have a phone number and an assistant. As tables, and as a program of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { beforeAll } from 'vitest';
import { guid, text } from '../../src/contract/field.ts';
import { storedResources } from '../../src/contract/index.ts';
import { defineResource, type Resource } from '../../src/contract/resource.ts';
import { type Changes, DATABASE, type FileKind, newestOf, type Step } from '../../src/engine/store/schema/versions.ts';
import { programIn } from './program.ts';
import { nextLine } from './versions.ts';

/** The contract with one resource changed. */
export const contractWith = (name: string, change: (one: Resource) => Partial<Resource>): readonly Resource[] =>
  storedResources.map((one) => (one.name === name ? { ...one, ...change(one) } : one));

for (const name of ['Phone', 'AssistantID'])
  if (storedResources.some((one) => one.name === 'individual' && name in one.fields))
    throw new Error(`individuals have ${name} now: name another field here and in test/laws/versions.test.ts`);

export const withPhone = contractWith('individual', ({ fields }) => ({
  fields: { Phone: text('optional', { max: 50 }), AssistantID: guid('optional', { to: ['individual'] }), ...fields },
}));

export const trial = defineResource({
  name: 'trial',
  command: 'trials',
  aliases: [],
  type: 'Trial',
  doc: 'A trial.',
  fields: () => ({ IndividualID: guid('required', { to: ['individual'], owner: true }), Name: text('required') }),
  identity: ['IndividualID', 'Name'],
  order: ['Name'],
  columns: [],
  rights: { from: ['IndividualID'], unset: 'own list' },
  operations: () => ({}),
});

export const withoutName = contractWith('coreValue', ({ fields: { Name, ...fields } }) => ({
  fields,
  ...{ names: [], key: [], order: ['Rank'] },
}));

const step = (more: Changes, onServer: readonly string[]): Step => ({
  number: newestOf(DATABASE).number + 1,
  sha256: 'of the next one',
  onServer,
  ...more,
});

/** The versions of today, and one more. */
export const next = (more: Changes = {}): FileKind => ({
  ...DATABASE,
  versions: [...DATABASE.versions, step(more, [])],
});

const ROOT = resolve(import.meta.dirname, '../..');

/** What stands before a source of the program, by its name. */
const WRAPPED: Readonly<Record<string, string>> = {
  'src/engine/store/schema/versions.ts': `
    import { DATABASE as today } from './versions.ts';
    export * from './versions.ts';
    export const DATABASE = { ...today, versions: [...today.versions, ${JSON.stringify(step({}, nextLine(withPhone).onServer))}] };`,
  'src/contract/resources/individuals.ts': `
    import { guid, text } from '../field.ts';
    import { individual as today } from './individuals.ts';
    export const individual = { ...today, fields: {
      Phone: text('optional', { max: 50 }), AssistantID: guid('optional', { to: ['individual'] }), ...today.fields } };`,
};

const wrapping: Plugin = {
  name: 'wrapping',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/(?:versions|individuals)\.ts$/ }, ({ path, resolveDir, namespace }) => {
      const source = relative(ROOT, resolve(resolveDir, path)).replaceAll('\\', '/');
      return namespace !== 'wrapped' && source in WRAPPED ? { path: source, namespace: 'wrapped' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'wrapped' }, ({ path }) => ({
      contents: WRAPPED[path] ?? '',
      resolveDir: join(ROOT, path, '..'),
      loader: 'ts',
    }));
  },
};

const COMMAND = `
  import { main } from './src/cli/main.ts';
  const { stdin, stdout, stderr, env } = process;
  const piped = { stdinIsTerminal: false, stdoutIsTerminal: false, stderrIsTerminal: false, columns: 80 };
  process.exitCode = await main(process.argv.slice(2), {
    stdin, stdout, stderr, env, ...piped, now: () => new Date(), cwd: process.cwd(),
  });`;

/** The pm of that version as a program that Node runs, for all tests of a file; answers its file. */
export function usingNextPm(): () => string {
  let program = '';
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pm-next-'));
    program = await programIn(folder, COMMAND, [wrapping]);
    return () => rmSync(folder, { recursive: true });
  });
  return () => program;
}
